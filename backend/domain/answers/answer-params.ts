/** Constants of text answers (methodology I2 to I4). */
export const ANSWER_PARAMS = {
  /** Words of an answer without a model. */
  mostWords: 90,
  mostFactors: 6,
  mostOutcomes: 3,
  /** Cents in a day that make a large move. */
  move: 5,
  /** Cents in a day by which another market of the question speaks for a side. */
  otherMove: 3,
  /** Standard deviations of volume that make a surprise. */
  surprise: 2,
  /** Days within which a close is a catalyst. */
  catalystDays: 30,
  /** Cents between venues worth a factor. */
  venueGap: 1,
  /** A wider spread is named with the answer, cents. */
  spread: 5,
  /** Quotes older than so many minutes are named with the answer. */
  mostAgeMinutes: 15,
  /** Least score of a sentence against a topic, and of a market against a sentence. */
  findingScore: 0.3,
  findingMarketScore: 0.5,
  mostFindings: 10,
  /** Least salience that is worth an opinion. */
  opinionSalience: 0.4,
  /** Cents against it that take an opinion back. */
  opinionTakenBack: 5,
} as const
