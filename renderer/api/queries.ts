import { MOVER_FLOOR_PARAMS } from '../../backend/domain/world/mover-floor.ts'
import type { Command, Filter } from '../shell/commands/command.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { ChangesAnswer } from '../../backend/contract/market-history.ts'
import type { Health, Status } from '../../backend/contract/operations.ts'
import type { Iso } from '../../backend/contract/schemas.ts'
import type { LiveTickers, MarketPage, ScanAnswer } from '../../backend/contract/markets.ts'
import type { Market } from '../../backend/contract/market.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

const QUOTES = { interval: 5 * SECOND, streamedInterval: null, cadence: MINUTE }
export const ONE_MARKET = { interval: 10 * SECOND, streamedInterval: MINUTE, cadence: MINUTE }
/**
 * Lists change slowly and `quotes` overlays their prices; the first start fills them in seconds.
 */
export const LISTS = { interval: 20 * SECOND, streamedInterval: MINUTE, cadence: 2 * MINUTE }

/** Computed on a schedule; see the data ages in the methodology. */
export const COMPUTED = { interval: 30 * SECOND, cadence: 15 * MINUTE }

const generatedAt = (body: { readonly generatedAt: Iso }): Iso => body.generatedAt

export const health: PolledQuery<Health> = {
  path: pathOf('/api/health'),
  interval: 5 * SECOND,
  streamedInterval: null,
  cadence: 15 * SECOND,
  timeOf: ({ time }) => time,
}

export const serviceStatus: PolledQuery<Status> = {
  path: pathOf('/status', { format: 'json' }),
  // A stale venue has to be shown within five seconds, and no topic of the socket carries that
  // state.
  interval: 4 * SECOND,
  cadence: MINUTE,
  timeOf: ({ updatedAt }) => updatedAt,
}

/** Prices of the most traded markets, in one response for all panes. */
export const quotes: PolledQuery<LiveTickers> = {
  path: pathOf('/api/public/live-tickers', { limit: 500 }),
  ...QUOTES,
  timeOf: generatedAt,
}

/** One market with the five best levels of its book, now or at an instant. */
export const market = (ticker: string, asOf: Iso | null = null): PolledQuery<Market> => ({
  path: pathOf('/api/public/market/:ticker', { ticker, depth: 'true', nextActions: 'off', asOf }),
  ...ONE_MARKET,
  timeOf: ({ fetchedAt }) => fetchedAt,
})

const topicOf = (command: Command): string | null =>
  command.subject?.kind === 'topic' ? command.subject.topic : null

/** The value of a text filter; null when the command does not have it. */
export const textOf = (command: Command, name: string): string | null => {
  const filter = command.filters.find((candidate) => candidate.name === name)
  return filter?.value.kind === 'text' ? filter.value.text : null
}

export const changes = (
  command: Command,
  ticker: string | null,
  asOf: Iso | null = null,
): PolledQuery<ChangesAnswer> => ({
  path: pathOf('/api/changes', {
    since: command.args['since'] ?? '24h',
    type: textOf(command, 'type'),
    ticker,
    topic: topicOf(command),
    venue: command.venue,
    limit: 200,
    asOf,
  }),
  interval: 15 * SECOND,
  cadence: MINUTE,
  timeOf: ({ to }) => to,
})

/** Active markets by name. */
export const watchedMarketsQuery = (tickers: readonly string[]): PolledQuery<MarketPage> => ({
  path: pathOf('/api/public/markets', {
    tickers: tickers.join(','),
    limit: 100,
    nextActions: 'off',
  }),
  interval: 20_000,
  streamedInterval: MINUTE,
  cadence: 2 * MINUTE,
  timeOf: ({ generatedAt }) => generatedAt,
})

export const newMarkets = (command: Command): PolledQuery<MarketPage> => ({
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

/**
 * Gainers and losers are two ends of one ranking, so movers take two queries. Moves of
 * markets that hardly trade, and near the ends, are left out without the flag `thin`.
 */
export const movers = (
  command: Command,
): readonly [PolledQuery<MarketPage>, PolledQuery<MarketPage>] => {
  const { prices, volumeUsd } = MOVER_FLOOR_PARAMS
  const floor = { price_min: prices.min, price_max: prices.max, vol24h_min: volumeUsd }
  const rankingQuery = (order: 'asc' | 'desc'): PolledQuery<MarketPage> => ({
    path: pathOf('/api/public/markets', {
      sort: 'change24h',
      order,
      topic: topicOf(command),
      category: textOf(command, 'category'),
      venue: command.venue,
      ...(command.flags.includes('thin') ? {} : floor),
      limit: 100,
      nextActions: 'off',
    }),
    ...LISTS,
    timeOf: generatedAt,
  })
  return [rankingQuery('desc'), rankingQuery('asc')]
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
/** Filters that only the ranked text search accepts, and filters that only the screen accepts. */
const SCAN_ONLY = ['vol', 'expires']
const SCREEN_ONLY = ['days', 'category', 'topic']

/** Markets by status: only the plain list includes inactive ones. */
function inState(command: Command, state: string): PolledQuery<MarketPage> | string {
  const others = command.filters.filter(
    ({ name }) => !['status', 'category', 'topic'].includes(name),
  )
  if (others.length > 0) {
    return `${others.map(({ name }) => name).join(' and ')} can be used with active markets only`
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
 * The SCAN list by the route that can answer it: text goes to /scan, filters alone to /screen,
 * another status than active or no argument to the plain list.
 * @returns a sentence when no single route accepts the combination
 */
export function scan(command: Command): PolledQuery<MarketPage> | PolledQuery<ScanAnswer> | string {
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
  if (unanswerable !== undefined) return 'Volume accepts a lower bound only, such as vol24h>1000'
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
    return `${needsScan.join(' and ')} can be used only with search text and without ${needsScreen.join(', ') || 'a topic'}`
  }
  const parameters = {
    topic,
    category: textOf(command, 'category'),
    venue: command.venue,
    nextActions: 'off',
  }
  const isFiltered = Object.keys(ranges).length > 0 || text !== null
  return isFiltered
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
