import { clamp, logit, sigmoid } from '../statistics/statistics.ts'

/** One labelled pair: its uncalibrated confidence, its label and its event. */
export interface CalibrationSample {
  readonly raw: number
  readonly equivalent: boolean
  /** Samples of one event stay in one fold. */
  readonly event: string
}

/**
 * Calibrated probability at raw values, both ascending; linear in between, constant beyond the
 * ends.
 */
export type CalibrationCurve = readonly (readonly [raw: number, chance: number])[]

/** Number of labelled pairs from which the curve may have any increasing shape. */
export const ISOTONIC_FROM = 200
const FOLDS = 5
/** Strength of the shrinkage to the identity, in samples. */
const SHRINKAGE = 10
/** Maximum confidence, since a finite sample never proves a probability of 0 or 1. */
const MAX_CONFIDENCE = 0.99
const NEWTON_STEPS = 50

/** The identity curve. */
export const IDENTITY_CURVE: CalibrationCurve = [
  [0, 0],
  [1, 1],
]

/** Value of a curve at a raw confidence. */
export function calibrate(curve: CalibrationCurve, raw: number): number {
  const upperIndex = curve.findIndex(([x]) => x >= raw)
  const last = curve.at(-1)
  if (upperIndex === -1) return last === undefined ? raw : last[1]
  const [x1, y1] = curve[upperIndex] ?? [raw, raw]
  const [x0, y0] = curve[upperIndex - 1] ?? [x1, y1]
  return x1 === x0 ? y1 : y0 + ((y1 - y0) * (raw - x0)) / (x1 - x0)
}

/** Isotonic regression by pooling adjacent violators; equal raw values are merged. */
export function isotonicCurve(samples: readonly CalibrationSample[]): CalibrationCurve {
  interface Block {
    from: number
    to: number
    hits: number
    count: number
  }
  const blocks: Block[] = []
  const sortedSamples = [...samples].sort((a, b) => a.raw - b.raw)
  for (const { raw, equivalent } of sortedSamples) {
    const label = equivalent ? 1 : 0
    const previous = blocks.at(-1)
    if (previous !== undefined && previous.to === raw) {
      previous.hits += label
      previous.count += 1
    } else blocks.push({ from: raw, to: raw, hits: label, count: 1 })
    for (;;) {
      const [lower, upper] = [blocks.at(-2), blocks.at(-1)]
      if (lower === undefined || upper === undefined) break
      if (lower.hits * upper.count < upper.hits * lower.count) break
      lower.to = upper.to
      lower.hits += upper.hits
      lower.count += upper.count
      blocks.pop()
    }
  }
  return blocks.flatMap(({ from, to, hits, count }): CalibrationCurve => {
    const chance = hits / count
    const foldBounds = from === to ? [from] : [from, to]
    return foldBounds.map((raw) => [raw, chance] as const)
  })
}

/**
 * Platt scaling, sigmoid(slope · logit(raw) + shift), by penalised likelihood that shrinks small
 * samples to the identity.
 */
export function plattCurve(samples: readonly CalibrationSample[]): CalibrationCurve {
  let [slope, shift] = [1, 0]
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let [g0, g1] = [SHRINKAGE * (slope - 1), SHRINKAGE * shift]
    let [h00, h01, h11] = [SHRINKAGE, 0, SHRINKAGE]
    for (const { raw, equivalent } of samples) {
      const x = logit(raw)
      const p = sigmoid(slope * x + shift)
      const error = p - (equivalent ? 1 : 0)
      const weight = p * (1 - p)
      g0 += error * x
      g1 += error
      h00 += weight * x * x
      h01 += weight * x
      h11 += weight
    }
    const determinant = h00 * h11 - h01 * h01
    // The step is clamped because full steps can overshoot far from the optimum.
    slope -= clamp((h11 * g0 - h01 * g1) / determinant, -1, 1)
    shift -= clamp((h00 * g1 - h01 * g0) / determinant, -1, 1)
  }
  const points = Array.from({ length: 101 }, (_, index) => index / 100)
  return points.map((raw) => [raw, sigmoid(Math.max(slope, 0) * logit(raw) + shift)] as const)
}

/**
 * Fold of each event: events by size then name, each assigned to the fold with the fewest samples.
 */
export function foldsOf(samples: readonly CalibrationSample[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const { event } of samples) sizes.set(event, (sizes.get(event) ?? 0) + 1)
  const sortedGroups = [...sizes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const foldSizes = new Array<number>(FOLDS).fill(0)
  const folds = new Map<string, number>()
  for (const [event, size] of sortedGroups) {
    const fold = foldSizes.indexOf(Math.min(...foldSizes))
    folds.set(event, fold)
    foldSizes[fold] = (foldSizes[fold] ?? 0) + size
  }
  return folds
}

/**
 * The calibration curve of labelled pairs: the mean of five curves, each fitted without one fold of
 * events; Platt scaling below 200 labelled pairs, isotonic regression from there on.
 * @param labelledCount size of the whole labelled set, of which `samples` may be a stratum
 */
export function calibrationCurve(
  samples: readonly CalibrationSample[],
  labelledCount = samples.length,
): CalibrationCurve {
  if (samples.length === 0) return IDENTITY_CURVE
  const folds = foldsOf(samples)
  const curves = Array.from({ length: FOLDS }, (_, fold) => {
    const training = samples.filter(({ event }) => folds.get(event) !== fold)
    const fit = labelledCount >= ISOTONIC_FROM ? isotonicCurve : plattCurve
    return training.length === 0 ? IDENTITY_CURVE : fit(training)
  })
  const points = Array.from({ length: 101 }, (_, index) => index / 100)
  return points.map((raw) => {
    const mean = curves.reduce((sum, curve) => sum + calibrate(curve, raw), 0) / FOLDS
    return [raw, clamp(mean, 1 - MAX_CONFIDENCE, MAX_CONFIDENCE)] as const
  })
}

/**
 * Expected calibration error over ten equal bands: weighted mean distance of confidence and share.
 */
export function expectedCalibrationError(
  samples: readonly { readonly confidence: number; readonly equivalent: boolean }[],
): number | null {
  if (samples.length === 0) return null
  const bands = Array.from({ length: 10 }, () => ({ confidence: 0, hits: 0 }))
  for (const { confidence, equivalent } of samples) {
    const band = bands[Math.min(9, Math.floor(confidence * 10))]
    if (band === undefined) continue
    band.confidence += confidence
    band.hits += equivalent ? 1 : 0
  }
  return (
    bands.reduce((sum, { confidence, hits }) => sum + Math.abs(confidence - hits), 0) /
    samples.length
  )
}
