import type { MarketFacts, MarketStatus, Ticker } from '../domain/market.ts'
import { HOUR, MINUTE, type Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'
import type { VenueEvent } from '../venues/connector.ts'

/** First pause before a market is asked for; each answer that changes nothing doubles it. */
const FIRST_PAUSE = MINUTE
const LONGEST_PAUSE = 6 * HOUR
/** So many answers without a market, half an hour of them, and the venue has taken it away. */
const ABSENCES = 5

/** States that are not the last one. */
export const UNRESOLVED: readonly MarketStatus[] = [
  'upcoming',
  'active',
  'paused',
  'closed',
  'resolving',
]
const ENDED: ReadonlySet<MarketStatus> = new Set(['closed', 'resolving'])

interface Expected {
  status: MarketStatus
  closeTime: Millis | null
  pause: number
  /** When it is asked for next; Infinity while nothing calls for it. */
  due: number
  /** Until then its absence from a listing is no news. */
  quietUntil: number
  absences: number
}

/**
 * Which markets of a venue have to be asked for, because nobody tells how they end: those past
 * their close, those whose end was heard, and open ones that a listing no longer names. A market
 * is asked for ever less often until its final state is known; one that the venue does not know any
 * more, asked five times, is taken as delisted.
 */
export class ResolutionWatch {
  readonly #clock: Clock
  readonly #expected = new Map<Ticker, Expected>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Markets whose end is still to come. */
  get size(): number {
    return this.#expected.size
  }

  /** Takes in what was said of markets. */
  note(events: readonly VenueEvent[]): void {
    for (const event of events) if (event.type === 'market_described') this.expect(event.facts)
  }

  /** Takes in one market as it is known. */
  expect({ ticker, status, closeTime }: MarketFacts): void {
    if (status === 'settled') return void this.#expected.delete(ticker)
    const known = this.#expected.get(ticker)
    if (known?.status === status && known.closeTime === closeTime) {
      known.absences = 0
      return
    }
    const expected = { pause: FIRST_PAUSE, quietUntil: 0, absences: 0 }
    this.#expected.set(ticker, {
      ...expected,
      status,
      closeTime,
      due: this.#dueOf(status, closeTime),
    })
  }

  /** A listing of all open markets was read to its end; what it left out has to be asked for. */
  listed(tickers: ReadonlySet<Ticker>): void {
    const now = this.#clock.now()
    for (const [ticker, expected] of this.#expected) {
      const isMissed = !tickers.has(ticker) && !ENDED.has(expected.status)
      if (isMissed && now >= expected.quietUntil) expected.due = Math.min(expected.due, now)
    }
  }

  /** Markets to be asked for now, those that waited longest first. */
  due(limit: number): Ticker[] {
    const now = this.#clock.now()
    return [...this.#expected]
      .filter(([, { due }]) => due <= now)
      .sort(([, a], [, b]) => a.due - b.due)
      .slice(0, limit)
      .map(([ticker]) => ticker)
  }

  /**
   * The venue was asked for these markets and said this; returns those that it has taken away,
   * which are forgotten.
   */
  answered(asked: readonly Ticker[], events: readonly VenueEvent[]): Ticker[] {
    const described = new Set(events.map(({ ticker }) => ticker))
    const now = this.#clock.now()
    const before = new Map(asked.map((ticker) => [ticker, this.#expected.get(ticker)]))
    this.note(events)
    const gone: Ticker[] = []
    for (const ticker of asked) {
      const expected = this.#expected.get(ticker)
      if (expected === undefined || expected !== before.get(ticker)) continue
      if (!described.has(ticker)) expected.absences += 1
      if (expected.absences >= ABSENCES) {
        this.#expected.delete(ticker)
        gone.push(ticker)
        continue
      }
      const { closeTime, status, pause } = expected
      const isOpen = described.has(ticker) && !ENDED.has(status) && (closeTime ?? Infinity) > now
      expected.due = isOpen ? this.#dueOf(status, closeTime) : now + pause
      expected.quietUntil = now + pause
      expected.pause = Math.min(LONGEST_PAUSE, pause * 2)
    }
    return gone
  }

  #dueOf(status: MarketStatus, closeTime: Millis | null): number {
    const now = this.#clock.now()
    if (ENDED.has(status)) return now + FIRST_PAUSE
    return closeTime === null ? Infinity : Math.max(now, closeTime) + FIRST_PAUSE
  }
}

/**
 * What is left of a market that its venue has taken away: it trades no more and nobody says how it
 * ended, which is closed without a result. Its history stays; should the venue list it again, the
 * next description opens it.
 * @param since when it was found to be gone, which is the latest it can have closed
 */
export const delisted = (facts: MarketFacts, since: Millis): MarketFacts => ({
  ...facts,
  status: 'closed',
  closeTime: Math.min(facts.closeTime ?? since, since) as Millis,
})
