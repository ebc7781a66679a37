import { BAD_FRAMES, BAD_FRAME_SPAN, FRAME_BURST, FRAMES_PER_SECOND } from './limits.ts'

/** How many frames a client may still send: 20 a second, 50 at once; and its bad ones of a minute. */
export class FrameBudget {
  #left = FRAME_BURST
  #countedAt: number
  #bad: number[] = []

  constructor(now: number) {
    this.#countedAt = now
  }

  /** Counts one frame; false when there were too many. */
  take(now: number): boolean {
    const refilled = this.#left + ((now - this.#countedAt) / 1_000) * FRAMES_PER_SECOND
    this.#left = Math.min(FRAME_BURST, refilled)
    this.#countedAt = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** Counts one bad frame; false when it is one too many for its minute. */
  takeBad(now: number): boolean {
    this.#bad = this.#bad.filter((at) => now - at < BAD_FRAME_SPAN)
    this.#bad.push(now)
    return this.#bad.length <= BAD_FRAMES
  }
}
