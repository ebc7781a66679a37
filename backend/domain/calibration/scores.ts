import { clamp, sumOf, wilsonInterval } from '../statistics/statistics.ts'
import type { Interval } from '../statistics/statistics.ts'
import type { Cents } from '../units.ts'

/** A forecast price and the outcome. */
export interface ScoredForecast {
  readonly price: Cents
  readonly outcome: 0 | 1
}

export const VERDICTS = ['excellent', 'good', 'fair', 'mediocre', 'poor'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface CalibrationScoreParams {
  readonly buckets: number
  /** Minimum distance of forecasts from 0 and 1 in the log score. */
  readonly logClamp: number
  /** Highest Brier score of each verdict except the last. */
  readonly verdictCuts: readonly number[]
  /** Highest calibration error of each verdict except the last, cents. */
  readonly errorCuts: readonly number[]
  /** Minimum forecasts for a verdict. */
  readonly minForVerdict: number
}
export const CALIBRATION_SCORE_PARAMS: CalibrationScoreParams = {
  buckets: 10,
  logClamp: 0.005,
  verdictCuts: [0.1, 0.15, 0.2, 0.25],
  errorCuts: [1, 2.5, 5, 10],
  minForVerdict: 30,
}

/** Forecasts of one price band; numbers are null in an empty one. */
export interface CalibrationBucket {
  /** Cents; `to` is exclusive except for the last bucket. */
  readonly from: number
  readonly to: number
  readonly n: number
  /** Cents, as are the next two. */
  readonly predictedMean: number | null
  readonly realizedRate: number | null
  /** Predicted minus realised. */
  readonly deviation: number | null
  readonly brier: number | null
  /** Wilson interval of the realised rate, 0 to 1. */
  readonly wilson: Interval | null
}

/** All scores of a set of forecasts; null without any. */
export interface CalibrationScores {
  readonly n: number
  /** Mean squared error (Brier 1950). */
  readonly brier: number
  readonly logScore: number
  readonly baseRate: number
  /** 1 − Brier / uncertainty; null when all outcomes were the same. */
  readonly skill: number | null
  /** Murphy 1973: brier = reliability − resolution + uncertainty + residual. */
  readonly reliability: number
  readonly resolution: number
  readonly uncertainty: number
  /** Remainder from different prices within a bucket; 0 when each bucket has one price. */
  readonly residual: number
  /** Share of forecasts on the right side of 50; null when all were exactly 50. */
  readonly hitRate: number | null
  /**
   * Mean distance of the bands' predictions from the 95 % interval of their realised rates, cents,
   * weighted by their forecasts: 0 when chance explains every deviation.
   */
  readonly calibrationError: number
  readonly buckets: readonly CalibrationBucket[]
}

interface Tally {
  n: number
  predicted: number
  realized: number
  squares: number
}

/** Sums per price band; a price of 100 belongs to the last band. */
function tallies(forecasts: readonly ScoredForecast[], count: number): Tally[] {
  const bands = Array.from({ length: count }, (): Tally => ({
    n: 0,
    predicted: 0,
    realized: 0,
    squares: 0,
  }))
  for (const { price, outcome } of forecasts) {
    const band = bands[clamp(Math.floor((price * count) / 100), 0, count - 1)]
    if (band === undefined) continue
    band.n++
    band.predicted += price / 100
    band.realized += outcome
    band.squares += (price / 100 - outcome) ** 2
  }
  return bands
}

function bucketOf({ n, predicted, realized, squares }: Tally, i: number, count: number) {
  const [from, to] = [(100 * i) / count, (100 * (i + 1)) / count]
  if (n === 0) {
    const empty = { predictedMean: null, realizedRate: null, deviation: null, brier: null }
    return { from, to, n, ...empty, wilson: null }
  }
  const [predictedMean, realizedRate] = [(100 * predicted) / n, (100 * realized) / n]
  const deviation = predictedMean - realizedRate
  const wilson = wilsonInterval(realized, n)
  return { from, to, n, predictedMean, realizedRate, deviation, brier: squares / n, wilson }
}

/** The ten price bands with their outcomes; numbers are null in an empty one. */
export const calibrationBuckets = (
  forecasts: readonly ScoredForecast[],
  { buckets }: CalibrationScoreParams = CALIBRATION_SCORE_PARAMS,
): CalibrationBucket[] => tallies(forecasts, buckets).map((band, i) => bucketOf(band, i, buckets))

/** Log score: mean of −ln of the probability assigned to the outcome. */
function logScoreOf(forecasts: readonly ScoredForecast[], minChance: number): number {
  const logLosses = forecasts.map(({ price, outcome }) => {
    const chance = clamp(price / 100, minChance, 1 - minChance)
    return -Math.log(outcome === 1 ? chance : 1 - chance)
  })
  return sumOf(logLosses) / forecasts.length
}

function hitRateOf(forecasts: readonly ScoredForecast[]): number | null {
  const decidedForecasts = forecasts.filter(({ price }) => price !== 50)
  const hits = decidedForecasts.filter(({ price, outcome }) => price > 50 === (outcome === 1))
  return decidedForecasts.length === 0 ? null : hits.length / decidedForecasts.length
}

/** Scores of forecasts, methodology G2; null for none. Not rounded. */
export function calibrationScores(
  forecasts: readonly ScoredForecast[],
  params: CalibrationScoreParams = CALIBRATION_SCORE_PARAMS,
): CalibrationScores | null {
  const n = forecasts.length
  if (n === 0) return null
  const bands = tallies(forecasts, params.buckets)
  const baseRate = sumOf(bands.map(({ realized }) => realized)) / n
  const brier = sumOf(bands.map(({ squares }) => squares)) / n
  let [reliability, resolution] = [0, 0]
  for (const band of bands) {
    if (band.n === 0) continue
    reliability += (band.predicted - band.realized) ** 2 / band.n / n
    resolution += (band.n * (band.realized / band.n - baseRate) ** 2) / n
  }
  const uncertainty = baseRate * (1 - baseRate)
  const buckets = bands.map((band, i) => bucketOf(band, i, params.buckets))
  return {
    n,
    brier,
    logScore: logScoreOf(forecasts, params.logClamp),
    baseRate,
    skill: uncertainty === 0 ? null : 1 - brier / uncertainty,
    reliability,
    resolution,
    uncertainty,
    residual: brier - (reliability - resolution + uncertainty),
    hitRate: hitRateOf(forecasts),
    calibrationError: sumOf(buckets.map((bucket) => bucket.n * calibrationError(bucket))) / n,
    buckets,
  }
}

/** Cents by which a band's mean prediction is outside the interval of its realised rate. */
function calibrationError({ predictedMean, wilson }: CalibrationBucket): number {
  if (predictedMean === null || wilson === null) return 0
  return Math.max(0, 100 * wilson.low - predictedMean, predictedMean - 100 * wilson.high)
}

/**
 * The worse of the verdicts for the Brier score and for the calibration error of the bands; null
 * for fewer than 30 forecasts.
 */
export function calibrationVerdict(
  scores: Pick<CalibrationScores, 'n' | 'brier' | 'calibrationError'> | null,
  params: CalibrationScoreParams = CALIBRATION_SCORE_PARAMS,
): Verdict | null {
  if (scores === null || scores.n < params.minForVerdict) return null
  const verdictIndex = (value: number, cuts: readonly number[]): number => {
    const index = cuts.findIndex((threshold) => value <= threshold)
    return index < 0 ? VERDICTS.length - 1 : index
  }
  const { verdictCuts, errorCuts } = params
  const { brier, calibrationError } = scores
  return (
    VERDICTS[
      Math.max(verdictIndex(brier, verdictCuts), verdictIndex(calibrationError, errorCuts))
    ] ?? null
  )
}
