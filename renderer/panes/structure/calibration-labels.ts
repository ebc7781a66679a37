import type { Calibration, CalibrationBucket } from '../../../backend/contract/edges.ts'
import { formatNumber } from '../../lib/format.ts'

const MIN_RADIUS = 3
const MAX_RADIUS = 13

/** Radius of a bucket's dot, px: its area grows with the number of markets. */
export function bucketRadius(n: number, buckets: readonly Pick<CalibrationBucket, 'n'>[]): number {
  const max = Math.max(1, ...buckets.map((bucket) => bucket.n))
  return MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(n / max)
}

/** Buckets with fewer markets are not significant. */
const MIN_COUNT = 5

/** The scorecard in a sentence: how far prices were off, and where most. */
export function calibrationSentence({ sample, brier, buckets }: Calibration): string {
  const worstBucket = buckets
    .filter(({ n, deviation }) => n >= MIN_COUNT && deviation !== null)
    .toSorted((left, right) => Math.abs(right.deviation ?? 0) - Math.abs(left.deviation ?? 0))[0]
  const score = `${formatNumber(sample, 0)} settled markets, Brier ${formatNumber(brier, 3)}`
  if (worstBucket === undefined || worstBucket.deviation === null) return `${score}.`
  const side = worstBucket.deviation > 0 ? 'above' : 'below'
  const bias = formatNumber(Math.abs(worstBucket.deviation), 1)
  return `${score}. Largest bias at ${worstBucket.from} to ${worstBucket.to}¢: priced ${bias}¢ ${side} the share resolved YES.`
}
