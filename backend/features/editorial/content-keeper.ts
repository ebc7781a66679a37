import type { WorldBucket } from '../../computed/context-engine.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import { oddsOf } from '../../computed/odds-questions.ts'
import { TOPIC_RULES } from '../../domain/topic-rules.ts'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { cutText } from '../../domain/world/text.ts'
import { topicLabel } from '../../domain/world/region.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Content, ContentStore } from './content.store.ts'
import { opinionsOf } from './opinion-writer.ts'
import { SKILLS } from './skill-records.ts'
import type { TechnicalReads } from './technicals.service.ts'
import { termBody } from './terms/term-markdown.ts'
import { TERMS } from './terms/terms.ts'
import { TOPIC_SLUGS } from './topic-scope.ts'

/** Texts of markets that are indexed: the strongest technicals, the most traded questions. */
const TECHNICALS = 200
const ANSWERS = 500
/** Retired texts are kept for past instants so long. */
const KEPT = (90 * DAY) as Millis
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
 * Keeps the index of texts in step with the glossary, the topics, the skills, and each new world. Texts
 * count as published when they are stored: before, nobody found them.
 */
export function createContentKeeper(deps: {
  readonly content: ContentStore
  readonly technicals: Pick<TechnicalReads, 'strongest'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}) {
  const { content, technicals, clock, log } = deps
  let gridAt: Millis | null = null
  let working: Promise<void> = Promise.resolve()

  const syncGrid = async (grid: Grid): Promise<void> => {
    const rows = await technicals.strongest(grid, TECHNICALS)
    await content.replaceKind(
      'technical',
      // What changes by the hour stands on the page: the index holds what a market is.
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
      oddsOf(grid)
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
    await content.dropRetired((grid.at - KEPT) as Millis)
  }

  const publishOpinions = async (bucket: WorldBucket): Promise<void> => {
    const { at } = bucket.world
    const midnight = Math.floor(at / DAY) * DAY
    const standing = await content.list('opinion', clock.now())
    const written = new Set(
      standing.filter(({ publishedAt }) => (publishedAt ?? 0) >= midnight).flatMap((item) => item.topics), // prettier-ignore
    )
    for (const opinion of opinionsOf(bucket, written)) {
      await content.publish(opinion, clock.now())
    }
  }

  const follow = async (bucket: WorldBucket): Promise<void> => {
    try {
      await publishOpinions(bucket)
      if (bucket.grid.at !== gridAt) {
        await syncGrid(bucket.grid)
        gridAt = bucket.grid.at
      }
    } catch (error) {
      log.warn({ err: error }, 'the index of texts could not follow the world')
    }
  }

  return {
    /** Indexes what comes with the service. */
    async open(): Promise<void> {
      await content.replaceKind('glossary', glossary(), null)
      await content.replaceKind('skill', skills(), null)
      await content.replaceKind('topic', topics(), null)
    },
    /** Follows a new world; one after the other. */
    note(bucket: WorldBucket): Promise<void> {
      working = working.then(() => follow(bucket))
      return working
    },
    /** Resolves when nothing is being written any more. */
    settled: (): Promise<void> => working,
  }
}
export type ContentKeeper = ReturnType<typeof createContentKeeper>
