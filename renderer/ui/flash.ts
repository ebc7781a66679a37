import type { Direction } from '../lib/format.ts'

const MOST_PER_SECOND = 3
/** For how long a changed value is lit. */
const LIT_MS = 400
/** How often it is looked whether something has been lit for long enough. */
const LOOK_MS = 100

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

/** What a flash marks: an element's own attributes. */
interface Flashing {
  readonly dataset: Record<string, string | undefined>
}

/**
 * Lights changed values for a moment by their `data-flash`. All that are lit share one timer, and
 * go out together with whatever changes next, so that they cost no frame of their own.
 */
export class Flashes {
  /** Since when each is lit, oldest first. */
  readonly #lit = new Map<Flashing, number>()
  readonly #later: (work: (now: number) => void, ms: number) => void
  #looks = false

  /** @param later runs a piece of work after so many milliseconds, and tells it the time */
  constructor(later: (work: (now: number) => void, ms: number) => void) {
    this.#later = later
  }

  /** @param now milliseconds that only grow */
  light(element: Flashing, direction: Exclude<Direction, 'flat'>, now: number): void {
    this.#putOut(now)
    this.#lit.delete(element)
    this.#lit.set(element, now)
    element.dataset['flash'] = direction
    this.#look()
  }

  #look(): void {
    if (this.#looks || this.#lit.size === 0) return
    this.#looks = true
    this.#later((now) => {
      this.#looks = false
      this.#putOut(now)
      this.#look()
    }, LOOK_MS)
  }

  #putOut(now: number): void {
    for (const [element, since] of this.#lit) {
      if (now - since < LIT_MS) return
      this.#lit.delete(element)
      delete element.dataset['flash']
    }
  }
}
