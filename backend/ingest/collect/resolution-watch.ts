import type { MarketFacts, MarketStatus, Ticker } from '../../domain/market.ts'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { VenueEvent } from '../../venues/connector.ts'

/** First delay before a market is requested; each response without a change doubles it. */
const FIRST_PAUSE = MINUTE
const MAX_PAUSE = 6 * HOUR
/** After this many responses without the market, over half an hour, the venue has removed it. */
const MAX_ABSENCES = 5

/** States that are not final. */
export const UNRESOLVED_STATUSES: readonly MarketStatus[] = [
  'upcoming',
  'active',
  'paused',
  'closed',
  'resolving',
]
const ENDED_STATUSES: ReadonlySet<MarketStatus> = new Set(['closed', 'resolving'])

interface Expectation {
  status: MarketStatus
  closeTime: Millis | null
  pause: number
  /** When it is requested next; Infinity while there is no reason to. */
  due: number
  /** Until then its absence from a listing is ignored. */
  quietUntil: number
  absences: number
}

/**
 * Which markets of a venue must be requested because their end is not reported otherwise: those
 * past their close, those whose end was reported, and open ones missing from a listing. A market
 * is requested less and less often until its final state is known; one that is missing from five
 * responses is treated as delisted.
 */
export class ResolutionWatch {
  readonly #clock: Clock
  readonly #expectations = new Map<Ticker, Expectation>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Number of markets that have not reached their final state. */
  get size(): number {
    return this.#expectations.size
  }

  /** Notes descriptions of markets. */
  addEvents(events: readonly VenueEvent[]): void {
    for (const event of events) if (event.type === 'market_described') this.expect(event.facts)
  }

  /** Notes the current facts of one market. */
  expect({ ticker, status, closeTime }: MarketFacts): void {
    if (status === 'settled') return void this.#expectations.delete(ticker)
    const existing = this.#expectations.get(ticker)
    if (existing?.status === status && existing.closeTime === closeTime) {
      existing.absences = 0
      return
    }
    const expectation = { pause: FIRST_PAUSE, quietUntil: 0, absences: 0 }
    this.#expectations.set(ticker, {
      ...expectation,
      status,
      closeTime,
      due: this.#dueOf(status, closeTime),
    })
  }

  /**
   * A listing of all open markets was read to its end; the markets missing from it are requested.
   */
  recordListing(tickers: ReadonlySet<Ticker>): void {
    const now = this.#clock.now()
    for (const [ticker, expectation] of this.#expectations) {
      const isMissed = !tickers.has(ticker) && !ENDED_STATUSES.has(expectation.status)
      if (isMissed && now >= expectation.quietUntil)
        expectation.due = Math.min(expectation.due, now)
    }
  }

  /** Markets to request now, those that waited longest first. */
  dueMarkets(limit: number): Ticker[] {
    const now = this.#clock.now()
    return [...this.#expectations]
      .filter(([, { due }]) => due <= now)
      .sort(([, a], [, b]) => a.due - b.due)
      .slice(0, limit)
      .map(([ticker]) => ticker)
  }

  /**
   * Notes the venue's response to a request for these markets; returns and forgets those that the
   * venue has removed.
   */
  recordResponse(requestedTickers: readonly Ticker[], events: readonly VenueEvent[]): Ticker[] {
    const describedTickers = new Set(events.map(({ ticker }) => ticker))
    const now = this.#clock.now()
    const previous = new Map(
      requestedTickers.map((ticker) => [ticker, this.#expectations.get(ticker)]),
    )
    this.addEvents(events)
    const missing: Ticker[] = []
    for (const ticker of requestedTickers) {
      const expectation = this.#expectations.get(ticker)
      if (expectation === undefined || expectation !== previous.get(ticker)) continue
      if (!describedTickers.has(ticker)) expectation.absences += 1
      if (expectation.absences >= MAX_ABSENCES) {
        this.#expectations.delete(ticker)
        missing.push(ticker)
        continue
      }
      const { closeTime, status, pause } = expectation
      const isOpen =
        describedTickers.has(ticker) && !ENDED_STATUSES.has(status) && (closeTime ?? Infinity) > now
      expectation.due = isOpen ? this.#dueOf(status, closeTime) : now + pause
      expectation.quietUntil = now + pause
      expectation.pause = Math.min(MAX_PAUSE, pause * 2)
    }
    return missing
  }

  #dueOf(status: MarketStatus, closeTime: Millis | null): number {
    const now = this.#clock.now()
    if (ENDED_STATUSES.has(status)) return now + FIRST_PAUSE
    return closeTime === null ? Infinity : Math.max(now, closeTime) + FIRST_PAUSE
  }
}

/**
 * Facts of a market that its venue removed: it no longer trades and its result is unknown, so it
 * is closed without a result. Its history stays; if the venue lists it again, the next description
 * reopens it.
 * @param since when its absence was established, the latest time at which it can have closed
 */
export const delistedFacts = (facts: MarketFacts, since: Millis): MarketFacts => ({
  ...facts,
  status: 'closed',
  closeTime: Math.min(facts.closeTime ?? since, since) as Millis,
})
