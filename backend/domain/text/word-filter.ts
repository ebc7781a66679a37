import type { MarketFacts } from '../market.ts'
import { foldText } from './tokens.ts'

/** Separates fields; it cannot be typed as part of a word. */
const FIELD_END = '\n'

/**
 * The text in which the words of a list's `q` or `keyword` must occur: title, subtitle, event title
 * and ticker, folded. Built once per version of the facts.
 */
export const haystackOf = (
  facts: Pick<MarketFacts, 'title' | 'subtitle' | 'eventTitle' | 'ticker'>,
): string =>
  foldText(
    [facts.title, facts.subtitle ?? '', facts.eventTitle ?? '', facts.ticker].join(FIELD_END),
  )

/** Words of a `q` or `keyword` filter: separated by spaces, folded. */
export const termsOfFilter = (text: string): string[] =>
  foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether every word occurs in a haystack; an empty list matches anything. */
export const containsAll = (haystack: string, terms: readonly string[]): boolean =>
  terms.every((word) => haystack.includes(word))
