import type { Urls } from '../../http/next-actions.ts'
import type { WorldSnapshot } from '../../computed/context-engine.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { oddsOf } from '../../computed/odds-questions.ts'
import { TOPIC_RULES } from '../../domain/topics/topic-rules.ts'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { cutText } from '../../domain/world/markdown/text.ts'
import { topicLabel } from '../../domain/world/regions/region.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Content, ContentStore } from './content.store.ts'
import { opinionsOf } from './opinion-writer.ts'
import type { TechnicalService } from './technicals.service.ts'
import { termBody } from './texts/term-markdown.ts'
import { SKILLS, TERMS } from './texts/texts.ts'
import { TOPIC_SLUGS } from './topic-scope.ts'

/** Number of market texts that are indexed: the strongest technicals, the most traded questions. */
const TECHNICALS = 200
const ANSWERS = 500
/** How long retired texts are kept for past instants. */
const RETENTION = (90 * DAY) as Millis
const OWNER = { topics: [], tickers: [], body: null } as const

const glossary = (): Content[] =>
  TERMS.map((term) => ({
    ...OWNER,
    kind: 'glossary',
    slug: term.slug,
    title: term.term,
    excerpt: term.short,
    words: [...term.aliases, ...term.fields, termBody(term)].join(' '),
  }))

const skills = (): Content[] =>
  SKILLS.map((skill) => ({
    ...OWNER,
    kind: 'skill',
    slug: skill.slug,
    title: skill.name,
    excerpt: skill.description,
    words: [skill.trigger, ...skill.tags].join(' '),
  }))

const topics = (): Content[] =>
  TOPIC_SLUGS.map((slug) => ({
    ...OWNER,
    kind: 'topic',
    slug,
    title: topicLabel(slug),
    excerpt: `Gauges, markets, movers and dates of ${topicLabel(slug)}.`,
    words: Object.hasOwn(TOPIC_RULES, slug)
      ? TOPIC_RULES[slug as keyof typeof TOPIC_RULES].keywords.join(' ')
      : '',
    topics: [slug],
  }))

/**
 * Keeps the text index in sync with the glossary, topics, skills, and each new world. A text is
 * published when it is stored; before that no search finds it.
 */
export function createContentIndexer(deps: {
  readonly content: ContentStore
  readonly technicals: Pick<TechnicalService, 'strongest'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly urls: Pick<Urls, 'baseUrl'>
}) {
  const { content, technicals, clock, log, urls } = deps
  let syncedAt: Millis | null = null
  let pendingWork: Promise<void> = Promise.resolve()

  const syncContent = async (snapshot: ContextSnapshot): Promise<void> => {
    const rows = await technicals.strongest(snapshot, TECHNICALS)
    await content.replaceKind(
      'technical',
      // Values that change by the hour are on the page only; the index describes the market.
      rows.map(({ view }) => ({
        kind: 'technical',
        slug: view.slug,
        title: `${cutText(view.facts.title, 120)}: technicals`,
        excerpt: view.facts.subtitle ?? view.facts.eventTitle ?? '',
        words: view.facts.eventTitle ?? '',
        topics: view.topics,
        tickers: [view.facts.ticker],
        body: null,
      })),
      clock.now(),
    )
    const questions = new Map(
      oddsOf(snapshot)
        .slice(0, ANSWERS)
        .filter(({ slug }) => slug !== '')
        .map((question) => [question.slug, question]),
    )
    await content.replaceKind(
      'answer',
      [...questions.values()].map(({ slug, title, leading, members }) => ({
        kind: 'answer',
        slug,
        title: cutText(title, 200),
        excerpt: leading.facts.eventTitle ?? '',
        words: '',
        topics: leading.topics,
        tickers: members.map(({ facts }) => facts.ticker),
        body: null,
      })),
      clock.now(),
    )
    await content.dropRetired((snapshot.at - RETENTION) as Millis)
  }

  const publishOpinions = async (worldSnapshot: WorldSnapshot): Promise<void> => {
    const { at } = worldSnapshot.world
    const midnight = Math.floor(at / DAY) * DAY
    const current = await content.list('opinion', clock.now())
    const writtenIds = new Set(
      current
        .filter(({ publishedAt }) => (publishedAt ?? 0) >= midnight)
        .flatMap((item) => item.topics),
    )
    for (const opinion of opinionsOf(worldSnapshot, writtenIds, urls)) {
      await content.publish(opinion, clock.now())
    }
  }

  const follow = async (worldSnapshot: WorldSnapshot): Promise<void> => {
    try {
      await publishOpinions(worldSnapshot)
      if (worldSnapshot.snapshot.at !== syncedAt) {
        await syncContent(worldSnapshot.snapshot)
        syncedAt = worldSnapshot.snapshot.at
      }
    } catch (error) {
      log.warn({ err: error }, 'the text index could not be updated with the world')
    }
  }

  return {
    /** Indexes the texts that ship with the service. */
    async open(): Promise<void> {
      await content.replaceKind('glossary', glossary(), null)
      await content.replaceKind('skill', skills(), null)
      await content.replaceKind('topic', topics(), null)
    },
    /** Updates the index for a new world; calls are processed in order. */
    publish(worldSnapshot: WorldSnapshot): Promise<void> {
      pendingWork = pendingWork.then(() => follow(worldSnapshot))
      return pendingWork
    },
    /** Resolves when no write is in progress. */
    settled: (): Promise<void> => pendingWork,
  }
}
