import { setImmediate } from 'node:timers/promises'

/** Steps that end in a result; each one is short. */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

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

/** Steps that do one thing to each item, `atOnce` of them in a step. */
export function* eachOf<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => void,
): Steps<void> {
  let done = 0
  for (const item of items) {
    act(item)
    done += 1
    if (done % atOnce === 0) yield
  }
}
