import type { Millis } from '../domain/units.ts'
import { reasonOf, type Clock } from './clock.ts'

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/**
 * Clock of a replay: it moves forward only when `moveTo` is called. Sleepers wake, in the order of
 * their times, when `wake` is called at or after their time. Process time (`monotonic`) stays
 * real.
 */
export class VirtualClock implements Clock {
  readonly #wallClock: Pick<Clock, 'monotonic'>
  #now: number
  #sleepers: Sleeper[] = []

  constructor(start: Millis, wallClock: Pick<Clock, 'monotonic'>) {
    this.#now = start
    this.#wallClock = wallClock
  }

  now(): Millis {
    return this.#now as Millis
  }

  monotonic(): number {
    return this.#wallClock.monotonic()
  }

  sleep(span: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const abort = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(reasonOf(signal))
      }
      const wakeUp = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const sleeper: Sleeper = { due: this.#now + Math.max(0, span), wake: wakeUp }
      // A sleep that is already due waits for no step.
      if (sleeper.due <= this.#now) return void setImmediate(resolve)
      const index = this.#sleepers.findIndex(({ due }) => due > sleeper.due)
      this.#sleepers.splice(index === -1 ? this.#sleepers.length : index, 0, sleeper)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** When the next sleeper is due; null without sleepers. */
  get nextDue(): Millis | null {
    return (this.#sleepers[0]?.due ?? null) as Millis | null
  }

  /** Moves to an instant without waking sleepers. @throws RangeError for one that has passed */
  moveTo(at: Millis): void {
    if (at < this.#now) throw new RangeError(`The clock is at ${this.#now}, ${at} has passed`)
    this.#now = at
  }

  /** Wakes all sleepers that are due; returns their number. */
  wake(): number {
    const index = this.#sleepers.findIndex(({ due }) => due > this.#now)
    const dueSleepers = this.#sleepers.splice(0, index === -1 ? this.#sleepers.length : index)
    for (const { wake } of dueSleepers) wake()
    return dueSleepers.length
  }
}

/** A clock with data time but real waits, for code that waits on people, sockets and processes. */
export const withWallClockTimers = (clock: Pick<Clock, 'now'>, wallClock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => wallClock.monotonic(),
  sleep: (span, signal) => wallClock.sleep(span, signal),
})
