import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridAt } from '../../domain/change-rows.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { IN_MEMORY } from '../../history/duckdb/engine.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import {
  bookColumns,
  quoteColumns,
  tradeColumns,
  type QuoteInput,
  type TradeInput,
} from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { Board } from '../board.ts'
import { LiveTable } from '../live-table.ts'
import { ReferencePrices } from '../reference-prices.ts'
import { GridBuilder } from './grid-builder.ts'
import type { Grid } from './grid.ts'
import { structureOf } from './structure.ts'

const START = Date.parse('2026-11-10T00:00:00Z') as Millis
const SPAN = 9 * DAY
/** Each run opens two histories. */
const SLOW = 120_000

/** Three strikes of one question on venue_a and one of them on venue_b. */
const MARKETS = [
  { ticker: 'KXBTC-26DEC31-70', title: 'Will Bitcoin be above $70,000 on December 31, 2026?' },
  { ticker: 'KXBTC-26DEC31-80', title: 'Will Bitcoin be above $80,000 on December 31, 2026?' },
  {
    ticker: 'KXIRAN-26DEC31',
    title: 'Will the United States strike Iran before December 31, 2026?',
  },
  {
    ticker: `0x${'ab'.repeat(32)}`,
    title: 'Will Bitcoin be above $70,000 on December 31, 2026?',
    venue: 'venue_b' as const,
    volumeUnit: 'usd' as const,
  },
].map((facts) =>
  marketFacts({
    eventId: facts.ticker.slice(0, 13),
    seriesId: null,
    seriesTitle: null,
    eventTitle: null,
    category: 'crypto',
    openTime: START,
    ...facts,
  }),
)

interface Ticks {
  readonly trades: readonly TradeInput[]
  readonly quotes: readonly QuoteInput[]
}

async function historyOf({ trades, quotes }: Ticks, knownBy = Infinity) {
  const history = await openHistory({ path: IN_MEMORY, logger: silentLogger })
  const ids = await history.marketIds(MARKETS)
  const isKnown = (row: { ts: number; lag?: number }) => row.ts + (row.lag ?? 0) <= knownBy
  const named = <R extends { market: number }>(rows: readonly R[]): R[] =>
    rows.map((row) => ({ ...row, market: ids[row.market] ?? -1 }))
  await history.append({
    facts: MARKETS.map((facts, i) => ({ market: ids[i] ?? -1, knownAt: START, facts })),
    trades: tradeColumns(named(trades.filter(isKnown))),
    quotes: quoteColumns(named(quotes.filter(isKnown))),
    books: bookColumns([]),
  })
  return history
}

type OpenHistory = Awaited<ReturnType<typeof historyOf>>

function builderOn(history: OpenHistory): GridBuilder {
  const reference = new ReferencePrices(history)
  const clock = new FakeClock(START + SPAN)
  const board = new Board({ history, live: new LiveTable(), reference, clock })
  const structure = {
    read: (input: Parameters<typeof structureOf>[0]) => Promise.resolve(structureOf(input)),
    close: () => Promise.resolve(),
  }
  return new GridBuilder({ history, board, reference, structure, clock })
}

/** Everything that a grid says, without its functions. */
const said = (grid: Grid) => ({
  at: grid.at,
  markets: [...grid.markets].map(([ticker, market]) => [
    ticker,
    { ...market, view: { ...market.view } },
  ]),
  pairs: grid.pairs,
  links: grid.links,
  betas: grid.links.map(({ i, j }) => [grid.betaOf(i, j), grid.betaOf(j, i)]),
  gaps: grid.gaps('6h'),
  eventEdges: grid.eventEdges,
  indices: [...grid.indices],
})

const stamp = {
  market: fc.integer({ min: 0, max: MARKETS.length - 1 }),
  ts: fc.integer({ min: 0, max: SPAN }).map((ms) => START + ms),
  lag: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 30_000 }),
    fc.integer({ min: 0, max: DAY }),
  ),
}
const ticks = fc
  .record({
    trades: fc.array(
      fc.record({
        ...stamp,
        price: fc.integer({ min: 100, max: 9_900 }),
        size: fc.integer({ min: 1, max: 900 }).map((n) => n * 1_000_000),
        taker: fc.constantFrom(0 as const, 1 as const, 2 as const),
      }),
      { minLength: 20, maxLength: 120 },
    ),
    quotes: fc.array(
      fc
        .record({
          ...stamp,
          bid: fc.integer({ min: 100, max: 9_000 }),
          width: fc.integer({ min: 100, max: 900 }),
        })
        .map(({ width, ...row }) => ({ ...row, ask: row.bid + width })),
      { minLength: 20, maxLength: 200 },
    ),
  })
  .map(({ trades, quotes }) => ({
    trades: trades.map((trade, i) => ({ ...trade, tradeId: `t${i}` })),
    quotes,
  }))

describe('a grid', () => {
  it(
    'knows nothing that was not known at its instant',
    async () => {
      await fc.assert(
        fc.asyncProperty(ticks, fc.integer({ min: 2 * DAY, max: SPAN }), async (rows, after) => {
          const at = gridAt((START + after) as Millis)
          const [whole, cut] = [await historyOf(rows), await historyOf(rows, at)]
          try {
            const [later, then] = [await builderOn(whole).build(at), await builderOn(cut).build(at)]
            expect(said(later)).toEqual(said(then))
          } finally {
            await Promise.all([whole.close(), cut.close()])
          }
        }),
        { numRuns: 12 },
      )
    },
    SLOW,
  )

  it(
    'is the same for a builder that moved on with time as for one that starts there',
    async () => {
      const onTime = ticks.map(({ trades, quotes }) => ({
        trades: trades.map((trade) => ({ ...trade, lag: 0 })),
        quotes: quotes.map((quote) => ({ ...quote, lag: 0 })),
      }))
      await fc.assert(
        fc.asyncProperty(onTime, fc.integer({ min: 3 * DAY, max: SPAN }), async (rows, after) => {
          const at = gridAt((START + after) as Millis)
          const history = await historyOf(rows)
          try {
            const moving = builderOn(history)
            for (const before of [26 * HOUR, HOUR, 45 * MINUTE, 15 * MINUTE]) {
              await moving.build((at - before) as Millis)
            }
            const [moved, fresh] = [await moving.build(at), await builderOn(history).build(at)]
            expect(said(moved)).toEqual(said(fresh))
          } finally {
            await history.close()
          }
        }),
        { numRuns: 6 },
      )
    },
    SLOW,
  )

  it('pairs one question on two venues and links the strikes of one event', async () => {
    const history = await historyOf({ trades: [], quotes: [] })
    try {
      const grid = await builderOn(history).build(gridAt((START + 3 * DAY) as Millis))
      expect(grid.pairs.map(({ a, b }) => [a, b])).toEqual([
        ['KXBTC-26DEC31-70', `0x${'ab'.repeat(32)}`],
      ])
      expect(grid.links.map(({ i, j, kind }) => [i, j, kind])).toContainEqual([
        'KXBTC-26DEC31-70',
        'KXBTC-26DEC31-80',
        'ladder',
      ])
      expect(grid.indices.get('')).toMatchObject({ disagreement: null, activity: null })
    } finally {
      await history.close()
    }
  })
})
