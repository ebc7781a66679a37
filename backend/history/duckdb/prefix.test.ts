import fc, { scaled } from '../../../scripts/properties.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { foldTrades } from '../../testing/fold-trades.ts'
import type { MarketStatus } from '../../domain/market.ts'
import { HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
  type TradeInput,
} from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import type { HistoryBatch } from '../history-batch.ts'
import type { HistoryStore } from '../history-store.ts'
import { openHistory } from './open.ts'

/** Two days around a midnight, so that whole and partly known days both occur. */
const T0 = Date.parse('2026-11-19T14:00:00Z')
const SPAN = 30 * HOUR
const WIDTHS = [MINUTE, 15 * MINUTE, HOUR] as Millis[]
const MARKETS = [0, 1]

const moment = fc.oneof(
  fc.integer({ min: 0, max: SPAN }),
  // Instants with many rows, where ties decide.
  fc.integer({ min: 0, max: 20 }).map((n) => n * 15 * MINUTE),
)
const lateness = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 20 * HOUR }),
)
const stamp = {
  market: fc.constantFrom(...MARKETS),
  ts: moment.map((ms) => T0 + ms),
  lag: lateness,
}
const price = fc.integer({ min: 1, max: 9_999 })
const size = fc.integer({ min: 1, max: 5_000_000 })
const priceOrNone = fc.option(price)

const tradeRow = fc.record({
  ...stamp,
  price,
  size,
  taker: fc.constantFrom(0 as const, 1 as const, 2 as const),
  isBlock: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
})
const quoteRow = fc.record({
  ...stamp,
  bid: priceOrNone,
  ask: priceOrNone,
  origin: fc.constantFrom(0 as const, 3 as const),
})
const bookRow = fc.record({
  ...stamp,
  bids: fc.array(fc.tuple(price, size), { maxLength: 5 }),
  asks: fc.array(fc.tuple(price, size), { maxLength: 5 }),
})
const activityRow = fc.record({
  ...stamp,
  volume: fc.option(size),
  volume24h: fc.option(size),
  openInterest: fc.option(size),
  lastPrice: fc.option(fc.integer({ min: 1, max: 9_999 })),
})
const candleRow = fc.record({
  market: stamp.market,
  lag: lateness,
  start: fc.integer({ min: 0, max: 120 }).map((n) => T0 + n * 15 * MINUTE),
  width: fc.constantFrom(15 * MINUTE, HOUR),
  prices: fc.option(fc.tuple(price, price, price, price)),
  volume: fc.option(size),
})
const factsRow = fc.record({
  ...stamp,
  title: fc.string(),
  status: fc.constantFrom<MarketStatus>('active', 'closed'),
})

const world = fc.record({
  trades: fc.array(tradeRow, { maxLength: 40 }),
  quotes: fc.array(quoteRow, { maxLength: 40 }),
  books: fc.array(bookRow, { maxLength: 15 }),
  candles: fc.array(candleRow, { maxLength: 15 }),
  activity: fc.array(activityRow, { maxLength: 20 }),
  facts: fc.array(factsRow, { maxLength: 10 }),
})
type World = typeof world extends fc.Arbitrary<infer Rows> ? Rows : never

const open = () =>
  openHistory({ path: ':memory:', threads: 1, memoryLimitMb: 256, logger: silentLogger })
const opened: HistoryStore[] = []
const fresh = async (): Promise<HistoryStore> => {
  const store = await open()
  opened.push(store)
  await store.marketIds(MARKETS.map((n) => ({ venue: 'venue_a', ticker: `KX-${n}` })))
  return store
}
afterAll(async () => {
  for (const store of opened) await store.close()
})

/** The rows of the sample data whose known time passes the test. */
function batchOf(rows: World, keep: (knownAt: number) => boolean): HistoryBatch {
  const rowsOf = <R extends { ts: number; lag: number }>(all: R[]) =>
    all.filter((row) => keep(row.ts + row.lag))
  return {
    trades: tradeColumns(
      rows.trades
        .map((row, index) => ({ ...row, tradeId: `t${index}` }))
        .filter((row) => keep(row.ts + row.lag)),
    ),
    quotes: quoteColumns(rowsOf(rows.quotes)),
    books: bookColumns(rowsOf(rows.books)),
    activity: activityColumns(rowsOf(rows.activity)),
    candles: candleColumns(
      rows.candles
        .map((row) => ({ ...row, start: Math.floor(row.start / row.width) * row.width }))
        .filter((row) => keep(row.start + row.width + row.lag)),
    ),
    facts: rowsOf(rows.facts).map((row) => ({
      market: row.market,
      knownAt: (row.ts + row.lag) as Millis,
      facts: marketFacts({ ticker: `KX-${row.market}`, title: row.title, status: row.status }),
    })),
  }
}

/** Every kind of read about the past at one instant. */
async function answersAt(store: HistoryStore, asOf: Millis) {
  const answers: unknown[] = [
    await store.recordsAt(asOf, null),
    await store.recordsAt(asOf, [0, 1], ['active']),
    await store.recordsBetween(T0 as Millis, asOf),
    (await store.numbersAt(asOf, null)).sort((a, b) => a.market - b.market),
    await store.numbersAt(asOf, MARKETS),
  ]
  for (const market of MARKETS) {
    answers.push(
      await store.versionsOf(market, asOf),
      await store.bookAt(market, asOf),
      await store.trades({ market, from: 0 as Millis, to: asOf, asOf }),
      await store.quotes({ market, from: 0 as Millis, to: asOf, asOf }),
      await store.microstructure({ market, from: T0 as Millis, asOf }),
    )
    for (const width of WIDTHS) {
      answers.push(await store.candles({ market, width, asOf, before: asOf, limit: 7 }))
    }
  }
  return answers
}

const instant = fc.oneof(moment, fc.constant(SPAN * 2)).map((ms) => (T0 + ms) as Millis)

describe('the past', () => {
  it('does not change when rows become known later, nor when rows are sorted', async () => {
    await fc.assert(
      fc.asyncProperty(world, instant, instant, async (rows, asOf, sortedAt) => {
        const store = await fresh()
        await store.append(batchOf(rows, (knownAt) => knownAt <= asOf))
        const before = await answersAt(store, asOf)
        await store.sortClosedHours(sortedAt)
        expect(await answersAt(store, asOf)).toEqual(before)
        await store.append(batchOf(rows, (knownAt) => knownAt > asOf))
        expect(await answersAt(store, asOf)).toEqual(before)
        const late = await answersAt(store, (T0 + 3 * SPAN) as Millis)
        await store.sortClosedHours((T0 + SPAN + HOUR) as Millis)
        expect(await answersAt(store, asOf)).toEqual(before)
        expect(await answersAt(store, (T0 + 3 * SPAN) as Millis)).toEqual(late)
        await store.close()
      }),
      { numRuns: scaled(4) },
    )
  })

  it('agrees with the pure fold of candles', async () => {
    const cases = fc.record({
      rows: fc.array(tradeRow, { maxLength: 120 }),
      asOf: instant,
      sortedAt: instant,
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, asOf, sortedAt }) => {
        const store = await fresh()
        const trades: TradeInput[] = rows.map((row, index) => ({
          ...row,
          tradeId: `t${(index * 7) % 10}-${index}`,
        }))
        await store.append({ trades: tradeColumns(trades) })
        await store.sortClosedHours(sortedAt)
        for (const market of MARKETS) {
          const known = trades.filter(
            (row) => row.market === market && row.ts + (row.lag ?? 0) <= asOf,
          )
          const plain = known.map((row) => ({
            at: row.ts as Millis,
            tradeId: row.tradeId,
            price: row.price as PriceE4,
            size: row.size as SizeE6,
            isBlock: row.isBlock === true,
          }))
          for (const width of WIDTHS) {
            const all = foldTrades(plain, width).map((bar) => ({
              ...bar,
              crossesGap: false,
              source: 'trades' as const,
            }))
            const ask = (before: Millis, limit: number) =>
              store.candles({ market, width, asOf, before, limit })
            expect(await ask(asOf, 2_000)).toEqual(all.filter((bar) => bar.start < asOf))
            expect(await ask(Infinity as Millis, 3)).toEqual(all.slice(-3))
            const before = (T0 + SPAN / 2) as Millis
            expect(await ask(before, 5)).toEqual(all.filter((bar) => bar.start < before).slice(-5))
          }
        }
        await store.close()
      }),
      { numRuns: scaled(6) },
    )
  })
})
