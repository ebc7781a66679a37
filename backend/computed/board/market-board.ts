import type { Difference } from '../../domain/finder/differences.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { MarketFacts, MarketStatus, OrderBook, Ticker, Venue } from '../../domain/market.ts'
import type { MarketId } from '../../history/market-key.ts'

export type LiquidityScore = 'high' | 'medium' | 'low'

/** One market at one instant, ready to be served: every number that the price routes need. */
export interface MarketView {
  readonly market: MarketId
  readonly facts: MarketFacts
  readonly slug: string
  readonly topics: readonly string[]
  readonly firstSeenAt: Millis
  /** Status at the instant: the venue's statement, advanced by open and close times. */
  readonly status: MarketStatus
  /** Headline price, methodology A1. */
  readonly price: Cents | null
  readonly mark: Cents | null
  readonly bestBid: Cents | null
  readonly bestAsk: Cents | null
  readonly spread: Cents | null
  readonly lastPrice: Cents | null
  /** Valid two-sided book at the instant. */
  readonly hasOrderbook: boolean
  /** Headline price now minus 24 h ago, cents. */
  readonly change24h: number | null
  /** In the unit of `facts.volumeUnit`. */
  readonly volume: number | null
  readonly volume24h: number | null
  /** In dollars for any unit; for comparisons across venues. */
  readonly volume24hUsd: number | null
  readonly openInterest: number | null
  /** Payout dollars in the best five levels of a side of the valid book. */
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  readonly liquidityScore: LiquidityScore
  /** Exact days to close; null when past or unknown. */
  readonly tau: number | null
  /** Time of the quote, otherwise of the newest known fact. */
  readonly updatedAt: Millis
  /** When a quote was last confirmed; null when none is known. */
  readonly quotedAt: Millis | null
}

export interface SearchHit {
  readonly view: MarketView
  /** 0..1, methodology I1 (the final score). */
  readonly score: number
  /** Matched words of the query. */
  readonly matched: readonly string[]
}

/** A market that a question finds. */
export interface FoundHit extends SearchHit {
  /** 0 to 1: how well the market alone asks the question; `score` follows the order of the hits. */
  readonly match: number
}

/** A market near a question, with its differences. */
export interface NearHit extends SearchHit {
  readonly differences: readonly Difference[]
}

/** Markets that ask a question; only without one, the nearest markets. */
export interface FoundHits {
  readonly hits: readonly FoundHit[]
  readonly nearest: readonly NearHit[]
  /** Whether a market asks the question. */
  readonly matchesQuestion: (view: MarketView) => boolean
}

/** The fields of a view that a search filter may use. */
export type SearchedView = Pick<MarketView, 'facts' | 'price' | 'volume' | 'volume24hUsd'>
/** Scope of a search: one venue, all (null), or markets that pass a predicate. */
export type SearchScope = Venue | null | ((market: SearchedView) => boolean)

/** All markets at one instant. */
export interface BoardView {
  readonly asOf: Millis
  /** By canonical ticker or alias. */
  get(ticker: Ticker): MarketView | null
  /** Markets in these states (null: all known to the snapshot), in no particular order. */
  list(statuses: ReadonlySet<MarketStatus> | null): readonly MarketView[]
  /** Markets of one event, any state known to the snapshot. */
  marketsOfEvent(venue: Venue, eventId: string): readonly MarketView[]
  /** Ranked text search over active markets, best first, at most `limit`. */
  search(query: string, scope: SearchScope, limit: number): readonly SearchHit[]
  /** Active markets that ask a question, by event, at most `limit`. */
  find(query: string, scope: SearchScope, limit: number): FoundHits
}

/**
 * The state of the markets: from memory for now, from history for any past instant, by the same
 * arithmetic.
 */
export interface MarketBoard {
  /**
   * The board at `asOf`, or now for null.
   * @param options.statuses stated statuses to include; without it those that may still trade. A
   * board with ended markets is as of the last whole minute
   * @param options.changes false to leave the 24-hour changes of a past board unread, which are
   * then unknown
   */
  at(
    asOf: Millis | null,
    options?: { readonly statuses?: readonly MarketStatus[]; readonly changes?: boolean },
  ): Promise<BoardView>
  /** The markets that may still trade, synchronously; without their 24-hour change. */
  live(): BoardView
  /** One market in any state, or null when unknown at the instant. */
  market(ticker: string, asOf: Millis | null): Promise<MarketView | null>
  /** Markets in any state by the requested names, read together; unknown ones are left out. */
  markets(tickers: readonly string[], asOf: Millis | null): Promise<ReadonlyMap<string, MarketView>>
  /** Newest book with all known levels (five from history), or null. */
  book(
    view: MarketView,
    asOf: Millis | null,
  ): Promise<{ readonly book: OrderBook; readonly at: Millis } | null>
  /** Newest stored books at an instant, five levels a side; a market without one is left out. */
  storedBooks(views: readonly MarketView[], asOf: Millis): Promise<ReadonlyMap<Ticker, OrderBook>>
  /** False until the first load is finished. */
  readonly ready: boolean
}
