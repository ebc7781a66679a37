import { canonicalTicker, type BookLevel, type Ticker } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { VenueEvent } from '../connector.ts'
import { epochOf, scaledOf, textOf, type Wire } from '../fields.ts'
import { QuoteMemory } from '../book-events.ts'
import { isCrossed, LevelBook } from '../level-book.ts'
import type { Harvest } from '../parsed.ts'
import { restingPrice, stampOf, type ParseContext } from '../parsed.ts'
import { parseLevels } from './parse-tape.ts'

/** What came of a book message: events, or the reason why the book can no longer be trusted. */
export type BookOutcome = { readonly events: readonly VenueEvent[] } | { readonly broken: string }

/** A book that no one could trade on, and since when. */
export interface CrossedBook {
  readonly ticker: Ticker
  readonly since: Millis
}

/** Levels move one message at a time; crossed for longer than this (ms) is a lost message. */
const CROSSED_TOLERANCE = 2_000
const NOTHING: BookOutcome = { events: [] }

/**
 * The books of followed markets, kept from snapshots and deltas. The subscription pins
 * `use_yes_price`, so the NO side's levels are YES asks as they come.
 */
export class BookKeeper {
  readonly #books = new Map<Ticker, LevelBook>()
  readonly #crossed = new Map<Ticker, CrossedBook & { readonly from: number }>()
  readonly #quotes = new QuoteMemory()

  has(ticker: Ticker): boolean {
    return this.#books.has(ticker)
  }

  drop(ticker: Ticker): void {
    this.#books.delete(ticker)
    this.#crossed.delete(ticker)
    this.#quotes.forget(ticker)
  }

  /** Books that have been crossed for too long, whatever was last said of their markets. */
  crossedTooLong(monotonic: number): CrossedBook[] {
    return [...this.#crossed.values()].filter(({ from }) => monotonic - from > CROSSED_TOLERANCE)
  }

  snapshot(harvest: Harvest, wire: Wire, context: ParseContext, monotonic: number): BookOutcome {
    const ticker = tickerOf(wire)
    if (ticker === null) return { broken: 'snapshot without a market' }
    const bids: BookLevel[] = parseLevels(harvest, wire, 'yes')
    this.#books.set(ticker, new LevelBook({ bids, asks: parseLevels(harvest, wire, 'no') }))
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
    if (levels === undefined) return NOTHING
    if (!isCrossed(levels)) {
      this.#crossed.delete(ticker)
      return { events: this.#quotes.eventsOf(levels, stampOf('venue_a', ticker, at, context)) }
    }
    if (!this.#crossed.has(ticker))
      this.#crossed.set(ticker, { ticker, since: context.receivedAt, from: monotonic })
    return NOTHING
  }
}

function tickerOf(wire: Wire): Ticker | null {
  const ticker = textOf(wire['market_ticker'])
  return ticker === null ? null : canonicalTicker(ticker)
}
