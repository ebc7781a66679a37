import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { FeedHealth, HostPause } from './connector.ts'
import type { ParsedEvents } from './parsed.ts'

/**
 * Consecutive failed calls, each tried several times, after which a polled venue counts as down.
 */
const FAILURES_WHEN_DOWN = 3

/** Counters of a connector: requests, failures, refused rows, time of the last message. */
export class FeedLedger {
  readonly #venue: Venue
  readonly #skippedCounts = new Map<string, number>()
  #lastMessageAt: Millis | null = null
  #requests = 0
  #failures = 0
  #failuresInRow = 0
  #lastError: string | null = null

  constructor(venue: Venue) {
    this.#venue = venue
  }

  recordRequest(): void {
    this.#requests += 1
  }

  recordMessage(at: Millis): void {
    this.#lastMessageAt = at
    this.#failuresInRow = 0
  }

  recordFailure(error: unknown): void {
    this.#failures += 1
    this.#failuresInRow += 1
    this.#lastError = error instanceof Error ? error.message : 'unknown failure'
  }

  skip(reason: string, count = 1): void {
    this.#skippedCounts.set(reason, (this.#skippedCounts.get(reason) ?? 0) + count)
  }

  /** Counts the refused rows of a payload and returns its events. */
  accept(parsedPage: ParsedEvents): ParsedEvents['events'] {
    for (const [reason, count] of Object.entries(parsedPage.skipped)) this.skip(reason, count)
    return parsedPage.events
  }

  /**
   * @param mode how the venue is read now; a venue whose polls all fail is not read at all
   * @param pauses of each host of the venue, null for one that is in use
   */
  health(mode: 'stream' | 'polling', pauses: readonly (HostPause | null)[] = []): FeedHealth {
    const isDown = mode === 'polling' && this.#failuresInRow >= FAILURES_WHEN_DOWN
    return {
      venue: this.#venue,
      mode: isDown ? 'down' : mode,
      lastMessageAt: this.#lastMessageAt,
      requests: this.#requests,
      failures: this.#failures,
      skipped: Object.fromEntries(this.#skippedCounts),
      lastError: this.#lastError,
      pausedHosts: pauses.filter((pause) => pause !== null),
    }
  }
}
