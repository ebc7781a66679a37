import type { Timeframe } from '../../backend/domain/candle.ts'
import type { Command, Filter } from '../shell/command.ts'
import type {
  Briefing,
  Calendar,
  Calibration,
  ContagionList,
  CurveList,
  EdgeList,
  HighlightList,
  IdeaList,
  LiquidityList,
  MatchedMarket,
  OddsList,
  PairPage,
  QueryAnswer,
} from './context-types.ts'
import { candles, COMPUTED, pathOf, textOf } from './questions.ts'
import type { Question } from './source.svelte.ts'
import type { CandlePage, ChangesPage, Iso } from './types.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What changes with the day: calendars, scorecards. */
const DAILY = { every: 5 * MINUTE, cadence: HOUR }
/** Ideas are published anew twice a day. */
const IDEAS = { every: 5 * MINUTE, cadence: 13 * HOUR }

const generatedAt = (body: { readonly generatedAt: Iso }): Iso => body.generatedAt

const topicOf = ({ subject }: Command): string | null =>
  subject?.kind === 'topic' ? subject.topic : null

/** Thrown when a command asks what its route cannot be asked; the message is for the reader. */
export class Unanswerable extends Error {}

/** The least value that a filter sets; a route that knows no other end takes it as a parameter. */
export function leastOf(filters: readonly Filter[], name: string): number | null {
  const filter = filters.find((known) => known.name === name)
  if (filter === undefined) return null
  const { operator, value } = filter
  if (value.kind !== 'number' || !operator.startsWith('>')) {
    throw new Unanswerable(`${name} takes only a lower bound, such as ${name}>5`)
  }
  return value.value
}

export const edges = (command: Command): Question<EdgeList> => ({
  path: pathOf('/api/edges', {
    minStrength: leastOf(command.filters, 'edge'),
    theme: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const ideas = (command: Command): Question<IdeaList> => ({
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

export const highlights = (command: Command): Question<HighlightList> => ({
  path: pathOf('/api/public/highlights', {
    topic: topicOf(command),
    category: textOf(command, 'category'),
    limit: 100,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const contagion = (command: Command): Question<ContagionList> => ({
  path: pathOf('/api/public/contagion', {
    window: command.args['window'] ?? '6h',
    min_gap: leastOf(command.filters, 'gap'),
    topic: topicOf(command),
    limit: 100,
    records: 'true',
    nextActions: 'off',
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const pairs = (command: Command): Question<PairPage> => ({
  path: pathOf('/api/public/cross-venue/pairs', {
    sort: command.args['sort'] ?? 'confidence',
    minConfidence: leastOf(command.filters, 'conf'),
    minGap: leastOf(command.filters, 'gap'),
    status: textOf(command, 'status'),
    topic: topicOf(command),
    limit: 500,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

const marketRoute = (ticker: string): string => `/api/public/market/${encodeURIComponent(ticker)}`

/** A market with its book and its surest counterpart on the other venue, however unsure. */
export const matchedMarket = (ticker: string): Question<MatchedMarket> => ({
  path: pathOf(marketRoute(ticker), {
    ...{ depth: 'true', cv_preset: 'browse', nextActions: 'off' },
  }),
  ...{ every: 10_000, cadence: MINUTE },
  timeOf: ({ fetchedAt }) => fetchedAt,
})

/** Candles as the chart asks them; a history of two prices need not be told by the socket. */
export const pairCandles = (ticker: string, timeframe: Timeframe): Question<CandlePage> => ({
  ...candles(ticker, timeframe),
  every: MINUTE,
  everyFed: MINUTE,
})

export const curves = (command: Command): Question<CurveList> => ({
  path: pathOf('/api/public/yield-curves', {
    shape: command.args['shape'] ?? null,
    topic: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  ...COMPUTED,
  timeOf: generatedAt,
})

export const odds = (command: Command): Question<OddsList> => ({
  path: pathOf('/api/public/odds', {
    band: command.args['band'] ?? null,
    category: textOf(command, 'category'),
    topic: topicOf(command),
    limit: 500,
  }),
  ...{ every: MINUTE, cadence: 20 * MINUTE },
  timeOf: ({ asOf }) => asOf,
})

export const calibration = (command: Command): Question<Calibration> => ({
  path: pathOf('/api/public/calibration', {
    period: command.args['period'] ?? '30d',
    source: command.venue,
    category: textOf(command, 'category'),
    topic: topicOf(command),
    min_volume: leastOf(command.filters, 'vol'),
  }),
  ...DAILY,
  timeOf: generatedAt,
})

export const liquidity = (command: Command): Question<LiquidityList> => ({
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

export const calendar = (command: Command, ticker: string | null): Question<Calendar> => ({
  path: pathOf('/api/public/calendar', {
    days: daysAhead(command.args['within'] ?? '30d'),
    kind: textOf(command, 'kind'),
    category: textOf(command, 'category'),
    topic: topicOf(command),
    ticker,
    limit: 500,
  }),
  ...DAILY,
  timeOf: generatedAt,
})

const DAY = 24 * HOUR

/**
 * What decides one market: of the last ninety days, and of nine months ahead.
 * @param today midnight in UTC, so that the question stays the same for a day
 */
export const marketCatalysts = (ticker: string, today: number): Question<Calendar> => ({
  path: pathOf('/api/public/calendar', {
    ...{ ticker, from: new Date(today - 90 * DAY).toISOString(), days: 365, limit: 100 },
  }),
  ...DAILY,
  timeOf: generatedAt,
})

/** How a market was decided, while that is recent. */
export const marketResolution = (ticker: string): Question<ChangesPage> => ({
  path: pathOf('/api/changes', { since: '30d', type: 'resolved', ticker, limit: 10 }),
  ...DAILY,
  timeOf: ({ to }) => to,
})

export const briefing = (command: Command): Question<Briefing> => ({
  path: pathOf('/api/public/briefing', {
    topic: command.args['path'] ?? topicOf(command),
    window: command.args['window'] ?? '24h',
  }),
  ...{ every: 5 * MINUTE, cadence: 20 * MINUTE },
  timeOf: generatedAt,
})

/** The longest question that the route takes. */
const LONGEST_QUESTION = 500

/** Asked once and again when it may have changed: few questions a minute are free. */
export function answer(text: string): Question<QueryAnswer> {
  if (text.length < 2) throw new Unanswerable('Type at least two characters')
  if (text.length > LONGEST_QUESTION) {
    throw new Unanswerable(`A question has at most ${LONGEST_QUESTION} characters`)
  }
  return {
    path: pathOf('/api/public/query', { q: text, limit: 20, nextActions: 'off' }),
    ...{ every: 10 * MINUTE, cadence: 15 * MINUTE },
    timeOf: ({ meta }) => meta.ts,
  }
}

/** The question behind each verb that one route answers. */
const BY_VERB: Readonly<
  Record<string, (command: Command, ticker: string | null) => Question<object>>
> = {
  EDGE: (command) => of(edges(command)),
  IDEA: (command) => of(ideas(command)),
  HIGH: (command) => of(highlights(command)),
  CONT: (command) => of(contagion(command)),
  XVP: (command) => of(pairs(command)),
  XV: (_command, ticker) => {
    if (ticker === null) throw new Unanswerable('Name a market first')
    return of(matchedMarket(ticker))
  },
  YC: (command) => of(curves(command)),
  ODDS: (command) => of(odds(command)),
  CALIB: (command) => of(calibration(command)),
  LIQ: (command) => of(liquidity(command)),
  CAL: (command, ticker) => of(calendar(command, ticker)),
  BRIEF: (command) => of(briefing(command)),
  ASK: (command) => of(answer(command.args['text'] ?? '')),
}
const of = (question: unknown): Question<object> => question as Question<object>

/**
 * The one question that answers a verb of the context engine; null for other verbs.
 * @throws Unanswerable
 */
export const contextQuestion = (command: Command, ticker: string | null): Question<object> | null =>
  BY_VERB[command.verb]?.(command, ticker) ?? null

/** The question, or why it cannot be asked. */
export function asked<T extends object>(
  make: () => Question<T> | null,
): Question<T> | string | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof Unanswerable) return error.message
    throw error
  }
}
