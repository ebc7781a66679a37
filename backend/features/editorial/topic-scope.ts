import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { TOPIC_GROUPS, TOPICS } from '../../domain/topics/topic-rules.ts'
import type { Topic, TopicGroup } from '../../domain/topics/topic-rules.ts'
import { titleSlug } from '../../domain/topics/topics.ts'
import type { Gauges } from '../../domain/world/gauges/index-reading.ts'
import { REGION_LIMITS, topicLabel } from '../../domain/world/regions/region.ts'
import { wordsOf } from '../../domain/text/tokens.ts'
import { InvalidInput } from '../../lib/errors.ts'

const isTopic = (key: string): key is Topic => TOPICS.includes(key as Topic)
/** Whether a key is one of the six groups. */
export const isGroup = (key: string): key is TopicGroup => Object.hasOwn(TOPIC_GROUPS, key)

/** Whether a slug is one of the ten topics or six groups. */
export const isTopicOrGroup = (slug: string): boolean => isTopic(slug) || isGroup(slug)

/** Topics and groups in the order of the tree. */
export const TOPIC_SLUGS: readonly string[] = [...TOPICS, ...Object.keys(TOPIC_GROUPS)]

/** A subset of the markets, selected by the rules of world paths. */
export interface TopicScope {
  readonly path: readonly string[]
  readonly label: string
  /** Key of its gauges in a snapshot; null for series and words. */
  readonly index: string | null
  readonly contains: (view: MarketView) => boolean
}

const EVERYTHING: TopicScope = { path: [], label: 'World', index: '', contains: () => true }

const matchesSegment = (segment: string) => {
  const words = wordsOf(segment.replaceAll('-', ' '))
  return ({ facts, topics }: MarketView): boolean => {
    if (facts.seriesId !== null && titleSlug(facts.seriesId) === segment) return true
    const texts = [facts.title, facts.subtitle ?? '', facts.eventTitle ?? '', ...topics]
    const present = new Set(wordsOf(texts.join('\n').slice(0, 4_000)))
    return words.length > 0 && words.every((word) => present.has(word))
  }
}

function stepOf(segment: string): TopicScope['contains'] {
  if (isTopic(segment)) return ({ topics }) => topics.includes(segment)
  if (isGroup(segment)) {
    const segmentTopics: readonly string[] = TOPIC_GROUPS[segment]
    return ({ topics }) => topics.some((topic) => segmentTopics.includes(topic))
  }
  return matchesSegment(segment)
}

/**
 * The scope of a topic: a topic, a group, a series or words; each segment narrows the previous
 * ones.
 * @param topic segments joined with `/`; null selects everything
 * @throws InvalidInput for more or longer segments than paths may have
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
    contains: (view) => steps.every((matches) => matches(view)),
  }
}

/** Active markets of a scope by dollar volume of the day, descending. */
export const marketsOf = (scope: TopicScope, boardView: BoardView): MarketView[] =>
  boardView
    .list(new Set(['active']))
    .filter(scope.contains)
    .sort(
      (a, b) =>
        (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) ||
        (a.facts.ticker < b.facts.ticker ? -1 : 1),
    )

const UNKNOWN: Gauges = { disagreement: null, geoRisk: null, breadth: null, activity: null }

/** Gauges of a scope in a snapshot; each is null if it is not stored. */
export function gaugesOf(scope: TopicScope, snapshot: ContextSnapshot | null): Gauges {
  const reading = scope.index === null ? undefined : snapshot?.indices.get(scope.index)
  if (reading === undefined) return UNKNOWN
  const { disagreement, geoRisk, breadth, activity } = reading
  return { disagreement, geoRisk, breadth, activity }
}
