/** Constants of text answers (methodology I2 to I4). */
export const ANSWER_PARAMS = {
  /** Words of an answer without a model. */
  mostWords: 90,
  mostFactors: 6,
  mostOutcomes: 3,
  /** Cents in a day that make a large move. */
  move: 5,
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
} as const
