/** The service pings each 20 s; silence beyond this is a dead line. */
const SILENT_FROM = 25_000
const PROBE_WITHIN = 3_000
/** A gap between two looks beyond this: the machine slept, or its clock was moved. */
const SLEPT_FROM = 10_000

export const LOOK_EVERY = 1_000

/** Wall time and one that only grows, in milliseconds. */
export interface LineClock {
  read(): number
  monotonic(): number
}

/** Whether a connection still stands, by when it was heard; and whether time itself jumped. */
export class LineWatch {
  readonly #clock: LineClock
  #heardAt = 0
  /** When the answer to a probe is due; null while none is awaited. */
  #probeUntil: number | null = null
  #lookedAt = { wall: 0, monotonic: 0 }

  constructor(clock: LineClock) {
    this.#clock = clock
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonic()
    this.#probeUntil = null
  }

  /** The connection is gone, and with it what was awaited. */
  lost(): void {
    this.#probeUntil = null
  }

  /** Awaits a word from now on; false when one is awaited already. */
  probe(): boolean {
    if (this.#probeUntil !== null) return false
    this.#probeUntil = this.#clock.monotonic() + PROBE_WITHIN
    return true
  }

  get isDead(): boolean {
    const now = this.#clock.monotonic()
    return this.#probeUntil === null ? now - this.#heardAt > SILENT_FROM : now > this.#probeUntil
  }

  /** To be called each `LOOK_EVERY`; whether the machine slept, or its clock was moved, since the last time. */
  look(): boolean {
    const { wall, monotonic } = this.#lookedAt
    this.#lookedAt = { wall: this.#clock.read(), monotonic: this.#clock.monotonic() }
    const slept = Math.max(
      Math.abs(this.#lookedAt.wall - wall - LOOK_EVERY),
      this.#lookedAt.monotonic - monotonic - LOOK_EVERY,
    )
    return slept > SLEPT_FROM
  }
}
