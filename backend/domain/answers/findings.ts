import { TOPIC_RULES } from '../topic-rules.ts'
import { TextIndex } from '../text-search.ts'
import { roundTo } from '../units.ts'
import { cutText } from '../world/text.ts'
import type { ParamsOf } from '../params.ts'
import { ANSWER_PARAMS } from './answer-params.ts'
import { textDirection } from './direction-lexicon.ts'

const MOST_SENTENCES = 1_000
const SENTENCE_LENGTH = 400
/** The rarity of a topic's words leaves noise beyond, which would tell equal sentences apart. */
const DECIMALS = 12

/** A sentence that speaks of a topic. */
export interface Finding {
  readonly claim: string
  /** Share of the topic's best sentence, 0 to 1. */
  readonly relevance: number
  readonly topic: string
  readonly direction: 'up' | 'down' | 'unclear'
}

/** Sentences of a text, in order; long ones are cut. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…。！？])\s+|\n+/)
    .map((sentence) => cutText(sentence, SENTENCE_LENGTH))
    .filter((sentence) => sentence.length > 2)
    .slice(0, MOST_SENTENCES)

/** The words that stand for a topic: of one of the tree its keywords too. */
const wordsOfTopic = (topic: string): string => {
  const key = topic.trim().toLowerCase()
  return Object.hasOwn(TOPIC_RULES, key)
    ? [key, ...TOPIC_RULES[key as keyof typeof TOPIC_RULES].keywords].join(' ')
    : topic
}

const DIRECTIONS = { 1: 'up', 0: 'unclear', '-1': 'down' } as const

/**
 * Sentences of a text that speak of topics, most relevant first, at most ten; each stands once, under
 * the topic that it fits best. Methodology I4.
 */
export function findingsIn(
  content: string,
  topics: readonly string[],
  params: ParamsOf<typeof ANSWER_PARAMS> = ANSWER_PARAMS,
): Finding[] {
  const sentences = sentencesOf(content)
  const index = new TextIndex()
  for (const [key, title] of sentences.entries()) {
    index.put(key, { title, subtitle: '', tags: [], eventTitle: '', rules: '' })
  }
  const best = new Map<number, Finding>()
  for (const topic of topics) {
    const hits = index.search(wordsOfTopic(topic), (key) => key, params.findingScore)
    for (const [hit, key] of hits.keys.entries()) {
      const relevance = roundTo((hits.scores[hit] ?? 0) / hits.best, DECIMALS)
      const claim = sentences[key] ?? ''
      if (relevance < params.findingScore || relevance <= (best.get(key)?.relevance ?? 0)) continue
      best.set(key, { claim, relevance, topic, direction: DIRECTIONS[textDirection(claim)] })
    }
  }
  return [...best]
    .sort(([a, x], [b, y]) => y.relevance - x.relevance || a - b)
    .slice(0, params.mostFindings)
    .map(([, finding]) => finding)
}
