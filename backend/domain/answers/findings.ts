import { TOPIC_RULES } from '../topics/topic-rules.ts'
import { TextIndex } from '../text/index-search.ts'
import { roundTo } from '../units.ts'
import { cutText } from '../world/markdown/text.ts'
import type { ParamsOf } from '../params.ts'
import { ANSWER_PARAMS } from './answer-params.ts'
import { textDirection } from './direction-lexicon.ts'

const MAX_SENTENCES = 1_000
const SENTENCE_LENGTH = 400
/** Rounding removes float noise from the term weights, so that equal sentences tie. */
const DECIMALS = 12

/** A sentence about a topic. */
export interface Finding {
  readonly claim: string
  /** Relative to the topic's best sentence, 0 to 1. */
  readonly relevance: number
  readonly topic: string
  readonly direction: 'up' | 'down' | 'unclear'
}

/** Sentences of a text, in order; long ones are truncated. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?…。！？])\s+|\n+/)
    .map((sentence) => cutText(sentence, SENTENCE_LENGTH))
    .filter((sentence) => sentence.length > 2)
    .slice(0, MAX_SENTENCES)

/** The search words of a topic, including the keywords of a topic of the tree. */
const topicText = (topic: string): string => {
  const key = topic.trim().toLowerCase()
  return Object.hasOwn(TOPIC_RULES, key)
    ? [key, ...TOPIC_RULES[key as keyof typeof TOPIC_RULES].keywords].join(' ')
    : topic
}

const DIRECTIONS = { 1: 'up', 0: 'unclear', '-1': 'down' } as const

/**
 * Sentences of a text about the topics, most relevant first, at most ten; each appears once, under
 * its best matching topic. Methodology I4.
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
    const hits = index.search(topicText(topic), (key) => key, params.findingScore)
    for (const [hitIndex, key] of hits.keys.entries()) {
      const relevance = roundTo((hits.scores[hitIndex] ?? 0) / hits.best, DECIMALS)
      const claim = sentences[key] ?? ''
      if (relevance < params.findingScore || relevance <= (best.get(key)?.relevance ?? 0)) continue
      best.set(key, { claim, relevance, topic, direction: DIRECTIONS[textDirection(claim)] })
    }
  }
  return [...best]
    .sort(([a, x], [b, y]) => y.relevance - x.relevance || a - b)
    .slice(0, params.maxFindings)
    .map(([, finding]) => finding)
}
