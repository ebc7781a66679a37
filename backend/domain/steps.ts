/** Work in short steps that ends in a result: a caller may let others in between. */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
