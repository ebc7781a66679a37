import type { Clock } from './clock.ts'

/** How quickly a counter grows. */
export interface RateMeter {
  /** Looks at the counter; call it now and then. */
  look(): void
  /** Growth a second since the oldest look of the last minute; null where none is old enough. */
  perSecond(): number | null
}

const WINDOW = 60_000
/** A shorter span says too little. */
const LEAST_SPAN = 1_000

export function createRateMeter(count: () => number, clock: Pick<Clock, 'monotonic'>): RateMeter {
  let looks: { readonly at: number; readonly count: number }[] = []
  const look = (): void => {
    const at = clock.monotonic()
    // The newest look that is older than the window stays, so that there is always a whole one.
    const begin = looks.findLastIndex((earlier) => at - earlier.at >= WINDOW)
    looks = [...looks.slice(Math.max(0, begin)), { at, count: count() }]
  }
  return {
    look,
    perSecond() {
      const now = clock.monotonic()
      const oldest = looks[0]
      if (oldest === undefined || now - oldest.at < LEAST_SPAN) return null
      return Math.round(((count() - oldest.count) / (now - oldest.at)) * 1_000 * 100) / 100
    },
  }
}
