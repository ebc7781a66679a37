import type { Venue } from '../domain/market.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/**
 * What was computed at one instant and is never computed again: an answer about the past reads the
 * newest row at or before it. Bodies are JSON written by the owner of the rows; the store does not
 * look into them.
 */

/** Gauges of the world (`''`), a topic or a group at a grid instant. */
export interface IndexRow {
  readonly scope: string
  readonly at: Millis
  readonly value: number | null
  readonly disagreement: number | null
  readonly geoRisk: number | null
  readonly breadth: number | null
  readonly activity: number | null
  /** The whole reading. */
  readonly body: string
  /** When it was worked out, where that was later than its grid was served; else left out. */
  readonly knownAt?: Millis
}

/** The world of one five-minute bucket, cut to a region (`''`: all of it; else its path with `/`). */
export interface SnapshotRow {
  readonly region: string
  readonly at: Millis
  readonly body: string
}

/** Who is paid by crossing, at a grid instant; a row only when score, label or spread changed. */
export interface RegimeLabelRow {
  readonly market: MarketId
  readonly at: Millis
  readonly score: number
  readonly label: 'maker' | 'taker' | 'neutral'
  readonly alpha: number | null
  readonly trades: number
  readonly spread: Cents | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  /** In the unit of the market's volume. */
  readonly volume24h: number | null
}

/** Something that was published and is measured later: a gap, an idea, an edge, a pair. */
export interface JudgementRow {
  readonly kind: 'gap' | 'idea' | 'edge' | 'pair'
  /** One thing keeps its id over its rows. */
  readonly id: string
  readonly at: Millis
  readonly body: string
}

/** The row of an instant that lies so many steps back. */
export interface IndexRowBack {
  readonly back: number
  readonly row: IndexRow
}

/** What answers were made of from one instant on, until the next row. */
export interface ServedRow {
  readonly at: Millis
  /** Not after a stop: nobody was answered. */
  readonly isRunning: boolean
  /** Instant of the grid; null until the first one after a start stands. */
  readonly gridAt: Millis | null
  /** Whether the grid a day before it was worked out too. */
  readonly hasDayEarlier: boolean
  /** Instant of the world, and of the grid that it was made of. */
  readonly worldAt: Millis | null
  readonly worldGridAt: Millis | null
  /** The newest ones that were ever served: rows of later ones had not been told. */
  readonly publishedGridAt: Millis | null
  readonly publishedWorldAt: Millis | null
}

export interface ContextRows {
  readonly served?: readonly ServedRow[]
  readonly indices?: readonly IndexRow[]
  readonly snapshots?: readonly SnapshotRow[]
  readonly regimes?: readonly RegimeLabelRow[]
  readonly judgements?: readonly JudgementRow[]
}

/** The computed side of the history. Rows of one key and instant are stored once: the first stays. */
export interface ContextStore {
  /** Durable when it resolves. */
  appendContext(rows: ContextRows): Promise<void>
  /** What was served at `asOf`: the newest row at or before it, the last written of an instant. */
  servedAt(asOf: Millis): Promise<ServedRow | null>
  /**
   * The newest row of a scope at or before `asOf`.
   * @param knownBy a row that was worked out later does not count, unless no grid was served by then
   */
  indexAt(scope: string, asOf: Millis, knownBy: Millis): Promise<IndexRow | null>
  /**
   * The last row of each step with from < at <= to, ascending; steps are aligned to the epoch and
   * empty ones stay out. A step holds its end and not its beginning, as slots do.
   */
  indexBetween(query: {
    scope: string
    from: Millis
    to: Millis
    step: Millis
    knownBy: Millis
  }): Promise<IndexRow[]>
  /**
   * Of every scope the newest row at or before each of the instants at, at − step, …, at − count × step,
   * where it is no older than `within` then; in no particular order.
   */
  indexBack(query: {
    at: Millis
    step: Millis
    count: number
    within: Millis
    knownBy: Millis
  }): Promise<IndexRowBack[]>
  /** Instant of the first index row; null when there is none. */
  firstIndexAt(knownBy: Millis): Promise<Millis | null>
  /** The newest snapshot of a region at or before `asOf`. */
  snapshotAt(region: string, asOf: Millis): Promise<SnapshotRow | null>
  /** Snapshots with from < at <= to, ascending; `newest`: only so many of the last ones. */
  snapshots(query: {
    region: string
    from: Millis
    to: Millis
    newest?: number
  }): Promise<SnapshotRow[]>
  /** Rows of one market with from < at <= to, ascending. */
  regimesOf(query: { market: MarketId; from: Millis; to: Millis }): Promise<RegimeLabelRow[]>
  /** The newest row of every market, no older than seven days at `asOf`. */
  newestRegimes(asOf: Millis): Promise<RegimeLabelRow[]>
  /**
   * Rows of a kind with from < at <= to, ascending by time, then id.
   * @param query.id rows of one thing only
   */
  judgements(query: {
    kind: JudgementRow['kind']
    from: Millis
    to: Millis
    id?: string
  }): Promise<JudgementRow[]>
  /**
   * Thins snapshots: all of 48 hours, then the last of each hour for 90 days, then none. An hour
   * holds its end, as steps do.
   */
  thinSnapshots(now: Millis): Promise<void>
}

/**
 * State of markets at the ends of consecutive slots: slot k is (from + k × step, from + (k + 1) × step].
 * One row for each market and slot with a trade, a bar or a quote in reach, by market, then slot.
 */
export interface SlotColumns {
  readonly market: Int32Array
  readonly slot: Int32Array
  /** Newest trade of the slot that is no block trade, as corrected; `NO_PRICE` for none. */
  readonly last: Int32Array
  /** Whether a quote is known in the 15 minutes up to the slot's end: only such a one can be a book. */
  readonly isQuoted: Uint8Array
  /** Of the newest such quote; `NO_PRICE` for an absent side. */
  readonly bid: Int32Array
  readonly ask: Int32Array
  /** Trades of the slot that are no block trades. */
  readonly trades: Int32Array
  /**
   * Dollars traded in the slot: of the trades (size × YES price, block trades too) or of the venue's
   * bars that end in it (volume × close), whichever is more, since either may be incomplete. Bars
   * wider than a slot do not count; of bars of several widths those count that say the most.
   */
  readonly usd: Float64Array
}

export interface SlotQuery {
  readonly from: Millis
  readonly step: Millis
  readonly count: number
  readonly asOf: Millis
  /** Null: all. */
  readonly markets: readonly MarketId[] | null
}

/** Trades without block trades, by market, then time; corrected and busted ones as known at `asOf`. */
export interface PrintedColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly price: Int32Array
  readonly size: Float64Array
  /** 0 unknown, 1 yes, 2 no. */
  readonly taker: Uint8Array
}

/** Quotes by market, then time; `NO_PRICE` for an absent side. */
export interface QuotedColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly bid: Int32Array
  readonly ask: Int32Array
}

/** Reads of many markets in one pass, as columns. Only rows known at `asOf` count. */
export interface HistoryColumns {
  slots(query: SlotQuery): Promise<SlotColumns>
  /** Trades with from < ts <= to. */
  printsOf(query: BulkQuery): Promise<PrintedColumns>
  /** Quotes with from < ts <= to. */
  quotesOf(query: BulkQuery): Promise<QuotedColumns>
  /**
   * Markets of which a trade or quote of (from, before] became known after `before` and by `asOf`, or
   * of which a trade was corrected in that time: what was read at `before` is otherwise now.
   */
  lateMarkets(query: { from: Millis; before: Millis; asOf: Millis }): Promise<MarketId[]>
}

export interface BulkQuery {
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
  /** Null: all. */
  readonly markets: readonly MarketId[] | null
  readonly venue?: Venue
}
