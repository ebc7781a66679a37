import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import type { Fingerprint } from './fingerprint.ts'
import { PAIRING_PARAMS } from './params.ts'
import type { PairingParams } from './params.ts'
import { titleCosine } from './title-weights.ts'
import type { TitleWeights } from './title-weights.ts'
import { sigmoid } from '../statistics/statistics.ts'

/** Similarity of two markets, each feature from 0 to 1. */
export interface PairFeatures {
  /** Cosine similarity of the titles. */
  readonly text: number
  /** Share of names in common. */
  readonly entity: number
  /** 1 for equal thresholds or none, .5 when only one side has one, 0 for different ones. */
  readonly number: number
  readonly date: number
  readonly price: number
}

/** Share of two ascending lists in common; 1 when both are empty. */
export function jaccardOf(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 && b.length === 0) return 1
  const right = new Set(b)
  const sharedCount = a.filter((word) => right.has(word)).length
  return sharedCount / (a.length + b.length - sharedCount)
}

/**
 * 1 for equal thresholds or none on both sides, .5 when only one side has one, 0 for different
 * ones.
 */
export function numberFeature(
  a: readonly number[],
  b: readonly number[],
  params: PairingParams = PAIRING_PARAMS,
): number {
  if (a.length === 0 && b.length === 0) return 1
  if (a.length === 0 || b.length === 0) return 0.5
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  const equal = (x: number, y: number): boolean =>
    Math.abs(x - y) <= params.strikeTolerance * Math.max(Math.abs(x), Math.abs(y))
  return shorter.every((x) => longer.some((y) => equal(x, y))) ? 1 : 0
}

/** e^(−days/30) of two instants. */
export const dateLikeness = (
  a: Millis,
  b: Millis,
  params: PairingParams = PAIRING_PARAMS,
): number => Math.exp(-Math.abs(a - b) / DAY / params.dateScaleDays)

function dateFeature(a: Fingerprint, b: Fingerprint, params: PairingParams): number {
  const [dayA, dayB] = [a.time.day, b.time.day]
  if (dayA !== null && dayB !== null) return dateLikeness(dayA, dayB, params)
  const sharedEnd =
    a.endTime === null || b.endTime === null ? null : dateLikeness(a.endTime, b.endTime, params)
  const namedDay = dayA ?? dayB
  const other = dayA === null ? a.endTime : b.endTime
  // A venue may close long after the deciding day, so the more similar reading counts.
  const dateSimilarity =
    namedDay === null || other === null ? null : dateLikeness(namedDay, other, params)
  if (sharedEnd === null && dateSimilarity === null) return params.unknownFeature
  return Math.max(sharedEnd ?? 0, dateSimilarity ?? 0)
}

/** The five features of a pair (methodology D7); symmetric. */
export function pairFeatures(
  a: Fingerprint,
  b: Fingerprint,
  weights: TitleWeights,
  params: PairingParams = PAIRING_PARAMS,
): PairFeatures {
  return {
    text: titleCosine(a.terms, b.terms, weights),
    entity: jaccardOf(a.entities, b.entities),
    number: numberFeature(a.strikes, b.strikes, params),
    date: dateFeature(a, b, params),
    price:
      a.mark === null || b.mark === null
        ? params.unknownFeature
        : 1 - Math.abs(a.mark - b.mark) / 100,
  }
}

/**
 * Uncalibrated probability that two markets ask the same question (Fellegi and Sunter 1969,
 * logistic).
 */
export function rawConfidence(
  features: PairFeatures,
  params: PairingParams = PAIRING_PARAMS,
): number {
  const { base, text, entity, number, date, price } = params.weights
  return sigmoid(
    base +
      text * features.text +
      entity * features.entity +
      number * features.number +
      date * features.date +
      price * features.price,
  )
}
