import fc from '../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import { IN_MEMORY } from '../../history/duckdb/engine/engine.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { TradeCorrection, TradeRow } from '../../history/market-rows.ts'
import { silentLogger } from '../../lib/logger.ts'
import { fakeHistory } from '../../testing/fake-history.ts'
import { quoteColumns, tradeColumns } from '../../testing/history-rows.ts'
import type { TradeInput } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { marketView } from '../../testing/builders.ts'
import { DailyTrends } from './daily-trends.ts'

const START = Date.parse('2026-11-10T00:00:00Z') as Millis
const SPAN = 9 * DAY
/** Each run opens a history. */
const SLOW = 120_000

const FACTS = [
  marketFacts({ ticker: 'KXA' }),
  marketFacts({ ticker: 'KXB', closeTime: (START + 8 * DAY) as Millis }),
  marketFacts({ ticker: `0x${'ab'.repeat(32)}`, venue: 'venue_b', volumeUnit: 'usd' }),
  marketFacts({ ticker: 'KXQUIET' }),
]

/** Index in `FACTS`; the last market has no events. */
const market = fc.integer({ min: 0, max: FACTS.length - 2 })
const lag = fc.constantFrom(0, MINUTE, 30 * HOUR)
const ts = fc.integer({ min: 0, max: SPAN }).map((span) => START + span)
const price = fc.integer({ min: 0, max: 100 }).map((cents) => cents * 100)
const trades = fc.array(
  fc.record({
    market,
    ts,
    lag,
    price,
    isBlock: fc.boolean(),
    size: fc.integer({ min: 1, max: 900 }).map((contracts) => contracts * 1_000_000),
  }),
  { maxLength: 40 },
)
const quotes = fc.array(
  fc.record({ market, ts, lag, bid: fc.option(price), ask: fc.option(price) }),
  { maxLength: 60 },
)
const intervals = fc.array(
  fc.record({
    market: fc.option(market),
    state: fc.constantFrom('live' as const, 'polled' as const, 'gap' as const),
    venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
    from: ts,
    knownAt: ts,
    span: fc.integer({ min: 1, max: 3 * DAY }),
  }),
  { maxLength: 6 },
)
const versions = fc.array(
  fc.record({ market, knownAt: ts, closeTime: fc.option(ts.map((at) => at + DAY)) }),
  { maxLength: 6 },
)
const words = fc.array(fc.record({ trade: fc.nat(), knownAt: ts, isBusted: fc.boolean() }), {
  maxLength: 4,
})

// Second computation: days of many markets read together equal those of each market read alone.
it(
  'reads the days of many markets as those of each alone',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ trades, quotes, intervals, versions, words }),
        fc.array(fc.integer({ min: 6 * DAY, max: SPAN }), { minLength: 3, maxLength: 3 }),
        async (rows, instants) => {
          const history = await openHistory({ path: IN_MEMORY, logger: silentLogger })
          try {
            const ids = await history.marketIds(FACTS)
            const named = <Row extends { market: number }>(row: Row): Row => ({
              ...row,
              market: ids[row.market] ?? -1,
            })
            const printed: TradeInput[] = rows.trades
              .toSorted((a, b) => a.ts - b.ts)
              .map((trade, i) => ({ ...named(trade), tradeId: `${i}` }))
            await history.append({
              facts: [
                ...FACTS.map((facts, i) => ({ market: ids[i] ?? -1, knownAt: START, facts })),
                ...rows.versions.map(({ market, knownAt, closeTime }) => ({
                  market,
                  knownAt: knownAt as Millis,
                  facts: {
                    ...(FACTS[market - 1] ?? marketFacts()),
                    closeTime: closeTime as Millis,
                  },
                })),
              ],
              trades: tradeColumns(printed),
              quotes: quoteColumns(rows.quotes.map(named).toSorted((a, b) => a.ts - b.ts)),
              coverage: rows.intervals.map(
                ({ span, from, knownAt, market, ...interval }): CoverageRow => ({
                  ...interval,
                  feed: 'trades',
                  reason: null,
                  venue: FACTS[market ?? -1]?.venue ?? interval.venue,
                  market: market === null ? null : (ids[market] ?? -1),
                  from: from as Millis,
                  to: (from + span) as Millis,
                  knownAt: knownAt as Millis,
                }),
              ),
              corrections: rows.words.flatMap(({ trade, knownAt, isBusted }): TradeCorrection[] => {
                const duplicate = printed[trade % Math.max(1, printed.length)]
                if (duplicate === undefined) return []
                const { market, tradeId, ts } = duplicate
                const corrected = {
                  ts: ts as Millis,
                  price: 5_000 as PriceE4,
                  size: 7_000_000 as SizeE6,
                  takerSide: null,
                  isBlock: false,
                }
                const known = { market, tradeId, knownAt: knownAt as Millis }
                return [{ ...known, corrected: isBusted ? null : corrected }]
              }),
            })
            const views = FACTS.map((facts, i) => ({
              ...marketView({ facts }),
              market: ids[i] ?? -1,
            }))
            const trends = new DailyTrends(history)
            for (const [turn, after] of instants.entries()) {
              const at = (START + after) as Millis
              if (turn === 1) await history.sortClosedHours(at)
              const together = runToCompletion(await trends.readMany(views.toReversed(), at))
              for (const view of views) {
                expect(together.get(view.market)).toEqual(await trends.read(view, at, false))
              }
              expect(together.get(ids.at(-1) ?? -1)).toEqual([])
            }
          } finally {
            await history.close()
          }
        },
      ),
      { numRuns: 8 },
    )
  },
  SLOW,
)

it('reads closed days again when older rows arrived during the first read', async () => {
  const view = marketView()
  const midnight = (START + 8 * DAY) as Millis
  const now = (midnight + HOUR) as Millis
  const trades: TradeRow[] = []
  const history = fakeHistory({ views: [view], trades })
  const trends = new DailyTrends(history)
  const reading = trends.read(view, now, true)
  trades.push({
    tradeId: '1',
    ts: (midnight - HOUR) as Millis,
    price: 4_000 as PriceE4,
    size: 1_000_000 as SizeE6,
    takerSide: null,
    isBlock: false,
  })
  trends.invalidate()
  await reading
  const days = await trends.read(view, now, true)
  expect(days).toEqual(await new DailyTrends(history).read(view, now, true))
  expect(days).not.toEqual(await reading)
})
