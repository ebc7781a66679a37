import fc, { scaled } from '../../../scripts/properties.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { foldTrades } from '../../testing/fold-trades.ts'
import { HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { tradeColumns } from '../../testing/history-rows.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import { COVERAGE_STATES, resolveCoverage } from '../coverage.ts'
import type { CoverageRow } from '../coverage.ts'
import type { HistoryBatch } from '../history-batch.ts'
import type { HistoryStore } from '../history-store.ts'
import type { TradeCorrection, TradeRow } from '../market-rows.ts'
import { openHistory } from './open.ts'

/** Around a midnight, so that whole and partly known days both occur. */
const T0 = Date.parse('2026-11-19T14:00:00Z')
const SPAN = 30 * HOUR
const WIDTHS = [MINUTE, 15 * MINUTE, HOUR] as Millis[]
const MARKETS = [0, 1]
const TAKERS = [null, 'yes', 'no'] as const

const moment = fc
  .oneof(
    fc.integer({ min: 0, max: SPAN }),
    // Instants with many rows, where ties decide.
    fc.integer({ min: 0, max: 20 }).map((n) => n * 15 * MINUTE),
  )
  .map((ms) => (T0 + ms) as Millis)
const lateness = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 20 * HOUR }),
)
const figures = fc.record({
  ts: moment,
  price: fc.integer({ min: 1, max: 9_999 }).map((price) => price as PriceE4),
  size: fc.integer({ min: 1, max: 5_000_000 }).map((size) => size as SizeE6),
  takerSide: fc.constantFrom(...TAKERS),
  isBlock: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
})

/** A trade as printed, with the venue's later corrections. */
const printed = fc
  .record({
    market: fc.constantFrom(...MARKETS),
    figures,
    lag: lateness,
    words: fc.array(fc.record({ knownAt: moment, corrected: fc.option(figures) }), {
      maxLength: 3,
    }),
    isCorrected: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  })
  .map(({ isCorrected, words, ...row }) => ({ ...row, words: isCorrected ? words : [] }))

const statement = fc
  .record({
    market: fc.constantFrom(null, ...MARKETS),
    feed: fc.constantFrom(...COVERAGE_FEEDS),
    state: fc.constantFrom(...COVERAGE_STATES, 'gap' as const),
    from: moment,
    length: fc.option(fc.integer({ min: 0, max: 3 * HOUR })),
    late: lateness,
    reason: fc.constantFrom(null, 'socket closed'),
  })
  .map(({ length, late, ...row }): CoverageRow => ({
    ...row,
    venue: 'venue_a',
    to: length === null ? null : ((row.from + length) as Millis),
    knownAt: (row.from + late) as Millis,
  }))

interface World {
  readonly trades: (TradeRow & { readonly market: number; readonly lag: number })[]
  readonly words: TradeCorrection[]
  readonly coverage: CoverageRow[]
}
const world = fc
  .record({
    printed: fc.array(printed, { maxLength: 60 }),
    coverage: fc.array(statement, { maxLength: 10 }),
  })
  .map((rows): World => {
    const named = rows.printed.map((row, index) => ({ ...row, tradeId: `t${index}` }))
    return {
      trades: named.map(({ tradeId, market, lag, figures: row }) => ({
        tradeId,
        market,
        lag,
        ...row,
      })),
      words: named.flatMap(({ tradeId, market, words }) =>
        words.map((word) => ({ tradeId, market, ...word })),
      ),
      coverage: rows.coverage,
    }
  })

/** Trades of a market by the rule: the newest known correction of each counts. */
function tradesAt({ trades, words }: World, market: number, asOf: number): TradeRow[] {
  const newest = new Map<string, TradeCorrection>()
  for (const word of words.filter((one) => one.market === market && one.knownAt <= asOf)) {
    const before = newest.get(word.tradeId)
    if (before === undefined || word.knownAt >= before.knownAt) newest.set(word.tradeId, word)
  }
  const unchanged = trades
    .filter((row) => row.market === market && row.ts + row.lag <= asOf)
    .filter((row) => !newest.has(row.tradeId))
    .map(({ market: _market, lag: _lag, ...row }) => row)
  const corrected = [...newest.values()].flatMap((word) =>
    word.corrected === null ? [] : [{ tradeId: word.tradeId, ...word.corrected }],
  )
  return [...unchanged, ...corrected.filter((row) => row.ts <= asOf)].toSorted(
    (a, b) => a.ts - b.ts || (a.tradeId < b.tradeId ? -1 : 1),
  )
}

/** Splits rows of every kind into `parts` batches, in their order. */
function batchesOf(rows: World, parts: number): HistoryBatch[] {
  const part = <R>(all: readonly R[], n: number): R[] =>
    all.filter((_, index) => Math.floor((index * parts) / all.length) === n)
  return Array.from({ length: parts }, (_, n) => ({
    trades: tradeColumns(
      part(rows.trades, n).map(({ takerSide, ...row }) => ({
        ...row,
        taker: takerSide === null ? 0 : takerSide === 'yes' ? 1 : 2,
      })),
    ),
    corrections: part(rows.words, n),
    coverage: part(rows.coverage, n),
  }))
}

const opened: HistoryStore[] = []
const fresh = async (): Promise<HistoryStore> => {
  const store = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  opened.push(store)
  await store.marketIds(MARKETS.map((n) => ({ venue: 'venue_a', ticker: `KX-${n}` })))
  return store
}
afterAll(async () => {
  for (const store of opened) await store.close()
})

async function compare(store: HistoryStore, rows: World, asOf: Millis): Promise<void> {
  const [from, to] = [T0 as Millis, (T0 + 2 * SPAN) as Millis]
  const many = new Map((await store.numbersAt(asOf, null)).map((row) => [row.market, row.last]))
  const each = await store.numbersAt(asOf, MARKETS)
  for (const market of MARKETS) {
    const known = tradesAt(rows, market, asOf)
    const all = { market, from: 0 as Millis, to, asOf }
    expect(await store.trades(all)).toEqual(known)
    expect(await store.trades({ ...all, newest: 3 })).toEqual(known.slice(-3))

    const priced = known.findLast((row) => !row.isBlock)
    const last = priced === undefined ? null : { price: priced.price, ts: priced.ts }
    expect(many.get(market) ?? null).toEqual(last)
    expect(each.find((row) => row.market === market)?.last ?? null).toEqual(last)

    const hours = await store.microstructure({ market, from, asOf })
    const volumes = hours.map((hour) => [hour.start, hour.trades, hour.buyVolume, hour.sellVolume])
    expect(volumes).toEqual(flowByHour(known))

    const own = rows.coverage.filter((row) => row.market === null || row.market === market)
    for (const feed of COVERAGE_FEEDS) {
      const of = own.filter((row) => row.feed === feed)
      expect(await store.coverage({ market, feed, from, to, asOf })).toEqual(
        resolveCoverage(of, { from, to, asOf }),
      )
    }
    const gaps = resolveCoverage(
      own.filter((row) => row.feed === 'trades'),
      { from: 0 as Millis, to: (to + SPAN) as Millis, asOf },
    ).filter(({ state }) => state === 'gap')
    for (const width of WIDTHS) {
      const bars = foldTrades(
        known.map(({ ts, ...row }) => ({ ...row, at: ts })),
        width,
      ).map((bar) => ({
        ...bar,
        source: 'trades' as const,
        crossesGap: gaps.some((gap) => gap.from < bar.start + width && gap.to > bar.start),
      }))
      const ask = (limit: number) =>
        store.candles({ market, width, asOf, before: Infinity as Millis, limit })
      expect(await ask(5_000)).toEqual(bars)
      expect(await ask(3)).toEqual(bars.slice(-3))
    }
  }
}

function flowByHour(trades: readonly TradeRow[]): [number, number, number, number][] {
  const hours = new Map<number, [number, number, number, number]>()
  for (const { ts, size, takerSide } of trades) {
    const start = Math.floor(ts / HOUR) * HOUR
    const hour = hours.get(start) ?? [start, 0, 0, 0]
    hours.set(start, hour)
    hour[1] += 1
    if (takerSide !== null) hour[takerSide === 'yes' ? 2 : 3] += size
  }
  return [...hours.values()].sort((a, b) => a[0] - b[0])
}

describe('answers about the past', () => {
  it('equal those of plain arrays, with late rows, corrections and gaps', async () => {
    const cases = fc.record({
      rows: world,
      instants: fc.array(moment, { minLength: 2, maxLength: 2 }),
      sortedAt: fc.array(moment, { maxLength: 2 }),
      parts: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, instants, sortedAt, parts }) => {
        const store = await fresh()
        for (const [n, batch] of batchesOf(rows, parts).entries()) {
          await store.append(batch)
          const sorted = sortedAt[n]
          if (sorted !== undefined) await store.sortClosedHours(sorted)
        }
        for (const asOf of [...instants, (T0 + 4 * SPAN) as Millis]) {
          await compare(store, rows, asOf)
        }
        for (const market of MARKETS) {
          const ids = rows.trades.filter((row) => row.market === market).map((row) => row.tradeId)
          const known = await store.knownTrades(market, [...ids, 'never printed'])
          expect([...known.keys()].sort()).toEqual(ids.sort())
          for (const row of tradesAt(rows, market, Infinity)) {
            expect(known.get(row.tradeId)).toEqual(row)
          }
        }
        await store.close()
      }),
      { numRuns: scaled(4) },
    )
  })
})
