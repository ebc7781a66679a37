import fc, { scaled } from '../../../../scripts/properties.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { columnsOf } from '../../../testing/column-rows.ts'
import { candleColumns, quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import type { SlotColumns } from '../../context-store.ts'
import { NO_PRICE } from '../../history-batch.ts'
import type { WholeHistory } from '../../history.ts'
import type { MarketKey } from '../../market-key.ts'
import type { TradeCorrection } from '../../market-rows.ts'
import { openHistory } from '../open.ts'

/** Around a midnight and off the hour, so that slots begin anywhere. */
const T0 = Date.parse('2026-11-19T22:00:00Z')
const SPAN = 6 * HOUR
const MARKETS = [0, 1, 2]
const KEYS: readonly MarketKey[] = MARKETS.map((n) => ({
  venue: n === 2 ? 'venue_b' : 'venue_a',
  ticker: `KX-${n}`,
}))
const keyOf = (market: number): MarketKey => KEYS[market] ?? { venue: 'venue_a', ticker: 'none' }

const opened: WholeHistory[] = []
const fresh = async (): Promise<WholeHistory> => {
  const history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  opened.push(history)
  await history.marketIds(KEYS)
  return history
}
afterAll(async () => {
  for (const history of opened) await history.close()
})

const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis

describe('time buckets', () => {
  const hours = { from: at(0), step: HOUR, count: 2, markets: null }

  it('contain their end, the newest trade and the traded size', async () => {
    const history = await fresh()
    await history.append({
      trades: tradeColumns([
        { market: 0, ts: at(0), tradeId: 'before', price: 1_000 },
        { market: 0, ts: at(30), tradeId: 'b', price: 4_000, size: 2_000_000 },
        { market: 0, ts: at(30), tradeId: 'a', price: 3_000, size: 1_000_000 },
        { market: 0, ts: at(40), tradeId: 'block', price: 9_000, size: 10_000_000, isBlock: true },
        { market: 0, ts: at(60), tradeId: 'c', price: 5_000, size: 3_000_000 },
        { market: 1, ts: at(61), tradeId: 'd', price: 6_000, size: 500_000 },
      ]),
    })
    expect(await history.slots({ ...hours, asOf: at(120) })).toEqual<SlotColumns>({
      market: Int32Array.of(0, 1),
      slot: Int32Array.of(0, 1),
      last: Int32Array.of(5_000, 6_000),
      isQuoted: Uint8Array.of(0, 0),
      bid: Int32Array.of(NO_PRICE, NO_PRICE),
      ask: Int32Array.of(NO_PRICE, NO_PRICE),
      trades: Int32Array.of(3, 1),
      usd: Float64Array.of(0.8 + 0.3 + 9 + 1.5, 0.3),
    })
  })

  it('include a quote of the last fifteen minutes only', async () => {
    const history = await fresh()
    await history.append({
      quotes: quoteColumns([
        { market: 0, ts: at(45), bid: 100, ask: 200 },
        { market: 1, ts: at(45) + 1, bid: null, ask: 300 },
        { market: 2, ts: at(60), bid: null, ask: null },
      ]),
    })
    const slots = await history.slots({ ...hours, asOf: at(120) })
    expect([...slots.market]).toEqual([1, 2])
    expect([...slots.slot]).toEqual([0, 0])
    expect([...slots.isQuoted]).toEqual([1, 1])
    expect([...slots.bid]).toEqual([NO_PRICE, NO_PRICE])
    expect([...slots.ask]).toEqual([300, NO_PRICE])
  })

  it('carry a quote into short buckets until it is old or replaced', async () => {
    const history = await fresh()
    await history.append({
      quotes: quoteColumns([
        { market: 0, ts: at(-13), bid: 100, ask: 200 },
        { market: 0, ts: at(5), bid: 110, ask: 210 },
      ]),
    })
    const slots = await history.slots({
      from: at(0),
      step: MINUTE,
      count: 30,
      asOf: at(60),
      markets: null,
    })
    const quoted = [...slots.slot].map((slot, row) => [slot, slots.bid[row]])
    expect(quoted).toEqual([[0, 100], ...Array.from({ length: 15 }, (_, n) => [n + 4, 110])])
  })

  it('count the volume of bars where trades are missing', async () => {
    const history = await fresh()
    const prices = [4_000, 5_000, 3_000, 5_000] as const
    await history.append({
      trades: tradeColumns([
        { market: 0, ts: at(10), tradeId: 'a', price: 4_000, size: 1_000_000 },
      ]),
      candles: candleColumns([
        { market: 0, start: at(0), width: HOUR, prices, volume: 4_000_000, lag: 0 },
        { market: 0, start: at(0), width: HOUR, prices, volume: 6_000_000, lag: 5 },
        { market: 0, start: at(30), width: 30 * MINUTE, prices, volume: 2_000_000 },
        { market: 0, start: at(60) - 24 * HOUR, width: 24 * HOUR, prices, volume: 9e9 },
      ]),
    })
    const slots = await history.slots({ ...hours, count: 1, asOf: at(120) })
    expect([...slots.usd]).toEqual([3])
    expect([...slots.trades]).toEqual([1])
  })

  it('are empty without markets', async () => {
    const history = await fresh()
    await history.append({
      trades: tradeColumns([{ market: 0, ts: at(1), tradeId: 'a', price: 1 }]),
    })
    expect((await history.slots({ ...hours, asOf: at(120), markets: [] })).market).toHaveLength(0)
    expect((await history.slots({ ...hours, asOf: at(120), markets: [1] })).market).toHaveLength(0)
    expect((await history.slots({ ...hours, asOf: at(0) })).market).toHaveLength(0)
  })

  it('handle extreme sizes', async () => {
    const history = await fresh()
    await history.append({
      trades: tradeColumns([
        { market: 0, ts: at(1), tradeId: 'a', price: 10_000, size: Number.MAX_SAFE_INTEGER },
      ]),
    })
    const { usd } = await history.slots({ ...hours, asOf: at(120) })
    expect(usd[0]).toBeCloseTo(Number.MAX_SAFE_INTEGER / 1e6, 3)
  })
})

const moment = fc
  .oneof(
    fc.integer({ min: 0 - HOUR, max: SPAN }),
    // Crowded instants at the ends of slots, where ties decide.
    fc.integer({ min: 0, max: 24 }).map((n) => n * 15 * MINUTE),
  )
  .map((ms) => (T0 + ms) as Millis)
const lateness = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 4 * HOUR }),
)
const price = fc.integer({ min: 1, max: 9_999 })
const size = fc.integer({ min: 1, max: 5_000_000 })
const isRare = fc.integer({ min: 0, max: 4 }).map((n) => n === 0)
const market = fc.constantFrom(...MARKETS)
const figures = fc.record({
  ts: moment,
  price: price.map((value) => value as PriceE4),
  size: size.map((value) => value as SizeE6),
  takerSide: fc.constantFrom(null, 'yes' as const, 'no' as const),
  isBlock: isRare,
})
const world = fc.record({
  trades: fc.array(fc.record({ market, lag: lateness, figures }), { maxLength: 50 }),
  words: fc.array(
    fc.record({ trade: fc.nat(60), knownAt: moment, corrected: fc.option(figures) }),
    { maxLength: 6 },
  ),
  quotes: fc.array(
    fc.record({
      market,
      ts: moment,
      lag: lateness,
      bid: fc.option(price),
      ask: fc.option(price),
    }),
    { maxLength: 50 },
  ),
  bars: fc.array(
    fc.record({
      market,
      lag: lateness,
      start: fc.integer({ min: 0, max: 24 }).map((n) => T0 + n * 15 * MINUTE),
      width: fc.constantFrom(15 * MINUTE, HOUR),
      close: fc.option(price),
      volume: fc.option(size),
    }),
    { maxLength: 20 },
  ),
  sortedAt: moment,
  parts: fc.integer({ min: 1, max: 3 }),
})
type World = typeof world extends fc.Arbitrary<infer Rows> ? Rows : never

const slotQuery = fc
  .record({
    step: fc.constantFrom(MINUTE, 7 * MINUTE, 15 * MINUTE, HOUR, 24 * HOUR),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: -2 * HOUR, max: 2 * HOUR })),
    count: fc.integer({ min: 1, max: 40 }),
    markets: fc.option(fc.uniqueArray(market, { maxLength: 2 })),
  })
  .map(({ step, offset, count, markets }) => ({
    step: step as Millis,
    count,
    markets,
    from: (T0 + offset) as Millis,
  }))

const TAKER_CODES = { yes: 1, no: 2 } as const

const TAKER_CODE = (side: 'yes' | 'no' | null) => (side === null ? 0 : TAKER_CODES[side])

/** The same rows, shifted by a duration. */
function later(rows: World, by: number): World {
  const moved = <R extends { readonly ts: number }>(row: R): R => ({ ...row, ts: row.ts + by })
  return {
    ...rows,
    sortedAt: (rows.sortedAt + by) as Millis,
    trades: rows.trades.map((row) => ({ ...row, figures: moved(row.figures) })),
    quotes: rows.quotes.map(moved),
    bars: rows.bars.map((row) => ({ ...row, start: row.start + by })),
    words: rows.words.map((word) => ({
      ...word,
      knownAt: (word.knownAt + by) as Millis,
      corrected: word.corrected === null ? null : moved(word.corrected),
    })),
  }
}

/** Appends rows in a few batches; closed hours are sorted after the first. */
async function fill(history: WholeHistory, rows: World, round: number): Promise<void> {
  const idOf = (n: number): string => `t${round}-${n}`
  for (let part = 0; part < rows.parts; part++) {
    const some = <R>(all: readonly R[]): R[] => all.filter((_, n) => n % rows.parts === part)
    await history.append({
      trades: tradeColumns(
        some(rows.trades.map((row, n) => ({ ...row, tradeId: idOf(n) }))).map(
          ({ figures: { takerSide, ...figures }, ...row }) => ({
            ...row,
            ...figures,
            taker: TAKER_CODE(takerSide),
          }),
        ),
      ),
      quotes: quoteColumns(some(rows.quotes)),
      candles: candleColumns(
        some(rows.bars).map(({ close, ...bar }) => ({
          ...bar,
          prices: close === null ? null : ([close, close, close, close] as const),
        })),
      ),
      corrections: some(rows.words).flatMap(({ trade, ...word }): TradeCorrection[] => {
        const corrected = rows.trades[trade]
        return corrected === undefined
          ? []
          : [{ ...word, market: corrected.market, tradeId: idOf(trade) }]
      }),
    })
    if (part === 0) await history.sortClosedHours(rows.sortedAt)
  }
}

/** The slow computation over the results of `trades()` and `quotes()`, and the bars as appended. */
async function slowly(history: WholeHistory, rows: World, asOf: Millis, by: number) {
  const all = { from: (T0 + by - 48 * HOUR) as Millis, to: (T0 + by + 48 * HOUR) as Millis, asOf }
  const of = async <R extends object>(
    read: (query: typeof all & { market: number }) => Promise<R[]>,
  ): Promise<(R & { market: number })[]> => {
    const found = MARKETS.map(async (one) =>
      (await read({ ...all, market: one })).map((row) => ({ ...row, market: one })),
    )
    return (await Promise.all(found)).flat()
  }
  // Bars of one instant count in the order in which their parts arrived.
  const arrived = Array.from({ length: rows.parts }, (_, part) =>
    rows.bars.filter((__, n) => n % rows.parts === part),
  ).flat()
  return columnsOf(
    {
      prints: await of((query) => history.trades(query)),
      quoted: await of((query) => history.quotes(query)),
      bars: arrived.map(({ start, width, lag, close, volume, market: one }) => ({
        market: one,
        width: width as Millis,
        close,
        volume,
        ts: (start + width) as Millis,
        knownAt: (start + width + lag) as Millis,
      })),
    },
    keyOf,
  )
}

const columnsQuery = fc.record({
  from: moment,
  to: moment,
  markets: fc.option(fc.uniqueArray(market, { maxLength: 2 })),
  venue: fc.option(fc.constantFrom('venue_a' as const, 'venue_b' as const)),
})

describe('random histories', () => {
  it.each([
    ['without corrections', false],
    ['with corrections', true],
  ])(
    'have the same columns as the slow computation over trades and quotes, %s',
    async (_, isCorrected) => {
      const history = await fresh()
      // Rounds are far apart in time, so that one history serves them all.
      let round = 0
      const apart = 100 * 24 * HOUR
      await fc.assert(
        fc.asyncProperty(
          ...([world, moment, slotQuery, slotQuery, columnsQuery] as const),
          async (drawn, cut, ...queries) => {
            const by = (round += 1) * apart
            const rows = later(isCorrected ? drawn : { ...drawn, words: [] }, by)
            const asOf = (cut + by) as Millis
            await fill(history, rows, round)
            const slow = await slowly(history, rows, asOf, by)
            const [first, second, { venue, ...range }] = queries
            for (const query of [first, second]) {
              const moved = { ...query, from: (query.from + by) as Millis, asOf }
              expect(await history.slots(moved)).toEqual(await slow.slots(moved))
            }
            const many = {
              from: (range.from + by) as Millis,
              to: (range.to + by) as Millis,
              asOf,
              markets: range.markets,
              ...(venue === null ? {} : { venue }),
            }
            expect(await history.printsOf(many)).toEqual(await slow.printsOf(many))
            expect(await history.quotesOf(many)).toEqual(await slow.quotesOf(many))
          },
        ),
        { numRuns: scaled(10) },
      )
    },
  )
})
