import type { SimMarket } from '../catalogue/market.ts'
import { uuidOf } from '../randomness.ts'
import { bookAt, changedLevels } from '../tape/order-book.ts'
import type { Level, SimBook } from '../tape/order-book.ts'
import type { Quote } from '../tape/quote.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { Tape } from '../tape/trades.ts'
import { count, dollars, openInterestAt, tradeIdOf } from './wire.ts'

const marketIdOf = (market: SimMarket): string => uuidOf(market.key, -1)

/**
 * The complete book as a socket message.
 * @param yesPrices whether NO orders have their YES price
 */
export function snapshotMessage(market: SimMarket, book: SimBook, yesPrices: boolean): object {
  const side = (levels: readonly Level[], price: (yes: number) => number) =>
    levels.map(([yes, size]) => [dollars(price(yes)), count(size)]).reverse()
  const noPrice = yesPrices ? (yes: number) => yes : (yes: number) => 10_000 - yes
  return {
    market_ticker: market.id,
    market_id: marketIdOf(market),
    ...(book.bids.length === 0 ? {} : { yes_dollars_fp: side(book.bids, (yes) => yes) }),
    ...(book.asks.length === 0 ? {} : { no_dollars_fp: side(book.asks, noPrice) }),
  }
}

/**
 * The messages from one book to the next, one level each. Removed sizes come first, so that the
 * sides never cross in between.
 */
export function deltaMessages(
  market: SimMarket,
  before: SimBook,
  after: SimBook,
  yesPrices: boolean,
): object[] {
  const bids = changedLevels(before.bids, after.bids)
  const asks = changedLevels(before.asks, after.asks)
  const messages = (side: 'yes' | 'no', levels: ReturnType<typeof changedLevels>): object[] =>
    levels.map(({ price, change }) => ({
      market_ticker: market.id,
      market_id: marketIdOf(market),
      price_dollars: dollars(side === 'no' && !yesPrices ? 10_000 - price : price),
      delta_fp: count(change),
      side,
      ts_ms: after.at,
    }))
  const changesOf = (isIncluded: (level: { readonly change: number }) => boolean): object[] => [
    ...messages('yes', bids.filter(isIncluded)),
    ...messages('no', asks.filter(isIncluded)),
  ]
  return [...changesOf(({ change }) => change < 0), ...changesOf(({ change }) => change > 0)]
}

/** One trade as a socket message. */
export function tradeMessage(trade: SimTrade): object {
  const side = trade.takerYes ? 'yes' : 'no'
  return {
    trade_id: tradeIdOf(trade),
    market_ticker: trade.market.id,
    yes_price_dollars: dollars(trade.price),
    no_price_dollars: dollars(10_000 - trade.price),
    count_fp: count(trade.size),
    taker_outcome_side: side,
    taker_book_side: trade.takerYes ? 'bid' : 'ask',
    taker_side: side,
    is_block_trade: trade.isBlock,
    ts_ms: trade.at,
    ts: Math.floor(trade.at / 1_000),
  }
}

/** Quote, last trade and counters of a market as a socket message. */
export function tickerMessage(market: SimMarket, quote: Quote, tape: Tape, now: number): object {
  const book = bookAt(market, now)
  const volume = tape.volumeAt(market, now)
  const last = tape.lastBefore(market, now)
  const interest = openInterestAt(market, volume)
  return {
    market_ticker: market.id,
    market_id: marketIdOf(market),
    price_dollars: dollars(last?.price ?? 0),
    yes_bid_dollars: dollars(quote.bid),
    yes_ask_dollars: dollars(quote.ask),
    yes_bid_size_fp: count(book.bids[0]?.[1] ?? 0),
    yes_ask_size_fp: count(book.asks[0]?.[1] ?? 0),
    last_trade_size_fp: count(last?.size ?? 0),
    volume_fp: count(volume),
    open_interest_fp: count(interest),
    dollar_volume: Math.round(tape.dollarsAt(market, now) / 1e6),
    dollar_open_interest: Math.round(interest / 100),
    ts_ms: now,
  }
}
