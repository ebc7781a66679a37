/** Lag above the least of the connection that calls for a new one, in ms. */
const TOLERANCE = 2_000
/** So many late messages in a row are a trend; one late message is a hiccup. */
const PATIENCE = 20

/**
 * Watches how late messages come. Behind a slow consumer the lag grows within a connection and only
 * a new connection cures it; comparing with the least lag leaves out what the clocks differ by.
 */
export class LagWatch {
  #least = Number.POSITIVE_INFINITY
  #late = 0

  /** @param lag arrival minus venue time of one message, in ms */
  isGrowing(lag: number): boolean {
    this.#least = Math.min(this.#least, lag)
    this.#late = lag - this.#least > TOLERANCE ? this.#late + 1 : 0
    return this.#late >= PATIENCE
  }
}
