import type { Grid } from '../../computed/grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { TOPIC_GROUPS, TOPICS } from '../../domain/topic-rules.ts'
import type { Topic, TopicGroup } from '../../domain/topic-rules.ts'
import { titleSlug } from '../../domain/topics.ts'
import type { Gauges } from '../../domain/world/index-reading.ts'
import { REGION_LIMITS, topicLabel } from '../../domain/world/region.ts'
import { wordsOf } from '../../domain/words.ts'
import { InvalidInput } from '../../lib/errors.ts'

const isTopic = (key: string): key is Topic => TOPICS.includes(key as Topic)
/** Whether a word is one of the six groups. */
export const isGroup = (key: string): key is TopicGroup => Object.hasOwn(TOPIC_GROUPS, key)

/** Whether a slug is one of the ten topics or six groups. */
export const isTopicOrGroup = (slug: string): boolean => isTopic(slug) || isGroup(slug)

/** Topics and groups in the order of the tree. */
export const TOPIC_SLUGS: readonly string[] = [...TOPICS, ...Object.keys(TOPIC_GROUPS)]

/** A part of the markets by the rules of world paths. */
export interface TopicScope {
  readonly path: readonly string[]
  readonly label: string
  /** Under which its gauges stand in a grid; null for series and words. */
  readonly index: string | null
  readonly holds: (view: MarketView) => boolean
}

const EVERYTHING: TopicScope = { path: [], label: 'World', index: '', holds: () => true }

const wordHolder = (segment: string) => {
  const words = wordsOf(segment.replaceAll('-', ' '))
  return ({ facts, topics }: MarketView): boolean => {
    if (facts.seriesId !== null && titleSlug(facts.seriesId) === segment) return true
    const texts = [facts.title, facts.subtitle ?? '', facts.eventTitle ?? '', ...topics]
    const present = new Set(wordsOf(texts.join('\n').slice(0, 4_000)))
    return words.length > 0 && words.every((word) => present.has(word))
  }
}

function stepOf(segment: string): TopicScope['holds'] {
  if (isTopic(segment)) return ({ topics }) => topics.includes(segment)
  if (isGroup(segment)) {
    const inside: readonly string[] = TOPIC_GROUPS[segment]
    return ({ topics }) => topics.some((topic) => inside.includes(topic))
  }
  return wordHolder(segment)
}

/**
 * The markets that a topic names: a topic, a group, a series or words; segments narrow one another.
 * @param topic segments joined with `/`; null is everything
 * @throws InvalidInput for more or longer segments than paths have
 */
export function scopeOf(topic: string | null): TopicScope {
  const path = (topic ?? '')
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
  if (path.length === 0) return EVERYTHING
  const { segments, segmentLength } = REGION_LIMITS
  if (path.length > segments || path.some((segment) => segment.length > segmentLength)) {
    throw new InvalidInput(
      `topic must have at most ${segments} segments of at most ${segmentLength} characters`,
    )
  }
  const steps = path.map(stepOf)
  const last = path.at(-1) ?? ''
  const [first = ''] = path
  const isDrill = path.length === 1 || (path.length === 2 && isGroup(first) && isTopic(last))
  return {
    path,
    label: isTopicOrGroup(last) ? topicLabel(last) : last.replaceAll('-', ' '),
    index: isDrill && isTopicOrGroup(last) ? last : null,
    holds: (view) => steps.every((holds) => holds(view)),
  }
}

/** Active markets of a scope, most dollars of the day first. */
export const marketsOf = (scope: TopicScope, snapshot: BoardSnapshot): MarketView[] =>
  snapshot
    .list(new Set(['active']))
    .filter(scope.holds)
    .sort(
      (a, b) =>
        (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) ||
        (a.facts.ticker < b.facts.ticker ? -1 : 1),
    )

const UNKNOWN: Gauges = { disagreement: null, geoRisk: null, breadth: null, activity: null }

/** Gauges of a scope as they stand in a grid; null each where none is kept. */
export function gaugesOf(scope: TopicScope, grid: Grid | null): Gauges {
  const reading = scope.index === null ? undefined : grid?.indices.get(scope.index)
  if (reading === undefined) return UNKNOWN
  const { disagreement, geoRisk, breadth, activity } = reading
  return { disagreement, geoRisk, breadth, activity }
}
