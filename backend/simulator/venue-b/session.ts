import type { SimMarket } from '../catalogue/market.ts'
import type { StreamConnection } from '../stream-connection.ts'
import { changedLevels } from '../tape/order-book.ts'
import { stepStart, venueBTick } from '../tape/quote.ts'
import type { Quote } from '../tape/quote.ts'
import { tradesEmitted } from '../tape/trade-feed.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { World } from '../world.ts'
import type { Topic } from '../faults/fault.ts'
import { fillOf } from './fills.ts'
import { slugOf } from '../catalogue/listing.ts'
import { bookHash, decimal, sizeText, tokenBook, tokenQuote, wireBook } from './prices.ts'
import type { TokenBook } from './prices.ts'
import { hasBook, isResolved } from './state.ts'

const MAX_TOKENS_WITH_BOOKS = 500

interface FollowedToken {
  readonly market: SimMarket
  readonly outcome: 0 | 1
  book: TokenBook
  quote: Quote
  tick: number
}

/** One reader of venue_b's market socket: its tokens, and the messages sent. */
export class VenueBSession {
  readonly #line: StreamConnection
  readonly #world: World
  readonly #followedTokens = new Map<string, FollowedToken>()
  #wantsMore = false
  #isSubscribed = false
  #sentUntil: number

  constructor(line: StreamConnection, world: World, now: number) {
    this.#line = line
    this.#world = world
    this.#sentUntil = now
  }

  /** Answers one frame: a heartbeat, the first subscription or a change of it. */
  receive(text: string, now: number): void {
    if (text === 'PING') return this.#line.reply('PONG')
    let frame: {
      type?: unknown
      assets_ids?: unknown
      operation?: unknown
      custom_feature_enabled?: unknown
    }
    try {
      frame = JSON.parse(text) as typeof frame
    } catch {
      return this.#line.reply('INVALID OPERATION')
    }
    const tokens = Array.isArray(frame.assets_ids) ? frame.assets_ids.map(String) : []
    if (frame.custom_feature_enabled === true) this.#wantsMore = true
    if (frame.operation === 'unsubscribe') {
      for (const token of tokens) this.#followedTokens.delete(token)
      return
    }
    if (frame.type !== 'market' && frame.operation !== 'subscribe')
      return this.#line.reply('INVALID OPERATION')
    this.#isSubscribed = true
    const newTokens = tokens.filter((token) => !this.#followedTokens.has(token))
    if (tokens.length > 0 && newTokens.length === 0) return this.#line.reply('NO NEW ASSETS')
    this.#follow(newTokens, now)
  }

  /** Sends everything that happened since the last call. */
  step(now: number): void {
    for (const [token, followedToken] of this.#followedTokens) {
      if (this.#world.catalogue.token(token, now) === null) continue
      this.#sendTrades(followedToken, now)
      this.#sendBook(followedToken, now)
    }
    if (this.#wantsMore && this.#isSubscribed) this.#sendListings(now)
    this.#sentUntil = now
  }

  #follow(tokens: readonly string[], now: number): void {
    const books: unknown[] = []
    for (const token of tokens) {
      const tokenMarket = this.#world.catalogue.token(token, now)
      if (tokenMarket === null) continue
      const { market, outcome } = tokenMarket
      this.#followedTokens.set(token, {
        market,
        outcome,
        book: tokenBook(market, outcome, now),
        quote: tokenQuote(market, outcome, now),
        tick: venueBTick(market, now),
      })
      if (hasBook(market, now))
        books.push({
          event_type: 'book',
          ...wireBook(market, outcome, now, this.#world.tape, false),
        })
    }
    // Beyond the limit the venue sends no books, without an error.
    if (this.#followedTokens.size <= MAX_TOKENS_WITH_BOOKS && books.length > 0)
      this.#publish('book', books, tokens)
  }

  #sendTrades({ market, outcome }: FollowedToken, now: number): void {
    let isReported = false
    for (const trade of tradesEmitted(market, this.#sentUntil, now, this.#world.tape)) {
      const fill = fillOf(trade)
      // A match appears only on the token that its taker traded.
      if (fill.outcome !== outcome) continue
      isReported = true
      const message = {
        event_type: 'last_trade_price',
        asset_id: market.tokens[fill.outcome],
        market: market.id,
        price: decimal(fill.price),
        size: sizeText(trade.size),
        side: fill.side,
        fee_rate_bps: '0',
        timestamp: String(trade.at),
        transaction_hash: fill.transaction,
      }
      this.#publish('trade', message, namesOf(market, outcome), trade)
    }
    if (!isReported) return
    const book = wireBook(market, outcome, now, this.#world.tape, false)
    this.#publish('book', { event_type: 'book', ...book }, namesOf(market, outcome))
  }

  #sendBook(followedToken: FollowedToken, now: number): void {
    const { market, outcome, book: before } = followedToken
    if (before.at === stepStart(market, now) && now < market.closeAt) return
    const names = namesOf(market, outcome)
    const tick = venueBTick(market, now)
    if (tick !== followedToken.tick) {
      const message = {
        event_type: 'tick_size_change',
        asset_id: market.tokens[outcome],
        market: market.id,
        old_tick_size: decimal(followedToken.tick),
        new_tick_size: decimal(tick),
        timestamp: String(now),
      }
      this.#publish('book', message, names)
      followedToken.tick = tick
    }
    const after = tokenBook(market, outcome, now)
    const quote = tokenQuote(market, outcome, now)
    followedToken.book = after
    const hash = bookHash(market, outcome, now)
    const best = {
      best_bid: quote.bid > 0 ? decimal(quote.bid) : '0',
      best_ask: quote.ask < 10_000 ? decimal(quote.ask) : '1',
    }
    const changes = [
      ...changedLevels(before.bids, after.bids).map((level) => ({ level, side: 'BUY' })),
      ...changedLevels(before.asks, after.asks).map((level) => ({ level, side: 'SELL' })),
    ]
    if (changes.length > 0) {
      const message = {
        event_type: 'price_change',
        market: market.id,
        timestamp: String(Math.max(after.at, this.#sentUntil)),
        price_changes: changes.map(({ level, side }) => ({
          asset_id: market.tokens[outcome],
          price: decimal(level.price),
          size: sizeText(level.size),
          side,
          hash,
          ...best,
        })),
      }
      this.#publish('book', message, names)
    }
    if (
      this.#wantsMore &&
      (quote.bid !== followedToken.quote.bid || quote.ask !== followedToken.quote.ask)
    ) {
      const message = {
        event_type: 'best_bid_ask',
        market: market.id,
        asset_id: market.tokens[outcome],
        ...best,
        spread: decimal(quote.ask - quote.bid),
        timestamp: String(now),
      }
      this.#publish('quote', message, names)
    }
    followedToken.quote = quote
  }

  #publish(about: Topic, message: object, markets: readonly string[], trade?: SimTrade): void {
    this.#line.data({ text: JSON.stringify(message), about, markets, ...(trade && { trade }) })
  }

  /**
   * New and resolved markets are sent to every reader that requested custom features, whatever it
   * follows.
   */
  #sendListings(now: number): void {
    const isNew = (at: number): boolean => at > this.#sentUntil && at <= now
    for (const market of this.#world.catalogue.markets('venue_b', now)) {
      const isNews = isNew(market.createdAt) || isNew(market.settledAt)
      if (!isNews || this.#line.isSilentAbout('lifecycle', market.id)) continue
      if (isNew(market.createdAt)) this.#publish('lifecycle', newMarket(market, now), [market.id])
      if (isNew(market.settledAt) && isResolved(market, now) && market.payout !== 0.5) {
        const winner = market.payout === 1 ? 0 : 1
        const message = {
          event_type: 'market_resolved',
          id: market.number,
          market: market.id,
          assets_ids: market.tokens,
          winning_asset_id: market.tokens[winner],
          winning_outcome: market.outcomes[winner],
          timestamp: String(market.settledAt),
          tags: [],
        }
        this.#publish('lifecycle', message, [market.id])
      }
    }
  }
}

/** The condition and the token; a fault may name a market by either. */
const namesOf = (market: SimMarket, outcome: 0 | 1): readonly string[] => [
  market.id,
  market.tokens[outcome],
]

function newMarket(market: SimMarket, now: number): object {
  const { event } = market
  return {
    event_type: 'new_market',
    id: market.number,
    question: market.question,
    market: market.id,
    condition_id: market.id,
    slug: market.slug,
    description: `${market.rules}\n\n${market.rulesMore}`,
    assets_ids: market.tokens,
    clob_token_ids: market.tokens,
    outcomes: market.outcomes,
    event_message: {
      id: event.id,
      ticker: event.slug,
      slug: event.slug,
      title: event.title,
      description: market.rules,
    },
    timestamp: String(now),
    tags: event.template.tags.map(slugOf),
    active: true,
    sports_market_type: '',
    line: '',
    game_start_time: '',
    order_price_min_tick_size: decimal(venueBTick(market, now)),
    group_item_title: event.markets.length > 1 ? market.choice.label : '',
    fees_enabled: true,
  }
}
