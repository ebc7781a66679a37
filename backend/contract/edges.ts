import { t } from 'elysia'
import type { Static } from 'elysia'
import { LevelEnum, MarketRef, StatusEnum, VenueEnum, linkFields } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { VERDICTS } from '../domain/calibration/scores.ts'
import { InvalidInput } from '../lib/errors.ts'
import { VENUES } from '../domain/venue.ts'

export const CATALYST_KINDS = [
  'resolution',
  'econ_release',
  'gov_action',
  'election',
  'fed_meeting',
  'custom',
] as const

/** A scheduled event. */
export const Catalyst = t.Object({
  id: t.String(),
  kind: stringEnum(CATALYST_KINDS),
  title: t.String(),
  at: Iso,
  date: t.String({ description: 'YYYY-MM-DD' }),
  timeKnown: t.Boolean(),
  category: t.String(),
  tickers: t.Array(t.String()),
  importance: stringEnum(['high', 'medium', 'low']),
  source: t.String(),
  market: t.Optional(t.Object({ ...MarketRef.properties, tauDays: t.Number(), volume24h: Num })),
})
export type Catalyst = Static<typeof Catalyst>

/** The best of one of the lists of the world. */
export const Highlight = t.Object({
  rank: t.Integer({ description: 'from 0' }),
  kind: stringEnum(['mover', 'edge', 'contagion', 'resolving', 'new', 'volume']),
  title: t.String(),
  summary: t.String(),
  ticker: nullable(t.String()),
  price: Cents,
  delta24h: Num,
  at: Iso,
  url: t.String(),
})
export type Highlight = Static<typeof Highlight>

export const CalendarQuery = query(
  {
    from: param.instant('first instant of the calendar; now when absent'),
    to: param.instant('last instant of the calendar; replaces days'),
    days: param.days(30),
    category: param.text('category of the market'),
    kind: param.oneOf(CATALYST_KINDS, null, { description: 'kind of event' }),
    ticker: param.text('events that decide this market'),
    topic: param.text('theme of the market'),
    limit: param.limit(100, 500),
    asOf: param.asOf(),
  },
  ({ from, to }) => {
    if (from !== null && to !== null && from > to) {
      throw new InvalidInput('from must not be after to')
    }
  },
)
export type CalendarQuery = ReadQuery<typeof CalendarQuery>

export const Calendar = t.Object({
  from: Iso,
  to: Iso,
  events: t.Array(
    t.Object({
      ...Catalyst.properties,
      name: t.String({ description: 'the title' }),
      start: t.String({ format: 'date-time', description: 'the same as at' }),
    }),
    { description: 'soonest first, then by importance' },
  ),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Calendar = Static<typeof Calendar>

export const EdgesQuery = query({
  limit: param.limit(25, 200),
  minStrength: param.number({ min: 0, description: 'minimum size of the edge, cents' }),
  theme: param.text('theme of the market'),
  venue: param.venue(),
  asOf: param.asOf(),
})
export type EdgesQuery = ReadQuery<typeof EdgesQuery>

export const EdgeRow = t.Object({
  ...linkFields,
  ticker: t.String(),
  venue: VenueEnum,
  title: t.String(),
  status: StatusEnum,
  marketPrice: Cents,
  thesisPrice: t.Number({ description: 'cents' }),
  edge: t.Number({ description: 'thesis minus market, cents' }),
  executableEdge: nullable(t.Number({ description: 'after crossing the book and the fee' })),
  direction: stringEnum(['yes', 'no']),
  confidence: t.Number(),
  liquidityScore: LevelEnum,
  spread: Cents,
  reasoning: t.String(),
  edgeAgeHours: Num,
  marketAbsorption: Num,
  edgeType: stringEnum(['consensus_gap', 'attention_gap', 'timing_gap', 'risk_premium']),
  thesisSlug: nullable(t.String()),
  thesisId: t.Optional(t.String({ description: 'of own theses' })),
  private: t.Boolean(),
})
export type EdgeRow = Static<typeof EdgeRow>

export const EdgeList = t.Object({
  priceUnit: t.Literal('cents'),
  edges: t.Array(EdgeRow, { description: 'by size of the executable edge, unknown last' }),
  totalEdges: t.Integer(),
  thesesScanned: t.Integer(),
  generatedAt: Iso,
})
export type EdgeList = Static<typeof EdgeList>

export const PERIODS = ['7d', '30d', '90d', 'all'] as const

export const CalibrationQuery = query({
  source: param.venue('all venues by default'),
  period: param.oneOf(PERIODS, '30d', { description: 'when the settlement was known' }),
  category: param.text('category of the market when it was listed'),
  topic: param.text('theme of the market when it was listed'),
  min_volume: param.number({ min: 0, description: 'dollars over the life of the market' }),
  asOf: param.asOf(),
})
export type CalibrationQuery = ReadQuery<typeof CalibrationQuery>

const groupFields = { n: t.Integer(), brier: Num, hitRate: Num }
const cents = (description: string) => nullable(t.Number({ description }))

export const Calibration = t.Object({
  source: stringEnum([...VENUES, 'all']),
  period: stringEnum(PERIODS),
  category: nullable(t.String()),
  topic: nullable(t.String()),
  minVolumeUsd: t.Number(),
  sample: t.Integer({
    description: 'settled YES or NO, listed at least 48 hours before their close',
  }),
  coveragePct: nullable(
    t.Number({ description: 'of these, markets with a price 24 h before settlement' }),
  ),
  covered: t.Integer({ description: 'markets with that price; the buckets add up to it' }),
  brier: nullable(t.Number({ description: 'Brier score 24 h before settlement' })),
  brierAtClose: nullable(
    t.Number({
      description: 'of the last price, for comparison; includes markets of any duration',
    }),
  ),
  hitRate: Num,
  calibrationError: nullable(
    t.Number({
      description: 'mean distance of the buckets from their 95 % confidence interval, cents',
    }),
  ),
  verdict: nullable(stringEnum(VERDICTS)),
  horizonHours: t.Literal(24),
  buckets: t.Array(
    t.Object({
      from: t.Number({ description: 'cents' }),
      to: t.Number({ description: 'cents' }),
      n: t.Integer(),
      predictedMean: cents('cents'),
      realizedRate: cents('cents'),
      deviation: cents('predicted minus realised, cents'),
      brier: Num,
    }),
    { description: 'ten, ascending' },
  ),
  byVenue: t.Array(t.Object({ venue: VenueEnum, ...groupFields })),
  byCategory: t.Array(t.Object({ category: t.String(), ...groupFields }), {
    description: 'most forecasts first',
  }),
  from: Iso,
  to: Iso,
  generatedAt: Iso,
})
export type Calibration = Static<typeof Calibration>
export type CalibrationBucket = Calibration['buckets'][number]

export const HighlightsQuery = query({
  topic: param.text('theme of the market'),
  category: param.text('category of the market'),
  limit: param.limit(20, 100),
  asOf: param.asOf(),
})
export type HighlightsQuery = ReadQuery<typeof HighlightsQuery>

export const Highlights = t.Object({
  highlights: t.Array(Highlight),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Highlights = Static<typeof Highlights>

export const DirectionEnum = stringEnum(['buy_yes', 'buy_no'])

/** A trade that prices suggest (methodology E8). */
export const Idea = t.Object({
  id: t.String(),
  headline: t.String(),
  pitch: t.String(),
  conviction: LevelEnum,
  direction: DirectionEnum,
  markets: t.Array(
    t.Object({ ...MarketRef.properties, bestAsk: Cents, role: stringEnum(['primary', 'hedge']) }),
    { description: 'the primary one first' },
  ),
  catalyst: nullable(t.String()),
  catalystAt: nullable(Iso),
  timeHorizon: stringEnum(['days', 'weeks', 'months']),
  risk: t.String(),
  edgeCents: Num,
  basis: stringEnum(['thesis_edge', 'cross_venue', 'yield', 'contagion']),
  category: t.String(),
  generatedBy: stringEnum(['rule', 'model']),
  createdAt: Iso,
  expiresAt: Iso,
  url: t.String(),
})
export type Idea = Static<typeof Idea>
export type IdeaMarket = Idea['markets'][number]

export const CONVICTIONS = ['high', 'medium', 'low'] as const

export const IdeasQuery = query({
  direction: param.oneOf(['buy_yes', 'buy_no'] as const, null, { description: 'side to buy' }),
  conviction: param.oneOf(CONVICTIONS, null, { description: 'strength of the idea' }),
  category: param.text('category of the primary market'),
  q: param.text('every word occurs in headline or pitch'),
  limit: param.limit(20, 100),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type IdeasQuery = ReadQuery<typeof IdeasQuery>

export const IdeaQuery = query({ asOf: param.asOf() })
export type IdeaQuery = ReadQuery<typeof IdeaQuery>

export const IdeaList = t.Object({
  ideas: t.Array(Idea, { description: 'by conviction, then size of the edge' }),
  count: t.Integer(),
  generatedAt: Iso,
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type IdeaList = Static<typeof IdeaList>
