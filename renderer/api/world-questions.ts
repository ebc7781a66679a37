import type { Command, Filter } from '../shell/command.ts'
import { TOPICS } from '../shell/commands.ts'
import { bounds, COMPUTED, pathOf, textOf } from './questions.ts'
import type { Question } from './source.svelte.ts'
import type { Iso } from './types.ts'
import type {
  Dossier,
  GlossaryRow,
  GlossaryTerm,
  IndexAnswer,
  IndexHistory,
  RegimePage,
  WorldCatalysts,
  WorldDelta,
  WorldDispersion,
  WorldExplanation,
  WorldHead,
  WorldHistory,
  WorldOp,
  WorldSnapshot,
  WorldTrail,
} from './world-types.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const MOST_ROWS = 30

/** The region a command is about: its path, or the topic it was given as subject; '' is the world. */
export const regionOf = ({ args, subject }: Command): string =>
  args['path'] ?? (subject?.kind === 'topic' ? subject.topic : '')

const asOf = (body: { readonly asOf: Iso }): Iso => body.asOf

const regionRoute = (path: string): string =>
  path === ''
    ? '/api/agent/world'
    : `/api/agent/world/${path.split('/').map(encodeURIComponent).join('/')}`

const world = <Body extends WorldHead>(
  path: string,
  op: WorldOp,
  parameters: Readonly<Record<string, string | number | null>> = {},
): Question<Body> => ({
  path: pathOf(regionRoute(path), {
    ...{ format: 'json', op, limit: MOST_ROWS, nextActions: 'off' },
    ...parameters,
  }),
  ...COMPUTED,
  timeOf: asOf,
})

/** What stands out in a region, and its parts. */
export const worldSnapshot = (path: string, since: string | null): Question<WorldSnapshot> =>
  world(path, 'snapshot', { since })

export const worldHistory = (path: string, span: string): Question<WorldHistory> =>
  world(path, 'history', { dt: span })

export const worldCatalysts = (path: string, within: string): Question<WorldCatalysts> =>
  world(path, 'catalyst', { window: within })

export const worldDispersion = (path: string): Question<WorldDispersion> =>
  world(path, 'dispersion')

export const worldTrail = (ticker: string): Question<WorldTrail> =>
  world('', 'trail', { from: ticker })

export const worldExplanation = (item: string): Question<WorldExplanation> =>
  world('', 'explain', { item })

export const worldDelta = (since: string): Question<WorldDelta> => ({
  path: pathOf('/api/agent/world/delta', { since, format: 'json', nextActions: 'off' }),
  ...COMPUTED,
  timeOf: ({ to }) => to,
})

export const index: Question<IndexAnswer> = {
  path: pathOf('/api/public/index', { nextActions: 'off' }),
  ...COMPUTED,
  timeOf: ({ timestamp }) => timestamp,
}

export const indexHistory = (days: number, theme: string | null): Question<IndexHistory> => ({
  path: pathOf('/api/public/index/history', { days, theme }),
  ...COMPUTED,
  timeOf: ({ points }, answeredAt) => points.at(-1)?.at ?? answeredAt,
})

/** The gauges over a span: themes have a record of years, other regions that of their snapshots. */
export function gaugeHistory(
  path: string,
  span: string,
): Question<IndexHistory> | Question<WorldHistory> {
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
 * @returns a sentence instead when the route cannot take the filters
 */
export function regimeScan(command: Command): Question<RegimePage> | string {
  const ranges = regimeBounds(command.filters)
  if ('max_volume' in ranges) return 'Volume takes only a lower bound, such as vol24h>1000'
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

/** What the service makes of one market: suggestion, regime, edges, the other venue. */
export const dossier = (ticker: string): Question<Dossier> => ({
  path: pathOf(`/api/agent/inspect/${encodeURIComponent(ticker)}`, {
    ...{ format: 'json', diff: 'false', trend: 'false', nextActions: 'off' },
  }),
  ...COMPUTED,
  timeOf: asOf,
})

const REFERENCE = { every: 60 * MINUTE, cadence: DAY }

export const glossary: Question<{ readonly terms: readonly GlossaryRow[] }> = {
  path: pathOf('/api/public/glossary', { limit: 500 }),
  ...REFERENCE,
  timeOf: (_body, answeredAt) => answeredAt,
}

export const glossaryTerm = (slug: string): Question<GlossaryTerm> => ({
  path: `/api/public/glossary/${encodeURIComponent(slug)}`,
  ...REFERENCE,
  timeOf: (_body, answeredAt) => answeredAt,
})

/** The one route that answers a verb of the world; null for other verbs. */
export function worldQuestion(command: Command, ticker: string | null): Question<object> | null {
  // A path names one body type, and whoever exports reads none of its fields by name.
  const of = (question: unknown): Question<object> => question as Question<object>
  const { args } = command
  const path = regionOf(command)
  switch (command.verb) {
    case 'WORLD':
      return of(worldSnapshot(path, args['since'] ?? null))
    case 'DELTA':
      return of(worldDelta(args['since'] ?? '1h'))
    case 'DISP':
      return of(worldDispersion(path))
    case 'CATL':
      return of(worldCatalysts(path, args['within'] ?? '7d'))
    case 'IDX':
      return of(gaugeHistory(path, args['span'] ?? '7d'))
    case 'EXPLAIN':
      if (args['item'] === undefined) throw new Error('Name an item of the world first')
      return of(worldExplanation(args['item']))
    case 'TRAIL':
      if (ticker === null) throw new Error('Name a market first')
      return of(worldTrail(ticker))
    case 'REG': {
      const question = regimeScan(command)
      if (typeof question === 'string') throw new Error(question)
      return of(question)
    }
    case 'GLOSS':
      return of(args['term'] === undefined ? glossary : glossaryTerm(args['term']))
    default:
      return null
  }
}
