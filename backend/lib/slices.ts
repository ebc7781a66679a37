import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../domain/steps.ts'

export type { Steps }

/**
 * Does the steps in slices of `budget` milliseconds and lets others in between, so that work over
 * all markets holds nobody up.
 * @param monotonic milliseconds that only ever grow
 */
export async function inSlices<Result>(
  steps: Steps<Result>,
  monotonic: () => number,
  budget = 8,
): Promise<Result> {
  let since = monotonic()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (monotonic() - since < budget) continue
    await setImmediate()
    since = monotonic()
  }
}

/** Steps that do one thing to each item, `size` of them in a step. */
export function* eachOf<T>(items: Iterable<T>, size: number, act: (item: T) => void): Steps<void> {
  let done = 0
  for (const item of items) {
    act(item)
    done += 1
    if (done % size === 0) yield
  }
}
