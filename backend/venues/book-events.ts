import type { OrderBook } from '../domain/market.ts'
import type { BookChanged, QuoteChanged, VenueEvent } from './connector.ts'
import type { stampOf } from './parsed.ts'

type Stamp = ReturnType<typeof stampOf>

const quoteOf = ({ bids, asks }: OrderBook, stamp: Stamp): QuoteChanged => ({
  type: 'quote_changed',
  ...stamp,
  bid: bids[0]?.price ?? null,
  bidSize: bids[0]?.size ?? null,
  ask: asks[0]?.price ?? null,
  askSize: asks[0]?.size ?? null,
})

/** Events of a whole book: its quote, then the book. */
export const bookEvents = (book: OrderBook, stamp: Stamp): VenueEvent[] => [
  quoteOf(book, stamp),
  { type: 'book_changed', ...stamp, ...book } satisfies BookChanged,
]

const isSameQuote = (a: QuoteChanged, b: QuoteChanged): boolean =>
  a.bid === b.bid && a.ask === b.ask && a.bidSize === b.bidSize && a.askSize === b.askSize

/**
 * Remembers the last quote of each followed book, so that a quote is emitted only when it changed.
 */
export class QuoteDeduplicator {
  readonly #last = new Map<string, QuoteChanged>()

  /** The book, preceded by its quote when that differs from the last one emitted. */
  eventsOf(book: OrderBook, stamp: Stamp): VenueEvent[] {
    const quote = quoteOf(book, stamp)
    const previous = this.#last.get(stamp.ticker)
    this.#last.set(stamp.ticker, quote)
    const events = bookEvents(book, stamp)
    return previous !== undefined && isSameQuote(previous, quote) ? events.slice(1) : events
  }

  remove(ticker: string): void {
    this.#last.delete(ticker)
  }
}
