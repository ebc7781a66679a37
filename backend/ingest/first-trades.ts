import { SECOND, type Millis } from '../domain/units.ts'
import type { VenueEvent } from '../venues/connector.ts'
import type { Span } from './backfill.ts'

/** The first seconds of a connection, which are asked for again. */
const WATCHED = 10 * SECOND
/** A stream tells a trade within this time of its print. */
const TOLD_WITHIN = 5 * SECOND

/**
 * The first trades of a connection. A stream's messages are numbered from the first one heard, so that
 * nothing in it shows what was lost before: only the venue's tape does, asked a little later.
 */
export class FirstTrades {
  /** So long after its begin every trade watched was told, or never will be. */
  static readonly ripe = WATCHED + TOLD_WITHIN
  readonly from: Millis
  #to: Millis
  readonly #told = new Set<string>()

  constructor(from: Millis) {
    this.from = from
    this.#to = (from + WATCHED) as Millis
  }

  /** The stream told these. */
  hear(events: readonly VenueEvent[]): void {
    for (const event of events) if (event.type === 'trade_printed') this.#told.add(event.tradeId)
  }

  /** The connection was lost; what comes after is missing for that reason. */
  end(at: Millis): void {
    if (at < this.#to) this.#to = at
  }

  /** The stretch of what the tape has and the stream did not tell; null when it told all of it. */
  untold(tape: readonly VenueEvent[]): Span | null {
    let last: Millis | null = null
    for (const event of tape) {
      if (event.type !== 'trade_printed' || this.#told.has(event.tradeId)) continue
      if (event.at >= this.from && event.at < this.#to && event.at >= (last ?? 0)) last = event.at
    }
    return last === null ? null : { from: this.from, to: (last + 1) as Millis }
  }
}
