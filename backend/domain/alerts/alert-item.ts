import { rarityOf } from '../text/bm25f.ts'
import { termsOf } from '../text/terms.ts'
import { containsAll, termsOfFilter } from '../text/word-filter.ts'
import { foldText } from '../text/tokens.ts'
import { DAY, type Millis } from '../units.ts'
import type { AlertCondition, AlertRule, WatchedKind, WatchedObject } from './alert-rule.ts'

export type AlertItemKind = 'news' | 'social' | 'bill' | 'opinion' | 'release' | 'action'

/** Something that was published and that an alert can fire for. */
export interface AlertItem {
  /** Unique among all items. */
  readonly id: string
  readonly kind: AlertItemKind
  readonly title: string
  readonly text: string
  readonly source: string
  readonly url: string | null
  /** When it was published. */
  readonly at: Millis
  readonly tickers: readonly string[]
  readonly topics: readonly string[]
  /** Ids of the series, release, bill or body that it belongs to. */
  readonly refs: readonly string[]
}

/** Conditions that fire once for each new item. */
export type ItemCondition = Exclude<AlertCondition, 'price_above' | 'price_below'>

/** Items and watched objects of a condition; contract/theses-portfolio.md 5. */
export const ITEM_CONDITIONS: Readonly<
  Record<
    ItemCondition,
    { readonly items: readonly AlertItemKind[]; readonly objects: readonly WatchedKind[] }
  >
> = {
  econ_release: { items: ['release'], objects: ['market', 'series', 'topic'] },
  gov_action: { items: ['action'], objects: ['market', 'bill', 'topic'] },
  semantic_match: {
    items: ['news', 'social', 'bill', 'opinion'],
    objects: ['market', 'topic', 'thesis', 'series', 'bill', 'query'],
  },
}

/** How long an item is remembered; older ones fire nothing. */
export const ITEM_MEMORY: Millis = (90 * DAY) as Millis
export const DEFAULT_SIMILARITY = 0.75
/** Characters of an item's text that are compared, after its title. */
const COMPARED_TEXT = 500

const termSet = (text: string): ReadonlySet<string> =>
  new Set(termsOf(text).map(({ term }) => term))

/**
 * Similarity of a rule's text and an item without a model, 0 to 1: the share of the text's terms
 * that the title or the first 500 characters contain, each weighted by its rarity among the items.
 */
export function similarityAmong(
  items: readonly AlertItem[],
): (match: string, item: AlertItem) => number {
  const termsIn = new Map(
    items.map(({ id, title, text }) => [id, termSet(`${title}\n${text.slice(0, COMPARED_TEXT)}`)]),
  )
  const holders = new Map<string, number>()
  for (const terms of termsIn.values()) {
    for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1)
  }
  return (match, { id }) => {
    const existing = termsIn.get(id)
    let [all, matchCount] = [0, 0]
    for (const term of termSet(match)) {
      const rarity = rarityOf(items.length, holders.get(term) ?? 0)
      all += rarity
      if (existing?.has(term) === true) matchCount += rarity
    }
    return all === 0 ? 0 : matchCount / all
  }
}

/** Whether an item meets the condition of a rule. */
export function itemMeets(
  rule: Pick<AlertRule, 'condition' | 'threshold' | 'match'>,
  object: Pick<WatchedObject, 'kind' | 'ref'>,
  item: AlertItem,
  similarity: (match: string, item: AlertItem) => number,
): boolean {
  const { condition, match } = rule
  if (condition === 'price_above' || condition === 'price_below') return false
  if (!ITEM_CONDITIONS[condition].items.includes(item.kind)) return false
  if (condition === 'semantic_match') {
    return similarity(match ?? '', item) >= (rule.threshold ?? DEFAULT_SIMILARITY)
  }
  const isNamed = (ref: string): boolean =>
    item.refs.some((id) => id.toLowerCase() === ref.toLowerCase())
  if (match !== null) {
    const terms = termsOfFilter(match)
    const isInText = condition === 'gov_action' && terms.length > 0
    return (
      isNamed(match) || (isInText && containsAll(foldText(`${item.title}\n${item.text}`), terms))
    )
  }
  if (object.kind === 'market') return item.tickers.includes(object.ref)
  if (object.kind === 'topic') return item.topics.includes(object.ref.toLowerCase())
  return isNamed(object.ref)
}
