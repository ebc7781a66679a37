import type { Ticker } from '../../domain/market.ts'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import {
  VenueFailure,
  type ExchangePause,
  type MarketDescribed,
  type Origin,
  type StreamHandlers,
  type VenueConnector,
  type VenueEvent,
  type VenueStream,
} from '../connector.ts'
import { CachedValue } from '../cached-value.ts'
import { FeedLedger } from '../feed-ledger.ts'
import { listOf, wireOf, type Wire } from '../fields.ts'
import { HttpClient, type Fetch } from '../http-client.ts'
import { chunksOf } from '../paging.ts'
import { describedEvent, firstStatements, type ParseContext, type ParsedEvents } from '../parsed.ts'
import { priorityOf, RequestBudget } from '../request-budget.ts'
import { parseSeriesPage, RememberedCatalogue } from './catalogue.ts'
import { CANDLE_WIDTHS, planCandleCalls, type CandleRange } from './candle-plan.ts'
import { TICKERS_PER_CALL, VenueAClient, type ReadOptions, type Cutoff } from './client.ts'
import { parseExchangeStatus, shardsOf } from './exchange-status.ts'
import { applyLifecycle } from './lifecycle.ts'
import { MarketFactsCache } from './market-memory.ts'
import { parseEventsPage, parseMarketsPage } from './parse.ts'
import { parseCandlesticks, parseOrderbook, parseTradesPage } from './parse-tape.ts'
import { createSigner, type VenueAKeys } from './sign.ts'
import { VenueAStream } from './stream.ts'

export interface VenueAOptions {
  /** REST base including `/trade-api/v2`. */
  readonly baseUrl?: string
  readonly wsUrl?: string
  /** Without keys there is no stream, and books only where the venue serves them publicly. */
  readonly keys: VenueAKeys | null
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly fetch?: Fetch
  /** Requests per second and burst; the anonymous limit is not documented. */
  readonly budget?: { readonly ratePerSecond: number; readonly burst: number }
}

const BASE_URL = 'https://external-api.kalshi.com/trade-api/v2'
const WS_URL = 'wss://external-api-ws.kalshi.com/trade-api/ws/v2'
/** The stream delivers a trade within this time (ms) of its print. */
const STREAM_DELAY = 5_000
const SERIES_AGE = HOUR
const CUTOFF_AGE = 10 * MINUTE

/** Creates the connector of venue_a. */
export function createVenueA(options: VenueAOptions): VenueConnector {
  return new VenueA(options)
}

class VenueA implements VenueConnector {
  readonly venue = 'venue_a'
  readonly tradesWithoutNames = true
  readonly streamsEveryTrade = true
  readonly #options: VenueAOptions
  readonly #ledger = new FeedLedger('venue_a')
  readonly #client: VenueAClient
  readonly #catalogue = new RememberedCatalogue()
  readonly #memory = new MarketFactsCache()
  readonly #sign: ((method: string, path: string) => Record<string, string>) | null
  readonly #series: CachedValue<void>
  readonly #cutoff: CachedValue<Cutoff>
  #stream: VenueAStream | null = null

  constructor(options: VenueAOptions) {
    const { keys, clock, random, budget } = options
    this.#options = options
    this.#series = new CachedValue(SERIES_AGE, clock)
    this.#cutoff = new CachedValue(CUTOFF_AGE, clock)
    this.#sign = keys === null ? null : createSigner(keys, clock, () => this.#client.clockOffset)
    const http = new HttpClient({
      venue: 'venue_a',
      baseUrl: options.baseUrl ?? BASE_URL,
      clock,
      random,
      budget: new RequestBudget({ ...(budget ?? { ratePerSecond: 5, burst: 10 }), clock }),
      ledger: this.#ledger,
      fetch: options.fetch ?? fetch,
      sign: this.#sign,
    })
    this.#client = new VenueAClient(http, keys !== null)
  }

  get clockOffset(): number {
    return this.#client.clockOffset
  }

  async checkReachable(signal: AbortSignal): Promise<boolean> {
    return this.#client.status(signal).then(
      () => true,
      () => false,
    )
  }

  async exchangePause(signal: AbortSignal): Promise<ExchangePause | null> {
    const body = await this.#client.exchangeStatus({ signal, priority: 'live' })
    const status = parseExchangeStatus(body)
    if (status === null) {
      throw new VenueFailure('venue_a', 'exchange status was not readable', { retryable: true })
    }
    if (!status.isTrading) return { tickers: null }
    const tickers = this.#memory.marketsOfShards(status.pausedShards)
    return tickers.length === 0 ? null : { tickers }
  }

  async *openMarkets(signal: AbortSignal) {
    const options = { signal, priority: 'catalogue' } as const
    await this.#fetchSeries(signal)
    const seenTickers = new Set<Ticker>()
    for await (const body of this.#client.events(
      { status: 'open', with_nested_markets: true },
      options,
    )) {
      this.#memory.addShards(shardsOf(body))
      const parsedPage = parseEventsPage(body, this.#now('polled'), this.#catalogue, (event) =>
        this.#catalogue.addEvent(event),
      )
      yield firstStatements(this.#remember(parsedPage), seenTickers)
    }
  }

  async *endedMarkets(since: Millis, signal: AbortSignal) {
    const options = { signal, priority: 'catalogue' } as const
    await this.#fetchSeries(signal)
    const from = Math.floor(since / 1_000)
    const seenTickers = new Set<Ticker>()
    for (const query of [
      { status: 'closed', min_close_ts: from },
      { status: 'settled', min_settled_ts: from },
    ]) {
      for await (const body of this.#client.markets(query, options)) {
        yield firstStatements(factsOnly(await this.#parseMarkets(body, options)), seenTickers)
      }
    }
    if (since >= (await this.#readCutoff(signal)).marketsSettled) return
    for await (const body of this.#client.historicalMarkets(options)) {
      const endedMarkets = factsOnly(await this.#parseMarkets(body, options))
      yield firstStatements(endedMarkets, seenTickers).filter(
        ({ facts }) => (facts.closeTime ?? since) >= since,
      )
    }
  }

  async markets(
    tickers: readonly Ticker[],
    signal: AbortSignal,
    priority: 'live' | 'catalogue' = 'live',
  ): Promise<readonly VenueEvent[]> {
    const options = { signal, priority }
    const events: VenueEvent[] = []
    for (const chunk of chunksOf(tickers, TICKERS_PER_CALL)) {
      for await (const body of this.#client.markets({ tickers: chunk.join(',') }, options)) {
        events.push(...(await this.#parseMarkets(body, options)))
      }
    }
    const listedTickers = new Set(events.map((event) => event.ticker))
    for (const ticker of tickers.filter((missingTicker) => !listedTickers.has(missingTicker))) {
      const body = await this.#client.historicalMarket(ticker, options)
      if (body !== null) events.push(...(await this.#parseMarkets(body, options)))
    }
    return events
  }

  async books(tickers: readonly Ticker[], signal: AbortSignal): Promise<readonly VenueEvent[]> {
    const events: VenueEvent[] = []
    for (const chunk of chunksOf(tickers, TICKERS_PER_CALL)) {
      const body = await this.#client.books(chunk, { signal, priority: 'live' })
      events.push(...this.#ledger.accept(parseOrderbook(body, this.#now('polled'))))
    }
    return events
  }

  async *trades(
    query: { tickers: readonly Ticker[] | null; from: Millis; to: Millis; origin: Origin },
    signal: AbortSignal,
  ) {
    const { from, to, origin } = query
    const options = { signal, priority: priorityOf(origin) }
    const range = { min_ts: Math.floor(from / 1_000), max_ts: Math.ceil(to / 1_000) }
    const cutoff = (await this.#readCutoff(signal)).tradesCreated
    for (const ticker of query.tickers ?? [null]) {
      const seenTradeIds = new Set<string>()
      const paths = [
        ...(to > cutoff ? (['/markets/trades'] as const) : []),
        ...(from < cutoff ? (['/historical/trades'] as const) : []),
      ]
      for (const path of paths) {
        for await (const body of this.#client.trades(path, { ...range, ticker }, options)) {
          const events = this.#ledger.accept(parseTradesPage(body, this.#now(origin)))
          yield events.filter(
            (event) => isWithin(event, from, to) && isNewTrade(event, seenTradeIds),
          )
        }
      }
    }
  }

  async *candles(
    query: { tickers: readonly Ticker[]; from: Millis; to: Millis; width: Millis },
    signal: AbortSignal,
  ) {
    const { tickers, from, to, width } = query
    if (!CANDLE_WIDTHS.includes(width)) return
    const options = { signal, priority: 'backfill' } as const
    for (const { requested, range } of planCandleCalls(tickers, { from, to, width })) {
      for (const parsedPage of await this.#readCandles(requested, range, options)) {
        yield this.#ledger.accept(parsedPage).filter((event) => isBarWithin(event, from, to))
      }
    }
  }

  /**
   * Bars from the batch call; markets it leaves out are requested one by one from the historical
   * part.
   */
  async #readCandles(
    tickers: readonly Ticker[],
    range: CandleRange,
    options: ReadOptions,
  ): Promise<ParsedEvents[]> {
    const body = await this.#client.candles(tickers, range, options)
    const parsedPages = [parseCandlesticks(body, this.#now('backfilled'), range.width)]
    if (range.from >= (await this.#readCutoff(options.signal)).marketsSettled) return parsedPages
    const listedTickers = listOf(wireOf(body)?.['markets']).map(
      (row) => wireOf(row)?.['market_ticker'],
    )
    for (const ticker of tickers.filter(
      (missingTicker) => !listedTickers.includes(missingTicker),
    )) {
      const bars = await this.#client.historicalCandles(ticker, range, options)
      const context = this.#now('backfilled')
      if (bars !== null) parsedPages.push(parseCandlesticks(bars, context, range.width, ticker))
    }
    return parsedPages
  }

  stream(handlers: StreamHandlers): VenueStream | null {
    const { clock, random, wsUrl = WS_URL } = this.#options
    if (this.#sign === null) return null
    const closing = new AbortController()
    const stream = new VenueAStream({
      url: wsUrl,
      sign: this.#sign,
      clock,
      random,
      ledger: this.#ledger,
      handlers,
      venueTime: () => this.#client.hostTime,
      volume24hOf: (ticker) => this.#memory.volume24h(ticker),
      hasTradesSince: (since) => this.#hasTradesSince(since, closing.signal),
      onLifecycle: (ticker, wire) => void this.#onLifecycle(handlers, ticker, wire, closing.signal),
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

  /**
   * Whether a trade was printed after `since`, long enough ago that the stream must have delivered
   * it.
   */
  async #hasTradesSince(since: Millis, signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#options
    const options = { signal, priority: 'live' } as const
    const [from, to] = [since + STREAM_DELAY, clock.now() - STREAM_DELAY]
    if (from >= to) return false
    // A page holds only the newest trades: in a busy time the last seconds would fill it.
    const query = { limit: 100, min_ts: Math.floor(from / 1_000), max_ts: Math.ceil(to / 1_000) }
    for await (const body of this.#client.trades('/markets/trades', query, options)) {
      const { events } = parseTradesPage(body, this.#now('polled'))
      return events.some(({ at }) => at > from && at < to)
    }
    return false
  }

  health() {
    const mode = this.#stream?.isDelivering === true ? 'stream' : 'polling'
    return this.#ledger.health(mode, [this.#client.pause])
  }

  async #onLifecycle(
    handlers: StreamHandlers,
    ticker: Ticker,
    wire: Wire,
    signal: AbortSignal,
  ): Promise<void> {
    const knownFacts = this.#memory.facts(ticker)
    const facts = knownFacts === null ? null : applyLifecycle(knownFacts, wire)
    if (facts !== null) {
      this.#memory.addFacts(facts)
      return handlers.onEvents([describedEvent(facts, this.#now('live'))])
    }
    try {
      // A market that was just created may not be readable for some seconds.
      for (const wait of [0, 2_000, 10_000, 30_000]) {
        await this.#options.clock.sleep(wait, signal)
        const events = await this.markets([ticker], signal)
        if (events.length > 0) return handlers.onEvents(events)
      }
    } catch (error) {
      if (signal.aborted) return
      this.#options.logger.warn({ ticker, error: String(error) }, 'a market could not be read')
    }
  }

  async #parseMarkets(body: unknown, options: ReadOptions): Promise<readonly VenueEvent[]> {
    const draft = parseMarketsPage(body, this.#now('polled'), this.#catalogue)
    await this.#fetchEvents(draft, options)
    this.#memory.addShards(shardsOf(body))
    return this.#remember(parseMarketsPage(body, this.#now('polled'), this.#catalogue))
  }

  /** Reads the events of a page of markets that the catalogue walk did not include. */
  async #fetchEvents(draft: ParsedEvents, options: ReadOptions): Promise<void> {
    const unknown = new Set<string>()
    for (const event of draft.events) {
      if (event.type !== 'market_described') continue
      if (this.#catalogue.event(event.facts.eventId) === null) unknown.add(event.facts.eventId)
    }
    if (unknown.size > 0) await this.#fetchSeries(options.signal)
    for (const chunk of chunksOf([...unknown], TICKERS_PER_CALL)) {
      const query = { tickers: chunk.join(','), with_nested_markets: true }
      for await (const body of this.#client.events(query, options)) {
        parseEventsPage(body, this.#now('polled'), this.#catalogue, (event) =>
          this.#catalogue.addEvent(event),
        )
      }
    }
  }

  #fetchSeries(signal: AbortSignal): Promise<void> {
    return this.#series.read(async () => {
      const body = await this.#client.series({ signal, priority: 'catalogue' })
      this.#catalogue.addSeries(parseSeriesPage(body))
    })
  }

  #readCutoff(signal: AbortSignal): Promise<Cutoff> {
    return this.#cutoff.read(() => this.#client.cutoff({ signal, priority: 'catalogue' }))
  }

  #now(origin: Origin): ParseContext {
    const venueTime = this.#client.hostTime
    return { origin, receivedAt: this.#options.clock.now(), venueTime }
  }

  #remember(parsedPage: ParsedEvents): readonly VenueEvent[] {
    const events = this.#ledger.accept(parsedPage)
    this.#memory.addFrom(events)
    return events
  }
}

const isWithin = (event: VenueEvent, from: Millis, to: Millis): boolean =>
  event.at >= from && event.at < to

const isBarWithin = (event: VenueEvent, from: Millis, to: Millis): boolean =>
  event.type === 'candle_published' && event.start >= from && event.at <= to

function isNewTrade(event: VenueEvent, seenTradeIds: Set<string>): boolean {
  if (event.type !== 'trade_printed' || seenTradeIds.has(event.tradeId)) return false
  seenTradeIds.add(event.tradeId)
  return true
}

const factsOnly = (events: readonly VenueEvent[]): readonly MarketDescribed[] =>
  events.filter((event) => event.type === 'market_described')
