import type { Direction } from '../lib/format.ts'

const MAX_PER_SECOND = 3
/** How long a changed value is highlighted. */
const HIGHLIGHT_MS = 400
/** Interval of the check for highlights that have ended. */
const CHECK_MS = 100

/** Limits a cell to three flashes a second; more would be noise. */
export class FlashGate {
  #times: number[] = []

  /** @param now monotonic milliseconds */
  mayFlash(now: number): boolean {
    this.#times = this.#times.filter((at) => now - at < 1000)
    if (this.#times.length >= MAX_PER_SECOND) return false
    this.#times.push(now)
    return true
  }
}

/** Attributes of a flashing element. */
interface Flashing {
  readonly dataset: Record<string, string | undefined>
}

/**
 * Highlights changed values for a moment by their `data-flash`. All highlights share one timer and
 * are removed together with the next change, so that they cost no frame of their own.
 */
export class Flashes {
  /** Start times of the highlights, oldest first. */
  readonly #highlightEnds = new Map<Flashing, number>()
  readonly #schedule: (work: (now: number) => void, ms: number) => void
  #isScheduled = false

  /** @param schedule runs work after so many milliseconds, with the time as argument */
  constructor(schedule: (work: (now: number) => void, ms: number) => void) {
    this.#schedule = schedule
  }

  /** @param now monotonic milliseconds */
  light(element: Flashing, direction: Exclude<Direction, 'flat'>, now: number): void {
    this.#clear(now)
    this.#highlightEnds.delete(element)
    this.#highlightEnds.set(element, now)
    element.dataset['flash'] = direction
    this.#scheduleClear()
  }

  #scheduleClear(): void {
    if (this.#isScheduled || this.#highlightEnds.size === 0) return
    this.#isScheduled = true
    this.#schedule((now) => {
      this.#isScheduled = false
      this.#clear(now)
      this.#scheduleClear()
    }, CHECK_MS)
  }

  #clear(now: number): void {
    for (const [element, since] of this.#highlightEnds) {
      if (now - since < HIGHLIGHT_MS) return
      this.#highlightEnds.delete(element)
      delete element.dataset['flash']
    }
  }
}
