import type { Ticker } from '../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { StreamHandlers, TradePrinted, VenueEvent } from '../connector.ts'
import { QuoteDeduplicator } from '../book-events.ts'
import type { FeedLedger } from '../feed-ledger.ts'
import { epochOf, listOf, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'
import { isCrossed, LevelBook } from '../level-book.ts'
import { ParseResult, restingPrice, stampOf, type ParseContext } from '../parsed.ts'
import { ReconnectingSocket } from '../reconnecting-socket.ts'
import { parseBook, parseLastTrade, type Ordinals, type OutcomeOf } from './parse-tape.ts'

export interface ShardOptions {
  readonly url: string
  readonly clock: Clock
  readonly random: () => number
  readonly ledger: FeedLedger
  readonly handlers: StreamHandlers
  /** The venue's own time; null while it is unknown. */
  readonly venueTime: () => Millis | null
  readonly outcomeOf: OutcomeOf
  /** Messages about market facts: new, resolved, another tick size. */
  readonly onCatalogue: (message: Wire) => void
  /**
   * Whether the venue's REST responses agree with these best prices; called when the stream is
   * quiet.
   */
  readonly matchesRest: (bests: ReadonlyMap<string, Best>) => Promise<boolean>
}

export interface Best {
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
}

const HEARTBEAT = { interval: 10_000, text: 'PING' } as const
const SILENCE_TIMEOUT = 30_000
/** No data on any asset for this long means either a quiet time or a frozen feed. */
const FREEZE_CHECK_DELAY = 60_000

/**
 * One connection of the market channel with its assets. There are no sequence numbers and no
 * replay: a book is checked against the best prices in every change, dropped when they disagree,
 * and requested again. A connection that is alive but silent is checked over REST.
 */
export class Shard {
  readonly assets = new Map<string, Ticker>()
  readonly #options: ShardOptions
  readonly #socket: ReconnectingSocket
  readonly #books = new Map<string, LevelBook>()
  readonly #quotes = new QuoteDeduplicator()
  readonly #closing = new AbortController()
  readonly #awaitingBook = new Set<string>()
  #lastDataAt: Millis
  #dataReceivedAt: number
  #isLost = true

  constructor(options: ShardOptions) {
    this.#options = options
    this.#lastDataAt = options.clock.now()
    this.#dataReceivedAt = options.clock.monotonic()
    this.#socket = new ReconnectingSocket({
      ...options,
      silence: SILENCE_TIMEOUT,
      heartbeat: HEARTBEAT,
      onOpen: () => this.#onOpen(),
      onText: (text) => this.#onText(text),
      onLost: (reason) => this.#onLost(reason),
    })
    void this.#watch()
  }

  get isDelivering(): boolean {
    return !this.#isLost
  }

  hasBook(asset: string): boolean {
    return this.#books.has(asset)
  }

  add(assets: ReadonlyMap<string, Ticker>): void {
    for (const [asset, ticker] of assets) this.assets.set(asset, ticker)
    this.#send('subscribe', [...assets.keys()])
  }

  remove(asset: string): void {
    this.#dropBook(asset)
    this.assets.delete(asset)
    this.#awaitingBook.delete(asset)
    this.#send('unsubscribe', [asset])
  }

  /** Drops a book and requests it again. */
  resubscribe(asset: string): void {
    this.#dropBook(asset)
    this.#send('unsubscribe', [asset])
    this.#send('subscribe', [asset])
  }

  /**
   * The next book comes with its quote even if unchanged: polls may have emitted another one
   * meanwhile.
   */
  #dropBook(asset: string): void {
    const ticker = this.assets.get(asset)
    if (ticker !== undefined) this.#quotes.remove(ticker)
    this.#books.delete(asset)
  }

  close(): Promise<void> {
    this.#closing.abort()
    return this.#socket.close()
  }

  #onOpen(): void {
    for (const asset of this.assets.keys()) this.#dropBook(asset)
    this.#dataReceivedAt = this.#options.clock.monotonic()
    this.#socket.send(
      JSON.stringify({
        type: 'market',
        assets_ids: [...this.assets.keys()],
        custom_feature_enabled: true,
      }),
    )
  }

  #onLost(reason: string): void {
    this.#options.ledger.recordFailure(new Error(`stream: ${reason}`))
    this.#awaitingBook.clear()
    if (this.#isLost) return
    this.#isLost = true
    const tickers = [...this.assets.values()]
    this.#options.handlers.onGap({ since: this.#lastDataAt, tickers, reason })
  }

  #send(operation: 'subscribe' | 'unsubscribe', assets: readonly string[]): void {
    if (assets.length === 0) return
    const message = { assets_ids: assets, operation, custom_feature_enabled: true }
    this.#socket.send(JSON.stringify(message))
  }

  #onText(text: string): void {
    const { clock, ledger } = this.#options
    if (text === 'PONG' || text === 'NO NEW ASSETS') return
    const frame = parseFrame(text)
    if (frame === null) return ledger.skip('stream message was not JSON')
    const now = clock.now()
    ledger.recordMessage(now)
    const parseResult = new ParseResult()
    const ordinals: Ordinals = new Map()
    for (const value of Array.isArray(frame) ? frame : [frame]) {
      const message = wireOf(value)
      if (message !== null) this.#handle(parseResult, message, ordinals, now)
    }
    this.#lastDataAt = now
    this.#dataReceivedAt = clock.monotonic()
    const events = ledger.accept(parseResult.result())
    if (events.length > 0) this.#options.handlers.onEvents(events)
  }

  #handle(parseResult: ParseResult, message: Wire, ordinals: Ordinals, now: Millis): void {
    const { outcomeOf, onCatalogue, venueTime } = this.#options
    const context: ParseContext = { origin: 'live', receivedAt: now, venueTime: venueTime() }
    switch (message['event_type']) {
      case 'book':
        return this.#replace(parseResult, message, context)
      case 'price_change':
        return this.#change(parseResult, message, context)
      case 'last_trade_price': {
        const asset = textOf(message['asset_id'])
        if (asset === null || !this.assets.has(asset)) return
        const trade: TradePrinted | null = parseLastTrade(
          parseResult,
          message,
          context,
          outcomeOf,
          ordinals,
        )
        return parseResult.add(trade)
      }
      case 'tick_size_change': {
        // Levels of the old tick size remain until the venue sends the book again.
        const asset = textOf(message['asset_id'])
        if (asset !== null && this.assets.has(asset)) this.resubscribe(asset)
        return onCatalogue(message)
      }
      case 'new_market':
      case 'market_resolved':
        return onCatalogue(message)
    }
  }

  #replace(parseResult: ParseResult, message: Wire, context: ParseContext): void {
    const asset = textOf(message['asset_id'])
    const ticker = asset === null ? undefined : this.assets.get(asset)
    if (asset === null || ticker === undefined) return
    const parsedBook = parseBook(parseResult, message, this.#options.outcomeOf)
    if (parsedBook === null) return
    const book = new LevelBook(parsedBook.book)
    this.#books.set(asset, book)
    this.#emit(parseResult, ticker, book, parsedBook.at, context)
    const wasAwaited = this.#awaitingBook.delete(asset)
    const { onRecovered } = this.#options.handlers
    if (this.#isLost) {
      this.#isLost = false
      onRecovered(context.receivedAt, [...this.assets.values()])
    } else if (wasAwaited) onRecovered(context.receivedAt, [ticker])
  }

  #change(parseResult: ParseResult, message: Wire, context: ParseContext): void {
    const touchedBests = new Map<string, Best>()
    for (const row of listOf(message['price_changes'])) {
      const wire = wireOf(row)
      const asset = textOf(wire?.['asset_id'])
      const book = asset === null ? undefined : this.#books.get(asset)
      if (wire === null || asset === null || book === undefined) continue
      const price = restingPrice(scaledOf(wire['price'], 4))
      const size = scaledOf(wire['size'], 6)
      const side = wire['side'] === 'BUY' ? 'bid' : wire['side'] === 'SELL' ? 'ask' : null
      if (price === null || size === null || size < 0 || side === null) {
        parseResult.skip('malformed book change')
        continue
      }
      book.set(side, price, size as SizeE6)
      touchedBests.set(asset, {
        bid: restingPrice(scaledOf(wire['best_bid'], 4)),
        ask: restingPrice(scaledOf(wire['best_ask'], 4)),
      })
    }
    const at = epochOf(message['timestamp'], 'milliseconds')
    for (const [asset, best] of touchedBests) this.#check(parseResult, asset, best, at, context)
  }

  #check(
    parseResult: ParseResult,
    asset: string,
    best: Best,
    at: Millis | null,
    context: ParseContext,
  ): void {
    const book = this.#books.get(asset)
    const ticker = this.assets.get(asset)
    if (book === undefined || ticker === undefined) return
    const levels = book.levels()
    const isSame =
      (levels.bids[0]?.price ?? null) === best.bid && (levels.asks[0]?.price ?? null) === best.ask
    if (isSame && !isCrossed(levels)) return this.#emit(parseResult, ticker, book, at, context)
    const since = this.#lastDataAt
    this.#awaitingBook.add(asset)
    this.resubscribe(asset)
    this.#options.handlers.onGap({ since, tickers: [ticker], reason: 'book disagreed' })
  }

  #emit(
    parseResult: ParseResult,
    ticker: Ticker,
    book: LevelBook,
    at: Millis | null,
    context: ParseContext,
  ): void {
    // A book sent on subscribing has the time of its last change, which may be long ago.
    const stamp = stampOf('venue_b', ticker, context.origin === 'live' ? at : null, context)
    const events: VenueEvent[] = this.#quotes.eventsOf(book.levels(), stamp)
    for (const event of events) parseResult.add(event)
  }

  /** Replies to PING come from a frozen feed too: only data proves that it is alive. */
  async #watch(): Promise<void> {
    const { clock, matchesRest } = this.#options
    const closeSignal = this.#closing.signal
    while (await sleepUnless(closeSignal, clock, FREEZE_CHECK_DELAY / 4)) {
      const isQuiet = clock.monotonic() - this.#dataReceivedAt > FREEZE_CHECK_DELAY
      if (this.#isLost || !isQuiet || this.#books.size === 0) continue
      const isFrozen = await matchesRest(this.#bests()).then(
        (agreed) => !agreed,
        () => false,
      )
      if (isFrozen) this.#socket.reconnect('frozen')
      this.#dataReceivedAt = clock.monotonic()
    }
  }

  #bests(): Map<string, Best> {
    const bests = new Map<string, Best>()
    for (const [asset, book] of this.#books) {
      const { bids, asks } = book.levels()
      bests.set(asset, { bid: bids[0]?.price ?? null, ask: asks[0]?.price ?? null })
    }
    return bests
  }
}

function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
