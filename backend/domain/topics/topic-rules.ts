import rules from './topic-rules.json' with { type: 'json' }
import type { TopicRule } from './topic-matcher.ts'

/** Topics of the world tree. */
export type Topic =
  | 'iran'
  | 'oil'
  | 'fed-rate'
  | 'recession'
  | 'election-2026'
  | 'bitcoin'
  | 'ukraine'
  | 'china'
  | 'trump'
  | 'ai-tech'
/** Groups of the world tree. */
export type TopicGroup = 'geopolitics' | 'economy' | 'energy' | 'crypto' | 'tech' | 'politics'
/** Topics of market lists besides those of the tree. */
export type ListTopic = 'energy' | 'rates' | 'fx' | 'equities' | 'crypto' | 'volatility'

/** The children of the root in order, which is the order of `MarketRow.topics`. */
export const TOPICS: readonly Topic[] = [
  'iran',
  'oil',
  'fed-rate',
  'recession',
  'election-2026',
  'bitcoin',
  'ukraine',
  'china',
  'trump',
  'ai-tech',
]
export const LIST_TOPICS: readonly ListTopic[] = [
  'energy',
  'rates',
  'fx',
  'equities',
  'crypto',
  'volatility',
]
/** Names of topics and groups as people read them, everywhere. */
export const TOPIC_LABELS: Readonly<Record<Topic | TopicGroup | ListTopic, string>> = {
  iran: 'Iran',
  oil: 'Oil & Energy',
  'fed-rate': 'Fed & Rates',
  recession: 'Recession',
  'election-2026': '2026 Elections',
  bitcoin: 'Crypto',
  ukraine: 'Ukraine/Russia',
  china: 'China/Taiwan',
  trump: 'Trump',
  'ai-tech': 'AI & Tech',
  geopolitics: 'Geopolitics',
  economy: 'Economy',
  energy: 'Energy',
  crypto: 'Crypto',
  tech: 'Tech',
  politics: 'Politics',
  rates: 'Rates',
  fx: 'Currencies',
  equities: 'Equities',
  volatility: 'Volatility',
}
/** Groups and their topics in tree order. */
export const TOPIC_GROUPS: Readonly<Record<TopicGroup, readonly Topic[]>> = {
  geopolitics: ['iran', 'ukraine', 'china'],
  economy: ['fed-rate', 'recession'],
  energy: ['oil'],
  crypto: ['bitcoin'],
  tech: ['ai-tech'],
  politics: ['trump', 'election-2026'],
}
/** Keywords of the tree's topics, methodology C6. */
export const TOPIC_RULES: Readonly<Record<Topic, TopicRule>> = rules.tree

/** Keywords of the further list topics: words that name the traded asset itself. */
export const LIST_TOPIC_RULES: Readonly<Record<ListTopic, TopicRule>> = rules.lists
