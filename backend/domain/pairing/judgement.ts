import { DAY, roundTo } from '../units.ts'
import { calibrate, IDENTITY_CURVE } from './calibration.ts'
import type { CalibrationCurve } from './calibration.ts'
import { vetoesOf } from './conflicts.ts'
import type { PairVeto } from './conflicts.ts'
import { pairFeatures, rawConfidence } from './features.ts'
import type { PairFeatures } from './features.ts'
import type { Fingerprint } from './fingerprint.ts'
import { isInverted } from './orientation.ts'
import { PAIRING_PARAMS, PAIRING_PRESETS } from './params.ts'
import type { PairingParams } from './params.ts'
import { qualifiersOf } from './qualifiers.ts'
import type { PairQualifier } from './qualifiers.ts'
import { relationOf } from './relation.ts'
import type { PairRelation } from './relation.ts'
import { withEqualSpellings } from './spelling.ts'
import type { TitleWeights } from './title-weights.ts'

/** Curves for pairs without an objection, and for pairs with a veto. */
export interface PairCalibration {
  readonly clear: CalibrationCurve
  readonly vetoed: CalibrationCurve
}

export const UNCALIBRATED: PairCalibration = { clear: IDENTITY_CURVE, vetoed: IDENTITY_CURVE }

/** A person's decision on a pair after reading it. */
export interface PairReview {
  readonly equivalent: boolean
  readonly inverted: boolean
}

export interface PairJudgement {
  readonly features: PairFeatures
  readonly raw: number
  /** Probability that the pair pays on the same event (after inversion), 2 decimals. */
  readonly confidence: number
  readonly inverted: boolean
  readonly method: 'reviewed' | 'exact' | 'text'
  readonly relation: PairRelation
  readonly vetoes: readonly PairVeto[]
  readonly qualifiers: readonly PairQualifier[]
}

/** Inputs of a judgement besides the two fingerprints. */
export interface JudgementContext {
  readonly weights: TitleWeights
  readonly calibration?: PairCalibration
  readonly params?: PairingParams
  /** Correlation of 30 days of returns; null when unknown. */
  readonly correlation?: number | null
  readonly review?: PairReview | null
}

/**
 * A race that names no year is assumed to be the last election before its close. Where the other
 * names a day and closes with it, as for a later vote, that day counts for both.
 */
function withoutElection(
  market: Fingerprint,
  other: Fingerprint,
  params: PairingParams,
): Fingerprint {
  const { listedEnd, closeTime } = market
  if (listedEnd === null || other.listedEnd !== null || other.time.day === null) return market
  if (closeTime === null || other.closeTime === null) return market
  if (Math.abs(closeTime - other.closeTime) > params.qualifierDays * DAY) return market
  return { ...market, endTime: listedEnd, time: { ...market.time, years: other.time.years } }
}

/** Confidence of a pair with all objections (methodology D7). */
export function judgePair(
  left: Fingerprint,
  right: Fingerprint,
  context: JudgementContext,
): PairJudgement {
  const params = context.params ?? PAIRING_PARAMS
  const [first, second] = withEqualSpellings(left, right)
  const [a, b] = [withoutElection(first, second, params), withoutElection(second, first, params)]
  const calibration = context.calibration ?? UNCALIBRATED
  const features = pairFeatures(a, b, context.weights, params)
  const raw = rawConfidence(features, params)
  const vetoes = vetoesOf(a, b, params)
  const qualifiers = qualifiersOf(a, b, params)
  const review = context.review ?? null
  const inverted = review?.inverted ?? isInverted(a, b, context.correlation ?? null, params)
  const relation = relationOf(a, b, vetoes, qualifiers, inverted)
  const common = { features, raw, inverted, vetoes, qualifiers }
  if (review !== null) {
    const confidence = review.equivalent ? 1 : 0
    const judgedRelation = review.equivalent ? (inverted ? 'complement' : 'identity') : relation
    return { ...common, confidence, method: 'reviewed', relation: judgedRelation }
  }
  let confidence = calibrate(vetoes.length > 0 ? calibration.vetoed : calibration.clear, raw)
  if (vetoes.length > 0) confidence = Math.min(confidence, params.vetoCap)
  else if (qualifiers.length > 0) confidence = Math.min(confidence, params.qualifierCap)
  if (inverted) confidence *= params.invertedFactor
  const { text, entity, number, date } = features
  const isExact =
    entity === 1 &&
    number === 1 &&
    date === 1 &&
    text >= params.exactText &&
    vetoes.length + qualifiers.length === 0
  const method = isExact ? 'exact' : 'text'
  const isServed = confidence >= PAIRING_PRESETS.browse.confidence
  const isSame = relation === 'identity' || relation === 'complement'
  return {
    ...common,
    confidence: roundTo(confidence, 2),
    method,
    relation: isSame && !isServed ? 'overlap' : relation,
  }
}
