import type { Timeframe } from '../../backend/domain/prices/candle.ts'
import type { Command, Filter } from '../shell/commands/command.ts'
import type { ChartDrawings } from '../../backend/contract/charts/drawings.ts'
import type { Briefing } from '../../backend/contract/editorial.ts'
import type {
  Calendar,
  Calibration,
  EdgeList,
  Highlights,
  IdeaList,
} from '../../backend/contract/edges.ts'
import type {
  ContagionAnswer,
  Curves,
  LiquidityByTheme,
  OddsAnswer,
} from '../../backend/contract/indices.ts'
import type { Market } from '../../backend/contract/market.ts'
import type { PairPage } from '../../backend/contract/crossvenue.ts'
import type { QueryAnswer } from '../../backend/contract/query.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf } from './path.ts'
import { COMPUTED, textOf } from './queries.ts'
import { candles } from './series-queries.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { CandlesAnswer, ChangesAnswer } from '../../backend/contract/market-history.ts'
import type { Iso } from '../../backend/contract/schemas.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Updated daily: calendars, scorecards. */
const DAILY = { interval: 5 * MINUTE, cadence: HOUR }
/** Ideas are published twice a day. */
const IDEAS = { interval: 5 * MINUTE, cadence: 13 * HOUR }

const generatedAt = (body: { readonly generatedAt: Iso }): Iso => body.generatedAt

const topicOf = ({ subject }: Command): string | null =>
  subject?.kind === 'topic' ? subject.topic : null

/** Thrown when no route can answer a command; the message is for the user. */
export class UnsupportedQuery extends Error {}

/** The values of a filter that the route accepts with one operator, `>` or `<`. */
function boundsOf(filters: readonly Filter[], name: string, operator: '>' | '<'): number[] {
  return filters
    .filter((filter) => filter.name === name)
    .map(({ operator: filterOperator, value }) => {
      if (value.kind === 'number' && filterOperator.startsWith(operator)) return value.value
      const boundName = operator === '>' ? 'a lower' : 'an upper'
      throw new UnsupportedQuery(
        `${name} accepts ${boundName} bound only, such as ${name}${operator}5`,
      )
    })
}

/** The lower bound of a filter, for routes that take only that. @throws UnsupportedQuery */
export function minimumOf(filters: readonly Filter[], name: string): number | null {
  const bounds = boundsOf(filters, name, '>')
  return bounds.length === 0 ? null : Math.max(...bounds)
}

/** The upper bound of a filter, for routes that take only that. @throws UnsupportedQuery */
export function maximumOf(filters: readonly Filter[], name: string): number | null {
  const bounds = boundsOf(filters, name, '<')
  return bounds.length === 0 ? null : Math.min(...bounds)
}

export const edges = (command: Command): PolledQuery<EdgeList> => ({
  path: pathOf('/api/edges', {
    minStrength: minimumOf(command.filters, 'edge'),
    theme: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const ideas = (command: Command): PolledQuery<IdeaList> => ({
  path: pathOf('/api/public/ideas', {
    q: command.args['text'] ?? null,
    direction: textOf(command, 'side') === null ? null : `buy_${textOf(command, 'side') ?? ''}`,
    conviction: textOf(command, 'conviction'),
    category: textOf(command, 'category'),
    limit: 100,
    nextActions: 'off',
  }),
  ...IDEAS,
  timeOf: generatedAt,
})

export const highlights = (command: Command): PolledQuery<Highlights> => ({
  path: pathOf('/api/public/highlights', {
    topic: topicOf(command),
    category: textOf(command, 'category'),
    limit: 100,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const contagion = (command: Command): PolledQuery<ContagionAnswer> => ({
  path: pathOf('/api/public/contagion', {
    window: command.args['window'] ?? '6h',
    min_gap: minimumOf(command.filters, 'gap'),
    topic: topicOf(command),
    limit: 100,
    records: 'true',
    nextActions: 'off',
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const pairs = (command: Command): PolledQuery<PairPage> => ({
  path: pathOf('/api/public/cross-venue/pairs', {
    sort: command.args['sort'] ?? 'confidence',
    minConfidence: minimumOf(command.filters, 'conf'),
    minGap: minimumOf(command.filters, 'gap'),
    status: textOf(command, 'status'),
    topic: topicOf(command),
    limit: 500,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

/** A market with its book and its best match on the other venue, whatever the confidence. */
export const matchedMarket = (ticker: string, asOf: Iso | null = null): PolledQuery<Market> => ({
  path: pathOf('/api/public/market/:ticker', {
    ticker,
    depth: 'true',
    cv_preset: 'browse',
    nextActions: 'off',
    asOf,
  }),
  interval: 10_000,
  cadence: MINUTE,
  timeOf: ({ fetchedAt }) => fetchedAt,
})

/** Candles for the chart. A history of two prices is not available over the socket. */
export const pairCandles = (
  ticker: string,
  timeframe: Timeframe,
  asOf: Iso | null = null,
): PolledQuery<CandlesAnswer> => ({
  ...candles(ticker, timeframe, asOf),
  interval: MINUTE,
  streamedInterval: MINUTE,
})

export const curves = (command: Command): PolledQuery<Curves> => ({
  path: pathOf('/api/public/yield-curves', {
    shape: command.args['shape'] ?? null,
    topic: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const odds = (command: Command): PolledQuery<OddsAnswer> => ({
  path: pathOf('/api/public/odds', {
    band: command.args['band'] ?? null,
    category: textOf(command, 'category'),
    topic: topicOf(command),
    limit: 500,
  }),
  interval: MINUTE,
  cadence: 20 * MINUTE,
  timeOf: ({ asOf }) => asOf,
})

export const calibration = (command: Command): PolledQuery<Calibration> => ({
  path: pathOf('/api/public/calibration', {
    period: command.args['period'] ?? '30d',
    source: command.venue,
    category: textOf(command, 'category'),
    topic: topicOf(command),
    min_volume: minimumOf(command.filters, 'vol'),
  }),
  ...DAILY,
  timeOf: generatedAt,
})

export const liquidity = (command: Command): PolledQuery<LiquidityByTheme> => ({
  path: pathOf('/api/public/liquidity-by-theme', {
    q: command.args['text'] ?? null,
    category: textOf(command, 'category'),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

const daysAhead = (span: string): number => {
  const length = Number.parseInt(span, 10)
  const perDay = { m: 1_440, h: 24, d: 1 }[span.at(-1) ?? 'd'] ?? 1
  return Math.max(1, Math.ceil(length / perDay))
}

export const calendar = (
  command: Command,
  ticker: string | null,
  asOf: Iso | null = null,
): PolledQuery<Calendar> => ({
  path: pathOf('/api/public/calendar', {
    days: daysAhead(command.args['within'] ?? '30d'),
    kind: textOf(command, 'kind'),
    category: textOf(command, 'category'),
    topic: topicOf(command),
    ticker,
    limit: 500,
    asOf,
  }),
  ...DAILY,
  timeOf: generatedAt,
})

const DAY = 24 * HOUR

/**
 * Catalysts of a market from ninety days ago to nine months ahead.
 * @param today midnight UTC, so that the query stays the same for a day
 */
export const marketCatalysts = (
  ticker: string,
  today: number,
  asOf: Iso | null = null,
): PolledQuery<Calendar> => ({
  path: pathOf('/api/public/calendar', {
    ticker,
    from: new Date(today - 90 * DAY).toISOString(),
    days: 365,
    limit: 100,
    asOf,
  }),
  ...DAILY,
  timeOf: generatedAt,
})

/** How a market settled, while that is recent. */
export const marketResolution = (
  ticker: string,
  asOf: Iso | null = null,
): PolledQuery<ChangesAnswer> => ({
  path: pathOf('/api/changes', { since: '30d', type: 'resolved', ticker, limit: 10, asOf }),
  ...DAILY,
  timeOf: ({ to }) => to,
})

/** Changes of a market that a chart marks: the newest ones of a month. */
export const marketChanges = (ticker: string, asOf: Iso | null): PolledQuery<ChangesAnswer> => ({
  path: pathOf('/api/changes', { since: '30d', ticker, limit: 500, asOf }),
  interval: MINUTE,
  cadence: 5 * MINUTE,
  timeOf: ({ to }) => to,
})

/** The user's chart drawings. */
export const chartDrawings: PolledQuery<ChartDrawings> = {
  path: pathOf('/api/chart/drawings'),
  ...USER_QUERY,
  interval: 30_000,
  cadence: 2 * MINUTE,
}

export const briefing = (command: Command): PolledQuery<Briefing> => ({
  path: pathOf('/api/public/briefing', {
    topic: command.args['path'] ?? topicOf(command),
    window: command.args['window'] ?? '24h',
  }),
  interval: 5 * MINUTE,
  cadence: 20 * MINUTE,
  timeOf: generatedAt,
})

/** The longest question that the route accepts. */
const MAX_QUESTION_LENGTH = 500

/**
 * Fetched once and again when it may have changed, because the free tier allows few requests a
 * minute.
 */
export function answer(text: string): PolledQuery<QueryAnswer> {
  if (text.length < 2) throw new UnsupportedQuery('Type at least two characters')
  if (text.length > MAX_QUESTION_LENGTH) {
    throw new UnsupportedQuery(`A question has at most ${MAX_QUESTION_LENGTH} characters`)
  }
  return {
    path: pathOf('/api/public/query', { q: text, limit: 20, nextActions: 'off' }),
    interval: 10 * MINUTE,
    cadence: 15 * MINUTE,
    timeOf: ({ meta }) => meta.ts,
  }
}

/** The query for each verb that a single route answers. */
const BY_VERB: Readonly<
  Record<string, (command: Command, ticker: string | null, asOf: Iso | null) => PolledQuery<object>>
> = {
  EDGE: (command) => asQuery(edges(command)),
  IDEA: (command) => asQuery(ideas(command)),
  HIGH: (command) => asQuery(highlights(command)),
  CONT: (command) => asQuery(contagion(command)),
  XVP: (command) => asQuery(pairs(command)),
  XV: (_command, ticker, asOf) => {
    if (ticker === null) throw new UnsupportedQuery('Name a market first')
    return asQuery(matchedMarket(ticker, asOf))
  },
  YC: (command) => asQuery(curves(command)),
  ODDS: (command) => asQuery(odds(command)),
  CALIB: (command) => asQuery(calibration(command)),
  LIQ: (command) => asQuery(liquidity(command)),
  CAL: (command, ticker, asOf) => asQuery(calendar(command, ticker, asOf)),
  BRIEF: (command) => asQuery(briefing(command)),
  ASK: (command) => asQuery(answer(command.args['text'] ?? '')),
}
const asQuery = (query: unknown): PolledQuery<object> => query as PolledQuery<object>

/**
 * The query that answers a verb of the context engine; null for other verbs.
 * @throws UnsupportedQuery
 */
export const contextQuery = (
  command: Command,
  ticker: string | null,
  asOf: Iso | null,
): PolledQuery<object> | null => BY_VERB[command.verb]?.(command, ticker, asOf) ?? null

/** The query, or why it cannot be sent. */
export function queryOrMessage<T extends object>(
  createQuery: () => PolledQuery<T> | null,
): PolledQuery<T> | string | null {
  try {
    return createQuery()
  } catch (error) {
    if (error instanceof UnsupportedQuery) return error.message
    throw error
  }
}
