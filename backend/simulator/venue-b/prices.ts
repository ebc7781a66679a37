import { HOUR } from '../../domain/units.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { hexOf, mix } from '../randomness.ts'
import { bookAt } from '../tape/order-book.ts'
import type { Level } from '../tape/order-book.ts'
import { quoteAt, stepStart, venueBTick } from '../tape/quote.ts'
import type { Quote } from '../tape/quote.ts'
import type { Tape } from '../tape/trades.ts'

export interface TokenBook {
  readonly at: number
  /** Best first, on the scale of the token. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/** Decimal text without trailing zeros: `0.49`, `0.5`. */
export const decimal = (price: number): string => String(price / 10_000)
export const sizeText = (hundredths: number): string => String(hundredths / 100)

const mirror = (levels: readonly Level[]): Level[] =>
  levels.map(([price, size]): Level => [10_000 - price, size])

/** The book of one token: the second outcome's is the first one's mirror. */
export function tokenBook(market: SimMarket, outcome: 0 | 1, at: number): TokenBook {
  const book = bookAt(market, at)
  return outcome === 0 ? book : { at: book.at, bids: mirror(book.asks), asks: mirror(book.bids) }
}

/** Best prices of a token; 0 and 10,000 represent an empty side. */
export function tokenQuote(market: SimMarket, outcome: 0 | 1, at: number): Quote {
  const { bid, ask } = quoteAt(market, at)
  return outcome === 0 ? { bid, ask } : { bid: 10_000 - ask, ask: 10_000 - bid }
}

/**
 * An unmaintained book: REST returns it for some hours of some markets while the real one trades.
 */
export const isGhost = (market: SimMarket, at: number): boolean =>
  market.book === 'ghost' && Math.floor(at / HOUR) % 2 === 1

/** Short content hash of a book, the same for the same step. */
export const bookHash = (market: SimMarket, outcome: number, at: number): string =>
  hexOf(mix(mix(market.key, outcome + 500), Math.floor(stepStart(market, at) / 250)), 40)

/** A book as the order book service sends it: bids ascending, asks descending, best last. */
export function wireBook(
  market: SimMarket,
  outcome: 0 | 1,
  at: number,
  tape: Tape,
  ghost: boolean,
): Record<string, unknown> {
  const book = ghost ? GHOST_BOOK : tokenBook(market, outcome, at)
  const side = (levels: readonly Level[]) =>
    levels.map(([price, size]) => ({ price: decimal(price), size: sizeText(size) })).reverse()
  const last = tape.lastBefore(market, at)
  return {
    market: market.id,
    asset_id: market.tokens[outcome],
    timestamp: String(stepStart(market, at)),
    hash: bookHash(market, outcome, at),
    bids: side(book.bids),
    asks: side(book.asks),
    min_order_size: '5',
    tick_size: decimal(venueBTick(market, at)),
    neg_risk: market.event.exclusive,
    last_trade_price:
      last === null ? '' : decimal(outcome === 0 ? last.price : 10_000 - last.price),
  }
}
const GHOST_BOOK = {
  bids: [[100, 1_000_000]] as readonly Level[],
  asks: [[9_900, 1_000_000]] as readonly Level[],
}

/**
 * Middle of best bid and ask in 1e-4 dollars; the one side where there is one; null without a book.
 */
export function midOf({ bid, ask }: Quote): number | null {
  if (bid > 0 && ask < 10_000) return (bid + ask) / 2
  if (bid > 0) return bid
  return ask < 10_000 ? ask : null
}
