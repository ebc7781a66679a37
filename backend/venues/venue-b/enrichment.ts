import { canonicalTicker, type Ticker } from '../../domain/market.ts'
import type { MoneyE6 } from '../../domain/units.ts'
import { VenueFailure, type VenueEvent } from '../connector.ts'
import { listOf, pick, scaledOf, textOf, wireOf } from '../fields.ts'
import { chunksOf } from '../paging.ts'
import { CONDITIONS_PER_TAPE, type ReadOptions, type VenueBClient } from './client.ts'
import { parseClobWinner, parseResolutions, type Outcome } from './resolution.ts'

/** Looks up the outcome of closed markets whose catalogue row does not prove it. */
export async function settleClosed(
  client: VenueBClient,
  events: readonly VenueEvent[],
  options: ReadOptions,
): Promise<readonly VenueEvent[]> {
  const settlementEvents: VenueEvent[] = []
  for (const event of events) {
    const isOpenQuestion = event.type === 'market_described' && event.facts.status === 'resolving'
    const outcome = isOpenQuestion ? await outcomeOf(client, event.ticker, options) : null
    if (event.type !== 'market_described' || outcome === null) settlementEvents.push(event)
    else
      settlementEvents.push({ ...event, facts: { ...event.facts, status: 'settled', ...outcome } })
  }
  return settlementEvents
}

/**
 * Payouts are the most reliable source; the order book service's winner flag comes next. A service
 * that fails proves nothing, so the question stays open until the next sweep.
 */
async function outcomeOf(
  client: VenueBClient,
  ticker: Ticker,
  options: ReadOptions,
): Promise<Outcome | null> {
  const resolutions = parseResolutions(
    await client.resolution(ticker, options).catch(nullWhenFailed),
  )
  const resolution = resolutions.get(ticker)
  if (resolution !== undefined) return resolution
  const winner = parseClobWinner(await client.clobMarket(ticker, options).catch(nullWhenFailed))
  return winner.result === null ? null : winner
}

/**
 * Adds open interest, which the catalogue states for whole events only, to reported counters. It
 * stays unknown while its service fails: the facts come from another host.
 */
export async function withOpenInterest(
  client: VenueBClient,
  events: readonly VenueEvent[],
  options: ReadOptions,
): Promise<readonly VenueEvent[]> {
  const tickers = [...new Set(events.map((event) => event.ticker))]
  const byTicker = new Map<Ticker, MoneyE6>()
  for (const chunk of chunksOf(tickers, CONDITIONS_PER_TAPE)) {
    const body = wireOf(await client.openInterest(chunk, options).catch(nullWhenFailed))
    for (const row of listOf(body?.['data'])) {
      const wire = wireOf(row) ?? {}
      const condition = textOf(pick(wire, 'condition_id', 'condition', 'market'))
      const value = scaledOf(pick(wire, 'open_interest', 'oi', 'value'), 6)
      if (condition !== null && value !== null && value >= 0) {
        byTicker.set(canonicalTicker(condition), value as MoneyE6)
      }
    }
  }
  return events.map((event) => {
    const openInterest = byTicker.get(event.ticker)
    if (event.type !== 'activity_reported' || openInterest === undefined) return event
    return { ...event, openInterest }
  })
}

/** The ledger has counted the failure already. */
function nullWhenFailed(error: unknown): null {
  if (error instanceof VenueFailure) return null
  throw error
}
