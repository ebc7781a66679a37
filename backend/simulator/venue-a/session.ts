import type { SimMarket } from '../catalogue/market.ts'
import type { StreamConnection } from '../stream-connection.ts'
import { bookAt } from '../tape/order-book.ts'
import type { SimBook } from '../tape/order-book.ts'
import { quoteAt, stepStart } from '../tape/quote.ts'
import type { Quote } from '../tape/quote.ts'
import { tradesEmitted } from '../tape/trade-feed.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { World } from '../world.ts'
import type { Topic } from '../faults/fault.ts'
import { lifecycleBetween } from './lifecycle.ts'
import { deltaMessages, snapshotMessage, tickerMessage, tradeMessage } from './messages.ts'

type Channel = 'orderbook_delta' | 'ticker' | 'trade' | 'market_lifecycle_v2'
const CHANNELS: readonly Channel[] = ['orderbook_delta', 'ticker', 'trade', 'market_lifecycle_v2']

const TOPICS: Readonly<Record<Channel, Topic>> = {
  orderbook_delta: 'book',
  ticker: 'quote',
  trade: 'trade',
  market_lifecycle_v2: 'lifecycle',
}

interface Subscription {
  readonly sid: number
  readonly channel: Channel
  /** Null follows every market. */
  tickers: Set<string> | null
  readonly yesPrices: boolean
  seq: number
  readonly books: Map<SimMarket, SimBook>
  readonly quotes: Map<SimMarket, { quote: Quote; step: number }>
}

interface Command {
  readonly id?: number
  readonly cmd?: string
  readonly params?: {
    readonly channels?: unknown
    readonly market_ticker?: unknown
    readonly market_tickers?: unknown
    readonly use_yes_price?: unknown
    readonly sid?: unknown
    readonly sids?: unknown
    readonly action?: unknown
  }
}

/** One reader of venue_a's socket: its subscriptions, and the messages sent for each. */
export class VenueASession {
  readonly #line: StreamConnection
  readonly #world: World
  readonly #subscriptions = new Map<number, Subscription>()
  #nextSid = 1
  #sentUntil: number

  constructor(line: StreamConnection, world: World, now: number) {
    this.#line = line
    this.#world = world
    this.#sentUntil = now
  }

  /** Answers one command. */
  receive(text: string, now: number): void {
    let command: Command
    try {
      command = JSON.parse(text) as Command
    } catch {
      return this.#refuse(0, 1, 'Unable to process message')
    }
    const id = command.id ?? 0
    switch (command.cmd) {
      case 'subscribe':
        return this.#subscribe(id, command, now)
      case 'unsubscribe':
        return this.#unsubscribe(id, command)
      case 'update_subscription':
        return this.#update(id, command, now)
      case 'list_subscriptions':
        return this.#line.reply(
          JSON.stringify({
            id,
            type: 'ok',
            subscriptions: [...this.#subscriptions.values()].map(({ channel, sid }) => ({
              channel,
              sid,
            })),
          }),
        )
      default:
        return this.#refuse(id, 5, 'Unknown command')
    }
  }

  /** Sends everything that happened since the last call. */
  step(now: number): void {
    for (const subscription of this.#subscriptions.values()) {
      if (this.#overflows(subscription)) continue
      if (subscription.channel === 'market_lifecycle_v2') this.#sendLifecycle(subscription, now)
      else if (subscription.channel === 'trade') this.#sendTrades(subscription, now)
      else if (subscription.channel === 'ticker') this.#sendTickers(subscription, now)
      else this.#sendBooks(subscription, now)
    }
    this.#sentUntil = now
  }

  /** Whether the venue drops the subscription, which it reports once before it becomes silent. */
  #overflows({ sid, channel, tickers }: Subscription): boolean {
    if (!this.#line.dropsSubscription(TOPICS[channel], [...(tickers ?? [])])) return false
    this.#subscriptions.delete(sid)
    const msg = { code: 25, msg: 'Subscription buffer overflow' }
    this.#line.reply(JSON.stringify({ id: 0, type: 'error', sid, msg }))
    return true
  }

  #subscribe(id: number, { params }: Command, now: number): void {
    const channels = Array.isArray(params?.channels) ? params.channels : []
    const tickers = tickersOf(params)
    if (channels.length === 0) return this.#refuse(id, 2, 'Params required')
    for (const name of channels) {
      const channel = CHANNELS.find((candidate) => candidate === name)
      if (channel === undefined) {
        this.#refuse(id, 8, 'Unknown channel name')
        continue
      }
      if (channel === 'orderbook_delta' && tickers === null) {
        this.#refuse(id, 14, 'Market Ticker required')
        continue
      }
      const subscription: Subscription = {
        sid: this.#nextSid++,
        channel,
        seq: 0,
        yesPrices: params?.use_yes_price === true,
        tickers: channel === 'market_lifecycle_v2' || tickers === null ? null : new Set(tickers),
        books: new Map(),
        quotes: new Map(),
      }
      this.#subscriptions.set(subscription.sid, subscription)
      this.#line.reply(
        JSON.stringify({ id, type: 'subscribed', msg: { channel, sid: subscription.sid } }),
      )
      if (channel === 'orderbook_delta') this.#snapshots(subscription, tickers ?? [], now)
    }
  }

  #unsubscribe(id: number, { params }: Command): void {
    for (const sid of Array.isArray(params?.sids) ? params.sids : []) {
      const subscription = this.#subscriptions.get(Number(sid))
      if (subscription === undefined) {
        this.#refuse(id, 12, 'Unknown subscription ID')
        continue
      }
      this.#subscriptions.delete(subscription.sid)
      this.#line.reply(
        JSON.stringify({
          id,
          type: 'unsubscribed',
          sid: subscription.sid,
          seq: ++subscription.seq,
        }),
      )
    }
  }

  #update(id: number, { params }: Command, now: number): void {
    const sid =
      params?.sid ?? (Array.isArray(params?.sids) ? (params.sids[0] as unknown) : undefined)
    const subscription = this.#subscriptions.get(Number(sid))
    const tickers = tickersOf(params) ?? []
    if (subscription === undefined) return this.#refuse(id, 12, 'Unknown subscription ID')
    if (params?.action === 'get_snapshot') return this.#snapshots(subscription, tickers, now)
    if (params?.action === 'delete_markets')
      for (const ticker of tickers) {
        subscription.tickers?.delete(ticker)
        const market = this.#world.catalogue.market('venue_a', ticker, now)
        if (market !== null) subscription.books.delete(market)
      }
    else if (params?.action === 'add_markets') {
      subscription.tickers ??= new Set()
      for (const ticker of tickers) subscription.tickers.add(ticker)
    } else return this.#refuse(id, 11, 'Unknown action')
    const all = [...(subscription.tickers ?? [])]
    this.#line.reply(
      JSON.stringify({
        id,
        type: 'ok',
        sid: subscription.sid,
        seq: ++subscription.seq,
        msg: { market_tickers: all },
      }),
    )
    if (params.action === 'add_markets' && subscription.channel === 'orderbook_delta')
      this.#snapshots(subscription, tickers, now)
  }

  #refuse(id: number, code: number, msg: string): void {
    this.#line.reply(JSON.stringify({ id, type: 'error', msg: { code, msg } }))
  }

  #followedMarkets(subscription: Subscription, now: number): SimMarket[] {
    if (subscription.tickers === null)
      return this.#world.catalogue
        .markets('venue_a', now)
        .filter((market) => market.closeAt > this.#sentUntil)
    return [...subscription.tickers]
      .map((ticker) => this.#world.catalogue.market('venue_a', ticker, now))
      .filter((market) => market !== null)
  }

  #publish(
    subscription: Subscription,
    message: { type: string; msg: object; market: string; trade?: SimTrade },
  ): void {
    const { sid, channel } = subscription
    const { type, msg, market, trade } = message
    const head = channel === 'ticker' ? { type, sid } : { type, sid, seq: ++subscription.seq }
    const text = JSON.stringify({ ...head, msg })
    const topic = TOPICS[channel]
    this.#line.data({ text, about: topic, markets: [market], ...(trade && { trade }) })
  }

  #snapshots(subscription: Subscription, tickers: readonly string[], now: number): void {
    for (const ticker of tickers) {
      const market = this.#world.catalogue.market('venue_a', ticker, now)
      if (market === null) {
        this.#refuse(0, 16, 'Market not found')
        continue
      }
      const book = bookAt(market, now)
      subscription.books.set(market, book)
      const msg = snapshotMessage(market, book, subscription.yesPrices)
      this.#publish(subscription, { type: 'orderbook_snapshot', msg, market: ticker })
    }
  }

  #sendBooks(subscription: Subscription, now: number): void {
    for (const market of this.#followedMarkets(subscription, now)) {
      const previous = subscription.books.get(market)
      if (
        previous === undefined ||
        (previous.at === stepStart(market, now) && now < market.closeAt)
      )
        continue
      const after = bookAt(market, now)
      subscription.books.set(market, after)
      for (const msg of deltaMessages(market, previous, after, subscription.yesPrices)) {
        this.#publish(subscription, { type: 'orderbook_delta', msg, market: market.id })
      }
    }
  }

  #sendTrades(subscription: Subscription, now: number): void {
    const trades = this.#followedMarkets(subscription, now).flatMap((market) =>
      tradesEmitted(market, this.#sentUntil, now, this.#world.tape),
    )
    trades.sort((a, b) => a.at - b.at || a.market.key - b.market.key)
    for (const trade of trades) {
      const message = { type: 'trade', msg: tradeMessage(trade), market: trade.market.id, trade }
      this.#publish(subscription, message)
    }
  }

  #sendTickers(subscription: Subscription, now: number): void {
    for (const market of this.#followedMarkets(subscription, now)) {
      const step = stepStart(market, now)
      const existing = subscription.quotes.get(market)
      const trades = tradesEmitted(market, this.#sentUntil, now, this.#world.tape)
      if (existing?.step === step && trades.length === 0) continue
      const quote = quoteAt(market, now)
      subscription.quotes.set(market, { quote, step })
      if (
        existing !== undefined &&
        trades.length === 0 &&
        existing.quote.bid === quote.bid &&
        existing.quote.ask === quote.ask
      )
        continue
      const msg = tickerMessage(market, quote, this.#world.tape, now)
      this.#publish(subscription, { type: 'ticker', msg, market: market.id })
    }
  }

  #sendLifecycle(subscription: Subscription, now: number): void {
    for (const message of lifecycleBetween(this.#world, this.#sentUntil, now))
      if (!this.#line.isSilentAbout('lifecycle', message.market))
        this.#publish(subscription, message)
  }
}

/** The tickers of a command, or null when it has none. */
function tickersOf(params: Command['params']): string[] | null {
  if (typeof params?.market_ticker === 'string') return [params.market_ticker]
  if (!Array.isArray(params?.market_tickers)) return null
  return params.market_tickers.filter((ticker): ticker is string => typeof ticker === 'string')
}
