import type { BookLevel, MarketFacts, Side, Ticker, Venue } from '../domain/market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../domain/units.ts'

/**
 * How an event was received. A `backfilled` event has a `receivedAt` of venue time plus the
 * venue's delay, so that a point-in-time answer does not know it later than a live reader would
 * have.
 */
export type Origin = 'live' | 'polled' | 'backfilled' | 'imported'

interface Stamp {
  readonly venue: Venue
  readonly ticker: Ticker
  /** When it happened at the venue. */
  readonly at: Millis
  /** When it was received; never before `at`. */
  readonly receivedAt: Millis
  readonly origin: Origin
}

/** The venue stated the facts of a market; repeated statements of the same facts are normal. */
export interface MarketDescribed extends Stamp {
  readonly type: 'market_described'
  readonly facts: MarketFacts
  /** Times that were announced before a market ended; absent when the venue does not state them. */
  readonly announced?: AnnouncedEnd
}

/** Close and expected result of a market as announced while it traded; null when unknown. */
export type AnnouncedEnd = Pick<MarketFacts, 'closeTime' | 'expirationTime'>

/**
 * The venue stated its counters. Volumes are contracts (`SizeE6`) where the market counts
 * contracts and dollars (`MoneyE6`) where it counts dollars; see `MarketFacts.volumeUnit`.
 */
export interface ActivityReported extends Stamp {
  readonly type: 'activity_reported'
  readonly volume: SizeE6 | MoneyE6 | null
  readonly volume24h: SizeE6 | MoneyE6 | null
  readonly openInterest: SizeE6 | MoneyE6 | null
  /**
   * Price of the newest trade as the venue states it; null when it never traded or is not stated.
   */
  readonly lastPrice: PriceE4 | null
}

/** Best bid and ask on the YES scale; null is an empty side. Sizes are null when not stated. */
export interface QuoteChanged extends Stamp {
  readonly type: 'quote_changed'
  readonly bid: PriceE4 | null
  readonly bidSize: SizeE6 | null
  readonly ask: PriceE4 | null
  readonly askSize: SizeE6 | null
}

/** The whole current book, YES scale, bids descending and asks ascending. */
export interface BookChanged extends Stamp {
  readonly type: 'book_changed'
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

export interface TradePrinted extends Stamp {
  readonly type: 'trade_printed'
  /** Unique within the venue; synthetic and stable where the venue assigns none. */
  readonly tradeId: string
  /** YES scale whichever side was bought. */
  readonly price: PriceE4
  readonly size: SizeE6
  readonly takerSide: Side | null
  /** Negotiated off the book: counts as volume, never as a price. */
  readonly isBlock: boolean
}

/** The venue cancelled a trade. Corrected figures come as `trade_printed` with the same id. */
export interface TradeBusted extends Stamp {
  readonly type: 'trade_busted'
  readonly tradeId: string
}

/** A bar made by the venue; prices are null in a period without a trade. */
export interface CandlePublished extends Stamp {
  readonly type: 'candle_published'
  /** Start of the bar; `at` is its end. */
  readonly start: Millis
  readonly width: Millis
  readonly open: PriceE4 | null
  readonly high: PriceE4 | null
  readonly low: PriceE4 | null
  readonly close: PriceE4 | null
  /** Null for price-only history. */
  readonly volume: SizeE6 | null
  readonly bidClose: PriceE4 | null
  readonly askClose: PriceE4 | null
}

/** Every event a venue can send: past tense, readonly, never edited. */
export type VenueEvent =
  | MarketDescribed
  | ActivityReported
  | QuoteChanged
  | BookChanged
  | TradePrinted
  | TradeBusted
  | CandlePublished

/** A host that is not called for a while, because it kept failing. */
export interface HostPause {
  readonly host: string
  readonly since: Millis
  readonly reason: string
}

/** Health that a connector reports. */
export interface FeedHealth {
  readonly venue: Venue
  readonly mode: 'stream' | 'polling' | 'down'
  readonly lastMessageAt: Millis | null
  readonly requests: number
  readonly failures: number
  /** Rows refused by the parser since start, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly lastError: string | null
  /** Hosts of the venue that are not called now. */
  readonly pausedHosts?: readonly HostPause[]
  /** Since when a feed of the venue is missing, and why; null while all deliver. */
  readonly missing?: { readonly since: Millis; readonly reason: string } | null
}

/** Markets that their exchange does not trade now, whatever their own state; null means all. */
export interface ExchangePause {
  readonly tickers: readonly Ticker[] | null
}

/** A live subscription. Closing it is final. */
export interface VenueStream {
  /** Replaces the set of followed markets. */
  follow(tickers: readonly Ticker[]): void
  close(): Promise<void>
}

export interface StreamHandlers {
  /** Events in the order the venue sent them. */
  readonly onEvents: (events: readonly VenueEvent[]) => void
  /** The stream lost messages or its connection from `since` on, for these markets (null: all). */
  readonly onGap: (gap: {
    since: Millis
    tickers: readonly Ticker[] | null
    reason: string
  }) => void
  /** The stream delivers again, at least these markets (null: all it follows). */
  readonly onRecovered: (at: Millis, tickers: readonly Ticker[] | null) => void
}

/**
 * One venue as the rest of the backend sees it. Every call obeys the venue's request budget,
 * retries failures that are retryable, and throws `VenueFailure` when it gives up. Iterables yield
 * a page at a time and stop at the signal.
 */
export interface VenueConnector {
  readonly venue: Venue
  /** Whether `trades` can be called without naming markets. */
  readonly tradesWithoutNames: boolean
  /** Whether the stream delivers every trade, so that the tape need not be read beside it. */
  readonly streamsEveryTrade: boolean
  /** Venue time minus our time in ms, to about a second; 0 while unknown. */
  readonly clockOffset: number
  /** Whether the venue answers at all; requested once, without retries. */
  checkReachable(signal: AbortSignal): Promise<boolean>
  /**
   * The pause of the exchange as a whole; null while it trades, and for a venue that never reports
   * one.
   */
  exchangePause(signal: AbortSignal): Promise<ExchangePause | null>
  /** The whole open catalogue: facts, quote and counters of each market. */
  openMarkets(signal: AbortSignal): AsyncIterable<readonly VenueEvent[]>
  /** Facts of markets that ended at or after `since`. */
  endedMarkets(since: Millis, signal: AbortSignal): AsyncIterable<readonly VenueEvent[]>
  /**
   * Facts, quote and counters of these markets in any state; unknown ones are left out.
   * @param priority in the request budget; 'live' by default
   */
  markets(
    tickers: readonly Ticker[],
    signal: AbortSignal,
    priority?: 'live' | 'catalogue',
  ): Promise<readonly VenueEvent[]>
  /** Whole books of these markets; those without a book are left out. */
  books(tickers: readonly Ticker[], signal: AbortSignal): Promise<readonly VenueEvent[]>
  /**
   * Trades with `from <= at < to`, newest page first; null requests all markets
   * (`tradesWithoutNames`).
   */
  trades(
    query: { tickers: readonly Ticker[] | null; from: Millis; to: Millis; origin: Origin },
    signal: AbortSignal,
  ): AsyncIterable<readonly VenueEvent[]>
  /** Native bars of these markets, oldest first within a market; none where the venue has none. */
  candles(
    query: { tickers: readonly Ticker[]; from: Millis; to: Millis; width: Millis },
    signal: AbortSignal,
  ): AsyncIterable<readonly VenueEvent[]>
  /** Opens the live stream, or returns null when the venue needs keys that are not configured. */
  stream(handlers: StreamHandlers): VenueStream | null
  health(): FeedHealth
}

/** A venue did not fulfil a request. `retryable` states whether a later retry can help. */
export class VenueFailure extends Error {
  readonly venue: Venue
  readonly status: number | null
  readonly retryable: boolean
  constructor(
    venue: Venue,
    message: string,
    details: { status?: number | null; retryable: boolean; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.name = 'VenueFailure'
    this.venue = venue
    this.status = details.status ?? null
    this.retryable = details.retryable
  }
}
