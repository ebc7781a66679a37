import { promiseHooks } from 'node:v8'

/** Calls a strategy's handlers and rejects promises in them. */
export interface PromiseGuard {
  /**
   * Runs the work. @throws its errors, and TypeError when a promise was created or settled
   * meanwhile
   */
  call<T>(work: () => T): T
}

/**
 * Code that awaits a promise continues when the engine pauses between two windows of events, at a
 * time unrelated to the data. The guard costs nothing while no promise is used.
 */
export function createPromiseGuard(): PromiseGuard {
  let isCalling = false
  let uses = 0
  const countUse = (): void => {
    if (isCalling) uses++
  }
  promiseHooks.createHook({ init: countUse, settled: countUse })
  return {
    call(work) {
      isCalling = true
      const previous = uses
      try {
        const result = work()
        if (uses === previous) return result
      } finally {
        isCalling = false
      }
      throw new TypeError(
        'a handler used a promise or an async function: a run does not wait, so create and the handlers must be synchronous functions',
      )
    },
  }
}
