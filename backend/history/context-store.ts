import type { Venue } from '../domain/market.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/**
 * Computed results of one instant, never recomputed: a read about the past returns the newest row
 * at or before it. Bodies are JSON written by the owner of the rows; the store does not parse
 * them.
 */

/** Gauges of the world (`''`), a topic or a group at a snapshot instant. */
export interface IndexRow {
  readonly scope: string
  readonly at: Millis
  readonly value: number | null
  readonly disagreement: number | null
  readonly geoRisk: number | null
  readonly breadth: number | null
  readonly activity: number | null
  /** The whole reading as JSON. */
  readonly body: string
  /** When it was computed, if later than its snapshot was published; otherwise omitted. */
  readonly knownAt?: Millis
}

/**
 * The world snapshot of a five-minute bucket for a region (`''`: everything; else its path with
 * `/`).
 */
export interface SnapshotRow {
  readonly region: string
  readonly at: Millis
  readonly body: string
}

/** Market regime at a snapshot instant; a row only when score, label or spread changed. */
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
  /** In the market's volume unit. */
  readonly volume24h: number | null
}

/** A published item whose outcome is measured later: a gap, an idea, an edge, a pair. */
export interface JudgementRow {
  readonly kind: 'gap' | 'idea' | 'edge' | 'pair'
  /** An item keeps its id across its rows. */
  readonly id: string
  readonly at: Millis
  readonly body: string
}

/** The row of an instant that lies this many steps back. */
export interface IndexRowBack {
  readonly back: number
  readonly row: IndexRow
}

/** The snapshots that answers were based on from one instant until the next row. */
export interface ServedRow {
  readonly at: Millis
  /** False after a stop, when nothing was served. */
  readonly isRunning: boolean
  /** Instant of the snapshot; null until the first one after a start is computed. */
  readonly contextAt: Millis | null
  /** Whether the snapshot of a day earlier was computed too. */
  readonly hasDayEarlier: boolean
  /** Instant of the world snapshot, and of the context snapshot it was built from. */
  readonly worldAt: Millis | null
  readonly worldContextAt: Millis | null
  /** The newest published instants; rows of later ones had not been published. */
  readonly publishedContextAt: Millis | null
  readonly publishedWorldAt: Millis | null
}

export interface ContextRows {
  readonly served?: readonly ServedRow[]
  readonly indices?: readonly IndexRow[]
  readonly snapshots?: readonly SnapshotRow[]
  readonly regimes?: readonly RegimeLabelRow[]
  readonly judgements?: readonly JudgementRow[]
}

/** The computed part of the history. For one key and instant only the first row is stored. */
export interface ContextStore {
  /** Durable when it resolves. */
  appendContext(rows: ContextRows): Promise<void>
  /**
   * The snapshots served at `asOf`: the newest row at or before it; of one instant the last
   * written.
   */
  servedAt(asOf: Millis): Promise<ServedRow | null>
  /**
   * The newest row of a scope at or before `asOf`.
   * @param knownBy rows computed later are ignored, unless no snapshot was published by then
   */
  indexAt(scope: string, asOf: Millis, knownBy: Millis): Promise<IndexRow | null>
  /**
   * The last row of each step with from < at <= to, ascending. Steps are aligned to the epoch and
   * empty ones are omitted. A step includes its end and excludes its beginning, as slots do.
   */
  indexBetween(query: {
    scope: string
    from: Millis
    to: Millis
    step: Millis
    knownBy: Millis
  }): Promise<IndexRow[]>
  /**
   * For every scope, the newest row at or before each of the instants at, at − step, …, at − count
   * × step, if it is no older than `within` at that instant; unordered.
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
  /** Snapshots with from < at <= to, ascending; `newest` limits the result to the last ones. */
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
   * @param query.id rows of one item only
   */
  judgements(query: {
    kind: JudgementRow['kind']
    from: Millis
    to: Millis
    id?: string
  }): Promise<JudgementRow[]>
  /**
   * Thins snapshots: all of the last 48 hours are kept, then the last of each hour for 90 days,
   * then none. An hour includes its end, as steps do.
   */
  thinSnapshots(now: Millis): Promise<void>
}

/**
 * State of markets at the ends of consecutive slots: slot k is (from + k × step, from + (k + 1) ×
 * step]. One row per market and slot with a trade, a bar or a quote in reach, by market, then
 * slot.
 */
export interface SlotColumns {
  readonly market: Int32Array
  readonly slot: Int32Array
  /** Price of the newest non-block trade of the slot, as corrected; `NO_PRICE` for none. */
  readonly last: Int32Array
  /** Whether a quote is known in the 15 minutes up to the slot's end; older quotes do not count. */
  readonly isQuoted: Uint8Array
  /** Of the newest such quote; `NO_PRICE` for an absent side. */
  readonly bid: Int32Array
  readonly ask: Int32Array
  /** Trades of the slot that are no block trades. */
  readonly trades: Int32Array
  /**
   * Dollars traded in the slot: the larger of the trades (size × YES price, including block
   * trades) and the venue's bars that end in it (volume × close), since either may be incomplete.
   * Bars wider than a slot do not count; of bars of several widths, the width with the largest sum
   * counts.
   */
  readonly usd: Float64Array
}

export interface SlotQuery {
  readonly from: Millis
  readonly step: Millis
  readonly count: number
  readonly asOf: Millis
  /** Null means all. */
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
   * Markets with a trade or quote of (from, before] that became known after `before` and by
   * `asOf`, or with a trade corrected in that time: a read at `before` is outdated for them.
   */
  lateMarkets(query: { from: Millis; before: Millis; asOf: Millis }): Promise<MarketId[]>
}

export interface BulkQuery {
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
  /** Null means all. */
  readonly markets: readonly MarketId[] | null
  readonly venue?: Venue
}
