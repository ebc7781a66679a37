/** The parts of the page that pacing uses. */
export interface PacingDeps {
  /** Runs work in the next animation frame. */
  readonly onFrame: (work: () => void) => void
  readonly schedule: (work: () => void, ms: number) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/**
 * Throttled frames for frequent changes: after a quiet period the very next frame, else one at
 * least a fixed time after the last. A frame costs the same however much changed, and prices that
 * change sixty times a second are unreadable.
 */
export function pacedFrames(
  { onFrame, schedule, now }: PacingDeps,
  min: number,
): (work: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (work) => {
    const draw = () =>
      onFrame(() => {
        last = now()
        work()
      })
    const remainingMs = last + min - now()
    if (remainingMs > 0) schedule(draw, remainingMs)
    else draw()
  }
}
