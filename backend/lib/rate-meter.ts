import type { Clock } from './clock.ts'

/** Growth rate of a counter. */
export interface RateMeter {
  /** Samples the counter; call it periodically. */
  sample(): void
  /** Growth per second since the oldest sample of the last minute; null when none is old enough. */
  perSecond(): number | null
}

const WINDOW = 60_000
/** A shorter span is too noisy. */
const MIN_SPAN = 1_000

export function createRateMeter(count: () => number, clock: Pick<Clock, 'monotonic'>): RateMeter {
  let samples: { readonly at: number; readonly count: number }[] = []
  const sample = (): void => {
    const at = clock.monotonic()
    // The newest sample older than the window is kept, so that there is always a whole window.
    const begin = samples.findLastIndex((earlierSample) => at - earlierSample.at >= WINDOW)
    samples = [...samples.slice(Math.max(0, begin)), { at, count: count() }]
  }
  return {
    sample,
    perSecond() {
      const now = clock.monotonic()
      const oldest = samples[0]
      if (oldest === undefined || now - oldest.at < MIN_SPAN) return null
      return Math.round(((count() - oldest.count) / (now - oldest.at)) * 1_000 * 100) / 100
    },
  }
}
