/** Work in short steps that returns a result; the caller may yield to other work between steps. */
export type Steps<Result> = Generator<void, Result>

/** Runs all steps without a pause. */
export function runToCompletion<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
