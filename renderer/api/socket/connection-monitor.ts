/** The service pings each 20 s; a longer silence is a dead connection. */
const SILENCE_TIMEOUT = 25_000
const PROBE_TIMEOUT = 3_000
/** A longer gap between two checks means that the machine slept, or its clock was changed. */
const SLEEP_THRESHOLD = 10_000

export const CHECK_INTERVAL = 1_000

/** Wall time and a monotonic time, in milliseconds. */
export interface ConnectionClock {
  read(): number
  monotonic(): number
}

/** Detects a dead connection by its last received frame, and jumps of the clock. */
export class ConnectionMonitor {
  readonly #clock: ConnectionClock
  #arrivedAt = 0
  /** When the reply to a probe is due; null while none is pending. */
  #probeUntil: number | null = null
  #checkedAt: { readonly wall: number; readonly monotonic: number }

  constructor(clock: ConnectionClock) {
    this.#clock = clock
    this.#checkedAt = this.#readings()
  }

  recordMessage(): void {
    this.#arrivedAt = this.#clock.monotonic()
    this.#probeUntil = null
  }

  /** The connection is closed, and with it the pending probe. */
  onClosed(): void {
    this.#probeUntil = null
  }

  /** Starts waiting for a frame; returns false when a wait is pending already. */
  probe(): boolean {
    if (this.#probeUntil !== null) return false
    this.#probeUntil = this.#clock.monotonic() + PROBE_TIMEOUT
    return true
  }

  get isDead(): boolean {
    const now = this.#clock.monotonic()
    return this.#probeUntil === null
      ? now - this.#arrivedAt > SILENCE_TIMEOUT
      : now > this.#probeUntil
  }

  /**
   * Call each `CHECK_INTERVAL`; returns whether the machine slept, or its clock was changed, since the
   * last call.
   */
  check(): boolean {
    const { wall, monotonic } = this.#checkedAt
    this.#checkedAt = this.#readings()
    const slept = Math.max(
      Math.abs(this.#checkedAt.wall - wall - CHECK_INTERVAL),
      this.#checkedAt.monotonic - monotonic - CHECK_INTERVAL,
    )
    return slept > SLEEP_THRESHOLD
  }

  #readings() {
    return { wall: this.#clock.read(), monotonic: this.#clock.monotonic() }
  }
}
