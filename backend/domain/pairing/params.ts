import type { ParamsOf } from '../params.ts'

/** Every constant of cross-venue pairing (methodology D7); sweeps vary them. */
export const PAIRING_PARAMS = {
  /** Weights of the logistic record linkage. */
  weights: { base: -8, text: 7, entity: 2, number: 2, date: 1.5, price: 0.5 },
  /** A term in fewer of the catalogue's titles than this is rare… */
  rareShare: 0.01,
  /** …and so is one in no more titles than this, where the catalogue is small. */
  rareLeast: 10,
  /** Rare terms that two titles must share to be compared. */
  sharedRare: 2,
  /** Compared no further than this per market, by cosine. */
  candidates: 20,
  /** Markets looked at per market before the cosine, so that the cost stays n·k. */
  visits: 4_000,
  /** Close times further apart are not compared. */
  closeDays: 400,
  /** Thresholds further apart than this share are different numbers. */
  strikeTolerance: 0.005,
  /** Days over which a difference of deadlines fades by e. */
  dateScaleDays: 30,
  /** Named deadlines further apart than this are another question. */
  vetoDays: 90,
  /** Named deadlines further apart than this are the same event with another settlement. */
  qualifierDays: 2,
  /** Hours between the closes of two questions on a day's price from which they read different prices. */
  qualifierHours: 1,
  vetoCap: 0.49,
  qualifierCap: 0.74,
  /** What an inverted pair's confidence is multiplied with. */
  invertedFactor: 0.95,
  /** Feature of what is not known on either side. */
  unknownFeature: 0.5,
  /** `method: exact` from this text similarity on. */
  exactText: 0.9,
  /** Correlation of 30 days of returns from which prices alone say that two markets are opposites. */
  oppositeCorrelation: -0.5,
} as const

export type PairingParams = ParamsOf<typeof PAIRING_PARAMS>

export type PairingPreset = 'arb' | 'world' | 'detail' | 'browse'

/** Least confidence of a preset and the most days between closes; null is any. */
export const PAIRING_PRESETS: Readonly<
  Record<PairingPreset, { readonly confidence: number; readonly closeDays: number | null }>
> = {
  arb: { confidence: 0.8, closeDays: 90 },
  world: { confidence: 0.75, closeDays: 180 },
  detail: { confidence: 0.6, closeDays: null },
  browse: { confidence: 0.5, closeDays: null },
}
