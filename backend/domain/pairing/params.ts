import type { ParamsOf } from '../params.ts'

/** Every constant of cross-venue pairing (methodology D7); sweeps vary them. */
export const PAIRING_PARAMS = {
  /** Weights of the logistic record linkage. */
  weights: { base: -8, text: 7, entity: 2, number: 2, date: 1.5, price: 0.5 },
  /** A term is rare when it occurs in a smaller share of the catalogue's titles… */
  rareShare: 0.01,
  /** …or in at most this many titles, for a small catalogue. */
  rareLeast: 10,
  /** Number of rare terms that two titles must share to be compared. */
  sharedRare: 2,
  /** Maximum comparisons per market, nearest by cosine. */
  candidates: 20,
  /** Maximum visited markets per market before the cosine, so that the cost stays n·k. */
  visits: 4_000,
  /** Markets whose close times are further apart are not compared. */
  closeDays: 400,
  /** Thresholds that differ by more than this share are different numbers. */
  strikeTolerance: 0.005,
  /** Decay constant for a difference of deadlines, in days. */
  dateScaleDays: 30,
  /** Named deadlines that are further apart belong to different questions. */
  vetoDays: 90,
  /** Named deadlines that are further apart belong to the same event with another settlement. */
  qualifierDays: 2,
  /** Hours between closes from which two questions on a day's price read different prices. */
  qualifierHours: 1,
  vetoCap: 0.49,
  qualifierCap: 0.74,
  /** Factor on an inverted pair's confidence. */
  invertedFactor: 0.95,
  /** Feature value when neither side is known. */
  unknownFeature: 0.5,
  /** Minimum text similarity for `method: exact`. */
  exactText: 0.9,
  /** Difference of the prices of one question from which data or match are probably wrong, cents. */
  suspectGap: 30,
  /** Correlation of 30 days of returns below which prices alone make two markets opposites. */
  oppositeCorrelation: -0.5,
} as const

export type PairingParams = ParamsOf<typeof PAIRING_PARAMS>

export type PairingPreset = 'arb' | 'world' | 'detail' | 'browse'

/** Minimum confidence of a preset and the maximum days between closes; null is any. */
export const PAIRING_PRESETS: Readonly<
  Record<PairingPreset, { readonly confidence: number; readonly closeDays: number | null }>
> = {
  arb: { confidence: 0.8, closeDays: 90 },
  world: { confidence: 0.75, closeDays: 180 },
  detail: { confidence: 0.6, closeDays: null },
  browse: { confidence: 0.5, closeDays: null },
}
