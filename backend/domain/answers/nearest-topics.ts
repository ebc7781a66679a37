import { stemOf } from '../text/stem.ts'
import { termsOf } from '../text/terms.ts'
import { TOPIC_RULES, TOPICS } from '../topics/topic-rules.ts'
import type { Topic } from '../topics/topic-rules.ts'
import { topicsOfText } from '../topics/topics.ts'
import { cutText } from '../world/markdown/text.ts'
import { topicLabel } from '../world/regions/region.ts'
import { wordsOf } from '../text/tokens.ts'

const NEAREST = 3

const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stemOf))
const KEYWORD_STEMS: ReadonlyMap<Topic, ReadonlySet<string>> = new Map(
  TOPICS.map((topic) => [topic, stemsOf([topic, ...TOPIC_RULES[topic].keywords].join(' '))]),
)

/**
 * Topics of the tree nearest to a text: those that contain it, then by shared stems, then in root
 * order.
 */
export function nearestTopics(text: string, count = NEAREST): Topic[] {
  const textTopics = topicsOfText(text)
  const stems = stemsOf(text)
  const sharedStems = (topic: Topic): number =>
    [...(KEYWORD_STEMS.get(topic) ?? [])].filter((stem) => stems.has(stem)).length
  const others = TOPICS.filter((topic) => !textTopics.includes(topic)).sort(
    (a, b) => sharedStems(b) - sharedStems(a),
  )
  return [...textTopics, ...others].slice(0, count)
}

/** Whether a text names anything of a topic. */
const isNearTopic = (text: string): boolean => {
  const stems = stemsOf(text)
  return (
    topicsOfText(text).length > 0 ||
    [...KEYWORD_STEMS.values()].some((keywords) => [...keywords].some((stem) => stems.has(stem)))
  )
}

/** A market near a question, with its differences. */
export interface NearQuestion {
  readonly title: string
  readonly differs: readonly string[]
}

/**
 * The answer to a question that no open market asks: the nearest markets with what differs,
 * otherwise the nearest topics. Methodology I2.
 */
export function noMatchText(query: string, nearest: readonly NearQuestion[] = []): string {
  const quotedQuery = `“${cutText(query, 80)}”`
  if (termsOf(query).length === 0) {
    return `${quotedQuery} has no subject. Name a person, place, event, date or number.`
  }
  if (nearest.length === 0) {
    const topics = nearestTopics(query).map(topicLabel).join(', ')
    return isNearTopic(query)
      ? `No open market matches ${quotedQuery}. Nearest topics: ${topics}.`
      : `No open market matches ${quotedQuery}, and no topic is near. Topics are, for example, ${topics}.`
  }
  const markets = nearest.map(
    ({ title, differs }) => `“${cutText(title, 80)}” – ${differs.slice(0, 2).join(', ')}`,
  )
  return `No open market asks ${quotedQuery}. Nearest: ${markets.join('; ')}.`
}
