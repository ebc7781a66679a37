/** Constants of text answers (methodology I2 to I4). */
export const ANSWER_PARAMS = {
  /** Maximum words of an answer without a model. */
  maxWords: 90,
  maxFactors: 6,
  maxOutcomes: 3,
  /** Minimum daily move in cents that is large. */
  move: 5,
  /** Minimum daily move in cents of another market of the question that supports a side. */
  otherMove: 3,
  /** Minimum volume surprise, standard deviations. */
  surprise: 2,
  /** Days within which a close is a catalyst. */
  catalystDays: 30,
  /** Minimum price difference between venues for a factor, cents. */
  venueGap: 1,
  /** A wider spread is mentioned in the answer, cents. */
  spread: 5,
  /** Quotes older than this many minutes are mentioned in the answer. */
  maxAgeMinutes: 15,
  /** Minimum score of a sentence for a topic, and of a market for a sentence. */
  findingScore: 0.3,
  findingMarketScore: 0.5,
  maxFindings: 10,
  /** Minimum salience for an opinion. */
  opinionSalience: 0.4,
  /** Least dollars traded in a day in the market of an opinion. */
  opinionVolumeUsd: 100,
  /** Adverse move in cents that retracts an opinion. */
  opinionTakenBack: 5,
} as const
