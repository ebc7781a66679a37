import type { MarketFacts, MarketStatus } from '../market.ts'
import { centsOf, DAY, MINUTE, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** A quote that was not confirmed for longer than this does not count as a book. */
export const QUOTE_LIFE = (15 * MINUTE) as Millis
/** Maximum spread, in cents, whose midpoint still represents the price. */
export const WIDEST_MID = 10
/** Age from which a last trade without a book is stale. */
const LAST_TRADE_LIFE = DAY

export type PriceSource = 'last' | 'clamped' | 'mid' | 'settled'

/** A price and its source; both null when there is none. */
export interface HeadlinePrice {
  readonly price: Cents | null
  readonly source: PriceSource | null
}

/** Best bid and ask with the facts that decide whether they count. */
export interface QuoteReading {
  readonly bid: Cents | null
  readonly ask: Cents | null
  /** Time since a socket or poll last confirmed the quote; null when no quote is known. */
  readonly ageMs: number | null
  readonly paused: boolean
}

/** The sides that count; `bookValid` when both do. */
export interface UsableBook {
  readonly bid: Cents | null
  readonly ask: Cents | null
  readonly bookValid: boolean
}

const NO_BOOK: UsableBook = { bid: null, ask: null, bookValid: false }
const NO_PRICE: HeadlinePrice = { price: null, source: null }

/**
 * The sides of a quote that count. Prices 0 and 100 mean an empty side; a book that is old, paused,
 * crossed or locked has none. A ghost book (1/99) counts, but it is too wide for a midpoint.
 */
export function usableBook({ bid, ask, ageMs, paused }: QuoteReading): UsableBook {
  if (paused || ageMs === null || ageMs > QUOTE_LIFE) return NO_BOOK
  const realBid = bid !== null && bid > 0 ? bid : null
  const realAsk = ask !== null && ask < 100 ? ask : null
  if (realBid !== null && realAsk !== null && realBid >= realAsk) return NO_BOOK
  return { bid: realBid, ask: realAsk, bookValid: realBid !== null && realAsk !== null }
}

/** Ask minus bid in cents; null when a side is missing. */
export const spreadOf = (bid: Cents | null, ask: Cents | null): Cents | null =>
  bid === null || ask === null ? null : (roundTo(ask - bid, 4) as Cents)

const midOf = (bid: Cents, ask: Cents): Cents => roundTo((bid + ask) / 2, 6) as Cents
const isNarrow = (bid: Cents, ask: Cents): boolean => roundTo(ask - bid, 4) <= WIDEST_MID
/**
 * Returns the last trade held inside the book. A bound that moved it is newer information than the
 * trade.
 */
const headlineAt = (price: Cents, last: Cents): HeadlinePrice => ({
  price,
  source: price === last ? 'last' : 'clamped',
})

/**
 * Headline price of an open market, in cents: the last trade held inside the book; without a trade
 * the midpoint of a book up to 10 cents wide.
 * @param book `bid`, `ask`, `bookValid` as returned by `usableBook`: a single side bounds
 * the trade; two sides with `bookValid` false count as no book
 */
export function headlinePrice(book: UsableBook & { readonly last: Cents | null }): HeadlinePrice {
  const { last, bid, ask, bookValid } = book
  if (bid !== null && ask !== null) {
    if (!bookValid) return last === null ? NO_PRICE : { price: last, source: 'last' }
    if (last !== null) return headlineAt(Math.min(Math.max(last, bid), ask) as Cents, last)
    return isNarrow(bid, ask) ? { price: midOf(bid, ask), source: 'mid' } : NO_PRICE
  }
  if (last === null) return NO_PRICE
  if (bid !== null) return headlineAt(Math.max(last, bid) as Cents, last)
  if (ask !== null) return headlineAt(Math.min(last, ask) as Cents, last)
  return { price: last, source: 'last' }
}

/**
 * Valuation price: the midpoint of a valid book up to 10 cents wide, otherwise the headline price.
 * @param book sides as returned by `usableBook`, `price` the headline price
 */
export const markOf = (book: UsableBook & { readonly price: Cents | null }): Cents | null =>
  book.bookValid && book.bid !== null && book.ask !== null && isNarrow(book.bid, book.ask)
    ? midOf(book.bid, book.ask)
    : book.price

/**
 * The price that a chart draws and labels: the mark, and where it comes from. Charts, ladders and
 * the heading of a chart use this one function, so that they show the same number.
 * @param book sides as returned by `usableBook`, or the published sides, which passed it
 */
export function chartPrice(book: {
  readonly bid: Cents | null
  readonly ask: Cents | null
  readonly last: Cents | null
}): HeadlinePrice {
  const bookValid = book.bid !== null && book.ask !== null && book.bid < book.ask
  const headline = headlinePrice({ ...book, bookValid })
  const price = markOf({ ...book, bookValid, price: headline.price })
  const isMid = bookValid && isNarrow(book.bid, book.ask)
  return { price, source: isMid ? 'mid' : headline.source }
}

/** Payout of YES, in cents; null for a void market or an unknown payout. */
export function settledPrice(facts: Pick<MarketFacts, 'result' | 'settlementPrice'>): Cents | null {
  if (facts.result === 'void') return null
  if (facts.settlementPrice !== null) return centsOf(facts.settlementPrice)
  if (facts.result === 'yes') return 100 as Cents
  return facts.result === 'no' ? (0 as Cents) : null
}

/** Whether a price is stale: no valid book, and no trade within a day. */
export const isStalePrice = (bookValid: boolean, lastAgeMs: number | null): boolean =>
  !bookValid && (lastAgeMs === null || lastAgeMs > LAST_TRADE_LIFE)

/** Price inputs of a market known at `at`; times are when it happened or was last confirmed. */
export interface PriceKnowledge {
  readonly status: MarketStatus
  readonly at: Millis
  readonly last: { readonly price: Cents; readonly at: Millis } | null
  readonly quote: {
    readonly bid: Cents | null
    readonly ask: Cents | null
    readonly confirmedAt: Millis
  } | null
  readonly settlement: Pick<MarketFacts, 'result' | 'settlementPrice'>
}

/** Every price of one market at one instant, in cents. */
export interface MarketPrices extends HeadlinePrice {
  readonly mark: Cents | null
  readonly bid: Cents | null
  readonly ask: Cents | null
  readonly spread: Cents | null
  readonly last: Cents | null
  /** Valid two-sided book. */
  readonly hasOrderbook: boolean
  readonly stale: boolean
}

const UNPRICED_MARKET: MarketPrices = {
  ...NO_PRICE,
  mark: null,
  bid: null,
  ask: null,
  spread: null,
  last: null,
  hasOrderbook: false,
  stale: false,
}

/**
 * The middle of the newest book of an active market whose trades are unknown, as of imported quotes,
 * when that book is too old to count; it is stale. Null where another price is known.
 */
function storedMid({ status, at, last, quote }: PriceKnowledge): HeadlinePrice | null {
  if (status !== 'active' || last !== null || quote === null) return null
  if (at - quote.confirmedAt <= QUOTE_LIFE) return null
  const storedBook = usableBook({ bid: quote.bid, ask: quote.ask, ageMs: 0, paused: false })
  return headlinePrice({ last: null, ...storedBook })
}

/**
 * All prices of a market in any state (methodology 0.7 and A1). An upcoming market has none; a
 * closed one keeps its last mark, valued at the newest instant at which data arrived; a settled one
 * is worth its payout.
 */
export function pricesAt(knowledge: PriceKnowledge): MarketPrices {
  const { status, at, quote } = knowledge
  const last = knowledge.last?.price ?? null
  if (status === 'upcoming') return UNPRICED_MARKET
  if (status === 'settled') {
    const price = settledPrice(knowledge.settlement)
    return {
      ...UNPRICED_MARKET,
      price,
      mark: price,
      last,
      source: price === null ? null : 'settled',
    }
  }
  const ended = status === 'closed' || status === 'resolving'
  const readAt = ended ? Math.max(knowledge.last?.at ?? 0, quote?.confirmedAt ?? 0) : at
  const book = usableBook({
    bid: quote?.bid ?? null,
    ask: quote?.ask ?? null,
    ageMs: quote === null ? null : readAt - quote.confirmedAt,
    paused: status === 'paused',
  })
  const headline = storedMid(knowledge) ?? headlinePrice({ last, ...book })
  const mark = markOf({ price: headline.price, ...book })
  const stale = isStalePrice(
    book.bookValid && !ended,
    knowledge.last === null ? null : at - knowledge.last.at,
  )
  if (ended) {
    const source = mark === headline.price ? headline.source : 'mid'
    return { ...UNPRICED_MARKET, price: mark, source, mark, last, stale }
  }
  return {
    ...headline,
    mark,
    bid: book.bid,
    ask: book.ask,
    spread: spreadOf(book.bid, book.ask),
    last,
    hasOrderbook: book.bookValid,
    stale,
  }
}
