import { BAD_FRAMES, BAD_FRAME_SPAN, FRAME_BURST, FRAMES_PER_SECOND } from './limits.ts'

/**
 * Token bucket of a client's frames (20 a second, bursts of 50) and a limit on its bad frames per
 * minute.
 */
export class FrameBudget {
  #left = FRAME_BURST
  #countedAt: number
  #badFrameTimes: number[] = []

  constructor(now: number) {
    this.#countedAt = now
  }

  /** Counts one frame; false if the budget is exceeded. */
  consume(now: number): boolean {
    const availableFrames = this.#left + ((now - this.#countedAt) / 1_000) * FRAMES_PER_SECOND
    this.#left = Math.min(FRAME_BURST, availableFrames)
    this.#countedAt = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** Counts one bad frame; false if there are too many within a minute. */
  countInvalid(now: number): boolean {
    this.#badFrameTimes = this.#badFrameTimes.filter((at) => now - at < BAD_FRAME_SPAN)
    this.#badFrameTimes.push(now)
    return this.#badFrameTimes.length <= BAD_FRAMES
  }
}
