import type { Millis } from '../units.ts'

/**
 * Where a run stands: one object that its parts share and that every event writes to. Its numbers
 * begin as floats, so that the engine writes them in place and makes no new one an event.
 */
export class RunState {
  now: Millis = NaN as Millis
  /** Something is due before a row that is known then or later is played. */
  horizon = Infinity
  /** Row before which nothing is due of those that are being told; whoever puts something before it lowers it. */
  stop = 0
  /** Events that were heard so far. */
  events = 0
  /** Events of markets that were not listed by then, which nobody hears. */
  unlisted = 0

  constructor(from: Millis) {
    this.now = from
  }
}
