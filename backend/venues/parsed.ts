import type { MarketFacts, Ticker, Venue } from '../domain/market.ts'
import { MINUTE, type Millis, type PriceE4 } from '../domain/units.ts'
import { descriptorOf } from '../domain/venue.ts'
import type { AnnouncedEnd, Origin, VenueEvent } from './connector.ts'

/** Context in which a payload was received. */
export interface ParseContext {
  readonly origin: Origin
  /** When the payload arrived; for a recording, when it was recorded. */
  readonly receivedAt: Millis
  /** The venue's own time at that moment, where known: our clock may be wrong. */
  readonly venueTime?: Millis | null
}

/** Result of parsing a payload: events, refused rows by reason, and the next cursor. */
export interface ParsedEvents {
  readonly events: readonly VenueEvent[]
  readonly skipped: Readonly<Record<string, number>>
  /** Null on the last page. */
  readonly cursor: string | null
}

/**
 * Venue, market and both times of an event. A backfilled event is known one venue delay after it
 * happened; a live one on arrival, and never before it happened.
 * @param at when it happened; null for a statement about the time of the request
 */
export function stampOf(venue: Venue, ticker: Ticker, at: Millis | null, context: ParseContext) {
  const { origin, receivedAt } = context
  if (at === null) return { venue, ticker, at: receivedAt, receivedAt, origin }
  const knownContext =
    origin === 'backfilled' || origin === 'imported'
      ? at + descriptorOf(venue).publicationDelay
      : Math.max(at, receivedAt)
  return { venue, ticker, at, receivedAt: knownContext as Millis, origin }
}

/** A time further ahead than this is wrong, and would sort after every later row. */
export const CLOCK_TOLERANCE = 10 * MINUTE
export const isAhead = (at: Millis, context: ParseContext): boolean =>
  at > latestTime(context) + CLOCK_TOLERANCE

/** The later of our time and the venue's. */
export const latestTime = ({ receivedAt, venueTime }: ParseContext): Millis =>
  Math.max(receivedAt, venueTime ?? receivedAt) as Millis

/** Collects the events of one payload and counts the rows it could not use. */
export class ParseResult {
  readonly events: VenueEvent[] = []
  readonly skipped: Record<string, number> = {}

  skip(reason: string): null {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1
    return null
  }

  add(event: VenueEvent | null): void {
    if (event !== null) this.events.push(event)
  }

  result(cursor: string | null = null): ParsedEvents {
    return { events: this.events, skipped: this.skipped, cursor }
  }
}

export const describedEvent = (
  facts: MarketFacts,
  context: ParseContext,
  statedAt: Millis | null = null,
  announced: AnnouncedEnd | null = null,
): VenueEvent => ({
  type: 'market_described',
  ...stampOf(facts.venue, facts.ticker, statedAt, context),
  facts,
  ...(announced === null ? {} : { announced }),
})

/** A price from 0 to 10,000 (one dollar), else null. */
export const priceInRange = (price: number | null): PriceE4 | null =>
  price !== null && price >= 0 && price <= 10_000 ? (price as PriceE4) : null

/** A resting bid or ask: the venues state an empty side as 0 or a whole dollar. */
export const restingPrice = (price: number | null): PriceE4 | null =>
  price !== null && price > 0 && price < 10_000 ? (price as PriceE4) : null

/**
 * The events of markets not yet seen in a walk, which are remembered. A listing that changes
 * during the walk repeats rows; the first statement wins.
 */
export function firstStatements<E extends VenueEvent>(
  events: readonly E[],
  seenTickers: Set<Ticker>,
): readonly E[] {
  const newTickers = new Set(
    events.map((event) => event.ticker).filter((ticker) => !seenTickers.has(ticker)),
  )
  for (const ticker of newTickers) seenTickers.add(ticker)
  return events.filter((event) => newTickers.has(event.ticker))
}
