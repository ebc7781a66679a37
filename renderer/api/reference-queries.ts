import type { Command } from '../shell/commands/command.ts'
import { maximumOf, minimumOf, UnsupportedQuery } from './context-queries.ts'
import { pathOf } from './path.ts'
import { bounds, COMPUTED, textOf } from './queries.ts'
import type { DepthBars } from '../../backend/contract/market-tape.ts'
import type { MicrostructureAnswer } from '../../backend/contract/market-history.ts'
import type { Guide, SkillPage, Skills } from '../../backend/contract/reference.ts'
import type {
  OpinionPage,
  Opinions,
  TechPage,
  Technicals,
} from '../../backend/contract/editorial.ts'
import type { ScreenPage } from '../../backend/contract/markets.ts'
import type { TopicFeed } from '../../backend/contract/world-changes.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { Iso } from '../../backend/contract/schemas.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Texts that change only with a release. */
const FIXED = { interval: 30 * MINUTE, cadence: 24 * HOUR }

const arrival = (_body: object, answeredAt: Iso): Iso => answeredAt

const topicOf = ({ subject }: Command): string | null =>
  subject?.kind === 'topic' ? subject.topic : null

const daysOf = (span: string): number => {
  const perDay = { m: 1_440, h: 24, d: 1 }[span.at(-1) ?? 'd'] ?? 1
  return Math.max(1, Math.ceil(Number.parseInt(span, 10) / perDay))
}

/** Hourly figures of one market; the newest hour gives their age. */
export const microstructure = (
  ticker: string,
  span: string,
  asOf: string | null = null,
): PolledQuery<MicrostructureAnswer> => ({
  path: pathOf('/api/public/market-microstructure-history', {
    ticker,
    days: daysOf(span),
    limit: 500,
    asOf,
  }),
  interval: MINUTE,
  cadence: 2 * HOUR,
  timeOf: ({ points }, answeredAt) => points.at(-1)?.at ?? answeredAt,
})

/** The stored books of a market: five minutes of a day, hours of up to twelve days, else days. */
export const depthBars = (
  ticker: string,
  span: string,
  asOf: string | null = null,
): PolledQuery<DepthBars> => {
  const days = daysOf(span)
  const timeframe = days <= 1 ? '5m' : days <= 12 ? '1h' : '1d'
  const limit = { '5m': 288, '1h': 24 * days, '1d': Math.min(300, days) }[timeframe]
  return {
    path: pathOf('/api/public/market/:ticker/depth', { ticker, timeframe, limit, asOf }),
    interval: MINUTE,
    cadence: 2 * HOUR,
    timeOf: ({ bars }, answeredAt) => bars.at(-1)?.at ?? answeredAt,
  }
}

const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  iy: ['iy_min', 'iy_max'],
  or: ['or_min', 'or_max'],
  cri: ['cri_min', 'cri_max'],
  days: ['tau_min_days', 'tau_max_days'],
  price: ['price_min', 'price_max'],
}

export function screenQuery(command: Command): PolledQuery<ScreenPage> {
  const ranges = Object.assign(
    {},
    ...command.filters.map((filter) => {
      const pair = PAIRS[filter.name]
      return pair === undefined ? {} : bounds(filter, ...pair)
    }),
  ) as Record<string, string | number>
  return {
    path: pathOf('/api/public/screen', {
      sort: command.args['sort'] ?? null,
      topic: topicOf(command),
      category: textOf(command, 'category'),
      venue: command.venue,
      ee_min: minimumOf(command.filters, 'ee'),
      las_max: maximumOf(command.filters, 'las'),
      vol24h_min: minimumOf(command.filters, 'vol24h'),
      ...ranges,
      limit: 200,
      nextActions: 'off',
    }),
    ...COMPUTED,
    timeOf: ({ generatedAt }) => generatedAt,
  }
}

export const technicals = (command: Command): PolledQuery<Technicals> => ({
  path: pathOf('/api/public/technicals', {
    q: command.args['text'] ?? null,
    topic: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: ({ technicals: [first] }, answeredAt) => first?.asOf ?? answeredAt,
})

export const technical = (slug: string): PolledQuery<TechPage> => ({
  path: pathOf('/api/public/technicals/:slug', { slug }),
  ...COMPUTED,
  timeOf: ({ asOf }) => asOf,
})

export const opinions = (
  command: Command,
  ticker: string | null,
  asOf: Iso | null = null,
): PolledQuery<Opinions> => ({
  path: pathOf('/api/public/opinions', {
    q: command.args['text'] ?? null,
    topic: topicOf(command),
    ticker: command.subject === null || command.subject.kind === 'topic' ? null : ticker,
    limit: 100,
    asOf,
  }),
  ...COMPUTED,
  timeOf: arrival,
})

export const opinion = (slug: string, asOf: Iso | null = null): PolledQuery<OpinionPage> => ({
  path: pathOf('/api/public/opinions/:slug', { slug, asOf }),
  ...FIXED,
  timeOf: arrival,
})

export function topicFeed(command: Command): PolledQuery<TopicFeed> {
  const topic = command.args['path'] ?? topicOf(command)
  if (topic === null) throw new UnsupportedQuery('Name a topic first, such as FEED iran')
  return {
    path: pathOf('/api/agent/feed/:topic', {
      topic,
      since: command.args['since'] ?? '24h',
      limit: 100,
      format: 'json',
      nextActions: 'off',
    }),
    interval: 30_000,
    cadence: 15 * MINUTE,
    timeOf: arrival,
  }
}

export const guide = (intent: string | null): PolledQuery<Guide> => ({
  path: pathOf('/api/public/guide', { intent, nextActions: 'off' }),
  ...FIXED,
  timeOf: arrival,
})

export const skills: PolledQuery<Skills> = {
  path: pathOf('/api/public/skills', { limit: 200 }),
  ...FIXED,
  timeOf: arrival,
}

export const skill = (slug: string): PolledQuery<SkillPage> => ({
  path: pathOf('/api/public/skill/:slug', { slug }),
  ...FIXED,
  timeOf: arrival,
})

/** The body of a discussion request. @throws UnsupportedQuery when there is nothing to discuss */
export function discussionOf(command: Command, ticker: string | null): object {
  const question = command.args['text']
  const topic = topicOf(command)
  const market = command.subject === null || command.subject.kind === 'topic' ? null : ticker
  if (question !== undefined && question.length > 2000) {
    throw new UnsupportedQuery('A question has at most 2000 characters')
  }
  const body = {
    ...(question !== undefined && { question }),
    ...(topic !== null && { topic }),
    ...(market !== null && { ticker: market }),
  }
  if (Object.keys(body).length > 0) return body
  throw new UnsupportedQuery('Ask a question, or name a market or a topic')
}

const asQuery = (query: unknown): PolledQuery<object> => query as PolledQuery<object>

/**
 * The query that answers a verb of reference; null for other verbs.
 * @throws UnsupportedQuery
 */
export function referenceQuery(
  command: Command,
  ticker: string | null,
  asOf: Iso | null,
): PolledQuery<object> | null {
  const { args } = command
  switch (command.verb) {
    case 'MICRO':
      if (ticker === null) throw new UnsupportedQuery('Name a market first')
      return asQuery(microstructure(ticker, args['span'] ?? '7d', asOf))
    case 'SCREEN':
      return asQuery(screenQuery(command))
    case 'TECH':
      return asQuery(technicals(command))
    case 'OPIN':
      return asQuery(opinions(command, ticker, asOf))
    case 'FEED':
      return asQuery(topicFeed(command))
    case 'GUIDE':
      return asQuery(guide(args['intent'] ?? null))
    case 'SKILL':
      return asQuery(args['skill'] === undefined ? skills : skill(args['skill']))
    case 'DISC':
      throw new UnsupportedQuery('Open the discussion first, then save it from its pane')
    default:
      return null
  }
}
