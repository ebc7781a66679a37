import type { MarketFacts, MarketStatus, OrderBook, Ticker, Venue } from '../domain/market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../domain/units.ts'

/** Number of a market inside the history; never shown, never leaves the process. */
export type MarketId = number

export interface MarketKey {
  readonly venue: Venue
  readonly ticker: Ticker
}

/** 0 live, 1 polled, 2 backfilled, 3 imported: the order of `ORIGINS`. */
export type OriginCode = 0 | 1 | 2 | 3
export const ORIGINS = ['live', 'polled', 'backfilled', 'imported'] as const

/**
 * Rows to append, one struct of equally long columns a kind. `ts` is venue time in Unix ms; `lag`
 * is ms from `ts` to the moment we knew (never negative), so a row is usable at T when
 * `ts + lag <= T`. Prices are 1e-4 dollars, sizes 1e-6 contracts; absent numbers are NaN in the
 * float columns and `NO_PRICE` in the integer ones.
 */
export interface HistoryBatch {
  readonly trades?: TradeColumns
  readonly quotes?: QuoteColumns
  readonly books?: BookColumns
  readonly candles?: CandleColumns
  readonly activity?: ActivityColumns
  readonly facts?: readonly FactsRow[]
  readonly changes?: readonly ChangeRow[]
  readonly coverage?: readonly CoverageRow[]
  readonly corrections?: readonly TradeCorrection[]
}

/** Stands for an absent price in the integer columns. */
export const NO_PRICE = -1

interface TickColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly lag: Float64Array
  readonly origin: Uint8Array
}
export interface TradeColumns extends TickColumns {
  readonly tradeId: readonly string[]
  readonly price: Int32Array
  readonly size: Float64Array
  /** 0 unknown, 1 yes, 2 no. */
  readonly taker: Uint8Array
  readonly isBlock: Uint8Array
}
export interface QuoteColumns extends TickColumns {
  readonly bid: Int32Array
  readonly ask: Int32Array
  readonly bidSize: Float64Array
  readonly askSize: Float64Array
}
/** Best five levels a side: level k of row i at `i * 5 + k`, `NO_PRICE` beyond the last level. */
export interface BookColumns extends TickColumns {
  readonly bidPrice: Int32Array
  readonly bidSize: Float64Array
  readonly askPrice: Int32Array
  readonly askSize: Float64Array
}
/** Bars as a venue or a recording published them; `ts` is the end of the bar. */
export interface CandleColumns extends TickColumns {
  readonly start: Float64Array
  readonly width: Float64Array
  readonly open: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
  readonly close: Int32Array
  readonly volume: Float64Array
  readonly bidClose: Int32Array
  readonly askClose: Int32Array
}
/** Venue counters; contracts in 1e-6 or dollars in 1e-6 by the market's volume unit. */
export interface ActivityColumns extends TickColumns {
  readonly volume: Float64Array
  readonly volume24h: Float64Array
  readonly openInterest: Float64Array
  /** Price of the newest trade as the venue stated it. */
  readonly lastPrice: Int32Array
}
export interface FactsRow {
  readonly market: MarketId
  readonly knownAt: Millis
  readonly facts: MarketFacts
}

export const CHANGE_TYPES = [
  'price_move',
  'new_market',
  'status_change',
  'resolved',
  'volume_spike',
  'regime_change',
  'spread_change',
  'close_time_change',
] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]
/** One event of methodology F6; `at` is the instant it became true. */
export interface ChangeRow {
  readonly id: string
  readonly market: MarketId
  readonly type: ChangeType
  readonly at: Millis
  readonly before: number | string | null
  readonly after: number | string | null
  readonly delta: number | null
  /** When it was derived, where that was later than `at`: it is known only from then on. */
  readonly knownAt?: Millis
}

/**
 * What we have of a feed over a time: streamed, fetched, taken from a recording, missing, or missing
 * at first and fetched later.
 */
export const COVERAGE_STATES = ['live', 'polled', 'imported', 'gap', 'repaired'] as const
export type CoverageState = (typeof COVERAGE_STATES)[number]
/** Prints, or quotes and books: venues keep the first and can be asked again, seldom the second. */
export const COVERAGE_FEEDS = ['trades', 'quotes'] as const
export type CoverageFeed = (typeof COVERAGE_FEEDS)[number]

/**
 * One statement about the continuity of a feed; statements are only ever added. An open one (`to`
 * null) stands until a later one of the same scope, feed, state and `from` replaces it, which is how
 * a stretch is ended. Where several known ones cover an instant, `repaired` wins over a `gap` known
 * before it, a `gap` over all other states, and among those the one known last; of statements known
 * at one instant the later appended counts as known later.
 */
export interface CoverageRow {
  readonly venue: Venue
  /** Null: every market of the venue. */
  readonly market: MarketId | null
  readonly feed: CoverageFeed
  readonly state: CoverageState
  readonly from: Millis
  /** Exclusive; null while it lasts. */
  readonly to: Millis | null
  readonly knownAt: Millis
  /** For people: why it is a gap, what file it came from; null when the state says it all. */
  readonly reason: string | null
}

/** A stretch of one market's feed in one state; nothing is known outside of the stretches. */
export interface CoverageSpan {
  readonly state: CoverageState
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
  /** Of the statement that decides the stretch. */
  readonly reason: string | null
}

/** A later word of the venue on a trade it printed: other figures, or null when it was busted. */
export interface TradeCorrection {
  readonly market: MarketId
  readonly tradeId: string
  readonly knownAt: Millis
  readonly corrected: Omit<TradeRow, 'tradeId'> | null
}

/** A market with the version of its facts that was known at the asked instant. */
export interface MarketRecord {
  readonly market: MarketId
  readonly facts: MarketFacts
  /** When the first version was known. */
  readonly firstSeenAt: Millis
  /** When this version was known. */
  readonly knownAt: Millis
}

/** A stored book and when it stood. */
export interface StoredBook {
  readonly book: OrderBook
  readonly ts: Millis
}

/** Newest numbers of one market at an instant; null where none was known. */
export interface MarketNumbers {
  readonly market: MarketId
  /** Newest non-block trade. */
  readonly last: { readonly price: PriceE4; readonly ts: Millis } | null
  readonly quote: {
    readonly bid: PriceE4 | null
    readonly ask: PriceE4 | null
    readonly bidSize: SizeE6 | null
    readonly askSize: SizeE6 | null
    readonly ts: Millis
    /** When this quote was known. */
    readonly knownAt: Millis
  } | null
  readonly activity: {
    readonly volume: SizeE6 | MoneyE6 | null
    readonly volume24h: SizeE6 | MoneyE6 | null
    readonly openInterest: SizeE6 | MoneyE6 | null
    /** Price of the newest trade as the venue stated it then. */
    readonly lastPrice: PriceE4 | null
    readonly ts: Millis
  } | null
  /** Sum of the sizes in the best five levels a side of the newest book. */
  readonly depth: { readonly bid: SizeE6; readonly ask: SizeE6; readonly ts: Millis } | null
}

/** A served bar; v is null for price-only history. Prices in 1e-4 dollars. */
export interface CandleRow {
  readonly start: Millis
  readonly open: PriceE4
  readonly high: PriceE4
  readonly low: PriceE4
  readonly close: PriceE4
  readonly volume: SizeE6 | null
  /** A gap of the feed that the bar is made from, not repaired by then, touches the bar. */
  readonly crossesGap: boolean
}

export interface TradeRow {
  readonly tradeId: string
  readonly ts: Millis
  readonly price: PriceE4
  readonly size: SizeE6
  readonly takerSide: 'yes' | 'no' | null
  readonly isBlock: boolean
}

export interface QuoteRow {
  readonly ts: Millis
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
}

/** One hour of methodology part M, microstructure history; null where nothing was known. */
export interface MicrostructureRow {
  readonly start: Millis
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
  /** Payout dollars in the best five levels, 1e-6. */
  readonly bidDepth: MoneyE6 | null
  readonly askDepth: MoneyE6 | null
  readonly trades: number
  /** Contracts bought by takers of YES, and of NO. */
  readonly buyVolume: SizeE6
  readonly sellVolume: SizeE6
}

export interface ChangesQuery {
  readonly since: Millis
  readonly asOf: Millis
  readonly types: readonly ChangeType[] | null
  readonly markets: readonly MarketId[] | null
  /** Rows strictly after this position in (at desc, id asc) order. */
  readonly after: { readonly at: Millis; readonly id: string } | null
  readonly limit: number
}

/** Counts and bounds of what is on disk. */
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
 * All history with time. Every read takes `asOf` and uses only rows known by then, so that an
 * answer about the past never changes. Appends are durable when their promise resolves.
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
   * Records of these markets (null: all) as known at `asOf`; markets first seen later are left out.
   * @param statuses keeps only records whose stated status is one of these
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
   * Newest numbers of these markets at `asOf`, whatever their age. For null, all markets with a row
   * in reach: quotes and books no older than an hour.
   */
  numbersAt(asOf: Millis, markets: readonly MarketId[] | null): Promise<MarketNumbers[]>
  /** Newest stored book, five levels a side, or null. */
  bookAt(market: MarketId, asOf: Millis): Promise<StoredBook | null>
  /** The same of many markets; one without a book is left out. */
  booksAt(markets: readonly MarketId[], asOf: Millis): Promise<Map<MarketId, StoredBook>>

  /**
   * The newest `limit` bars that start before `before`, oldest first, by methodology A16: from
   * trades; native bars where no trade is on file; price-only history from recorded quotes.
   */
  candles(query: {
    market: MarketId
    width: Millis
    asOf: Millis
    before: Millis
    limit: number
  }): Promise<CandleRow[]>
  /**
   * Trades with from < ts <= to known at `asOf`, ascending by (ts, tradeId).
   * `newest`, 1 or more: only so many of the last ones, in the same order.
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
  /** Statements `gap` and `repaired` that meet [from, to), newest first. */
  gaps(query: {
    venue: Venue | null
    from: Millis
    to: Millis
    asOf: Millis
    limit: number
  }): Promise<CoverageRow[]>

  /** Statements of a venue that have no end yet, in the order appended. */
  openCoverage(venue: Venue): Promise<CoverageRow[]>
  /**
   * Which of these trades of a market are already stored, by id, as they stand after corrections; a
   * busted trade is there with the figures it last had.
   * @param span times of the candidates, inclusive; it bounds the search, in which a stored trade is
   * found up to an hour beyond the span. Without it the whole market is searched.
   */
  knownTrades(
    market: MarketId,
    tradeIds: readonly string[],
    span?: { readonly from: Millis; readonly to: Millis },
  ): Promise<ReadonlyMap<string, TradeRow>>
  /** Time of the newest stored trade of a venue, for resuming; null when none. */
  newestTradeAt(venue: Venue): Promise<Millis | null>

  size(): Promise<HistorySize>
  close(): Promise<void>
}
