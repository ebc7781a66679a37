/** Milliseconds below which latencies are not told apart. */
const FLOOR = 0.01
/** Each bucket ends this much above its beginning. */
const STEP = 1.1
/** The last one holds everything from ten minutes on. */
const BUCKETS = 189

/**
 * How often which latency was seen: counts by bucket. Buckets grow by a tenth, so that a quantile read
 * from them is within 5 % of the true one between 0.01 ms and ten minutes, whatever was counted, and
 * histograms of several hours or keys are added without loss.
 */
export type Histogram = Float64Array

export const emptyHistogram = (): Histogram => new Float64Array(BUCKETS)

const PER_STEP = 1 / Math.log(STEP)

const bucketOf = (took: number): number =>
  took > FLOOR ? Math.min(BUCKETS - 1, Math.floor(Math.log(took / FLOOR) * PER_STEP)) : 0

/** Counts one latency. @param took milliseconds */
export function addLatency(histogram: Histogram, took: number): void {
  const bucket = bucketOf(took)
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

/** Adds the counts of `other`. */
export function mergeInto(histogram: Histogram, other: Histogram): void {
  other.forEach((count, bucket) => {
    histogram[bucket] = (histogram[bucket] ?? 0) + count
  })
}

/**
 * The latency in milliseconds that a share `q` of those counted did not exceed (nearest rank), told as
 * the geometric middle of its bucket; null when nothing was counted.
 */
export function quantileOf(histogram: Histogram, q: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  const rank = Math.max(1, Math.ceil(q * total))
  let passed = 0
  for (const [bucket, count] of histogram.entries()) {
    passed += count
    if (passed >= rank) return FLOOR * STEP ** (bucket + 0.5)
  }
  return null
}

/** As JSON, without the empty buckets: `{"40": 3}`. */
export function histogramText(histogram: Histogram): string {
  const counts: Record<string, number> = {}
  for (const [bucket, count] of histogram.entries()) if (count > 0) counts[bucket] = count
  return JSON.stringify(counts)
}

/** Reads what `histogramText` wrote. */
export function histogramOf(text: string): Histogram {
  const histogram = emptyHistogram()
  const counts = JSON.parse(text) as Readonly<Record<string, number>>
  for (const [bucket, count] of Object.entries(counts)) histogram[Number(bucket)] = count
  return histogram
}
