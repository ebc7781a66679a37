import type { MarketFacts, Ticker, Venue } from '../domain/market.ts'
import { MINUTE, type Millis, type PriceE4 } from '../domain/units.ts'
import type { Origin, VenueEvent } from './connector.ts'

/** Under what circumstances a payload reached us. */
export interface ParseContext {
  readonly origin: Origin
  /** When the payload arrived; for a recording, when it was recorded. */
  readonly receivedAt: Millis
  /** The venue's own time then, where it is known: our clock may be the wrong one. */
  readonly venueTime?: Millis | null
}

/** What a payload said: events, rows refused by reason, and where the next page starts. */
export interface Parsed {
  readonly events: readonly VenueEvent[]
  readonly skipped: Readonly<Record<string, number>>
  /** Null on the last page. */
  readonly cursor: string | null
}

/** Milliseconds after which a reader of the venue's feeds would have known (methodology 0.1). */
export const VENUE_DELAY: Readonly<Record<Venue, Millis>> = {
  venue_a: 1_000 as Millis,
  venue_b: 5_000 as Millis,
}

/**
 * Venue, market and both times of an event. What was filled in later is known one venue delay after
 * it happened; what was seen live is known on arrival, and never before it happened.
 * @param at when it happened; null for a statement about the moment of asking
 */
export function stampOf(venue: Venue, ticker: Ticker, at: Millis | null, context: ParseContext) {
  const { origin, receivedAt } = context
  if (at === null) return { venue, ticker, at: receivedAt, receivedAt, origin }
  const known =
    origin === 'backfilled' || origin === 'imported'
      ? at + VENUE_DELAY[venue]
      : Math.max(at, receivedAt)
  return { venue, ticker, at, receivedAt: known as Millis, origin }
}

/** A clock further ahead than this is wrong, and would stand before every later row. */
export const CLOCK_TOLERANCE = 10 * MINUTE
export const isAhead = (at: Millis, context: ParseContext): boolean =>
  at > latestTime(context) + CLOCK_TOLERANCE

/** The later of our time and the venue's. */
export const latestTime = ({ receivedAt, venueTime }: ParseContext): Millis =>
  Math.max(receivedAt, venueTime ?? receivedAt) as Millis

/** Collects the events of one payload and counts what it could not use. */
export class Harvest {
  readonly events: VenueEvent[] = []
  readonly skipped: Record<string, number> = {}

  skip(reason: string): null {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1
    return null
  }

  add(event: VenueEvent | null): void {
    if (event !== null) this.events.push(event)
  }

  done(cursor: string | null = null): Parsed {
    return { events: this.events, skipped: this.skipped, cursor }
  }
}

export const describedEvent = (
  facts: MarketFacts,
  context: ParseContext,
  statedAt: Millis | null = null,
): VenueEvent => ({
  type: 'market_described',
  ...stampOf(facts.venue, facts.ticker, statedAt, context),
  facts,
})

/** A price on the grid of a dollar, 0 to 10,000, else null. */
export const priceInRange = (price: number | null): PriceE4 | null =>
  price !== null && price >= 0 && price <= 10_000 ? (price as PriceE4) : null

/** A standing bid or ask: 0 and a whole dollar are the venues' words for an empty side. */
export const restingPrice = (price: number | null): PriceE4 | null =>
  price !== null && price > 0 && price < 10_000 ? (price as PriceE4) : null

/**
 * The events of markets not yet seen in a walk, which are noted. A listing that changes while it is
 * walked repeats rows; the first statement stands.
 */
export function firstStatements<E extends VenueEvent>(
  events: readonly E[],
  seen: Set<Ticker>,
): readonly E[] {
  const fresh = new Set(events.map((event) => event.ticker).filter((ticker) => !seen.has(ticker)))
  for (const ticker of fresh) seen.add(ticker)
  return events.filter((event) => fresh.has(event.ticker))
}
