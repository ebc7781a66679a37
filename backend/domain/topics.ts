import { venueTags } from './market.ts'
import type { MarketFacts } from './market.ts'
import { matcherOf } from './topic-matcher.ts'
import { LIST_TOPIC_RULES, LIST_TOPICS, TOPIC_GROUPS, TOPIC_RULES, TOPICS } from './topic-rules.ts'
import type { ListTopic, Topic } from './topic-rules.ts'

const COMBINING = /\p{M}+/gu
const TITLE_SLUG_LENGTH = 60
/** No more of a text than this decides its slug. */
const READ_LENGTH = 400

const CATEGORY_ALIASES: ReadonlyMap<string, string> = new Map([
  ['elections', 'politics'],
  ['us-politics', 'politics'],
  ['climate', 'weather'],
  ['climate-and-weather', 'weather'],
  ['financials', 'finance'],
  ['science-and-technology', 'technology'],
  ['tech', 'technology'],
  ['entertainment', 'culture'],
  ['pop-culture', 'culture'],
])

const TREE_ORDER: readonly Topic[] = Object.values(TOPIC_GROUPS).flat()

const matchTopics = matcherOf(TOPIC_RULES)
const matchListTopics = matcherOf(LIST_TOPIC_RULES)

/** The texts of a market that topics are read from. */
export type TopicTexts = Pick<MarketFacts, 'title' | 'eventTitle' | 'seriesTitle' | 'tags'>

const fieldsOf = (texts: TopicTexts): string[] => [
  texts.title,
  texts.eventTitle ?? '',
  texts.seriesTitle ?? '',
  ...venueTags(texts),
]

interface MatchedTopics {
  readonly topics: readonly Topic[]
  readonly leading: Topic | null
}

/** Matching is dear, and the same texts are asked about in every grid. */
const matched = new WeakMap<TopicTexts, MatchedTopics>()

function matchedTopics(texts: TopicTexts): MatchedTopics {
  const known = matched.get(texts)
  if (known !== undefined) return known
  const hits = matchTopics(fieldsOf(texts))
  const found = { topics: TOPICS.filter((topic) => hits.has(topic)), leading: leadingTopic(hits) }
  matched.set(texts, found)
  return found
}

/** Every topic of the tree that a market is in, in root order. */
export const topicsOf = (texts: TopicTexts): readonly Topic[] => matchedTopics(texts).topics

/** The further list topics that a market is in; see `LIST_TOPICS`. */
export function listTopicsOf(texts: TopicTexts): ListTopic[] {
  const hits = matchListTopics(fieldsOf(texts))
  return LIST_TOPICS.filter((topic) => hits.has(topic))
}

/** Topics of the tree that a free text (a query, an article) touches, in root order. */
export const topicsOfText = (text: string): readonly Topic[] =>
  topicsOf({ title: text, eventTitle: null, seriesTitle: null, tags: [] })

/** The one theme of a market: the topic with most distinct keywords, ties by tree order; else its category. */
export const themeOf = (texts: TopicTexts & Pick<MarketFacts, 'category'>): string =>
  matchedTopics(texts).leading ?? texts.category

/** The theme of a free text, or null. */
export const themeOfText = (text: string): Topic | null => leadingTopic(matchTopics([text]))

function leadingTopic(hits: ReadonlyMap<Topic, number>): Topic | null {
  let best: Topic | null = null
  let most = 0
  for (const topic of TREE_ORDER) {
    const count = hits.get(topic) ?? 0
    if (count > most) [best, most] = [topic, count]
  }
  return best
}

/** Lower case without accents, every run of other characters one dash, none at the ends. */
const dashed = (text: string): string =>
  text
    .slice(0, READ_LENGTH)
    .normalize('NFKD')
    .replace(COMBINING, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The category of a venue's own word for it: «Climate and Weather» is `weather`; none is `other`. */
export function categoryOf(text: string | null): string {
  const word = dashed(text ?? '')
  return word === '' ? 'other' : (CATEGORY_ALIASES.get(word) ?? word)
}

/** A title as part of an address, at most 60 characters, cut at a dash; empty when nothing is left of it. */
export function titleSlug(title: string): string {
  const slug = dashed(title)
  if (slug.length <= TITLE_SLUG_LENGTH) return slug
  const border = slug.lastIndexOf('-', TITLE_SLUG_LENGTH)
  return slug.slice(0, border > 0 ? border : TITLE_SLUG_LENGTH)
}

/** Name of a market in page addresses: `<title-slug>-<venue-a|venue-b>-<ticker in lower case>`. */
export function slugOf(facts: Pick<MarketFacts, 'title' | 'venue' | 'ticker'>): string {
  const title = titleSlug(facts.title)
  const place = `${facts.venue.replace('_', '-')}-${facts.ticker.toLowerCase()}`
  return title === '' ? place : `${title}-${place}`
}
