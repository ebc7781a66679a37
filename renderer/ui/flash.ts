const MOST_PER_SECOND = 3

/** Lets a cell flash at most three times a second; more would be noise. */
export class FlashGate {
  #times: number[] = []

  /** @param now milliseconds that only grow */
  mayFlash(now: number): boolean {
    this.#times = this.#times.filter((at) => now - at < 1000)
    if (this.#times.length >= MOST_PER_SECOND) return false
    this.#times.push(now)
    return true
  }
}
