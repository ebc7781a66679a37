import { t } from 'elysia'
import type { Static, TSchema } from 'elysia'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import type { Param, Since } from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'

export const OPS = ['snapshot', 'history', 'catalyst', 'dispersion', 'trail', 'explain'] as const
export type Op = (typeof OPS)[number]
/** Operations that a region has. */
export type RegionOp = Exclude<Op, 'trail' | 'explain'>

export const FORMATS = ['markdown', 'json'] as const

/** A duration between bounds; null when not sent, and outside of them the nearer bound. */
const span = (least: Millis, most: Millis, description: string): Param<Millis | null> => ({
  schema: { type: 'string', description: `${description} (<n>m, <n>h, <n>d)` },
  read(sent, name) {
    if (sent === undefined) return null
    const read = param.parseDuration(sent)
    if (read === null) throw new InvalidInput(`${name} must be a duration (<n>m|h|d)`)
    return param.clamp(read, least, most) as Millis
  },
})

/** A baseline as asked for, with the words that it was asked in. */
export interface AskedSince {
  readonly since: Since
  readonly text: string
}

const baseline = (): Param<AskedSince | null> => {
  const since = param.since('12h')
  return {
    schema: {
      type: 'string',
      description: `${since.schema.description ?? ''}; without it the later of 12 hours ago and 00:00 UTC`,
    },
    read: (sent, name) =>
      sent === undefined ? null : { since: since.read(sent, name), text: sent.trim() },
  }
}

const shared = {
  format: param.oneOf(FORMATS, 'markdown'),
  dt: span(HOUR, (30 * DAY) as Millis, 'Reach of history (24h) and catalyst (7d)'),
  window: span(HOUR, (90 * DAY) as Millis, 'Reach of catalyst, before dt'),
  since: baseline(),
  depth: param.clampedInteger({ default: 1, min: 0, max: 3, description: 'Levels of regions' }),
  limit: param.clampedInteger({ default: 10, min: 1, max: 30, description: 'Items or rows' }),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
}

export const WorldQuery = query(
  {
    ...shared,
    op: param.oneOf(OPS, 'snapshot'),
    compact: param.flag('header and one line an item'),
    from: param.text('op=trail: the market to start from'),
    item: param.text('op=explain: id of a salient item'),
    focus: param.text('topic, group or word; the same as its path'),
  },
  ({ op, from, item }) => {
    if (op === 'trail' && from === null) throw new InvalidInput('from required for op=trail')
    if (op === 'explain' && item === null) throw new InvalidInput('item required for op=explain')
  },
)
export type WorldQuery = ReadQuery<typeof WorldQuery>

export const RegionQuery = query({ ...shared, op: param.oneOf(OPS, 'snapshot') }, ({ op }) => {
  if (op === 'trail' || op === 'explain') throw new InvalidInput('op not available on a region')
})
export type RegionQuery = ReadQuery<typeof RegionQuery>

const level = words(['high', 'medium', 'low'])
const Gauges = {
  disagreement: Num,
  geoRisk: Num,
  breadth: Num,
  activity: Num,
}
const ref = { ticker: t.String(), venue: VenueWord, title: t.String(), price: Cents }
const MarketRef = { ...ref, url: t.String() }

const Region = t.Object({
  path: t.Array(t.String()),
  label: t.String(),
  displayName: t.String(),
  parentUrl: nullable(t.String()),
  selfUrl: t.String(),
  keywords: t.Array(t.String()),
})
const regionFields = {
  name: t.String(),
  label: t.String(),
  displayName: t.String(),
  url: t.String(),
  teaser: t.String(),
  marketCount: t.Integer(),
  salientCount: t.Integer(),
}
/** Regions go three levels down at most; a schema that names itself has no place in the document. */
const RegionLeaf = t.Object(regionFields)
const RegionBranch = t.Object({
  ...regionFields,
  childRegions: t.Optional(t.Array(RegionLeaf)),
})
const RegionNode = t.Object({
  ...regionFields,
  childRegions: t.Optional(t.Array(RegionBranch)),
})
const Pull = t.Object({
  op: words(OPS),
  label: t.String(),
  url: t.String(),
  structured: t.Object({ op: t.String(), target: t.Optional(t.String()) }),
})
const item = {
  id: t.String({ pattern: '^s-[a-z0-9]{6}$' }),
  rank: t.Integer({ minimum: 0 }),
  type: words([
    'regime_shift',
    'divergence',
    'resolving_soon',
    'residual',
    'novel',
    'consensus_break',
  ]),
  label: t.String(),
  body: t.Record(t.String(), t.Unknown(), { description: 'what the type says of its subject' }),
  pull: t.Array(Pull, { minItems: 1, maxItems: 3 }),
}
const SalientItem = t.Object({ ...item, score: t.Number() })

const headFields = {
  asOf: Iso,
  sinceBaseline: Iso,
  baselineReason: t.String(),
  region: Region,
  regime: t.Object({ label: t.String(), signals: t.Object(Gauges) }),
  op: words(OPS),
  servedAt: Iso,
  generatedInMs: t.Number(),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
}
const head = (name: string, body: TSchema) => t.Object({ ...headFields, [name]: body })

export const Mover = t.Object({
  ...MarketRef,
  delta: t.Number(),
  from: Cents,
  volume24h: Num,
  volumeZ: Num,
})
export const Catalyst = t.Object({
  id: t.String(),
  kind: words(['resolution', 'econ_release', 'gov_action', 'election', 'fed_meeting', 'custom']),
  title: t.String(),
  at: Iso,
  date: t.String(),
  timeKnown: t.Boolean(),
  category: t.String(),
  tickers: t.Array(t.String()),
  importance: level,
  source: t.String(),
  market: t.Optional(t.Object({ ...MarketRef, tauDays: Num, volume24h: Num })),
})
export type Catalyst = Static<typeof Catalyst>

const Snapshot = t.Object({
  ...headFields,
  salient: t.Array(SalientItem),
  childRegions: t.Optional(t.Array(RegionNode)),
  index: t.Object({
    ...Gauges,
    value: Num,
    delta24h: Num,
    components: t.Record(t.String(), Num),
    uncertainty: Num,
    geopolitical: Num,
    momentum: Num,
  }),
  regimeSummary: t.Object({
    calm: t.Integer(),
    active: t.Integer(),
    stressed: t.Integer(),
  }),
  movers: t.Array(Mover),
  opportunities: t.Array(
    t.Object({
      ...ref,
      kind: words(['high_yield', 'unexplained_activity', 'thesis_edge', 'cross_venue_gap']),
      signalType: t.String(),
      summary: t.String(),
      yieldPct: Num,
      score: t.Number(),
      residualVr: Num,
      pageUrl: t.String(),
      inspectUrl: t.String(),
      alreadyPositioned: t.Boolean(),
    }),
  ),
  divergences: t.Array(
    t.Object({
      description: t.String(),
      implication: t.String(),
      affectedTickers: t.Array(t.String()),
    }),
  ),
  traditional: t.Array(t.Object({ symbol: t.String(), price: Num, changePct: Num })),
  stableAnchors: t.Array(t.Object({ ...MarketRef, volume24h: Num })),
  contagionHighlights: t.Array(
    t.Object({ trigger: t.String(), lagging: t.String(), gap: t.Number() }),
  ),
  deltaWindow: t.Literal('24h'),
  marketCount: t.Integer(),
  salientCount: t.Integer(),
})
const Compact = t.Object({ ...headFields, salient: t.Array(t.Object(item)) })

const History = t.Object({
  dt: t.String(),
  from: Iso,
  to: Iso,
  stepSeconds: t.Integer(),
  points: t.Array(t.Object({ at: Iso, regimeLabel: t.String(), value: Num, ...Gauges })),
})
const Catalysts = t.Object({
  window: t.String(),
  from: Iso,
  to: Iso,
  count: t.Integer(),
  items: t.Array(Catalyst),
})
const Dispersion = t.Object({
  agreement: Num,
  median: Cents,
  iqr: Num,
  marketCount: t.Integer(),
  groups: t.Array(
    t.Object({
      key: t.String(),
      label: t.String(),
      kind: words(['event', 'topic']),
      marketCount: t.Integer(),
      mean: t.Number(),
      median: t.Number(),
      stdev: t.Number(),
      min: t.Number(),
      max: t.Number(),
      consensus: words(['tight', 'mixed', 'split']),
      outliers: t.Array(t.Object({ ...MarketRef, deviation: t.Number() })),
    }),
  ),
})
const Trail = t.Object({
  from: t.Object(MarketRef),
  maxHops: t.Literal(2),
  nodes: t.Array(t.Object({ ...MarketRef, hop: t.Integer(), via: t.String() })),
  links: t.Array(
    t.Object({
      from: t.String(),
      to: t.String(),
      kind: words(['cross_venue', 'contagion', 'series_sibling']),
      strength: t.Number(),
      lagSeconds: Num,
      note: t.String(),
    }),
  ),
})
const Explanation = t.Object({
  item: SalientItem,
  hypotheses: t.Array(
    t.Object({
      rank: t.Integer(),
      kind: words([
        'catalyst',
        'news',
        'econ_release',
        'legislation',
        'cross_venue_lead',
        'contagion',
        'flow',
        'social',
      ]),
      summary: t.String(),
      confidence: t.Number(),
      evidence: t.Array(
        t.Object({
          source: t.String(),
          title: t.String(),
          url: nullable(t.String()),
          at: Iso,
        }),
      ),
    }),
  ),
  checked: t.Array(t.String()),
  unexplained: t.Boolean(),
})

/** The JSON bodies by operation. */
export const RegionBody = t.Union([
  Snapshot,
  head('history', History),
  head('catalyst', Catalysts),
  head('dispersion', Dispersion),
])
export const WorldBody = t.Union([
  Snapshot,
  Compact,
  head('history', History),
  head('catalyst', Catalysts),
  head('dispersion', Dispersion),
  head('trail', Trail),
  head('explain', Explanation),
])
