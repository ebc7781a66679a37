import fc from '../../scripts/properties.ts'
import type { MarketStatus } from '../domain/market.ts'
import {
  DAY,
  HOUR,
  MINUTE,
  type Cents,
  type Millis,
  type PriceE4,
  type SizeE6,
} from '../domain/units.ts'
import { COVERAGE_FEEDS } from '../domain/coverage-feed.ts'
import { COVERAGE_STATES } from '../history/coverage.ts'
import type { WholeHistory } from '../history/history.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from './history-rows.ts'
import { marketFacts } from './market-facts.ts'

/** Two days around a midnight, so that days are known as a whole and in part. */
export const START = Date.parse('2026-11-19T14:00:00Z')
export const SPAN = 30 * HOUR
/** Everything is known by then. */
export const LATEST = (START + 3 * SPAN) as Millis
export const MARKETS = [0, 1, 2]

const instant = fc
  .oneof(
    fc.integer({ min: 0, max: SPAN }),
    // Instants with many rows, where ties decide.
    fc.integer({ min: 0, max: 20 }).map((n) => n * 15 * MINUTE),
  )
  .map((ms) => (START + ms) as Millis)
const lag = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 20 * HOUR }),
)
const market = fc.constantFrom(...MARKETS)
const stamp = { market, ts: instant, lag }
const price = fc.integer({ min: 1, max: 9_999 })
const size = fc.integer({ min: 1, max: 5_000_000 })
const origin = fc.constantFrom(0 as const, 2 as const, 3 as const)
const levels = fc.array(fc.tuple(price, size), { maxLength: 5 })

/** Rows of every kind on few markets, many of them late, corrected or of one instant. */
export const writtenPast = fc.record({
  trades: fc.array(
    fc.record({
      ...stamp,
      origin,
      price,
      size,
      isBlock: fc.integer({ max: 4, min: 0 }).map((n) => n === 0),
      taker: fc.constantFrom(0 as const, 1 as const, 2 as const),
    }),
    { minLength: 20, maxLength: 50 },
  ),
  quotes: fc.array(fc.record({ ...stamp, origin, bid: fc.option(price), ask: fc.option(price) }), {
    minLength: 20,
    maxLength: 50,
  }),
  books: fc.array(fc.record({ ...stamp, bids: levels, asks: levels }), { maxLength: 20 }),
  activity: fc.array(
    fc.record({
      ...stamp,
      volume: fc.option(size),
      volume24h: fc.option(size),
      openInterest: fc.option(size),
      lastPrice: fc.option(price),
    }),
    { maxLength: 20 },
  ),
  candles: fc.array(
    fc.record({
      market,
      lag,
      start: fc.integer({ min: 0, max: 120 }),
      volume: fc.option(size),
      width: fc.constantFrom(15 * MINUTE, HOUR),
      prices: fc.option(fc.tuple(price, price, price, price)),
    }),
    { maxLength: 20 },
  ),
  facts: fc.array(
    fc.record({
      market,
      knownAt: instant,
      title: fc.string(),
      status: fc.constantFrom<MarketStatus>('active', 'closed', 'settled'),
    }),
    { maxLength: 12 },
  ),
  corrections: fc.array(
    fc.record({
      of: fc.nat(),
      later: fc.integer({ min: 1, max: 20 * HOUR }),
      moved: instant,
      price,
      isBusted: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  coverage: fc.array(
    fc.record({
      market: fc.option(market),
      from: instant,
      knownAfter: lag,
      feed: fc.constantFrom(...COVERAGE_FEEDS),
      state: fc.constantFrom(...COVERAGE_STATES),
      length: fc.option(fc.integer({ min: 1, max: 5 * HOUR })),
    }),
    { maxLength: 10 },
  ),
  changes: fc.array(fc.record({ market, at: instant, later: fc.option(lag) }), { maxLength: 8 }),
  contexts: fc.uniqueArray(fc.integer({ min: 0, max: 120 }), { maxLength: 8 }),
})
export type WrittenPast = typeof writtenPast extends fc.Arbitrary<infer Rows> ? Rows : never
export const instantOfPast = instant

/** The rows that became known after one instant and by another, in order of becoming known. */
export function batchOf(past: WrittenPast, after: number, until: number): HistoryBatch {
  const isMeant = (knownAt: number): boolean => knownAt > after && knownAt <= until
  const rowsOf = <R extends { ts: number; lag: number }>(rows: readonly R[]): R[] =>
    rows.filter((row) => isMeant(row.ts + row.lag))
  const named = past.trades.map((row, n) => ({ ...row, tradeId: `t${n}` }))
  const words = past.corrections.flatMap(({ of, later, moved, isBusted, price }) => {
    const trade = named[of % named.length]
    if (trade === undefined) return []
    const figures = {
      price: price as PriceE4,
      size: 1e6 as SizeE6,
      takerSide: null,
      isBlock: false,
    }
    return [
      {
        market: trade.market,
        tradeId: trade.tradeId,
        knownAt: (trade.ts + trade.lag + later) as Millis,
        corrected: isBusted ? null : { ts: Math.min(moved, trade.ts) as Millis, ...figures },
      },
    ]
  })
  const statements = past.coverage.map(({ knownAfter, length, ...row }) => ({
    ...row,
    venue: 'venue_a' as const,
    reason: null,
    to: length === null ? null : ((row.from + length) as Millis),
    knownAt: (row.from + (length ?? 0) + knownAfter) as Millis,
  }))
  const byKnown = <R extends { knownAt: Millis }>(rows: readonly R[]): R[] =>
    rows.filter((row) => isMeant(row.knownAt)).sort((a, b) => a.knownAt - b.knownAt)
  return {
    trades: tradeColumns(rowsOf(named)),
    quotes: quoteColumns(rowsOf(past.quotes)),
    books: bookColumns(rowsOf(past.books)),
    activity: activityColumns(rowsOf(past.activity)),
    candles: candleColumns(
      past.candles
        .map((row) => ({
          ...row,
          start: Math.floor((START + row.start * 15 * MINUTE) / row.width) * row.width,
        }))
        .filter((row) => isMeant(row.start + row.width + row.lag)),
    ),
    facts: byKnown(past.facts).map(({ market, knownAt, ...facts }) => ({
      market,
      knownAt,
      facts: marketFacts({ ticker: `KX-${market}`, ...facts }),
    })),
    corrections: byKnown(words),
    coverage: byKnown(statements),
    changes: past.changes.flatMap(({ later, ...change }, n) =>
      isMeant(change.at + (later ?? 0))
        ? [
            {
              ...change,
              id: `c${n}`,
              type: 'price_move' as const,
              before: 1,
              after: 2,
              delta: 1,
              ...(later === null ? {} : { knownAt: (change.at + later) as Millis }),
            },
          ]
        : [],
    ),
  }
}

/** Appends a past as it would have arrived: in parts, each sorted before the next one. */
export async function writePast(
  history: WholeHistory,
  past: WrittenPast,
  sortedAt: readonly Millis[],
): Promise<void> {
  await history.marketIds(MARKETS.map((n) => ({ venue: 'venue_a', ticker: `KX-${n}` })))
  const stops = [...sortedAt].sort((a, b) => a - b)
  let after = -Infinity
  for (const until of stops) {
    await history.append(batchOf(past, after, until))
    await history.sortClosedHours(until)
    after = until
  }
  await history.append(batchOf(past, after, Infinity))
  for (const n of past.contexts)
    await history.appendContext(contextOf((START + n * 15 * MINUTE) as Millis, n))
}

const contextOf = (at: Millis, n: number) => ({
  served: [
    {
      at,
      isRunning: true,
      contextAt: at,
      hasDayEarlier: false,
      worldAt: at,
      worldContextAt: at,
      publishedContextAt: null,
      publishedWorldAt: null,
    },
  ],
  indices: [
    {
      scope: '',
      at,
      value: n,
      disagreement: null,
      geoRisk: null,
      breadth: null,
      activity: null,
      body: `{"n":${n}}`,
      ...(n % 3 === 0 ? { knownAt: (at + 5 * HOUR) as Millis } : {}),
    },
  ],
  snapshots: [{ region: '', at, body: `{"world":${n}}` }],
  regimes: [
    {
      market: n % MARKETS.length,
      at,
      score: n,
      label: 'maker' as const,
      alpha: null,
      trades: n,
      spread: 2 as Cents,
      bidDepthUsd: null,
      askDepthUsd: null,
      volume24h: null,
    },
  ],
  judgements: [{ kind: 'edge' as const, id: `e${n % 4}`, at, body: `{"n":${n}}` }],
})

/** A history's ticks, facts, coverage and corrections at an instant. */
export async function ticksAt(history: WholeHistory, asOf: Millis): Promise<unknown[]> {
  const from = START as Millis
  const span = { from: (from - 1) as Millis, to: asOf, asOf }
  const slots = { from, step: HOUR, count: Math.ceil((asOf - from) / HOUR), asOf }
  const answers: unknown[] = [
    await history.recordsAt(asOf, null),
    await history.recordsAt(asOf, null, ['active']),
    await history.recordsBetween(from, asOf),
    (await history.numbersAt(asOf, null)).sort((a, b) => a.market - b.market),
    await history.numbersAt(asOf, MARKETS),
    await history.booksAt(MARKETS, asOf),
    await history.gaps({ venue: null, from, to: asOf, asOf, limit: 50 }),
    await history.slots({ ...slots, markets: null }),
    await history.printsOf({ ...span, markets: null }),
    await history.quotesOf({ ...span, markets: null }),
    await history.trendRows({ ...span, markets: MARKETS }),
    await history.settlements({ from, to: asOf, venue: null }),
    await history.versionsOfMany(MARKETS, asOf),
  ]
  for (const market of MARKETS) {
    answers.push(
      await history.versionsOf(market, asOf),
      await history.numbersAt(asOf, [market]),
      await history.bookAt(market, asOf),
      await history.trades({ market, ...span }),
      await history.quotes({ market, ...span }),
      await history.microstructure({ market, from, asOf }),
    )
    for (const feed of COVERAGE_FEEDS) {
      answers.push(await history.coverage({ market, feed, from, to: asOf, asOf }))
    }
    for (const width of [15 * MINUTE, HOUR, DAY] as Millis[]) {
      const bars = { market, width, asOf, before: asOf, limit: 100 }
      answers.push(
        await history.candles(bars),
        await history.quoteBars(bars),
        await history.bookBars(bars),
      )
    }
  }
  return answers
}

/** Its computed results by then. */
export async function contextAt(history: WholeHistory, asOf: Millis): Promise<unknown[]> {
  const span = { from: (START - 1) as Millis, to: asOf }
  const changes = { since: START as Millis, asOf, types: null, markets: null, after: null }
  return [
    await history.servedAt(asOf),
    await history.snapshots({ ...span, region: '' }),
    await history.newestRegimes(asOf),
    await history.judgements({ ...span, kind: 'edge' }),
    await history.changes({ ...changes, limit: 50 }),
  ]
}

/** Gauges; a history that began later has them for instants before its first snapshot. */
export async function gaugesAt(history: WholeHistory, asOf: Millis): Promise<unknown[]> {
  const known = { scope: '', step: HOUR, knownBy: asOf }
  return [
    await history.indexAt('', asOf, asOf),
    await history.indexBetween({ ...known, from: (START - 1) as Millis, to: asOf }),
    await history.firstIndexAt(asOf),
  ]
}

/** Reads of a history without an instant. */
export const unboundedOf = async (history: WholeHistory): Promise<unknown[]> => [
  await history.size(),
  await history.newestTradeAt('venue_a'),
  await history.openCoverage('venue_a'),
  await history.arrivalLag({ from: 0 as Millis, to: LATEST }),
  history.marketsWithRows({ feeds: ['trades', 'quotes'], from: LATEST, to: LATEST }),
  history.marketsWithRows({ feeds: ['books', 'bars'], from: START as Millis, to: LATEST }),
  ...(await Promise.all(
    MARKETS.map((market) =>
      history.knownTrades(
        market,
        Array.from({ length: 50 }, (_, n) => `t${n}`),
      ),
    ),
  )),
]
