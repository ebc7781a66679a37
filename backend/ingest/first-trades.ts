import { SECOND, type Millis } from '../domain/units.ts'
import type { VenueEvent } from '../venues/connector.ts'
import type { Span } from './backfill.ts'

/**
 * What a connection loses before the first trade that it tells. Its messages are numbered from the
 * first one heard, so that nothing in it shows what was lost before: only the venue's tape does.
 */
export class FirstTrades {
  /** A stream tells a trade within this time of its print. */
  static readonly toldWithin = 5 * SECOND
  /** When the connection began. */
  readonly from: Millis
  readonly #told = new Set<string>()
  /** When it told its first trade, or was lost; null until then. */
  #to: Millis | null = null

  constructor(from: Millis) {
    this.from = from
  }

  /** The stream told these. @returns whether a trade among them is the first of the connection */
  hear(events: readonly VenueEvent[], now: Millis): boolean {
    const wasSilent = this.#to === null
    for (const event of events) {
      if (event.type !== 'trade_printed') continue
      this.#told.add(event.tradeId)
      this.#to ??= now
    }
    return wasSilent && this.#to !== null
  }

  /**
   * The connection was lost; what comes after is missing for that reason.
   * @returns whether it may have lost trades of its own, having told none
   */
  end(at: Millis): boolean {
    const wasSilent = this.#to === null
    if (at < (this.#to ?? Infinity)) this.#to = at
    return wasSilent && at > this.from
  }

  /** The stretch of what the tape has and the stream did not tell; null when it told all of it. */
  untold(tape: readonly VenueEvent[]): Span | null {
    let last: Millis | null = null
    for (const event of tape) {
      if (event.type !== 'trade_printed' || this.#told.has(event.tradeId)) continue
      if (event.at >= this.from && event.at < (this.#to ?? 0) && event.at >= (last ?? 0))
        last = event.at
    }
    return last === null ? null : { from: this.from, to: (last + 1) as Millis }
  }
}
