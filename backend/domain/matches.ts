import type { MarketFacts } from './market.ts'
import { foldText } from './words.ts'

/** Separates fields, and cannot be typed as part of a word. */
const FIELD_END = '\n'

/**
 * The text in which the words of a list's `q` or `keyword` must occur: title, subtitle, event title
 * and ticker, folded. Made once a version of the facts.
 */
export const haystackOf = (
  facts: Pick<MarketFacts, 'title' | 'subtitle' | 'eventTitle' | 'ticker'>,
): string =>
  foldText(
    [facts.title, facts.subtitle ?? '', facts.eventTitle ?? '', facts.ticker].join(FIELD_END),
  )

/** Words of a `q` or `keyword` as the lists read them: whatever stands between blanks, folded. */
export const wordsOfFilter = (text: string): string[] =>
  foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether every word occurs in a haystack; no words match anything. */
export const containsAll = (haystack: string, words: readonly string[]): boolean =>
  words.every((word) => haystack.includes(word))
