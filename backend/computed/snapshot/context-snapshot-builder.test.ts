import fc, { scaled } from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { quarterHourOf } from '../../domain/changes/change-rows.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { World } from '../../domain/world/world.ts'
import { IN_MEMORY } from '../../history/duckdb/engine/engine.ts'
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
import { memoryContext } from '../../testing/memory-context.ts'
import { Board } from '../board/board.ts'
import { LiveTable } from '../board/live-table.ts'
import { ReferencePrices } from '../board/reference-prices.ts'
import { createWorldSnapshotService } from '../world/world-snapshot-service.ts'
import { ContextSnapshotBuilder } from './context-snapshot-builder.ts'
import type { ContextSnapshot } from './context-snapshot.ts'
import { structureOf } from './structure/structure.ts'

const START = Date.parse('2026-11-10T00:00:00Z') as Millis
const SPAN = 9 * DAY
/** Random histories, and how many instants of each are compared with a history that ends there. */
const [HISTORIES, INSTANTS] = [scaled(2), 5]
/** Each comparison opens a history. */
const SLOW = 240_000

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
  { ticker: 'KXOSCARPIC-27', title: 'Will a comedy win best picture in 2027?' },
  { ticker: 'KXGOVTX-26NOV', title: 'Will the governor of Texas be reelected?' },
  { ticker: 'KXMARSLAND-30', title: 'Will a crew land on Mars before 2030?' },
  { ticker: 'KXRAINLON-26DEC', title: 'Will it snow in London on Christmas Day 2026?' },
  { ticker: 'KXCPIYOY-26DEC', title: 'Will CPI inflation be above 3.0% in December 2026?' },
  { ticker: 'KXWTIMAX-26DEC', title: 'Will WTI oil close above $90 on December 15, 2026?' },
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
  const withMarketIds = <R extends { market: number }>(rows: readonly R[]): R[] =>
    rows.map((row) => ({ ...row, market: ids[row.market] ?? -1 }))
  await history.append({
    facts: MARKETS.map((facts, i) => ({ market: ids[i] ?? -1, knownAt: START, facts })),
    trades: tradeColumns(withMarketIds(trades.filter(isKnown))),
    quotes: quoteColumns(withMarketIds(quotes.filter(isKnown))),
    books: bookColumns([]),
  })
  return history
}

type OpenHistory = Awaited<ReturnType<typeof historyOf>>

function partsOn(history: OpenHistory) {
  const reference = new ReferencePrices(history)
  const clock = new FakeClock(START + SPAN)
  const board = new Board({ history, live: new LiveTable(), reference, clock })
  return { history, reference, clock, board }
}

function builderOn(history: OpenHistory): ContextSnapshotBuilder {
  const structure = {
    read: (input: Parameters<typeof structureOf>[0]) => Promise.resolve(structureOf(input)),
    close: () => Promise.resolve(),
  }
  return new ContextSnapshotBuilder({ ...partsOn(history), structure })
}

/** The snapshot of an instant and its world, from builders without earlier state. */
async function snapshotAt(history: OpenHistory, at: Millis) {
  const snapshot = await builderOn(history).build(at)
  const { board, reference, clock } = partsOn(history)
  const worldSnapshots = createWorldSnapshotService({
    board,
    reference,
    store: memoryContext(),
    clock,
  })
  return { snapshot, world: (await worldSnapshots.past(at, snapshot)).world }
}

/** The data of a world, without its functions. */
const reportedBy = ({ at, baseline, markets, candidates, memory }: World) => ({
  at,
  baseline,
  markets,
  candidates,
  memory: [...memory],
})

/** The data of a snapshot, without its functions. */
const comparable = (snapshot: ContextSnapshot) => ({
  at: snapshot.at,
  markets: [...snapshot.markets].map(([ticker, market]) => [
    ticker,
    { ...market, view: { ...market.view } },
  ]),
  pairs: snapshot.pairs,
  links: snapshot.links,
  betas: snapshot.links.map(({ i, j }) => [snapshot.betaOf(i, j), snapshot.betaOf(j, i)]),
  gaps: snapshot.gaps('6h'),
  eventEdges: snapshot.eventEdges,
  indices: [...snapshot.indices],
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
      { minLength: 40, maxLength: 160 },
    ),
    quotes: fc.array(
      fc
        .record({
          ...stamp,
          bid: fc.integer({ min: 100, max: 9_000 }),
          width: fc.integer({ min: 100, max: 900 }),
        })
        .map(({ width, ...row }) => ({ ...row, ask: row.bid + width })),
      { minLength: 60, maxLength: 300 },
    ),
  })
  .map(({ trades, quotes }) => ({
    trades: trades.map((trade, i) => ({ ...trade, tradeId: `t${i}` })),
    quotes,
  }))

describe('a snapshot', () => {
  it(
    'knows nothing that was not known at its instant, nor does the world made of it',
    async () => {
      let compared = 0
      const instants = fc.array(fc.integer({ min: 2 * DAY, max: SPAN }), {
        minLength: INSTANTS,
        maxLength: INSTANTS,
      })
      await fc.assert(
        fc.asyncProperty(ticks, instants, async (rows, afters) => {
          const whole = await historyOf(rows)
          try {
            for (const after of afters) {
              const at = quarterHourOf((START + after) as Millis)
              const cut = await historyOf(rows, at)
              try {
                const [later, then] = [await snapshotAt(whole, at), await snapshotAt(cut, at)]
                expect(comparable(later.snapshot)).toEqual(comparable(then.snapshot))
                expect(reportedBy(later.world)).toEqual(reportedBy(then.world))
                compared += then.world.markets.length
              } finally {
                await cut.close()
              }
            }
          } finally {
            await whole.close()
          }
        }),
        { numRuns: HISTORIES, endOnFailure: true },
      )
      expect(compared).toBeGreaterThanOrEqual(40 * HISTORIES)
    },
    SLOW,
  )

  it(
    'is the same for a builder that moved on as for one that starts there, however late rows came',
    async () => {
      await fc.assert(
        fc.asyncProperty(ticks, fc.integer({ min: 3 * DAY, max: SPAN }), async (rows, after) => {
          const at = quarterHourOf((START + after) as Millis)
          const history = await historyOf(rows)
          try {
            const moving = builderOn(history)
            const gauges = builderOn(history)
            for (const before of [26 * HOUR, HOUR, 45 * MINUTE, 15 * MINUTE]) {
              await moving.build((at - before) as Millis)
              await gauges.gauges((at - before) as Millis)
            }
            const fresh = await builderOn(history).build(at)
            expect(comparable(await moving.build(at))).toEqual(comparable(fresh))
            // Read alone they are equal, and the next snapshot is complete.
            expect([...(await gauges.gauges(at))]).toEqual([...fresh.indices])
            expect(comparable(await gauges.build(at))).toEqual(comparable(fresh))
          } finally {
            await history.close()
          }
        }),
        { numRuns: scaled(2), endOnFailure: true },
      )
    },
    SLOW,
  )

  it('computes lead times from what was known at midnight, at any time of day', async () => {
    const midnight = (START + 3 * DAY) as Millis
    const priced = { market: 0, size: 1_000_000, taker: 0 as const }
    const history = await historyOf({
      trades: [
        { ...priced, ts: midnight - 5 * HOUR, price: 4_000, tradeId: 'known' },
        { ...priced, ts: midnight - 2 * HOUR, lag: 3 * HOUR, price: 6_000, tradeId: 'late' },
      ],
      quotes: [],
    })
    try {
      const hourlyFrom = async (at: number) => {
        const requested: Parameters<typeof structureOf>[0][] = []
        const read = (input: Parameters<typeof structureOf>[0]) => {
          requested.push(input)
          return Promise.resolve(structureOf(input))
        }
        const structure = { read, close: () => Promise.resolve() }
        await new ContextSnapshotBuilder({ ...partsOn(history), structure }).build(at as Millis)
        return requested[0]?.hourly
      }
      const first = await hourlyFrom(midnight)
      expect(first).toMatchObject([{ ticker: MARKETS[0]?.ticker }])
      expect(await hourlyFrom(midnight + 9 * HOUR)).toEqual(first)
    } finally {
      await history.close()
    }
  })

  it('is complete when older history arrives while it is computed', async () => {
    const at = quarterHourOf((START + 3 * DAY) as Millis)
    const trades = [10, 20, 30, 40].map((hours, n) => ({
      market: 0,
      ts: at - hours * HOUR,
      size: 1_000_000,
      taker: 1 as const,
      price: 4_000 + 500 * n,
      tradeId: `t${n}`,
    }))
    const history = await historyOf({ trades, quotes: [] })
    try {
      const before = await builderOn(history).build(at)
      const structure = {
        read: (input: Parameters<typeof structureOf>[0]) => {
          builder.invalidate()
          return Promise.resolve(structureOf(input))
        },
        close: () => Promise.resolve(),
      }
      const reads: string[] = []
      const watched = {
        ...history,
        newestRegimes: (asOf: Millis) => {
          builder.invalidate()
          return history.newestRegimes(asOf)
        },
        printsOf: (query: Parameters<typeof history.printsOf>[0]) => {
          reads.push('prints')
          return history.printsOf(query)
        },
      }
      const builder = new ContextSnapshotBuilder({
        ...partsOn(history),
        history: watched,
        structure,
      })
      expect(comparable(await builder.build(at))).toEqual(comparable(before))
      expect(comparable(await builder.build(at))).toEqual(comparable(before))
      expect(reads).toHaveLength(2)
    } finally {
      await history.close()
    }
  })

  it('pairs one question on two venues and links the strikes of one event', async () => {
    const history = await historyOf({ trades: [], quotes: [] })
    try {
      const snapshot = await builderOn(history).build(quarterHourOf((START + 3 * DAY) as Millis))
      expect(snapshot.pairs.map(({ a, b }) => [a, b])).toEqual([
        ['KXBTC-26DEC31-70', `0x${'ab'.repeat(32)}`],
      ])
      expect(snapshot.links.map(({ i, j, kind }) => [i, j, kind])).toContainEqual([
        'KXBTC-26DEC31-70',
        'KXBTC-26DEC31-80',
        'ladder',
      ])
      expect(snapshot.indices.get('')).toMatchObject({ disagreement: null, activity: null })
    } finally {
      await history.close()
    }
  })
})
