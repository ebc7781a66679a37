import { canonicalTicker, venueTags } from '../market.ts'
import type { MarketFacts } from '../market.ts'
import { matcherOf } from './topic-matcher.ts'
import { LIST_TOPIC_RULES, LIST_TOPICS, TOPIC_GROUPS, TOPIC_RULES, TOPICS } from './topic-rules.ts'
import type { ListTopic, Topic } from './topic-rules.ts'

const COMBINING = /\p{M}+/gu
const TITLE_SLUG_LENGTH = 60
/** Maximum length of a text that determines its slug. */
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
  ['economy', 'economics'],
  ['geopolitics', 'world'],
  ['companies', 'business'],
  ['earnings', 'business'],
])

const TREE_ORDER: readonly Topic[] = Object.values(TOPIC_GROUPS).flat()

const matchTopics = matcherOf(TOPIC_RULES)
const matchListTopics = matcherOf(LIST_TOPIC_RULES)

/** The texts of a market that determine its topics. */
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

/** Cached, because matching is expensive and every context snapshot matches the same texts. */
const matchCache = new WeakMap<TopicTexts, MatchedTopics>()

function matchedTopics(texts: TopicTexts): MatchedTopics {
  const existing = matchCache.get(texts)
  if (existing !== undefined) return existing
  const hits = matchTopics(fieldsOf(texts))
  const topicMatch = {
    topics: TOPICS.filter((topic) => hits.has(topic)),
    leading: leadingTopic(hits),
  }
  matchCache.set(texts, topicMatch)
  return topicMatch
}

/** All topics of the tree that a market belongs to, in root order. */
export const topicsOf = (texts: TopicTexts): readonly Topic[] => matchedTopics(texts).topics

/** The further list topics that a market belongs to; see `LIST_TOPICS`. */
export function listTopicsOf(texts: TopicTexts): ListTopic[] {
  const hits = matchListTopics(fieldsOf(texts))
  return LIST_TOPICS.filter((topic) => hits.has(topic))
}

/** Topics of the tree that match a free text (a query, an article), in root order. */
export const topicsOfText = (text: string): readonly Topic[] =>
  topicsOf({ title: text, eventTitle: null, seriesTitle: null, tags: [] })

/**
 * The single theme of a market: the topic with the most distinct keywords, ties by tree order;
 * otherwise its category.
 */
export const themeOf = (texts: TopicTexts & Pick<MarketFacts, 'category'>): string =>
  matchedTopics(texts).leading ?? texts.category

/** The theme of a free text; null when no topic matches. */
export const themeOfText = (text: string): Topic | null => leadingTopic(matchTopics([text]))

function leadingTopic(hits: ReadonlyMap<Topic, number>): Topic | null {
  let best: Topic | null = null
  let max = 0
  for (const topic of TREE_ORDER) {
    const count = hits.get(topic) ?? 0
    if (count > max) [best, max] = [topic, count]
  }
  return best
}

/** Lower case without accents; every run of other characters becomes one dash, none at the ends. */
const slugify = (text: string): string =>
  text
    .slice(0, READ_LENGTH)
    .normalize('NFKD')
    .replace(COMBINING, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/**
 * The normalised category of a venue's category: "Climate and Weather" is `weather`; none is
 * `other`.
 */
export function categoryOf(text: string | null): string {
  const topicSlug = slugify(text ?? '')
  return topicSlug === '' ? 'other' : (CATEGORY_ALIASES.get(topicSlug) ?? topicSlug)
}

/**
 * A title as part of an address, at most 60 characters, cut at a dash; empty when nothing remains.
 */
export function titleSlug(title: string): string {
  const slug = slugify(title)
  if (slug.length <= TITLE_SLUG_LENGTH) return slug
  const border = slug.lastIndexOf('-', TITLE_SLUG_LENGTH)
  return slug.slice(0, border > 0 ? border : TITLE_SLUG_LENGTH)
}

/** Name of a market in page addresses: `<title-slug>-<venue with a dash>-<ticker in lower case>`. */
export function slugOf(facts: Pick<MarketFacts, 'title' | 'venue' | 'ticker'>): string {
  const title = titleSlug(facts.title)
  const identifier = `${facts.venue.replace('_', '-')}-${facts.ticker.toLowerCase()}`
  return title === '' ? identifier : `${title}-${identifier}`
}

const TICKER_IN_SLUG = /(?:^|-)venue-[a-z]-(.+)$/

/** The ticker at the end of a market's slug; null for other texts. */
export function tickerInSlug(slug: string): string | null {
  const ticker = TICKER_IN_SLUG.exec(slug)?.[1]
  return ticker === undefined ? null : canonicalTicker(ticker)
}
