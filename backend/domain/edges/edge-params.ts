import type { ParamsOf } from '../params.ts'

/** Constants of edges, suggestions and ideas (methodology Part E). */
export const EDGE_PARAMS = {
  /** Minimum edge, cents. */
  minEdge: 1,
  /** Confidence of an edge whose thesis states none. */
  defaultConfidence: 0.6,
  /** Contracts at which an edge is priced. */
  size: 100,
  pairConfidence: 0.8,
  pairCloseDays: 90,
  /** A larger net between venues, cents, means that the questions or the data differ. */
  maxPairNet: 20,
  /** Violation by marks, in cents, from which a ladder is inconsistent. */
  softViolation: 1,
  attention: 2,
  riskPremium: { above: 90, below: 10 },
  suggestion: {
    /** Minimum executable edge in a market with thin liquidity. */
    thinEdge: 5,
    maxSpread: 15,
    minTau: 1 / 24,
    edge: 3,
    edgeConfidence: 0.3,
    adverse: 0.65,
    adverseEdge: 6,
    noiseHours: 24,
    noiseTimes: 2,
    catalystHours: 24,
    maxConfidence: 0.95,
    avoid: { base: 0.5, perRule: 0.1, max: 0.9 },
    wait: 0.4,
    monitor: 0.3,
    edgeScale: 5,
    kellyShare: 0.25,
    small: 0.02,
    medium: 0.05,
  },
  ideas: {
    perTheme: 2,
    max: 10,
    lifeHours: 12,
    high: { confidence: 0.6, edge: 6 },
    medium: 3,
    daysBelow: 7,
    weeksBelow: 60,
  },
} as const

export type EdgeParams = ParamsOf<typeof EDGE_PARAMS>
