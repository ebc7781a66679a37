import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../../domain/cooperative-steps.ts'

export type { Steps }

/**
 * Runs the steps in slices of `budget` milliseconds and yields in between, so that work over all
 * markets blocks nothing.
 * @param monotonic milliseconds of a monotonic clock
 */
export async function runCooperatively<Result>(
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

/** Steps that process each item, `size` of them per step. */
export function* forEachInSteps<T>(
  items: Iterable<T>,
  size: number,
  act: (item: T) => void,
): Steps<void> {
  let stepCount = 0
  for (const item of items) {
    act(item)
    stepCount += 1
    if (stepCount % size === 0) yield
  }
}
