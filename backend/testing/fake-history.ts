import type { ChangeRow } from '../history/change-events.ts'
import type { CoverageFeed } from '../domain/coverage-feed.ts'
import type { CoverageSpan } from '../history/coverage.ts'
import type { ReadHistory } from '../history/history.ts'
import type { MarketId } from '../history/market-key.ts'
import type {
  CandleRow,
  MarketNumbers,
  MarketRecord,
  MicrostructureRow,
  BookBarRow,
  QuoteBarRow,
  QuoteRow,
  TradeRow,
} from '../history/market-rows.ts'
import type { MarketPrices, Settlement } from '../history/settlements.ts'
import type { MarketView } from '../computed/board/market-board.ts'
import { columnsOf, type ColumnRows } from './column-rows.ts'
import { memoryContext } from './memory-context.ts'

/** The rows that reads return; other parts of the store are absent. */
export interface HistoryRows {
  readonly views?: readonly MarketView[]
  readonly candles?: readonly CandleRow[]
  readonly trades?: readonly TradeRow[]
  readonly quotes?: readonly QuoteRow[]
  readonly bookBars?: readonly BookBarRow[]
  readonly quoteBars?: readonly QuoteBarRow[]
  readonly hours?: readonly MicrostructureRow[]
  readonly changes?: readonly ChangeRow[]
  readonly prices?: Partial<MarketNumbers>
  /** Further versions of the markets of `views`, whose own versions are known when first seen. */
  readonly versions?: readonly MarketRecord[]
  /** Coverage of every market's feeds. */
  readonly coverage?: Partial<Readonly<Record<CoverageFeed, readonly CoverageSpan[]>>>
  readonly settlements?: readonly Settlement[]
  readonly pricesAt?: (market: MarketId, at: number) => MarketPrices
  /** Results of reads of many markets. */
  readonly columns?: ColumnRows
}

const UNPRICED: MarketPrices = { last: null, quote: null }
const absent = () => Promise.reject(new Error('not part of this test'))

/** A history of these rows, for tests of reads; computed rows can be appended. */
export function fakeHistory(rows: HistoryRows): ReadHistory {
  const views = rows.views ?? []
  const viewOf = (market: MarketId): MarketView => {
    const view = views.find((candidate) => candidate.market === market)
    if (view === undefined) throw new Error(`no market ${market}`)
    return view
  }
  const recordOf = (view: MarketView): MarketRecord => ({
    market: view.market,
    facts: view.facts,
    firstSeenAt: view.firstSeenAt,
    knownAt: view.firstSeenAt,
  })
  /** Versions of facts known by an instant, in the order in which they became known. */
  const recordsUntil = (asOf: number): MarketRecord[] =>
    [...views.map(recordOf), ...(rows.versions ?? [])]
      .filter(({ knownAt }) => knownAt <= asOf)
      .toSorted((a, b) => a.knownAt - b.knownAt)
  return {
    ...memoryContext(),
    ...columnsOf(rows.columns ?? {}, (market) => viewOf(market).facts),
    marketIds: absent,
    marketIdOf(ticker) {
      const view = views.find(({ facts }) => facts.ticker === ticker)
      return view === undefined ? null : { market: view.market, venue: view.facts.venue }
    },
    keyOf: (market) => viewOf(market).facts,
    append: absent,
    sortClosedHours: absent,
    recordsAt(asOf, markets, statuses) {
      const newest = new Map(
        recordsUntil(asOf)
          .filter(({ market }) => markets === null || markets.includes(market))
          .map((record) => [record.market, record]),
      )
      return Promise.resolve(
        [...newest.values()].filter(({ facts }) => statuses?.includes(facts.status) ?? true),
      )
    },
    recordsBetween: (since, asOf) =>
      Promise.resolve(recordsUntil(asOf).filter(({ knownAt }) => knownAt > since)),
    versionsOf: (market, asOf) =>
      Promise.resolve(recordsUntil(asOf).filter((record) => record.market === market)),
    numbersAt: (_asOf, markets) =>
      Promise.resolve(
        (markets ?? []).map((market) => ({
          market,
          last: null,
          quote: null,
          activity: null,
          depth: null,
          ...rows.prices,
        })),
      ),
    bookAt: absent,
    booksAt: () => Promise.resolve(new Map()),
    candles: ({ before, limit, asOf }) =>
      Promise.resolve(
        (rows.candles ?? []).filter(({ start }) => start < before && start <= asOf).slice(-limit),
      ),
    trades: ({ from, to, newest }) =>
      Promise.resolve(
        (rows.trades ?? [])
          .filter(({ ts }) => ts > from && ts <= to)
          .slice(newest === undefined ? 0 : -newest),
      ),
    quotes: ({ from, to }) =>
      Promise.resolve((rows.quotes ?? []).filter(({ ts }) => ts > from && ts <= to)),
    quoteBars: ({ before, limit, asOf }) =>
      Promise.resolve(
        (rows.quoteBars ?? []).filter(({ start }) => start < before && start <= asOf).slice(-limit),
      ),
    bookBars: ({ limit, asOf }) =>
      Promise.resolve((rows.bookBars ?? []).filter(({ start }) => start <= asOf).slice(-limit)),
    microstructure: ({ from }) =>
      Promise.resolve((rows.hours ?? []).filter(({ start }) => start >= from)),
    changes(query) {
      const { since, asOf, types, markets, after, limit } = query
      const found = (rows.changes ?? [])
        .filter(({ at, knownAt = at }) => at > since && at <= asOf && knownAt <= asOf)
        .filter((row) => types === null || types.includes(row.type))
        .filter((row) => markets === null || markets.includes(row.market))
        .toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
        .filter(
          (row) =>
            after === null || row.at < after.at || (row.at === after.at && row.id > after.id),
        )
      return Promise.resolve(found.slice(0, limit))
    },
    coverage: ({ feed, from, to }) =>
      Promise.resolve(
        (rows.coverage?.[feed] ?? []).filter((span) => span.from < to && span.to > from),
      ),
    gaps: absent,
    eventWindows: () => ({ [Symbol.asyncIterator]: () => ({ next: absent }) }),
    openEventStream: absent,
    frameFile: absent,
    marketsWithRows: () => [],
    storedSpan: absent,
    versionsOfMany: absent,
    trendRows({ from, to, asOf, markets }) {
      const traded = markets.flatMap((market) =>
        (rows.trades ?? [])
          .filter(({ ts }) => ts > from && ts <= to)
          .map((trade) => ({ ...trade, market })),
      )
      const versions = markets.flatMap((market) =>
        recordsUntil(asOf).filter((record) => record.market === market),
      )
      const covered = (rows.coverage?.trades ?? []).filter(
        (span) => span.from < to && span.to > from,
      )
      return Promise.resolve({
        trades: {
          market: Int32Array.from(traded, ({ market }) => market),
          ts: Float64Array.from(traded, ({ ts }) => ts),
          price: Int32Array.from(traded, ({ price }) => price),
          size: Float64Array.from(traded, ({ size }) => size),
          isBlock: Uint8Array.from(traded, ({ isBlock }) => Number(isBlock)),
        },
        closings: {
          market: Int32Array.from(versions, ({ market }) => market),
          knownAt: Float64Array.from(versions, ({ knownAt }) => knownAt),
          closeTime: Float64Array.from(versions, ({ facts }) => facts.closeTime ?? NaN),
        },
        coverage: new Map(markets.map((market) => [market, covered])),
      })
    },
    settlements: ({ from, to, venue }) =>
      Promise.resolve(
        (rows.settlements ?? []).filter(
          ({ market, settledKnownAt }) =>
            settledKnownAt > from &&
            settledKnownAt <= to &&
            (venue === null || viewOf(market).facts.venue === venue),
        ),
      ),
    pricesAt: ({ markets, instants }) =>
      Promise.resolve(
        markets.map((market, index) => rows.pricesAt?.(market, instants[index] ?? 0) ?? UNPRICED),
      ),
    arrivalLag: absent,
    openCoverage: absent,
    knownTrades: absent,
    newestTradeAt: absent,
    size: absent,
    close: () => Promise.resolve(),
  }
}
