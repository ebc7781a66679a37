/** What pacing needs of the page. */
export interface PacingSurroundings {
  /** Runs work with the next frame. */
  readonly onFrame: (work: () => void) => void
  readonly later: (work: () => void, ms: number) => void
  /** Milliseconds that only grow. */
  readonly now: () => number
}

/**
 * Frames for what changes all the time: after a quiet moment the very next one, else one that comes at
 * least so many milliseconds after the last. Each frame that changes anything costs the same whatever
 * has changed, and nobody reads a price in a sixtieth of a second.
 */
export function pacedFrames(
  { onFrame, later, now }: PacingSurroundings,
  least: number,
): (work: () => void) => void {
  let last = Number.NEGATIVE_INFINITY
  return (work) => {
    const take = () =>
      onFrame(() => {
        last = now()
        work()
      })
    const early = last + least - now()
    if (early > 0) later(take, early)
    else take()
  }
}
