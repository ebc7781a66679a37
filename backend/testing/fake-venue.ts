import type { Ticker, Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import {
  VenueFailure,
  type ExchangePause,
  type FeedHealth,
  type MarketDescribed,
  type Origin,
  type StreamHandlers,
  type VenueConnector,
  type VenueEvent,
  type VenueStream,
} from '../venues/connector.ts'

type Question =
  'exchangePause' | 'openMarkets' | 'endedMarkets' | 'markets' | 'books' | 'trades' | 'candles'

/** A recorded request; a span that was not part of it is absent. */
export interface Requested {
  readonly what: Question
  readonly tickers?: readonly Ticker[] | null
  readonly from?: Millis
  readonly to?: Millis
  readonly origin?: Origin
}

/** The venue's data: all its events of all markets. */
export interface VenueStory {
  readonly open?: readonly VenueEvent[]
  readonly ended?: readonly MarketDescribed[]
  readonly books?: readonly VenueEvent[]
  readonly trades?: readonly VenueEvent[]
  readonly bars?: readonly VenueEvent[]
}

/**
 * A venue in memory. It answers from its events, records requests, and fails, hangs or loses its
 * stream on demand.
 */
export class FakeVenue implements VenueConnector {
  readonly venue: Venue
  readonly tradesWithoutNames: boolean
  readonly streamsEveryTrade: boolean
  readonly requested: Requested[] = []
  /** Requests that fail while they are listed here. */
  readonly failing = new Set<Question>()
  /** Requests that hang until their signal aborts. */
  readonly hanging = new Set<Question>()
  story: VenueStory
  isReachable = true
  clockOffset = 0
  /** Markets and exchanges that are paused. */
  pause: ExchangePause | null = null
  /** Callback of the stream; null until one is open. */
  handlers: StreamHandlers | null = null
  /** Markets that the stream subscribes to. */
  followed: readonly Ticker[] = []
  isClosed = false
  mode: FeedHealth['mode']
  readonly #hasStream: boolean

  constructor(venue: Venue, story: VenueStory = {}, feed: 'stream' | 'polling' = 'polling') {
    this.venue = venue
    this.tradesWithoutNames = venue === 'venue_a'
    this.streamsEveryTrade = venue === 'venue_a'
    this.story = story
    this.mode = feed
    this.#hasStream = feed === 'stream'
  }

  /** The recorded requests of one kind, in order. */
  requestedFor(what: Question): Requested[] {
    return this.requested.filter((requested) => requested.what === what)
  }

  checkReachable(): Promise<boolean> {
    return Promise.resolve(this.isReachable)
  }

  /** Not recorded, because it is requested beside everything else. */
  exchangePause(): Promise<ExchangePause | null> {
    return this.failing.has('exchangePause')
      ? Promise.reject(new VenueFailure(this.venue, 'no word', { retryable: true }))
      : Promise.resolve(this.pause)
  }

  async *openMarkets(signal: AbortSignal) {
    await this.#receive({ what: 'openMarkets' }, signal)
    yield this.story.open ?? []
  }

  async *endedMarkets(since: Millis, signal: AbortSignal) {
    await this.#receive({ what: 'endedMarkets', from: since }, signal)
    yield (this.story.ended ?? []).filter((event) => event.at >= since)
  }

  async markets(tickers: readonly Ticker[], signal: AbortSignal) {
    await this.#receive({ what: 'markets', tickers }, signal)
    return (this.story.open ?? []).filter(({ ticker }) => tickers.includes(ticker))
  }

  async books(tickers: readonly Ticker[], signal: AbortSignal) {
    await this.#receive({ what: 'books', tickers }, signal)
    return (this.story.books ?? []).filter(({ ticker }) => tickers.includes(ticker))
  }

  async *trades(query: Parameters<VenueConnector['trades']>[0], signal: AbortSignal) {
    await this.#receive({ what: 'trades', ...query }, signal)
    yield (this.story.trades ?? [])
      .filter(({ ticker }) => query.tickers === null || query.tickers.includes(ticker))
      .filter(({ at }) => at >= query.from && at < query.to)
  }

  async *candles(query: Parameters<VenueConnector['candles']>[0], signal: AbortSignal) {
    const { tickers, from, to } = query
    await this.#receive({ what: 'candles', tickers, from, to }, signal)
    yield (this.story.bars ?? [])
      .filter(({ ticker }) => tickers.includes(ticker))
      .filter(({ at }) => at > from && at <= to)
  }

  stream(handlers: StreamHandlers): VenueStream | null {
    if (!this.#hasStream) return null
    this.handlers = handlers
    return {
      follow: (tickers) => {
        this.followed = tickers
      },
      close: () => {
        this.isClosed = true
        return Promise.resolve()
      },
    }
  }

  health(): FeedHealth {
    return {
      venue: this.venue,
      mode: this.mode,
      lastMessageAt: null,
      requests: this.requested.length,
      failures: 0,
      skipped: {},
      lastError: null,
    }
  }

  async #receive(requested: Requested, signal: AbortSignal): Promise<void> {
    this.requested.push(requested)
    if (this.hanging.has(requested.what)) {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
      })
    }
    if (this.failing.has(requested.what)) {
      throw new VenueFailure(this.venue, `${requested.what} failed`, { retryable: true })
    }
  }
}
