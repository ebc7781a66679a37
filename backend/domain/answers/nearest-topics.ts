import { stemOf } from '../stem.ts'
import { TOPIC_RULES, TOPICS } from '../topic-rules.ts'
import type { Topic } from '../topic-rules.ts'
import { topicsOfText } from '../topics.ts'
import { cutText } from '../world/text.ts'
import { topicLabel } from '../world/region.ts'
import { wordsOf } from '../words.ts'

const NEAREST = 3

const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stemOf))
const KEYWORD_STEMS: ReadonlyMap<Topic, ReadonlySet<string>> = new Map(
  TOPICS.map((topic) => [topic, stemsOf([topic, ...TOPIC_RULES[topic].keywords].join(' '))]),
)

/** Topics of the tree nearest to a text: those it is in, then by shared stems, then in root order. */
export function nearestTopics(text: string, count = NEAREST): Topic[] {
  const inside = topicsOfText(text)
  const stems = stemsOf(text)
  const shared = (topic: Topic): number =>
    [...(KEYWORD_STEMS.get(topic) ?? [])].filter((stem) => stems.has(stem)).length
  const others = TOPICS.filter((topic) => !inside.includes(topic)).sort(
    (a, b) => shared(b) - shared(a),
  )
  return [...inside, ...others].slice(0, count)
}

/** The answer to a question that no open market is about. Methodology I2. */
export const noMatchText = (query: string): string => {
  const topics = nearestTopics(query).map(topicLabel).join(', ')
  return `No open market matches «${cutText(query, 80)}». Nearest topics: ${topics}.`
}
