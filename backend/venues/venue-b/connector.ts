import type { Ticker } from '../../domain/market.ts'
import { DAY, MINUTE, type Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  Origin,
  StreamHandlers,
  VenueConnector,
  VenueEvent,
  VenueStream,
} from '../connector.ts'
import { FeedLedger } from '../feed-ledger.ts'
import type { Wire } from '../fields.ts'
import { HttpClient, type Fetch } from '../http-client.ts'
import { chunksOf } from '../paging.ts'
import {
  describedEvent,
  firstStatements,
  ParseResult,
  type ParseContext,
  type ParsedEvents,
} from '../parsed.ts'
import { priorityOf, RequestBudget } from '../request-budget.ts'
import { AssetIndex } from './asset-index.ts'
import { settleClosed, withOpenInterest } from './enrichment.ts'
import {
  CONDITIONS_PER_LISTING,
  CONDITIONS_PER_TAPE,
  VenueBClient,
  type ReadOptions,
} from './client.ts'
import type { EventContext } from './event-context.ts'
import { factsOfMessage } from './message-facts.ts'
import { parseMidpoints } from './midpoints.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './parse.ts'
import {
  parseClobBooks,
  parseDataTradesPage,
  parsePricesHistory,
  type Ordinals,
} from './parse-tape.ts'
import type { Best } from './shard.ts'
import { VenueBStream } from './stream.ts'

export interface VenueBOptions {
  readonly gammaUrl?: string
  readonly clobUrl?: string
  readonly dataUrl?: string
  readonly wsUrl?: string
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly fetch?: Fetch
  /** Requests per second and burst of each of the three hosts. */
  readonly budget?: { readonly ratePerSecond: number; readonly burst: number }
}

const GAMMA_URL = 'https://gamma-api.polymarket.com'
const CLOB_URL = 'https://clob.polymarket.com'
const DATA_URL = 'https://data-api.polymarket.com'
const WS_URL = 'wss://ws-subscriptions-clob.polymarket.com/ws/market'
/** Half of the tightest published limit of the endpoints used on each host. */
const BUDGETS = {
  gamma: { ratePerSecond: 15, burst: 30 },
  clob: { ratePerSecond: 25, burst: 50 },
  data: { ratePerSecond: 10, burst: 20 },
}
/** A market may close this long after its planned end, when its outcome was disputed. */
const LATE_CLOSE = 14 * DAY
const HISTORY_WINDOW = 14 * DAY
/** Number of assets whose books are compared when the stream is quiet. */
const COMPARED_ASSETS = 20

/** Creates the connector of venue_b. */
export function createVenueB(options: VenueBOptions): VenueConnector {
  return new VenueB(options)
}

class VenueB implements VenueConnector {
  readonly venue = 'venue_b'
  readonly tradesWithoutNames = false
  /** The stream covers one outcome only: trades of the other are on the tape. */
  readonly streamsEveryTrade = false
  readonly #options: VenueBOptions
  readonly #ledger = new FeedLedger('venue_b')
  readonly #client: VenueBClient
  readonly #index = new AssetIndex()
  readonly #events = new Map<string, EventContext>()
  #stream: VenueBStream | null = null

  constructor(options: VenueBOptions) {
    this.#options = options
    this.#client = new VenueBClient({
      gamma: this.#host(options.gammaUrl ?? GAMMA_URL, BUDGETS.gamma),
      clob: this.#host(options.clobUrl ?? CLOB_URL, BUDGETS.clob),
      data: this.#host(options.dataUrl ?? DATA_URL, BUDGETS.data),
    })
  }

  get clockOffset(): number {
    const { clock } = this.#options
    return (this.#client.hostTime ?? clock.now()) - clock.now()
  }

  async checkReachable(signal: AbortSignal): Promise<boolean> {
    return this.#client.time(signal).then(
      () => true,
      () => false,
    )
  }

  /** The venue pauses single markets and never reports a pause of the whole exchange. */
  exchangePause(): Promise<null> {
    return Promise.resolve(null)
  }

  async *openMarkets(signal: AbortSignal) {
    const seenTickers = new Set<Ticker>()
    for await (const body of this.#client.openEvents({ signal, priority: 'catalogue' })) {
      const parsedPage = parseGammaEventsPage(body, this.#now('polled'), (event) => {
        this.#events.set(event.eventId, event)
      })
      yield firstStatements(this.#dropStaleQuotes(this.#remember(parsedPage)), seenTickers)
    }
  }

  async *endedMarkets(since: Millis, signal: AbortSignal) {
    const options = { signal, priority: 'catalogue' } as const
    const endedFrom = isoOf((since - LATE_CLOSE) as Millis)
    const seenTickers = new Set<Ticker>()
    for await (const body of this.#client.closedMarkets(endedFrom, options)) {
      const endedMarkets = firstStatements(this.#parseMarkets(body), seenTickers).filter((event) =>
        hasEndedSince(event, since),
      )
      yield await settleClosed(this.#client, endedMarkets, options)
    }
  }

  async markets(
    tickers: readonly Ticker[],
    signal: AbortSignal,
    priority: 'live' | 'catalogue' = 'live',
  ): Promise<readonly VenueEvent[]> {
    const options = { signal, priority }
    const events: VenueEvent[] = []
    for (const chunk of chunksOf(tickers, CONDITIONS_PER_LISTING)) {
      const open = this.#parseMarkets(await this.#client.markets(chunk, false, options))
      const openTickers = new Set(open.map((event) => event.ticker))
      const missing = chunk.filter((ticker) => !openTickers.has(ticker))
      const closedEvents =
        missing.length === 0
          ? []
          : this.#parseMarkets(await this.#client.markets(missing, true, options))
      const active = await withOpenInterest(this.#client, this.#dropStaleQuotes(open), options)
      events.push(...active, ...(await settleClosed(this.#client, closedEvents, options)))
    }
    return events
  }

  async books(tickers: readonly Ticker[], signal: AbortSignal): Promise<readonly VenueEvent[]> {
    const options = { signal, priority: 'live' } as const
    const assets = [...(await this.#resolveAssets(tickers, signal)).values()]
    return this.#ledger.accept(await this.#readBooks(assets, options))
  }

  async *trades(
    query: { tickers: readonly Ticker[] | null; from: Millis; to: Millis; origin: Origin },
    signal: AbortSignal,
  ) {
    const { tickers, from, to, origin } = query
    const options = { signal, priority: priorityOf(origin) }
    const chunks = tickers === null ? [null] : chunksOf(tickers, CONDITIONS_PER_TAPE)
    for (const conditions of chunks) {
      const ordinals: Ordinals = new Map()
      for await (const body of this.#client.trades(conditions, options)) {
        const context = this.#now(origin)
        const { outcomeOf } = this.#index
        const parsedPage = parseDataTradesPage(body, context, outcomeOf, ordinals)
        const events = this.#ledger.accept(parsedPage)
        yield events.filter((event) => event.at >= from && event.at < to)
        const oldest = Math.min(...events.map((event) => event.at))
        if (oldest < from) break
      }
    }
  }

  async *candles(
    query: { tickers: readonly Ticker[]; from: Millis; to: Millis; width: Millis },
    signal: AbortSignal,
  ) {
    const { tickers, from, to, width } = query
    const options = { signal, priority: 'backfill' } as const
    const fidelity = Math.max(MINUTE, width / 6) as Millis
    const window = Math.max(width, Math.floor(HISTORY_WINDOW / width) * width)
    for (const [ticker, asset] of await this.#resolveAssets(tickers, signal)) {
      const alignedFrom = Math.ceil(from / width) * width
      for (let start = alignedFrom; start + width <= to; start += window) {
        const end = Math.min(to, start + window)
        const body = await this.#client.pricesHistory(
          asset,
          { from: start, to: end, fidelity },
          options,
        )
        const parsedPage = parsePricesHistory(body, this.#now('backfilled'), ticker, width)
        yield this.#ledger.accept(parsedPage).filter((event) => event.at > start && event.at <= end)
      }
    }
  }

  stream(handlers: StreamHandlers): VenueStream {
    const { clock, random, wsUrl = WS_URL } = this.#options
    const closing = new AbortController()
    const stream = new VenueBStream({
      url: wsUrl,
      clock,
      random,
      ledger: this.#ledger,
      handlers,
      venueTime: () => this.#client.hostTime,
      outcomeOf: this.#index.outcomeOf,
      onCatalogue: (message) => this.#onCatalogue(message, handlers),
      matchesRest: (bests) => this.#agrees(bests, closing.signal),
      resolveAssets: (tickers) => this.#resolveForStream(tickers, closing.signal),
    })
    this.#stream = stream
    return {
      follow: (tickers) => stream.follow(tickers),
      close: () => {
        closing.abort()
        return stream.close()
      },
    }
  }

  health() {
    const mode = this.#stream?.isDelivering === true ? 'stream' : 'polling'
    return this.#ledger.health(mode, this.#client.pauses)
  }

  #host(baseUrl: string, defaultBudget: { ratePerSecond: number; burst: number }): HttpClient {
    const { clock, random, budget } = this.#options
    return new HttpClient({
      venue: 'venue_b',
      baseUrl,
      clock,
      random,
      budget: new RequestBudget({ ...(budget ?? defaultBudget), clock }),
      ledger: this.#ledger,
      fetch: this.#options.fetch ?? fetch,
    })
  }

  #now(origin: Origin): ParseContext {
    const venueTime = this.#client.hostTime
    return { origin, receivedAt: this.#options.clock.now(), venueTime }
  }

  #parseMarkets(body: unknown): readonly VenueEvent[] {
    const existing = (eventId: string) => this.#events.get(eventId) ?? null
    return this.#remember(parseGammaMarketsPage(body, this.#now('polled'), existing))
  }

  #remember(parsedPage: ParsedEvents): readonly VenueEvent[] {
    const events = this.#ledger.accept(parsedPage)
    for (const event of events) if (event.type === 'market_described') this.#index.add(event.facts)
    return events
  }

  /** The catalogue's quotes lag the book by minutes: they are dropped where the book is live. */
  #dropStaleQuotes(events: readonly VenueEvent[]): readonly VenueEvent[] {
    return events.filter((event) => {
      if (event.type !== 'quote_changed') return true
      const asset = this.#index.yesAsset(event.ticker)
      return asset === null || this.#stream?.hasBook(asset) !== true
    })
  }

  async #resolveAssets(
    tickers: readonly Ticker[],
    signal: AbortSignal,
  ): Promise<Map<Ticker, string>> {
    const unknown = tickers.filter((ticker) => this.#index.facts(ticker) === null)
    if (unknown.length > 0) await this.markets(unknown, signal)
    const assets = new Map<Ticker, string>()
    for (const ticker of tickers) {
      const asset = this.#index.yesAsset(ticker)
      if (asset !== null) assets.set(ticker, asset)
    }
    return assets
  }

  /** When the venue cannot be reached, the stream follows the markets known so far. */
  async #resolveForStream(tickers: readonly Ticker[], signal: AbortSignal) {
    try {
      return await this.#resolveAssets(tickers, signal)
    } catch (error) {
      this.#options.logger.warn({ error: String(error) }, 'followed markets were not all resolved')
      return this.#resolveAssets(
        tickers.filter((ticker) => this.#index.facts(ticker) !== null),
        signal,
      )
    }
  }

  /**
   * REST books may be long outdated while the market trades: each is compared with its midpoint.
   */
  async #readBooks(assets: readonly string[], options: ReadOptions): Promise<ParsedEvents> {
    const books = await this.#client.books(assets, options)
    const bodies = books.length === 0 ? [] : await this.#client.midpoints(assets, options)
    const mids = new Map(bodies.flatMap((body) => [...parseMidpoints(body)]))
    return parseClobBooks(books, this.#now('polled'), this.#index.outcomeOf, mids)
  }

  async #agrees(bests: ReadonlyMap<string, Best>, signal: AbortSignal): Promise<boolean> {
    const assets = [...bests.keys()].slice(0, COMPARED_ASSETS)
    const { events } = await this.#readBooks(assets, { signal, priority: 'live' })
    return events.every((event) => {
      const yesBest = bests.get(this.#index.yesAsset(event.ticker) ?? '')
      if (event.type !== 'quote_changed' || yesBest === undefined) return true
      return event.bid === yesBest.bid && event.ask === yesBest.ask
    })
  }

  #onCatalogue(message: Wire, handlers: StreamHandlers): void {
    const parseResult = new ParseResult()
    const existing = (eventId: string) => this.#events.get(eventId) ?? null
    const facts = factsOfMessage(parseResult, message, this.#index, existing)
    this.#ledger.accept(parseResult.result())
    if (facts === null) return
    this.#index.add(facts)
    handlers.onEvents([describedEvent(facts, this.#now('live'))])
  }
}

const hasEndedSince = (event: VenueEvent, since: Millis): boolean =>
  event.type === 'market_described' && (event.facts.closeTime ?? since) >= since
