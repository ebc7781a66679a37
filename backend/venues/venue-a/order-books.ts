import { canonicalTicker, type BookLevel, type Ticker } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { VenueEvent } from '../connector.ts'
import { epochOf, scaledOf, textOf, type Wire } from '../fields.ts'
import { QuoteDeduplicator } from '../book-events.ts'
import { isCrossed, LevelBook } from '../level-book.ts'
import type { ParseResult } from '../parsed.ts'
import { restingPrice, stampOf, type ParseContext } from '../parsed.ts'
import { parseLevels } from './parse-tape.ts'

/** Result of a book message: events, or the reason why the book can no longer be trusted. */
export type BookOutcome = { readonly events: readonly VenueEvent[] } | { readonly broken: string }

/** A crossed book, and since when it is crossed. */
export interface CrossedBook {
  readonly ticker: Ticker
  readonly since: Millis
}

/** Levels change one message at a time; a book crossed for longer than this (ms) lost a message. */
const CROSSED_TOLERANCE = 2_000
const NO_EVENTS: BookOutcome = { events: [] }

/**
 * Books of the followed markets, built from snapshots and deltas. The subscription sets
 * `use_yes_price`, so levels of the NO side arrive as YES asks.
 */
export class OrderBooks {
  readonly #books = new Map<Ticker, LevelBook>()
  readonly #crossedBooks = new Map<Ticker, CrossedBook & { readonly from: number }>()
  readonly #quotes = new QuoteDeduplicator()

  has(ticker: Ticker): boolean {
    return this.#books.has(ticker)
  }

  drop(ticker: Ticker): void {
    this.#books.delete(ticker)
    this.#crossedBooks.delete(ticker)
    this.#quotes.remove(ticker)
  }

  /** Books that have been crossed for too long, whatever the last message of their markets was. */
  crossedTooLong(monotonic: number): CrossedBook[] {
    return [...this.#crossedBooks.values()].filter(
      ({ from }) => monotonic - from > CROSSED_TOLERANCE,
    )
  }

  snapshot(
    parseResult: ParseResult,
    wire: Wire,
    context: ParseContext,
    monotonic: number,
  ): BookOutcome {
    const ticker = tickerOf(wire)
    if (ticker === null) return { broken: 'snapshot without a market' }
    const bids: BookLevel[] = parseLevels(parseResult, wire, 'yes')
    this.#books.set(ticker, new LevelBook({ bids, asks: parseLevels(parseResult, wire, 'no') }))
    return this.#state(ticker, null, context, monotonic)
  }

  delta(wire: Wire, context: ParseContext, monotonic: number): BookOutcome {
    const ticker = tickerOf(wire)
    const book = ticker === null ? undefined : this.#books.get(ticker)
    if (ticker === null || book === undefined) return { broken: 'delta before a snapshot' }
    const price: PriceE4 | null = restingPrice(scaledOf(wire['price_dollars'], 4))
    const change = scaledOf(wire['delta_fp'], 6)
    const side = wire['side'] === 'yes' ? 'bid' : wire['side'] === 'no' ? 'ask' : null
    if (price === null || change === null || side === null) return { broken: 'malformed delta' }
    if (!book.add(side, price, change)) return { broken: 'level below zero' }
    return this.#state(ticker, epochOf(wire['ts_ms'], 'milliseconds'), context, monotonic)
  }

  #state(
    ticker: Ticker,
    at: VenueEvent['at'] | null,
    context: ParseContext,
    monotonic: number,
  ): BookOutcome {
    const levels = this.#books.get(ticker)?.levels()
    if (levels === undefined) return NO_EVENTS
    if (!isCrossed(levels)) {
      this.#crossedBooks.delete(ticker)
      return { events: this.#quotes.eventsOf(levels, stampOf('venue_a', ticker, at, context)) }
    }
    if (!this.#crossedBooks.has(ticker))
      this.#crossedBooks.set(ticker, { ticker, since: context.receivedAt, from: monotonic })
    return NO_EVENTS
  }
}

function tickerOf(wire: Wire): Ticker | null {
  const ticker = textOf(wire['market_ticker'])
  return ticker === null ? null : canonicalTicker(ticker)
}
