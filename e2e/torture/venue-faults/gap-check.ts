import type { Venue } from '../../../backend/domain/market.ts'
import type { Millis } from '../../../backend/domain/units.ts'
import type { CoverageFeed } from '../../../backend/domain/coverage-feed.ts'
import type { CoverageRow, CoverageState } from '../../../backend/history/coverage.ts'
import type { MarketId } from '../../../backend/history/market-key.ts'
import type { FaultReport, FaultEffect } from '../../../backend/simulator/faults/faults.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'

/** Losses that faults caused on a socket, and their coverage in the service. */
export interface GapCheck {
  readonly injected: number
  /** Inside a recorded gap of the market and feed. */
  readonly marked: number
  /** Of the prints among them: inside a repaired period. */
  readonly printsLost: number
  readonly printsRepaired: number
}

/** Kinds that cut everything between two messages, of whatever market. */
const CUTS = new Set(['drop', 'reconnect-storm', 'error-frame'])
/** Kinds that lose or corrupt single messages, each of which counts. */
const LOSES = new Set(['gap', 'freeze', 'malformed-frame', 'binary-frame', 'crossed-book'])
/** A message is sent up to a beat after its event, and its loss is noticed with the next one. */
const TOLERANCE = 1_000
const MOST = 100_000

interface Loss extends FaultEffect {
  readonly feed: CoverageFeed
  readonly isPrint: boolean
}

/** Whether each loss since `from` is recorded as a gap, and each print among them repaired. */
export async function checkGaps(demo: DemoService, venue: Venue, from: number): Promise<GapCheck> {
  const { history } = demo.service.data
  const now = demo.clock.now()
  const span = { from: (from - TOLERANCE) as Millis, to: (now + 1) as Millis, asOf: now }
  const gaps = (await history.gaps({ venue, ...span, limit: MOST })).filter(
    ({ state }) => state === 'gap',
  )
  const losses = demo.simulator
    .faults()
    .filter((report) => report.venue === venue)
    .flatMap(lossesOf)
    .filter(({ at }) => at >= from)
  let [marked, printsLost, printsRepaired] = [0, 0, 0]
  let polled = 0
  for (const loss of losses) {
    const [name] = loss.markets
    const market = name === undefined ? null : (history.marketIdOf(name)?.market ?? null)
    const states = market === null ? [] : await statesAt(demo, market, loss)
    // A feed that is polled does not arrive by the socket.
    if (states.length > 0 && states.every((state) => state === 'polled')) {
      polled += 1
      continue
    }
    if (gaps.some((gap) => covers(gap, loss, market))) marked += 1
    if (!loss.isPrint || market === null) continue
    printsLost += 1
    if (states.length > 0 && !states.includes('gap')) printsRepaired += 1
  }
  return { injected: losses.length - polled, marked, printsLost, printsRepaired }
}

/**
 * Losses that must be recorded. venue_a numbers its messages, so each loss is detected. venue_b
 * numbers none: prints are read from its index anyway, and a lost book change is detected only when
 * it moved the best price; there cuts and freezes must be recorded, until the service records that
 * it polls quotes instead.
 */
function lossesOf({ venue, kind, listedEffects }: FaultReport): Loss[] {
  if (venue === 'venue_b' && kind === 'freeze')
    return listedEffects.map((strike) => ({ ...strike, feed: 'quotes' as const, isPrint: false }))
  if (CUTS.has(kind))
    return listedEffects.map((strike) => ({
      ...strike,
      markets: [],
      feed: 'quotes' as const,
      isPrint: false,
    }))
  if (venue === 'venue_b' || !LOSES.has(kind)) return []
  return listedEffects
    .filter(({ where, corrupted }) => corrupted > 0 && ['trade', 'book'].includes(where))
    .map((strike) => {
      const isPrint = strike.where === 'trade'
      return { ...strike, isPrint, feed: isPrint ? 'trades' : 'quotes' }
    })
}

/** Coverage of a market's feed at the time of a loss, as known now. */
async function statesAt(
  demo: DemoService,
  market: MarketId,
  { feed, at }: Loss,
): Promise<CoverageState[]> {
  const span = { from: at as Millis, to: (at + 1) as Millis, asOf: demo.clock.now() }
  const spans = await demo.service.data.history.coverage({ market, feed, ...span })
  return spans.map(({ state }) => state)
}

function covers(gap: CoverageRow, loss: Loss, market: number | null): boolean {
  const isSameMarket = gap.market === null || market === null || gap.market === market
  const isSameTime =
    gap.from <= loss.at + TOLERANCE && (gap.to === null || gap.to >= loss.at - TOLERANCE)
  return isSameMarket && isSameTime && (market === null || gap.feed === loss.feed)
}
