import type { ParamsOf } from '../params.ts'

/** Constants of links and contagion (methodology D1 to D6). */
export const LINK_PARAMS = {
  /**
   * Prior response of j, in cents per cent of i; for exclusive outcomes it follows from their
   * prices.
   */
  priorBeta: { cross_venue: 1, ladder: 0.8, series_sibling: 0.5, thematic: 0.35 },
  confidence: { same_event_exclusive: 0.95, ladder: 0.9, series_sibling: 0.7, thematic: 0.5 },
  /** Minimum confidence of a cross-venue pair for a link. */
  pairConfidence: 0.6,
  /** Confidence from which a cross-venue pair is one question, as in the world's preset. */
  sameQuestion: 0.75,
  neighbours: 20,
  /** Number of linked periods of a series on each side. */
  seriesReach: 3,
  thematicEntities: 2,
  thematicCosine: 0.35,
  /** Weight of the prior in the response coefficient, in hours. */
  priorHours: 20,
  /** Minimum move of i, in cents, for an hour to count. */
  minMove: 1,
  maxBeta: 1.5,
  leadLag: {
    changeHours: 100,
    maxLag: 6,
    /** Multiple of 1/√n that a correlation must reach. */
    sigmas: 3,
    aboveLagZero: 0.05,
    falseDiscovery: 0.05,
    /** Compared markets per theme, most changes first. */
    perTheme: 40,
    confidenceBase: 0.4,
    confidenceShare: 0.4,
  },
  gap: {
    /** Minimum trigger move, gap and significance of a served gap. */
    trigger: 5,
    min: 5,
    z: 2,
    /** Floor of the volatility, cents per root hour. */
    volatilityFloor: 0.3,
    maxSpread: 10,
    freshHours: 24,
  },
  record: { proofFrom: 100, proofRate: 0.5 },
} as const

export type LinkParams = ParamsOf<typeof LINK_PARAMS>
