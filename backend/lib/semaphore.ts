import type { Clock } from './clock.ts'
import { NotReady } from './errors.ts'

/** Runs a limited number of tasks at once; the rest wait in order. */
export interface Semaphore {
  /**
   * @param maxWait milliseconds that this task may wait, in place of the default; Infinity for no
   * limit
   * @throws NotReady when the wait is over, or too many tasks wait already
   */
  run<T>(work: () => Promise<T>, maxWait?: number): Promise<T>
}

export interface SemaphoreLimits {
  readonly permits: number
  /** Milliseconds that a task may wait. */
  readonly maxWait: number
  /** Maximum number of waiting tasks. */
  readonly maxQueued: number
  /** Message of the refusal. */
  readonly refusal: string
}

export function createSemaphore(limits: SemaphoreLimits, clock: Clock): Semaphore {
  const queue: (() => void)[] = []
  let free = limits.permits

  const acquire = (maxWait: number): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (queue.length >= limits.maxQueued) return Promise.reject(new NotReady(limits.refusal))
    return new Promise((resolve, reject) => {
      const waitAbort = new AbortController()
      const grant = (): void => {
        waitAbort.abort()
        resolve()
      }
      queue.push(grant)
      if (maxWait === Infinity) return
      clock.sleep(maxWait, waitAbort.signal).then(
        () => {
          const at = queue.indexOf(grant)
          if (at === -1) return
          queue.splice(at, 1)
          reject(new NotReady(limits.refusal))
        },
        () => {},
      )
    })
  }
  const release = (): void => {
    const next = queue.shift()
    if (next === undefined) free += 1
    else next()
  }

  return {
    async run(work, maxWait = limits.maxWait) {
      await acquire(maxWait)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
