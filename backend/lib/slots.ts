import type { Clock } from './clock.ts'
import { NotReady } from './errors.ts'

/** Runs work a few at a time; the rest waits in order. */
export interface Slots {
  /**
   * @param patience milliseconds that this work may wait, in place of the limit; Infinity for ever
   * @throws NotReady when the wait is over, or too many wait already
   */
  run<T>(work: () => Promise<T>, patience?: number): Promise<T>
}

export interface SlotLimits {
  readonly slots: number
  /** Milliseconds that work may wait for its turn. */
  readonly patience: number
  /** How much work may wait at once. */
  readonly waiting: number
  /** Said to whoever waited in vain. */
  readonly refusal: string
}

export function createSlots(limits: SlotLimits, clock: Clock): Slots {
  const queue: (() => void)[] = []
  let free = limits.slots

  const turn = (patience: number): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (queue.length >= limits.waiting) return Promise.reject(new NotReady(limits.refusal))
    return new Promise((resolve, reject) => {
      const called = new AbortController()
      const go = (): void => {
        called.abort()
        resolve()
      }
      queue.push(go)
      if (patience === Infinity) return
      clock.sleep(patience, called.signal).then(
        () => {
          const at = queue.indexOf(go)
          if (at === -1) return
          queue.splice(at, 1)
          reject(new NotReady(limits.refusal))
        },
        () => {},
      )
    })
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async run(work, patience = limits.patience) {
      await turn(patience)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
