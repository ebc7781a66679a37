import { globalDiff } from '../../domain/changes/market-diff.ts'
import { measuredLabel } from '../../domain/regime/regime.ts'
import type { GlobalDiff, MarketSpan } from '../../domain/changes/market-diff.ts'
import type { MarketFacts, MarketStatus, Ticker } from '../../domain/market.ts'
import { statusAt } from '../../domain/market-status.ts'
import { settledPrice } from '../../domain/prices/price.ts'
import { topicsOf } from '../../domain/topics/topics.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { ContextSnapshot } from './context-snapshot.ts'
import type { MarketView } from '../board/market-board.ts'

/** A market at both ends of a diff. */
export interface DiffedMarket extends MarketSpan {
  readonly facts: MarketFacts
  readonly topics: readonly string[]
  readonly volume24h: number | null
  /** Volume surprise at the end (A9). */
  readonly vr: number | null
}

type Versions = Pick<HistoryStore, 'recordsBetween' | 'recordsAt' | 'changes'>

/** Maximum change events read to find when labels changed. */
const MAX_FLIPS = 5_000

/** When each market took its label at `to`, from the newest event of its kind. */
async function flips(history: Versions, from: Millis, to: Millis) {
  const rows = await history.changes({
    since: from,
    asOf: to,
    types: ['regime_change'],
    markets: null,
    after: null,
    limit: MAX_FLIPS,
  })
  const since = new Map<MarketId, Millis>()
  for (const { market, at } of rows) if (!since.has(market)) since.set(market, at)
  return since
}

/** Since when a market has the status that follows from its newest version and the clock. */
function statusSince(versions: readonly MarketRecord[], status: MarketStatus, to: Millis): Millis {
  const version = versions.find(({ facts }) => facts.status === status)
  const closeTime = versions.at(-1)?.facts.closeTime ?? null
  if (version !== undefined) return version.knownAt
  return closeTime !== null && closeTime <= to ? closeTime : to
}

/**
 * Changes between two snapshot instants (methodology F5): of the markets that may trade at the end,
 * and of those that ended in between, dated by their versions.
 * @param then null when there is no snapshot in the past
 * @param lastOf the last view of a market that ended
 */
export async function diffSnapshots(
  now: ContextSnapshot,
  then: ContextSnapshot | null,
  from: Millis,
  history: Versions,
  lastOf: (tickers: readonly Ticker[]) => Promise<ReadonlyMap<string, MarketView>>,
): Promise<GlobalDiff<DiffedMarket>> {
  const to = now.at
  const [records, labelSince] = await Promise.all([
    history.recordsBetween(from, to),
    flips(history, from, to),
  ])
  const versions = new Map<Ticker, MarketRecord[]>()
  for (const record of records) {
    const { ticker } = record.facts
    if (now.markets.has(ticker)) continue
    versions.set(ticker, [...(versions.get(ticker) ?? []), record])
  }
  const spans: DiffedMarket[] = [...now.markets.values()].map(({ view, regime, surprise }) => {
    const { facts } = view
    const previous = then?.markets.get(facts.ticker)
    return {
      ticker: facts.ticker,
      facts,
      topics: view.topics,
      firstSeenAt: view.firstSeenAt,
      priceThen: previous?.view.price ?? null,
      priceNow: view.price,
      statusThen: previous?.view.status ?? null,
      statusNow: view.status,
      statusSince: to,
      result: facts.result,
      labelThen: measuredLabel(previous?.regime ?? null),
      labelNow: measuredLabel(regime),
      labelSince: labelSince.get(view.market) ?? to,
      volume24h: view.volume24h,
      vr: surprise.vr,
    }
  })

  const endedTickers = [...(then?.markets.keys() ?? [])].filter(
    (ticker) => !now.markets.has(ticker),
  )
  const changedTickers = [...new Set([...versions.keys(), ...endedTickers])]
  const ids = [...versions.values()].flatMap(([first]) => (first === undefined ? [] : first.market))
  const [last, settledBefore] = await Promise.all([
    lastOf(changedTickers),
    history.recordsAt(from, ids, ['settled']),
  ])
  const wasSettled = new Set(settledBefore.map(({ facts }) => facts.ticker))
  for (const ticker of changedTickers) {
    const previous = then?.markets.get(ticker)
    const existing = versions.get(ticker) ?? []
    const facts = existing.at(-1)?.facts ?? previous?.view.facts
    const firstSeenAt = existing.at(-1)?.firstSeenAt ?? previous?.view.firstSeenAt
    if (facts === undefined || firstSeenAt === undefined) continue
    const statusNow = statusAt(facts, to)
    const endedBefore: MarketStatus = wasSettled.has(ticker) ? 'settled' : 'closed'
    const priceNow: Cents | null =
      statusNow === 'settled' ? settledPrice(facts) : (last.get(ticker)?.price ?? null)
    spans.push({
      ticker,
      facts,
      topics: topicsOf(facts),
      firstSeenAt,
      priceThen: previous?.view.price ?? null,
      priceNow,
      statusThen: previous?.view.status ?? (firstSeenAt > from ? null : endedBefore),
      statusNow,
      statusSince: statusSince(existing, statusNow, to),
      result: facts.result,
      labelThen: null,
      labelNow: null,
      labelSince: null,
      volume24h: last.get(ticker)?.volume24h ?? null,
      vr: null,
    })
  }
  return globalDiff(spans, from)
}
