import { canonicalTicker, type Ticker } from '../../domain/market.ts'
import type { Millis, SizeE6 } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { StreamHandlers, VenueEvent, VenueStream } from '../connector.ts'
import type { FeedLedger } from '../feed-ledger.ts'
import { epochOf, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'
import { chunksOf } from '../paging.ts'
import { ParseResult, restingPrice, stampOf, type ParseContext } from '../parsed.ts'
import { ReconnectingSocket } from '../reconnecting-socket.ts'
import { legacyScaleOf, priceAt, sizeAt } from './amounts.ts'
import { OrderBooks } from './order-books.ts'
import { LagWatch } from './lag-watch.ts'
import { isCombo, parseQuote } from './parse.ts'
import { parseTrade } from './parse-tape.ts'
import { MARKETS_PER_SUBSCRIPTION, Subscriptions } from './subscriptions.ts'
import type { WireMessage } from './wire.ts'

export interface StreamOptions {
  readonly url: string
  readonly sign: (method: string, path: string) => Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: () => number
  readonly ledger: FeedLedger
  readonly handlers: StreamHandlers
  /** The venue's own time; null while it is unknown. */
  readonly venueTime: () => Millis | null
  /** The catalogue's latest value of a counter that the stream leaves out. */
  readonly volume24hOf: (ticker: Ticker) => SizeE6 | null
  /** Whether the venue printed trades after this instant; called when the stream delivers none. */
  readonly hasTradesSince: (since: Millis) => Promise<boolean>
  /** A market was created, or changed its state or texts; events follow sooner or later. */
  readonly onLifecycle: (ticker: Ticker, wire: Wire) => void
}

/** The venue pings every 10 s; two missed pings mean a dead connection. */
const SILENCE_TIMEOUT = 20_000
/** No trade of any market for this long means either a quiet time or a frozen feed. */
const FREEZE_CHECK_DELAY = 60_000
/** A followed book arrives within this time, or it is missing. */
const BOOK_TIMEOUT = 5_000
/** Buffer overflows: the venue stops the subscription and reports it once. */
const TERMINAL_ERRORS = new Set([10, 25])

/**
 * The live stream: trades, tickers and lifecycle of all markets, books of the followed ones. Books
 * are built from snapshot and deltas; a sequence gap drops the books of that subscription, reports
 * the gap and subscribes again.
 */
export class VenueAStream implements VenueStream {
  readonly #options: StreamOptions
  readonly #socket: ReconnectingSocket
  #followedTickers = new Set<Ticker>()
  #subscriptions = new Subscriptions()
  #books = new OrderBooks()
  #lag = new LagWatch()
  /** Markets whose book was dropped and has not returned. */
  readonly #awaitedMarkets = new Set<Ticker>()
  /** Markets whose first book was requested, and when. */
  #requestedAt = new Map<Ticker, Millis>()
  readonly #watching = new AbortController()
  #lastMessageAt: Millis
  #lastTradeAt: Millis
  #tradeReceivedAt: number
  #lost = true

  constructor(options: StreamOptions) {
    this.#options = options
    this.#lastMessageAt = this.#lastTradeAt = options.clock.now()
    this.#tradeReceivedAt = options.clock.monotonic()
    const path = new URL(options.url).pathname
    this.#socket = new ReconnectingSocket({
      url: options.url,
      headers: () => options.sign('GET', path),
      clock: options.clock,
      random: options.random,
      silence: SILENCE_TIMEOUT,
      onOpen: () => this.#handleOpen(),
      onText: (text) => this.#handleMessage(text),
      onLost: (reason) => this.#handleDisconnect(reason),
    })
    void this.#watch()
  }

  get isDelivering(): boolean {
    return !this.#lost
  }

  follow(tickers: readonly Ticker[]): void {
    const followedTickers = new Set(tickers)
    for (const ticker of this.#followedTickers)
      if (!followedTickers.has(ticker)) this.#unfollow(ticker)
    const newTickers = [...followedTickers].filter((ticker) => !this.#followedTickers.has(ticker))
    this.#followedTickers = followedTickers
    this.#subscribeBooks(newTickers)
  }

  close(): Promise<void> {
    this.#watching.abort()
    return this.#socket.close()
  }

  #handleOpen(): void {
    this.#subscriptions = new Subscriptions()
    this.#books = new OrderBooks()
    this.#lag = new LagWatch()
    this.#command('subscribe', { channels: ['ticker', 'trade', 'market_lifecycle_v2'] })
    this.#subscribeBooks([...this.#followedTickers])
  }

  /** Pings come from a frozen feed too: only trades prove that it is alive. */
  async #watch(): Promise<void> {
    const { clock, hasTradesSince } = this.#options
    while (await sleepUnless(this.#watching.signal, clock, FREEZE_CHECK_DELAY / 4)) {
      this.#missBooks(clock.now())
      if (this.#lost || clock.monotonic() - this.#tradeReceivedAt <= FREEZE_CHECK_DELAY) continue
      const arrivedAt = this.#tradeReceivedAt
      const isFrozen = await hasTradesSince(this.#lastTradeAt).catch(() => false)
      if (!this.isDelivering || arrivedAt !== this.#tradeReceivedAt) continue
      this.#tradeReceivedAt = clock.monotonic()
      if (!isFrozen) continue
      this.#lastMessageAt = this.#lastTradeAt
      this.#socket.reconnect('frozen')
    }
  }

  #handleDisconnect(reason: string): void {
    this.#options.ledger.recordFailure(new Error(`stream: ${reason}`))
    this.#awaitedMarkets.clear()
    this.#requestedAt.clear()
    if (this.#lost) return
    this.#lost = true
    this.#options.handlers.onGap({ since: this.#lastMessageAt, tickers: null, reason })
  }

  #command(cmd: string, params: object): number {
    const id = this.#subscriptions.nextCommand()
    this.#socket.send(JSON.stringify({ id, cmd, params }))
    return id
  }

  #subscribeBooks(tickers: readonly Ticker[]): void {
    for (const portion of chunksOf(tickers, MARKETS_PER_SUBSCRIPTION)) {
      const params = {
        channels: ['orderbook_delta'],
        market_tickers: portion,
        use_yes_price: true,
      }
      this.#subscriptions.expect(this.#command('subscribe', params), portion)
      const now = this.#options.clock.now()
      for (const ticker of portion)
        if (!this.#awaitedMarkets.has(ticker)) this.#requestedAt.set(ticker, now)
    }
  }

  #unfollow(ticker: Ticker): void {
    this.#books.drop(ticker)
    this.#awaitedMarkets.delete(ticker)
    this.#requestedAt.delete(ticker)
    const sid = this.#subscriptions.sourceOf(ticker)
    this.#subscriptions.removeSource(ticker)
    if (sid !== null) this.#deleteMarkets(sid, [ticker])
  }

  #deleteMarkets(sid: number, tickers: readonly Ticker[]): void {
    this.#command('update_subscription', {
      sid,
      action: 'delete_markets',
      market_tickers: tickers,
    })
  }

  #handleMessage(text: string): void {
    const { clock, ledger } = this.#options
    const message = parseMessage(text)
    if (message === null) return ledger.skip('stream message was not a JSON object')
    const now = clock.now()
    ledger.recordMessage(now)
    if (message.type === 'subscribed') this.#handleAcknowledgement(message, now)
    else if (message.type === 'error') this.#handleRefusal(wireOf(message.msg))
    else if (this.#isInSequence(message, now)) this.#handle(message, now)
    this.#dropCrossed()
    this.#missBooks(now)
    this.#lastMessageAt = now
  }

  #handleAcknowledgement(message: WireMessage, now: Millis): void {
    const sid = scaledOf(wireOf(message.msg)?.['sid'], 0)
    if (sid !== null) {
      const tickers = this.#subscriptions.acknowledge(scaledOf(message.id, 0) ?? 0, sid)
      const newTickers = tickers.filter((ticker) => !this.#followedTickers.has(ticker))
      for (const ticker of newTickers) this.#subscriptions.removeSource(ticker)
      if (newTickers.length > 0) this.#deleteMarkets(sid, newTickers)
    }
    if (!this.#lost) return
    this.#lost = false
    this.#recordTrade(now)
    this.#options.handlers.onRecovered(now, null)
  }

  #recordTrade(now: Millis): void {
    this.#lastTradeAt = now
    this.#tradeReceivedAt = this.#options.clock.monotonic()
  }

  #handleRefusal(msg: Wire | null): void {
    const code = scaledOf(msg?.['code'], 0)
    this.#options.ledger.recordFailure(
      new Error(`stream error ${code}: ${textOf(msg?.['msg']) ?? ''}`),
    )
    if (code !== null && TERMINAL_ERRORS.has(code)) {
      this.#socket.reconnect(`stream error ${code}`)
    }
  }

  /** Returns false for a repeated message, and for one that reveals a gap. */
  #isInSequence(message: WireMessage, now: Millis): boolean {
    const sid = scaledOf(message.sid, 0)
    const seq = scaledOf(message.seq, 0)
    if (sid === null || seq === null) return true
    if (this.#subscriptions.isRetired(sid)) return false
    const channel = channelOf(textOf(message.type) ?? '')
    const since = this.#subscriptions.arrivedAt(sid) ?? this.#lastMessageAt
    const verdict = this.#subscriptions.sequence(sid, seq, now)
    if (verdict === 'repeated') this.#options.ledger.skip('repeated stream message')
    if (verdict !== 'gap') return verdict === 'next'
    if (channel === 'orderbook_delta') {
      this.#restart(sid, since, 'sequence')
      return false
    }
    const { handlers } = this.#options
    handlers.onGap({ since, tickers: null, reason: 'sequence' })
    handlers.onRecovered(now, null)
    return true
  }

  /**
   * The market itself may send nothing more: messages of others show how long the state has
   * lasted.
   */
  #dropCrossed(): void {
    for (const { ticker, since } of this.#books.crossedTooLong(this.#options.clock.monotonic())) {
      const sid = this.#subscriptions.sourceOf(ticker)
      if (sid === null) this.#books.drop(ticker)
      else this.#restart(sid, since, 'crossed book')
    }
  }

  /**
   * A feed can be frozen from its start: unsent messages then have no sequence number that reveals
   * the gap.
   */
  #missBooks(now: Millis): void {
    if (this.#lost) return
    const missing = Map.groupBy(
      [...this.#requestedAt].filter(([, since]) => now - since > BOOK_TIMEOUT),
      ([, since]) => since,
    )
    for (const [since, books] of missing) {
      const tickers = books.map(([ticker]) => ticker)
      for (const ticker of tickers) {
        this.#requestedAt.delete(ticker)
        this.#awaitedMarkets.add(ticker)
      }
      this.#options.handlers.onGap({ since, tickers, reason: 'no book was sent' })
    }
  }

  /** Drops the books of a subscription and requests them again. */
  #restart(sid: number, since: Millis, reason: string): void {
    const tickers = this.#subscriptions
      .retire(sid)
      .filter((ticker) => this.#followedTickers.has(ticker))
    for (const ticker of tickers) {
      this.#books.drop(ticker)
      this.#requestedAt.delete(ticker)
      this.#awaitedMarkets.add(ticker)
    }
    this.#options.handlers.onGap({ since, tickers, reason })
    this.#command('unsubscribe', { sids: [sid] })
    this.#subscribeBooks(tickers)
  }

  #handle(message: WireMessage, now: Millis): void {
    const msg = wireOf(message.msg)
    const venueTime = this.#options.venueTime()
    const context: ParseContext = { origin: 'live', receivedAt: now, venueTime }
    if (msg === null) return
    switch (message.type) {
      case 'orderbook_snapshot':
      case 'orderbook_delta':
        return this.#handleBook(message.type, msg, scaledOf(message.sid, 0) ?? 0, context)
      case 'trade':
        this.#recordTrade(now)
        return this.#emit((parseResult) => [parseTrade(parseResult, msg, context)])
      case 'ticker':
        return this.#emit((parseResult) => this.#tickerEvents(parseResult, msg, context))
      case 'market_lifecycle_v2': {
        const ticker = textOf(msg['market_ticker'])
        if (ticker !== null && !isCombo(ticker))
          this.#options.onLifecycle(canonicalTicker(ticker), msg)
      }
    }
  }

  #handleBook(type: string, msg: Wire, sid: number, context: ParseContext): void {
    const { clock, handlers } = this.#options
    const ticker = canonicalTicker(textOf(msg['market_ticker']) ?? '')
    if (!this.#followedTickers.has(ticker)) return
    const source = this.#subscriptions.sourceOf(ticker)
    if (source !== null && source !== sid) {
      if (type === 'orderbook_delta') return
      this.#deleteMarkets(source, [ticker])
    }
    this.#subscriptions.setSource(ticker, sid)
    const parseResult = new ParseResult()
    const outcome =
      type === 'orderbook_snapshot'
        ? this.#books.snapshot(parseResult, msg, context, clock.monotonic())
        : this.#books.delta(msg, context, clock.monotonic())
    this.#options.ledger.accept(parseResult.result())
    if ('broken' in outcome) {
      return this.#restart(sid, this.#lastMessageAt, outcome.broken)
    }
    if (outcome.events.length > 0) handlers.onEvents(outcome.events)
    if (type === 'orderbook_snapshot') this.#requestedAt.delete(ticker)
    if (type === 'orderbook_snapshot' && this.#awaitedMarkets.delete(ticker)) {
      handlers.onRecovered(context.receivedAt, [ticker])
    }
    const sentAt = epochOf(msg['ts_ms'], 'milliseconds')
    if (sentAt !== null && this.#lag.isGrowing(context.receivedAt - sentAt))
      this.#socket.reconnect('growing delay of messages')
  }

  #tickerEvents(parseResult: ParseResult, msg: Wire, context: ParseContext): (VenueEvent | null)[] {
    const id = textOf(msg['market_ticker'])
    if (id === null || isCombo(id)) return []
    const ticker = canonicalTicker(id)
    const at = epochOf(msg['ts_ms'], 'milliseconds')
    // The followed book contains the same quote, with every change in order.
    const quote = this.#books.has(ticker)
      ? null
      : parseQuote(parseResult, msg, { ticker }, context, at)
    const volume = sizeAt(msg, 'volume')
    const openInterest = sizeAt(msg, 'open_interest')
    const volume24h = this.#options.volume24hOf(ticker)
    const lastPrice = restingPrice(priceAt(msg, 'price', legacyScaleOf(msg)))
    const stamp = stampOf('venue_a', ticker, at, context)
    return volume === null && openInterest === null
      ? [quote]
      : [quote, { type: 'activity_reported', ...stamp, volume, volume24h, openInterest, lastPrice }]
  }

  #emit(parse: (parseResult: ParseResult) => readonly (VenueEvent | null)[]): void {
    const parseResult = new ParseResult()
    for (const event of parse(parseResult)) parseResult.add(event)
    const events = this.#options.ledger.accept(parseResult.result())
    if (events.length > 0) this.#options.handlers.onEvents(events)
  }
}

const channelOf = (type: string): string =>
  type.startsWith('orderbook_') || type === 'ok' ? 'orderbook_delta' : type

function parseMessage(text: string): WireMessage | null {
  try {
    return wireOf(JSON.parse(text))
  } catch {
    return null
  }
}
