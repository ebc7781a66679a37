import type { MarketView } from './market-board.ts'
import type { MarketFacts, Venue } from '../../domain/market.ts'
import { containsAll, haystackOf, termsOfFilter } from '../../domain/text/word-filter.ts'
import { categoryOf, listTopicsOf } from '../../domain/topics/topics.ts'

/** Filter of a list of markets; null fields match everything. */
export interface MarketFilter {
  readonly words: string | null
  readonly topic: string | null
  readonly category: string | null
  readonly venue: Venue | null
}

/** Values derived from a version of the facts are computed once for it. */
const haystacks = new WeakMap<MarketFacts, string>()
const listTopics = new WeakMap<MarketFacts, readonly string[]>()

function memoize<T>(memory: WeakMap<MarketFacts, T>, facts: MarketFacts, make: () => T): T {
  const existing = memory.get(facts)
  if (existing !== undefined) return existing
  const newValue = make()
  memory.set(facts, newValue)
  return newValue
}

/**
 * Whether a market passes: every word occurs in title, subtitle, event title or ticker; a topic
 * matches by name in any case and a category also by a venue's name for it; an unknown name matches
 * no market.
 */
export function passes(
  filter: MarketFilter,
): (view: Pick<MarketView, 'facts' | 'topics'>) => boolean {
  const terms = termsOfFilter(filter.words ?? '')
  const topic = filter.topic?.toLowerCase() ?? null
  const category = filter.category === null ? null : categoryOf(filter.category)
  return ({ facts, topics }) => {
    if (filter.venue !== null && facts.venue !== filter.venue) return false
    if (category !== null && categoryOf(facts.category) !== category) return false
    if (topic !== null && !topics.includes(topic)) {
      const wider = memoize(listTopics, facts, () => listTopicsOf(facts))
      if (!wider.includes(topic)) return false
    }
    return (
      terms.length === 0 ||
      containsAll(
        memoize(haystacks, facts, () => haystackOf(facts)),
        terms,
      )
    )
  }
}
