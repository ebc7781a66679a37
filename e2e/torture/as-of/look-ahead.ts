import type { Millis } from '../../../backend/domain/units.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'

/**
 * Reads that change from second to second; random choice would request them with `depth` too
 * rarely.
 */
const CHANGING = [
  '/api/public/markets?depth=true&limit=10',
  '/api/public/markets?depth=true&limit=10&venue=venue_b',
] as const

/** Included in every run, at random instants as well as here. */
export const changingReads = (tickers: readonly string[]): readonly string[] => [
  ...CHANGING,
  `/api/public/market/${encodeURIComponent(tickers[0] ?? '')}?depth=true`,
]

/** What the history knows about settlements, and what it must not know yet. */
export interface EarlyOutcomes {
  /** Markets with a checked version from before their settlement. */
  readonly looked: number
  /** Versions with a result or a settlement price before the market was settled, one line each. */
  readonly early: readonly string[]
}

/** Checks every version of facts from before a market settled: none may contain its result. */
export async function earlyOutcomesOf(demo: DemoService): Promise<EarlyOutcomes> {
  const { history } = demo.service.data
  const records = await history.recordsBetween(0 as Millis, demo.clock.now())
  const settled = new Set(
    records.filter(({ facts }) => facts.settlementPrice !== null).map(({ facts }) => facts.ticker),
  )
  const before = records.filter(
    ({ facts }) => facts.status !== 'settled' && settled.has(facts.ticker),
  )
  const early = before.filter(
    ({ facts }) => facts.settlementPrice !== null || facts.result !== null,
  )
  return {
    looked: new Set(before.map(({ facts }) => facts.ticker)).size,
    early: early.map(
      ({ facts, knownAt }) =>
        `${facts.ticker} has its outcome at ${new Date(knownAt).toISOString()}, ${facts.status}`,
    ),
  }
}
