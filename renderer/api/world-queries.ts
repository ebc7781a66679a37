import type { Command, Filter } from '../shell/commands/command.ts'
import { TOPICS } from '../shell/commands/commands.ts'
import { pathOf } from './path.ts'
import type { Path } from './path.ts'
import { bounds, COMPUTED, textOf } from './queries.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { Iso } from '../../backend/contract/schemas.ts'
import type { Dossier } from '../../backend/contract/inspect.ts'
import type { GlossaryRow, GlossaryTerm } from '../../backend/contract/reference.ts'
import type { IndexAnswer, IndexHistory } from '../../backend/contract/indices.ts'
import type { RegimePage } from '../../backend/contract/market-history.ts'
import type {
  Op,
  WorldBodies,
  WorldCatalysts,
  WorldDispersion,
  WorldExplanation,
  WorldHistory,
  WorldSnapshot,
  WorldTrail,
} from '../../backend/contract/world.ts'
import type { DeltaBody } from '../../backend/contract/world-changes.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const MAX_ROWS = 30

/** The region of a command: its path, or the topic given as subject; '' is the world. */
export const regionOf = ({ args, subject }: Command): string =>
  args['path'] ?? (subject?.kind === 'topic' ? subject.topic : '')

const asOf = (body: { readonly asOf: Iso }): Iso => body.asOf

/** A region is a path below the world; the operation decides which body answers. */
function world<O extends Op>(
  region: string,
  op: O,
  parameters: Readonly<Record<string, string | number | null>> = {},
): PolledQuery<WorldBodies[O]> {
  const query = { format: 'json', op, limit: MAX_ROWS, nextActions: 'off', ...parameters }
  const path =
    region === ''
      ? pathOf('/api/agent/world', query)
      : pathOf('/api/agent/world/*', { '*': region, ...query })
  return { path: path as Path<WorldBodies[O]>, ...COMPUTED, timeOf: asOf }
}

/** The notable items of a region, and its parts. */
export const worldSnapshot = (path: string, since: string | null): PolledQuery<WorldSnapshot> =>
  world(path, 'snapshot', { since })

export const worldHistory = (path: string, span: string): PolledQuery<WorldHistory> =>
  world(path, 'history', { dt: span })

export const worldCatalysts = (path: string, span: string): PolledQuery<WorldCatalysts> =>
  world(path, 'catalyst', { window: span })

export const worldDispersion = (path: string): PolledQuery<WorldDispersion> =>
  world(path, 'dispersion')

export const worldTrail = (
  ticker: string,
  instant: string | null = null,
): PolledQuery<WorldTrail> => world('', 'trail', { from: ticker, asOf: instant })

export const worldExplanation = (item: string): PolledQuery<WorldExplanation> =>
  world('', 'explain', { item })

export const worldDelta = (since: string): PolledQuery<DeltaBody> => ({
  path: pathOf('/api/agent/world/delta', { since, format: 'json', nextActions: 'off' }),
  ...COMPUTED,
  timeOf: ({ to }) => to,
})

export const index: PolledQuery<IndexAnswer> = {
  path: pathOf('/api/public/index', { nextActions: 'off' }),
  ...COMPUTED,
  timeOf: ({ timestamp }) => timestamp,
}

export const indexHistory = (
  days: number,
  theme: string | null,
  instant: Iso | null = null,
): PolledQuery<IndexHistory> => ({
  path: pathOf('/api/public/index/history', { days, theme, asOf: instant }),
  ...COMPUTED,
  timeOf: ({ points }, answeredAt) => points.at(-1)?.at ?? answeredAt,
})

/** The gauges over a span: themes have a record of years, other regions that of their snapshots. */
export function gaugeHistory(
  path: string,
  span: string,
): PolledQuery<IndexHistory> | PolledQuery<WorldHistory> {
  const topics: readonly string[] = TOPICS
  const days = Math.ceil(secondsOf(span) / (DAY / 1000))
  return secondsOf(span) * 1000 >= DAY && (path === '' || topics.includes(path))
    ? indexHistory(days, path === '' ? null : path)
    : worldHistory(path, span)
}

/** Seconds of a span such as `36h`. */
export function secondsOf(span: string): number {
  const unit = { m: MINUTE, h: 60 * MINUTE, d: DAY }[span.at(-1) ?? 'd'] ?? DAY
  return (Number.parseInt(span, 10) * unit) / 1000
}

const regimeBounds = (filters: readonly Filter[]): Readonly<Record<string, string | number>> =>
  Object.assign(
    {},
    ...filters
      .filter(({ name }) => name === 'as' || name === 'vol24h')
      .map((filter) =>
        filter.name === 'as'
          ? bounds(filter, 'as_min', 'as_max')
          : bounds(filter, 'min_volume', 'max_volume'),
      ),
  ) as Record<string, string | number>

/**
 * Markets by regime.
 * @returns a sentence when the route cannot take the filters
 */
export function regimeScan(command: Command): PolledQuery<RegimePage> | string {
  const ranges = regimeBounds(command.filters)
  if ('max_volume' in ranges) return 'Volume accepts a lower bound only, such as vol24h>1000'
  const edge = textOf(command, 'edge')
  const sort = command.args['sort'] ?? null
  return {
    path: pathOf('/api/public/regime/scan', {
      label: textOf(command, 'label'),
      event_type: textOf(command, 'type'),
      observability: textOf(command, 'seen'),
      has_edge: edge === null ? null : String(edge === 'yes'),
      category: textOf(command, 'category'),
      topic: command.subject?.kind === 'topic' ? command.subject.topic : null,
      venue: command.venue,
      sort,
      ...ranges,
      limit: 200,
      nextActions: 'off',
    }),
    ...COMPUTED,
    timeOf: ({ generatedAt }) => generatedAt,
  }
}

/** The service's analysis of one market: suggestion, regime, edges, the other venue. */
export const dossier = (ticker: string, instant: string | null = null): PolledQuery<Dossier> => ({
  path: pathOf('/api/agent/inspect/:ticker', {
    ticker,
    format: 'json',
    diff: 'false',
    trend: 'false',
    nextActions: 'off',
    asOf: instant,
  }),
  ...COMPUTED,
  timeOf: asOf,
})

const REFERENCE = { interval: 60 * MINUTE, cadence: DAY }

export const glossary: PolledQuery<{ readonly terms: readonly GlossaryRow[] }> = {
  path: pathOf('/api/public/glossary', { limit: 500 }),
  ...REFERENCE,
  timeOf: (_body, answeredAt) => answeredAt,
}

export const glossaryTerm = (slug: string): PolledQuery<GlossaryTerm> => ({
  path: pathOf('/api/public/glossary/:slug', { slug }),
  ...REFERENCE,
  timeOf: (_body, answeredAt) => answeredAt,
})

/** The query that answers a verb of the world; null for other verbs. */
export function worldQuery(
  command: Command,
  ticker: string | null,
  instant: Iso | null,
): PolledQuery<object> | null {
  // Each path has one body type, and an export reads no field of it by name.
  const asQuery = (query: unknown): PolledQuery<object> => query as PolledQuery<object>
  const { args } = command
  const path = regionOf(command)
  switch (command.verb) {
    case 'WORLD':
      return asQuery(worldSnapshot(path, args['since'] ?? null))
    case 'DELTA':
      return asQuery(worldDelta(args['since'] ?? '1h'))
    case 'DISP':
      return asQuery(worldDispersion(path))
    case 'CATL':
      return asQuery(worldCatalysts(path, args['within'] ?? '7d'))
    case 'IDX':
      return asQuery(gaugeHistory(path, args['span'] ?? '7d'))
    case 'EXPLAIN':
      if (args['item'] === undefined) throw new Error('Name a world item first')
      return asQuery(worldExplanation(args['item']))
    case 'TRAIL':
      if (ticker === null) throw new Error('Name a market first')
      return asQuery(worldTrail(ticker, instant))
    case 'REG': {
      const polledScan = regimeScan(command)
      if (typeof polledScan === 'string') throw new Error(polledScan)
      return asQuery(polledScan)
    }
    case 'GLOSS':
      return asQuery(args['term'] === undefined ? glossary : glossaryTerm(args['term']))
    default:
      return null
  }
}
