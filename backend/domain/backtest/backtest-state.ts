import type { Millis } from '../units.ts'

/**
 * The progress of a run: one object that its parts share and every event updates. Its numbers start
 * as floats, so that the engine updates them in place instead of allocating one per event.
 */
export class BacktestState {
  now: Millis = NaN as Millis
  /** Rows known at this instant or later have to wait for a scheduled event. */
  horizon = Infinity
  /**
   * Row at which the current batch of trades stops. Code that schedules an earlier event lowers
   * it.
   */
  stop = 0
  /** Events that were processed so far. */
  events = 0
  /** Events of markets that were not listed yet; the strategy does not receive them. */
  unlisted = 0

  constructor(from: Millis) {
    this.now = from
  }
}
