import { t } from 'elysia'
import type { Static } from 'elysia'
import { Catalyst } from './edges.ts'
import { Gauges } from './indices.ts'
import { MarketRef, Mover } from './market.ts'
import * as param from './params.ts'
import { PortfolioOverlay } from './portfolio.ts'
import type { Param, Since } from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { DAY, HOUR } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import { InvalidInput } from '../lib/errors.ts'

export const OPS = ['snapshot', 'history', 'catalyst', 'dispersion', 'trail', 'explain'] as const
export type Op = (typeof OPS)[number]

export const FORMATS = ['markdown', 'json'] as const

/** A duration between bounds; null when not sent, and outside of them the nearer bound. */
const span = (min: Millis, max: Millis, description: string): Param<Millis | null> => ({
  schema: { type: 'string', description: `${description} (<n>m, <n>h, <n>d)` },
  read(sent, name) {
    if (sent === undefined) return null
    const read = param.parseDuration(sent)
    if (read === null) throw new InvalidInput(`${name} must be a duration (<n>m|h|d)`)
    return param.clamp(read, min, max) as Millis
  },
})

/** A requested baseline, with its text. */
export interface RequestedSince {
  readonly since: Since
  readonly text: string
}

const baseline = (): Param<RequestedSince | null> => {
  const since = param.since('12h')
  return {
    schema: {
      type: 'string',
      description: `${since.schema.description}; defaults to the later of 12 hours ago and 00:00 UTC`,
    },
    read: (sent, name) =>
      sent === undefined ? null : { since: since.read(sent, name), text: sent.trim() },
  }
}

const operation = () =>
  param.oneOf(OPS, 'snapshot', { description: 'what to compute; see docs/context-engine.md' })

const shared = {
  format: param.format(FORMATS, 'markdown'),
  dt: span(HOUR, (30 * DAY) as Millis, 'Window of history (24h) and catalyst (7d)'),
  window: span(HOUR, (90 * DAY) as Millis, 'Window of catalyst; takes precedence over dt'),
  since: baseline(),
  depth: param.clampedInteger({ default: 1, min: 0, max: 3, description: 'Depth of regions' }),
  limit: param.clampedInteger({ default: 10, min: 1, max: 30, description: 'Items or rows' }),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
}

export const WorldQuery = query(
  {
    ...shared,
    op: operation(),
    compact: param.flag('header and one line per item'),
    from: param.text('op=trail: the market to start from'),
    item: param.text('op=explain: id of a salient item'),
    focus: param.text('topic, group or name; the same as its path'),
  },
  ({ op, from, item }) => {
    if (op === 'trail' && from === null) throw new InvalidInput('from required for op=trail')
    if (op === 'explain' && item === null) throw new InvalidInput('item required for op=explain')
  },
)
export type WorldQuery = ReadQuery<typeof WorldQuery>

export const RegionQuery = query({ ...shared, op: operation() }, ({ op }) => {
  if (op === 'trail' || op === 'explain') throw new InvalidInput('op not available on a region')
})
export type RegionQuery = ReadQuery<typeof RegionQuery>

export const Region = t.Object({
  path: t.Array(t.String()),
  label: t.String(),
  displayName: t.String(),
  parentUrl: nullable(t.String()),
  selfUrl: t.String(),
  keywords: t.Array(t.String()),
})
export type Region = Static<typeof Region>

const regionFields = {
  name: t.String(),
  label: t.String(),
  displayName: t.String(),
  url: t.String(),
  teaser: t.String(),
  marketCount: t.Integer(),
  salientCount: t.Integer(),
}

/**
 * Regions go three levels down at most; a schema that names itself has no place in the document.
 */
const RegionLeaf = t.Object(regionFields)
const RegionBranch = t.Object({
  ...regionFields,
  childRegions: t.Optional(t.Array(RegionLeaf)),
})

export const RegionNode = t.Object({
  ...regionFields,
  childRegions: t.Optional(t.Array(RegionBranch)),
})
export type RegionNode = Static<typeof RegionNode>

export const Pull = t.Object({
  op: stringEnum(OPS),
  label: t.String(),
  url: t.String(),
  structured: t.Object({ op: t.String(), target: t.Optional(t.String()) }),
})
export type Pull = Static<typeof Pull>

const item = {
  id: t.String({ pattern: '^s-[a-z0-9]{6}$' }),
  rank: t.Integer({ minimum: 0 }),
  type: stringEnum([
    'regime_shift',
    'divergence',
    'resolving_soon',
    'residual',
    'novel',
    'consensus_break',
  ]),
  label: t.String(),
  body: t.Record(t.String(), t.Unknown(), { description: 'fields of the subject, by type' }),
  pull: t.Array(Pull, { minItems: 1, maxItems: 3 }),
}

export const SalientItem = t.Object({ ...item, score: t.Number() })
export type SalientItem = Static<typeof SalientItem>
export type SalientType = SalientItem['type']

const headFields = {
  asOf: Iso,
  sinceBaseline: Iso,
  baselineReason: t.String(),
  region: Region,
  regime: t.Object({ label: t.String(), signals: Gauges }),
  op: stringEnum(OPS),
  servedAt: Iso,
  generatedInMs: t.Number(),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
}

export const WorldHead = t.Object(headFields)
export type WorldHead = Static<typeof WorldHead>

export const WorldSnapshot = t.Object({
  ...headFields,
  salient: t.Array(SalientItem),
  childRegions: t.Optional(t.Array(RegionNode)),
  index: t.Object({
    ...Gauges.properties,
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
      ...t.Omit(MarketRef, ['url']).properties,
      kind: stringEnum(['high_yield', 'unexplained_activity', 'thesis_edge', 'cross_venue_gap']),
      signalType: t.String(),
      summary: t.String(),
      yieldPct: Num,
      score: t.Number(),
      residualVr: Num,
      pageUrl: t.String(),
      inspectUrl: t.String(),
      alreadyPositioned: t.Boolean(),
      currentPositionSize: t.Optional(
        t.Number({ description: 'contracts held on paper; with credentials' }),
      ),
      currentPositionDirection: t.Optional(nullable(stringEnum(['yes', 'no']))),
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
  stableAnchors: t.Array(t.Object({ ...MarketRef.properties, volume24h: Num })),
  contagionHighlights: t.Array(
    t.Object({ trigger: t.String(), lagging: t.String(), gap: t.Number() }),
  ),
  deltaWindow: t.Literal('24h'),
  marketCount: t.Integer(),
  salientCount: t.Integer(),
  portfolio: t.Optional(PortfolioOverlay),
})
export type WorldSnapshot = Static<typeof WorldSnapshot>

const CompactWorld = t.Object({ ...headFields, salient: t.Array(t.Object(item)) })

const History = t.Object({
  dt: t.String(),
  from: Iso,
  to: Iso,
  stepSeconds: t.Integer(),
  points: t.Array(t.Object({ at: Iso, regimeLabel: t.String(), value: Num, ...Gauges.properties })),
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
      kind: stringEnum(['event', 'topic']),
      marketCount: t.Integer(),
      basis: stringEnum(['implied', 'marks']),
      mean: t.Number(),
      median: t.Number(),
      stdev: t.Number(),
      min: t.Number(),
      max: t.Number(),
      consensus: stringEnum(['tight', 'mixed', 'split']),
      outliers: t.Array(t.Object({ ...MarketRef.properties, deviation: t.Number() })),
    }),
  ),
})

const Trail = t.Object({
  from: MarketRef,
  maxHops: t.Literal(2),
  nodes: t.Array(t.Object({ ...MarketRef.properties, hop: t.Integer(), via: t.String() })),
  links: t.Array(
    t.Object({
      from: t.String(),
      to: t.String(),
      kind: stringEnum(['cross_venue', 'contagion', 'series_sibling']),
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
      kind: stringEnum([
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

export const WorldHistory = t.Object({ ...headFields, history: History })
export type WorldHistory = Static<typeof WorldHistory>

export const WorldCatalysts = t.Object({ ...headFields, catalyst: Catalysts })
export type WorldCatalysts = Static<typeof WorldCatalysts>

export const WorldDispersion = t.Object({ ...headFields, dispersion: Dispersion })
export type WorldDispersion = Static<typeof WorldDispersion>
export type DispersionGroup = WorldDispersion['dispersion']['groups'][number]

export const WorldTrail = t.Object({ ...headFields, trail: Trail })
export type WorldTrail = Static<typeof WorldTrail>
export type TrailNode = WorldTrail['trail']['nodes'][number]
export type TrailLink = WorldTrail['trail']['links'][number]

export const WorldExplanation = t.Object({ ...headFields, explain: Explanation })
export type WorldExplanation = Static<typeof WorldExplanation>
export type Hypothesis = WorldExplanation['explain']['hypotheses'][number]

/** The JSON bodies by operation. */
export const RegionBody = t.Union([WorldSnapshot, WorldHistory, WorldCatalysts, WorldDispersion])

export const WorldBody = t.Union([
  WorldSnapshot,
  CompactWorld,
  WorldHistory,
  WorldCatalysts,
  WorldDispersion,
  WorldTrail,
  WorldExplanation,
])

/** The body of each operation. */
export interface WorldBodies {
  readonly snapshot: WorldSnapshot
  readonly history: WorldHistory
  readonly catalyst: WorldCatalysts
  readonly dispersion: WorldDispersion
  readonly trail: WorldTrail
  readonly explain: WorldExplanation
}
