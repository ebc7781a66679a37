import type { MarketStatus, Ticker, Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { ChangeRow, ChangesQuery } from './change-events.ts'
import type { CoverageFeed } from '../domain/coverage-feed.ts'
import type { CoverageRow, CoverageSpan, FeedLag } from './coverage.ts'
import type { HistoryBatch } from './history-batch.ts'
import type { MarketId, MarketKey } from './market-key.ts'
import type {
  CandleRow,
  MarketNumbers,
  MarketRecord,
  MicrostructureRow,
  BookBarRow,
  QuoteBarRow,
  QuoteRow,
  StoredBook,
  TradeRow,
} from './market-rows.ts'

/** Row counts and time range of the stored data. */
export interface HistorySize {
  readonly markets: number
  readonly trades: number
  readonly quotes: number
  readonly books: number
  readonly candles: number
  readonly firstTs: Millis | null
  readonly lastTs: Millis | null
}

/**
 * All time series. Every read takes `asOf` and uses only rows known by then, so that a result about
 * the past never changes. Appends are durable when their promise resolves.
 */
export interface HistoryStore {
  /** Ids of markets in request order; markets not yet known are registered. */
  marketIds(keys: readonly MarketKey[]): Promise<MarketId[]>
  /** Id of a known market without registering it. */
  marketIdOf(ticker: Ticker): { readonly market: MarketId; readonly venue: Venue } | null
  keyOf(market: MarketId): MarketKey

  append(batch: HistoryBatch): Promise<void>
  /** Moves hours that ended before `now` into the tables sorted by (market, ts). */
  sortClosedHours(now: Millis): Promise<{ readonly rows: number }>

  /**
   * Records of these markets (null: all) as known at `asOf`; markets first seen later are omitted.
   * @param statuses keeps only records with one of these published statuses
   */
  recordsAt(
    asOf: Millis,
    markets: readonly MarketId[] | null,
    statuses?: readonly MarketStatus[],
  ): Promise<MarketRecord[]>
  /** All versions of facts known in (since, asOf], ascending; for change lists and new markets. */
  recordsBetween(since: Millis, asOf: Millis): Promise<MarketRecord[]>
  /** All versions of one market's facts known at `asOf`, ascending. */
  versionsOf(market: MarketId, asOf: Millis): Promise<MarketRecord[]>
  /**
   * Newest numbers of these markets at `asOf`, whatever their age. For null, all markets with
   * recent rows: quotes and books that became known within the last hour.
   */
  numbersAt(asOf: Millis, markets: readonly MarketId[] | null): Promise<MarketNumbers[]>
  /** Newest stored book, five levels per side, or null. */
  bookAt(market: MarketId, asOf: Millis): Promise<StoredBook | null>
  /** The same for many markets; a market without a book is omitted. */
  booksAt(markets: readonly MarketId[], asOf: Millis): Promise<Map<MarketId, StoredBook>>

  /**
   * The newest `limit` bars that start before `before`, oldest first, by methodology A16: each bucket
   * from its trades, else the venue's bars, else mids of recorded quotes, as its source states.
   */
  candles(query: {
    market: MarketId
    width: Millis
    asOf: Millis
    before: Millis
    limit: number
  }): Promise<CandleRow[]>
  /**
   * Trades with from < ts <= to known at `asOf`, ascending by (ts, tradeId). `newest`, 1 or more:
   * only that many of the last ones, in the same order.
   */
  trades(query: {
    market: MarketId
    from: Millis
    to: Millis
    asOf: Millis
    newest?: number
  }): Promise<TradeRow[]>
  /** Quotes with from < ts <= to known at `asOf`, ascending. */
  quotes(query: { market: MarketId; from: Millis; to: Millis; asOf: Millis }): Promise<QuoteRow[]>
  /** The newest `limit` bars with a quote that start before `before`, oldest first. */
  quoteBars(query: {
    market: MarketId
    width: Millis
    asOf: Millis
    before: Millis
    limit: number
  }): Promise<QuoteBarRow[]>
  /** The newest `limit` bars with a stored book, oldest first. */
  bookBars(query: {
    market: MarketId
    width: Millis
    asOf: Millis
    limit: number
  }): Promise<BookBarRow[]>
  /** Hours with any row, ascending, from `from` to `asOf`. */
  microstructure(query: {
    market: MarketId
    from: Millis
    asOf: Millis
  }): Promise<MicrostructureRow[]>
  /** Change events, newest first. */
  changes(query: ChangesQuery): Promise<ChangeRow[]>

  /** Coverage of one market's feed in [from, to) as known at `asOf`: ascending, not overlapping. */
  coverage(query: {
    market: MarketId
    feed: CoverageFeed
    from: Millis
    to: Millis
    asOf: Millis
  }): Promise<CoverageSpan[]>
  /** Statements `gap` and `repaired` that overlap [from, to), newest first. */
  gaps(query: {
    venue: Venue | null
    from: Millis
    to: Millis
    asOf: Millis
    limit: number
  }): Promise<CoverageRow[]>

  /**
   * Delay of live and polled rows (not backfilled ones) with from < ts <= to and known at `to`: by
   * venue and feed; a feed without rows is omitted.
   */
  arrivalLag(span: { from: Millis; to: Millis }): Promise<FeedLag[]>

  /** Statements of a venue that have no end yet, in the order appended. */
  openCoverage(venue: Venue): Promise<CoverageRow[]>
  /**
   * Which of these trades of a market are already stored, by id, with corrections applied; a busted
   * trade keeps its last figures.
   * @param span times of the candidates, inclusive; it bounds the search, which extends up to an
   *   hour beyond the span. Without it the whole market is searched.
   */
  knownTrades(
    market: MarketId,
    tradeIds: readonly string[],
    span?: { readonly from: Millis; readonly to: Millis },
  ): Promise<ReadonlyMap<string, TradeRow>>
  /** Time of the newest stored trade of a venue, for resuming; null when there is none. */
  newestTradeAt(venue: Venue): Promise<Millis | null>

  size(): Promise<HistorySize>
  close(): Promise<void>
}
