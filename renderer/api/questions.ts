import type { Timeframe } from '../../backend/domain/candle.ts'
import type { Command, Filter } from '../shell/command.ts'
import type { Question } from './source.svelte.ts'
import type {
  CandlePage,
  ChangesPage,
  Health,
  Iso,
  LiveTickers,
  MarketDetail,
  MarketHistory,
  MarketPage,
  ScanPage,
  ServiceStatus,
} from './types.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

type Parameters = Readonly<Record<string, string | number | null | undefined>>

/** A route with its query; absent parameters are left out. */
export function pathOf(route: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? route : `${route}?${text}`
}

const QUOTES = { every: 5 * SECOND, everyFed: null, cadence: MINUTE }
const ONE_MARKET = { every: 10 * SECOND, everyFed: MINUTE, cadence: MINUTE }
/** Lists change slowly, their prices are overlaid by `quotes`; a first start fills them in seconds. */
const LISTS = { every: 20 * SECOND, everyFed: MINUTE, cadence: 2 * MINUTE }

/** What is worked out on a schedule; methodology, data age, gives its cadence. */
export const COMPUTED = { every: 30 * SECOND, cadence: 15 * MINUTE }

const generatedAt = (body: { readonly generatedAt: Iso }): Iso => body.generatedAt

export const health: Question<Health> = {
  path: '/api/health',
  every: 5 * SECOND,
  everyFed: null,
  cadence: 15 * SECOND,
  timeOf: ({ time }) => time,
}

export const serviceStatus: Question<ServiceStatus> = {
  path: '/status?format=json',
  // A venue that is declared stale has to look so within five seconds, and the socket has no word for it.
  every: 4 * SECOND,
  cadence: MINUTE,
  timeOf: ({ updatedAt }) => updatedAt,
}

/** Prices of the most traded markets, in one answer for all panes. */
export const quotes: Question<LiveTickers> = {
  path: pathOf('/api/public/live-tickers', { limit: 500 }),
  ...QUOTES,
  timeOf: generatedAt,
}

/** Bars of a page of the chart, as many as the route gives. */
export const BARS_A_PAGE = 2000

const marketPath = (ticker: string, tail = ''): string =>
  `/api/public/market/${encodeURIComponent(ticker)}${tail}`

/** One market with the five best levels of its book. */
export const market = (ticker: string): Question<MarketDetail> => ({
  path: pathOf(marketPath(ticker), { depth: 'true', nextActions: 'off' }),
  ...ONE_MARKET,
  timeOf: ({ fetchedAt }) => fetchedAt,
})

export const candlesPath = (ticker: string, timeframe: Timeframe, before: Iso | null): string =>
  pathOf(marketPath(ticker, '/candles'), { timeframe, limit: BARS_A_PAGE, before })

/** The newest candles, a page of them. Their answer bears no time of its own: its arrival stands in. */
export const candles = (ticker: string, timeframe: Timeframe): Question<CandlePage> => ({
  path: candlesPath(ticker, timeframe, null),
  ...ONE_MARKET,
  // The topic tells the newest 500 bars, and each change of them.
  everyFed: null,
  timeOf: (_body, answeredAt) => answeredAt,
})

export const history = (ticker: string): Question<MarketHistory> => ({
  path: marketPath(ticker, '/history'),
  ...LISTS,
  timeOf: (_body, answeredAt) => answeredAt,
})

const topicOf = (command: Command): string | null =>
  command.subject?.kind === 'topic' ? command.subject.topic : null

/** The word that a filter asks for, null when it is not among the command's. */
export const textOf = (command: Command, name: string): string | null => {
  const filter = command.filters.find((known) => known.name === name)
  return filter?.value.kind === 'text' ? filter.value.text : null
}

export const changes = (command: Command, ticker: string | null): Question<ChangesPage> => ({
  path: pathOf('/api/changes', {
    since: command.args['since'] ?? '24h',
    type: textOf(command, 'type'),
    ticker,
    topic: topicOf(command),
    venue: command.venue,
    limit: 200,
  }),
  every: 15 * SECOND,
  cadence: MINUTE,
  timeOf: ({ to }) => to,
})

export const newMarkets = (command: Command): Question<MarketPage> => ({
  path: pathOf('/api/public/newmarkets', {
    since: command.args['since'] ?? '24h',
    topic: topicOf(command),
    category: textOf(command, 'category'),
    venue: command.venue,
    limit: 200,
  }),
  ...LISTS,
  timeOf: generatedAt,
})

/** Rising and falling markets are two ends of one order, so movers are two questions. */
export const movers = (command: Command): readonly [Question<MarketPage>, Question<MarketPage>] => {
  const half = (order: 'asc' | 'desc'): Question<MarketPage> => ({
    path: pathOf('/api/public/markets', {
      sort: 'change24h',
      order,
      topic: topicOf(command),
      category: textOf(command, 'category'),
      venue: command.venue,
      limit: 100,
      nextActions: 'off',
    }),
    ...LISTS,
    timeOf: generatedAt,
  })
  return [half('desc'), half('asc')]
}

/** Bounds that a numeric or date filter sets, as the two parameters of the routes. */
export function bounds(filter: Filter, low: string, high: string): Record<string, string | number> {
  const { operator, value } = filter
  if (value.kind === 'range') return { [low]: value.from, [high]: value.to }
  const end = value.kind === 'number' ? value.value : value.kind === 'date' ? value.day : null
  if (end === null) return {}
  if (operator === '=') return { [low]: end, [high]: end }
  return operator.startsWith('>') ? { [low]: end } : { [high]: end }
}

const BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  price: ['price_min', 'price_max'],
  vol24h: ['vol24h_min', 'vol24h_max'],
  vol: ['vol_min', 'vol_max'],
  expires: ['expires_after', 'expires_before'],
  days: ['tau_min_days', 'tau_max_days'],
}
/** Filters that only the ranked text search takes, and those that only the screen takes. */
const SCAN_ONLY = ['vol', 'expires']
const SCREEN_ONLY = ['days', 'category', 'topic']

/** Markets in a named state: only the plain list tells of others than active ones. */
function inState(command: Command, state: string): Question<MarketPage> | string {
  const others = command.filters.filter(
    ({ name }) => !['status', 'category', 'topic'].includes(name),
  )
  if (others.length > 0) {
    return `${others.map(({ name }) => name).join(' and ')} can be filtered among active markets only`
  }
  return {
    path: pathOf('/api/public/markets', {
      q: command.args['text'] ?? null,
      topic: topicOf(command) ?? textOf(command, 'topic'),
      category: textOf(command, 'category'),
      venue: command.venue,
      status: state,
      nextActions: 'off',
      limit: 500,
    }),
    ...LISTS,
    timeOf: generatedAt,
  }
}

/**
 * The list of SCAN by the route that can answer it: words are ranked by /scan, filters alone are
 * answered by /screen, another state than active and nothing at all by the plain list.
 * @returns a sentence instead when no one route takes the combination
 */
export function scan(command: Command): Question<MarketPage> | Question<ScanPage> | string {
  const state = textOf(command, 'status')
  if (state !== null && state !== 'active') return inState(command, state)
  const text = command.args['text'] ?? null
  const topic = topicOf(command) ?? textOf(command, 'topic')
  const names = command.filters.map(({ name }) => name)
  const ranges = Object.assign(
    {},
    ...command.filters.map((filter) => {
      const pair = BOUNDS[filter.name]
      return pair === undefined ? {} : bounds(filter, ...pair)
    }),
  ) as Record<string, string | number>
  const unanswerable = Object.keys(ranges).find((name) => /^vol(24h)?_max$/.test(name))
  if (unanswerable !== undefined) return 'Volume takes only a lower bound, such as vol24h>1000'
  const needsScan = names.filter((name) => SCAN_ONLY.includes(name))
  const needsScreen = [
    ...names.filter((name) => SCREEN_ONLY.includes(name)),
    ...(topic === null ? [] : ['topic']),
  ]
  const base = { ...LISTS, timeOf: generatedAt }
  if (text !== null && needsScreen.length === 0) {
    if (text.length < 2) return 'Type at least two characters to search'
    const subcent = command.flags.includes('subcent') ? 'true' : null
    const parameters = { q: text, limit: 50, venue: command.venue, include_subcent: subcent }
    return {
      path: pathOf('/api/public/scan', { ...parameters, ...ranges, nextActions: 'off' }),
      ...base,
    }
  }
  if (needsScan.length > 0) {
    return `${needsScan.join(' and ')} can be filtered only together with words, and without ${needsScreen.join(', ') || 'a topic'}`
  }
  const parameters = {
    topic,
    category: textOf(command, 'category'),
    venue: command.venue,
    nextActions: 'off',
  }
  const filtered = Object.keys(ranges).length > 0 || text !== null
  return filtered
    ? {
        path: pathOf('/api/public/screen', {
          keyword: text,
          ...parameters,
          ...ranges,
          sort: 'volume',
          limit: 200,
        }),
        ...base,
      }
    : { path: pathOf('/api/public/markets', { ...parameters, limit: 500 }), ...base }
}
