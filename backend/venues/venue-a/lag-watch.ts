/** Lag above the connection's minimum that requires a new connection, in ms. */
const TOLERANCE = 2_000
/** This many consecutive late messages are a trend; a single late message is not. */
const LATE_MESSAGES = 20

/**
 * Watches the lag of messages. Behind a slow consumer the lag grows within a connection and only a
 * new connection fixes it; comparing with the minimum lag cancels the difference between the
 * clocks.
 */
export class LagWatch {
  #minimumLag = Number.POSITIVE_INFINITY
  #lateCount = 0

  /** @param lag arrival minus venue time of one message, in ms */
  isGrowing(lag: number): boolean {
    this.#minimumLag = Math.min(this.#minimumLag, lag)
    this.#lateCount = lag - this.#minimumLag > TOLERANCE ? this.#lateCount + 1 : 0
    return this.#lateCount >= LATE_MESSAGES
  }
}
