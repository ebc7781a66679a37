import { stemmer } from 'stemmer'

/** Longer runs of letters are not English words. */
const MAX_WORD_LENGTH = 40

/**
 * Porter's stem of a lower-case English word: "elections", "election" and "elected" share one.
 * Words of up to two letters are returned unchanged.
 */
export const stemOf = (word: string): string =>
  word.length <= 2 || word.length > MAX_WORD_LENGTH ? word : stemmer(word)
