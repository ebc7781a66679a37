import { SECOND, type Millis } from '../../domain/units.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import type { Span } from '../backfill/backfill.ts'

/**
 * Finds the trades that a connection lost before the first one it reported. Messages are numbered
 * from the first one received, so the stream itself cannot show this loss; only the venue's tape
 * can.
 */
export class FirstTrades {
  /** A stream reports a trade within this time after its print. */
  static readonly reportedWithin = 5 * SECOND
  /** When the connection began. */
  readonly from: Millis
  readonly #reportedIds = new Set<string>()
  /** When the connection reported its first trade or was lost; null until then. */
  #to: Millis | null = null

  constructor(from: Millis) {
    this.from = from
  }

  /** Notes events from the stream. @returns whether they contain the connection's first trade */
  receive(events: readonly VenueEvent[], now: Millis): boolean {
    const wasSilent = this.#to === null
    for (const event of events) {
      if (event.type !== 'trade_printed') continue
      this.#reportedIds.add(event.tradeId)
      this.#to ??= now
    }
    return wasSilent && this.#to !== null
  }

  /**
   * Notes that the connection was lost; what follows is missing for that reason.
   * @returns whether it may have lost trades of its own, because it reported none
   */
  end(at: Millis): boolean {
    const wasSilent = this.#to === null
    if (at < (this.#to ?? Infinity)) this.#to = at
    return wasSilent && at > this.from
  }

  /**
   * The span of trades that are on the tape but were not reported by the stream; null when there
   * are none.
   */
  unreportedSpan(tape: readonly VenueEvent[]): Span | null {
    const end = this.#to
    if (end === null) return null
    const isUnreported = (event: VenueEvent): boolean =>
      event.type === 'trade_printed' &&
      event.at >= this.from &&
      event.at < end &&
      !this.#reportedIds.has(event.tradeId)
    const times = tape.filter(isUnreported).map(({ at }) => at)
    const last = times.toSorted((a, b) => a - b).at(-1)
    return last === undefined ? null : { from: this.from, to: (last + 1) as Millis }
  }
}
