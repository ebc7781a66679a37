import { MINUTE, type Millis } from '../domain/units.ts'
import type { BookChanged, QuoteChanged } from '../venues/connector.ts'

/** An unchanged quote or book is stored again after this long, as proof that it was still valid. */
const CONFIRM_INTERVAL = 5 * MINUTE

/** The last stored quote and book of a market, so that equal ones are not stored again. */
export interface LastStored {
  quote: (Pick<QuoteChanged, 'bid' | 'ask' | 'bidSize' | 'askSize'> & KnownTime) | null
  counters: string | null
  book: ({ readonly top: string } & KnownTime) | null
}

interface KnownTime {
  /** When it became known, and its venue time. */
  readonly at: Millis
  readonly ts: Millis
}

export const nothingStored = (): LastStored => ({ quote: null, counters: null, book: null })

/**
 * Whether a quote is new, or confirms an old one that is due for confirmation; records it if so.
 */
export function isNewQuote(last: LastStored, event: QuoteChanged): boolean {
  const { bid, ask, bidSize, askSize, origin, receivedAt } = event
  if (origin === 'backfilled' || origin === 'imported') return true
  const previous = last.quote
  const isUnchanged =
    previous !== null &&
    previous.bid === bid &&
    previous.ask === ask &&
    previous.bidSize === bidSize &&
    previous.askSize === askSize
  // A late statement about an earlier time is stored, but the newer one remains current.
  if (previous !== null && event.at < previous.ts) return true
  if (isUnchanged && receivedAt - previous.at < CONFIRM_INTERVAL) return false
  last.quote = { bid, ask, bidSize, askSize, at: receivedAt, ts: event.at }
  return true
}

/** The same for the best five levels of a book. */
export function isNewBook(last: LastStored, event: BookChanged): boolean {
  const top = JSON.stringify([event.bids.slice(0, 5), event.asks.slice(0, 5)])
  const previous = last.book
  if (previous !== null && event.at < previous.ts) return true
  if (
    previous !== null &&
    previous.top === top &&
    event.receivedAt - previous.at < CONFIRM_INTERVAL
  )
    return false
  last.book = { top, at: event.receivedAt, ts: event.at }
  return true
}
