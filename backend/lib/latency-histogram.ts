/** Latencies below this, in milliseconds, share one bucket. */
const FLOOR = 0.01
/** Ratio of the upper to the lower bound of a bucket. */
const STEP = 1.1
/** The last bucket holds everything from ten minutes on. */
const BUCKETS = 189

/**
 * Counts of latencies by bucket. Each bucket is a tenth wider than the one before, so that a
 * quantile is within 5 % of the true value between 0.01 ms and ten minutes, and histograms of
 * several hours or keys can be added without loss.
 */
export type Histogram = Float64Array

export const emptyHistogram = (): Histogram => new Float64Array(BUCKETS)

const PER_STEP = 1 / Math.log(STEP)

const bucketOf = (elapsedMs: number): number =>
  elapsedMs > FLOOR ? Math.min(BUCKETS - 1, Math.floor(Math.log(elapsedMs / FLOOR) * PER_STEP)) : 0

/** Counts one latency. @param elapsedMs milliseconds */
export function addLatency(histogram: Histogram, elapsedMs: number): void {
  const bucket = bucketOf(elapsedMs)
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

/** Adds the counts of `other`. */
export function mergeInto(histogram: Histogram, other: Histogram): void {
  other.forEach((count, bucket) => {
    histogram[bucket] = (histogram[bucket] ?? 0) + count
  })
}

/**
 * The latency in milliseconds that a share `q` of the counted ones did not exceed (nearest rank),
 * as the geometric middle of its bucket; null for an empty histogram.
 */
export function quantileOf(histogram: Histogram, q: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  const rank = Math.max(1, Math.ceil(q * total))
  let passedCount = 0
  for (const [bucket, count] of histogram.entries()) {
    passedCount += count
    if (passedCount >= rank) return FLOOR * STEP ** (bucket + 0.5)
  }
  return null
}

/** Serializes as JSON without the empty buckets: `{"40": 3}`. */
export function histogramText(histogram: Histogram): string {
  const counts: Record<string, number> = {}
  for (const [bucket, count] of histogram.entries()) if (count > 0) counts[bucket] = count
  return JSON.stringify(counts)
}

/** Parses the output of `histogramText`. */
export function histogramOf(text: string): Histogram {
  const histogram = emptyHistogram()
  const counts = JSON.parse(text) as Readonly<Record<string, number>>
  for (const [bucket, count] of Object.entries(counts)) histogram[Number(bucket)] = count
  return histogram
}
