import { t } from 'elysia'
import type { Static } from 'elysia'
import { LevelEnum, MarketRef, SampleMark, VenueEnum, linkFields } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { GAP_WINDOWS } from '../domain/links/gaps.ts'
import type { GapWindow } from '../domain/links/gaps.ts'
import type { OddsBand } from '../domain/odds/odds.ts'
import type { CurveShape } from '../domain/prices/yield-curve.ts'
import { TOPICS, TOPIC_GROUPS } from '../domain/topics/topic-rules.ts'
import type { Topic, TopicGroup } from '../domain/topics/topic-rules.ts'

export const Gauges = t.Object({
  disagreement: Num,
  geoRisk: Num,
  breadth: Num,
  activity: Num,
})
export type Gauges = Static<typeof Gauges>
export type GaugeName = keyof Gauges

export const IndexQuery = query({ asOf: param.asOf(), nextActions: param.nextActions() })
export type IndexQuery = ReadQuery<typeof IndexQuery>

const THEMES: readonly (Topic | TopicGroup)[] = [
  ...TOPICS,
  ...(Object.keys(TOPIC_GROUPS) as TopicGroup[]),
]

export const IndexHistoryQuery = query({
  days: param.days(30),
  theme: param.oneOf(THEMES, null, { description: 'topic or group; absent: the whole world' }),
  asOf: param.asOf(),
})
export type IndexHistoryQuery = ReadQuery<typeof IndexHistoryQuery>

/** The four gauges and their older names. */
const gauges = {
  disagreement: Num,
  geoRisk: Num,
  breadth: Num,
  activity: Num,
  uncertainty: Num,
  geopolitical: Num,
  momentum: Num,
}

export const IndexAnswer = t.Object({
  ...gauges,
  value: Num,
  delta24h: Num,
  components: t.Object({
    geoVol: Num,
    geoDelta: Num,
    geoLevel: Num,
    geoBasketSize: t.Integer(),
    geoTheatersActive: t.Integer(),
    breadthUp: t.Integer(),
    breadthDown: t.Integer(),
    breadthTotal: t.Integer(),
    disagreementSigma: Num,
    qualifyingTickers: t.Integer(),
    activityChanges_24h: nullable(t.Integer()),
    activityBelowCount: t.Integer(),
    activityBaselineDays: t.Integer(),
    metricVersion: t.Number(),
  }),
  timestamp: Iso,
  dataStartDate: t.String({ format: 'date' }),
  dataNote: nullable(t.String({ description: 'why a gauge is null' })),
  latencyMs: t.Number(),
  nextActions: t.Optional(t.Object({ drill: t.Array(Action), related: t.Array(Action) })),
})
export type IndexAnswer = Static<typeof IndexAnswer>

export const IndexHistory = t.Object({
  days: t.Integer(),
  theme: nullable(t.String()),
  stepSeconds: t.Integer(),
  points: t.Array(t.Object({ at: Iso, value: Num, ...gauges }), { description: 'ascending' }),
  count: t.Integer(),
})
export type IndexHistory = Static<typeof IndexHistory>

/** How well a theme can be traded (methodology F3). */
export const ThemeLiquidity = t.Object({
  theme: t.String(),
  label: t.String(),
  marketCount: t.Integer(),
  volume24hUsd: Num,
  openInterestUsd: Num,
  depthUsd: Num,
  medianSpread: Num,
  liquidityScore: LevelEnum,
  change24hPct: Num,
  topMarkets: t.Array(MarketRef, { description: 'three, most traded first' }),
})
export type ThemeLiquidity = Static<typeof ThemeLiquidity>

export const LiquidityQuery = query({
  q: param.text('every word occurs in the name of the theme'),
  category: param.text('category of the included markets'),
  venue: param.venue('venue of the included markets'),
  limit: param.limit(50, 200),
  asOf: param.asOf(),
})
export type LiquidityQuery = ReadQuery<typeof LiquidityQuery>

export const LiquidityByTheme = t.Object({
  themes: t.Array(ThemeLiquidity, { description: 'by dollars traded in 24 hours' }),
  count: t.Integer(),
  generatedAt: Iso,
})
export type LiquidityByTheme = Static<typeof LiquidityByTheme>

const BANDS: readonly OddsBand[] = ['mid', 'moving']

const oddsParams = (limit: number) => ({
  category: param.text('category of the leading market'),
  band: param.oneOf(BANDS, null, {
    description: 'mid: priced 20 to 80¢; moving: moved by 5¢ or more in a day',
  }),
  topic: param.text('theme of a market of the question'),
  limit: param.limit(limit, 500),
  asOf: param.asOf(),
})

export const OddsQuery = query(oddsParams(100))
export type OddsQuery = ReadQuery<typeof OddsQuery>
/** The markdown form shows as many as it may. */
export const OddsTableQuery = query(oddsParams(500))

/** The leading outcome of a question; `price` is its market's headline price. */
export const Leader = t.Object({ label: t.String(), ticker: t.String(), price: Cents })

export const OddsRow = t.Object({
  ...linkFields,
  slug: t.String(),
  title: t.String(),
  category: t.String(),
  kind: stringEnum(['binary', 'multi']),
  price: Cents,
  leader: nullable(Leader),
  note: nullable(
    t.String({ description: 'outcomes without a price, or a sum of prices far from 100¢' }),
  ),
  delta24h: Num,
  volume24hUsd: Num,
  venues: t.Array(VenueEnum),
  marketCount: t.Integer(),
  tickers: t.Array(t.String()),
  closeTime: nullable(Iso),
  sample: SampleMark,
})
export type OddsRow = Static<typeof OddsRow>

export const OddsAnswer = t.Object({
  asOf: Iso,
  category: nullable(t.String()),
  band: nullable(stringEnum(['mid', 'moving'])),
  count: t.Integer(),
  total: t.Integer(),
  odds: t.Array(OddsRow, { description: 'by dollars traded in 24 hours' }),
})
export type OddsAnswer = Static<typeof OddsAnswer>

const SHAPES: readonly CurveShape[] = ['up', 'flat', 'inverted', 'humped']

export const CurvesQuery = query({
  limit: param.limit(50, 200),
  venue: param.venue(),
  topic: param.text('theme of a market of the curve'),
  shape: param.oneOf(SHAPES, null, { description: 'shape of the curve' }),
  asOf: param.asOf(),
})
export type CurvesQuery = ReadQuery<typeof CurvesQuery>

export const CurveQuery = query({ asOf: param.asOf() })
export type CurveQuery = ReadQuery<typeof CurveQuery>

export const YieldCurve = t.Object({
  eventBase: t.String({ description: 'event, or the common question of several events' }),
  venue: VenueEnum,
  title: t.String(),
  shape: stringEnum(['up', 'flat', 'inverted', 'humped']),
  pointCount: t.Integer(),
  distinctTenorCount: t.Integer(),
  totalVolume24h: Num,
  avgPrice: Cents,
  firstMarketTitle: t.String(),
  asOf: Iso,
  points: t.Array(
    t.Object({
      ticker: t.String(),
      title: t.String(),
      tenorDays: t.Integer(),
      price: Cents,
      iy: Num,
      volume24h: Num,
      closeTime: Iso,
      inspectUrl: t.String(),
    }),
    { description: 'nearest first' },
  ),
})
export type YieldCurve = Static<typeof YieldCurve>
export type YieldPoint = YieldCurve['points'][number]

export const Curves = t.Object({
  curves: t.Array(YieldCurve, { description: 'by 24 h volume' }),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Curves = Static<typeof Curves>

const MovedRef = t.Object({
  ...MarketRef.properties,
  delta: t.Number({ description: 'mark change over the window, cents' }),
})

/** A move that one market made and another has not followed yet (methodology D4, D5). */
export const ContagionLink = t.Object({
  trigger: MovedRef,
  lagging: MovedRef,
  gap: t.Number({ description: 'cents, signed: the expected move' }),
  relation: stringEnum(['cross_venue', 'series_sibling', 'theme', 'correlated']),
  direction: stringEnum(['lagging', 'overshooting']),
  theme: nullable(t.String()),
  strength: t.Number(),
  window: t.String(),
  detectedAt: Iso,
})
export type ContagionLink = Static<typeof ContagionLink>

export const ContagionQuery = query({
  window: param.oneOf(Object.keys(GAP_WINDOWS) as GapWindow[], '6h', {
    description: 'window of the move',
  }),
  limit: param.limit(20, 100),
  min_gap: param.number({ min: 0, max: 100, description: 'minimum size of the gap, cents' }),
  topic: param.text('theme of either market'),
  records: param.flag('adds the track record of each kind of link'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type ContagionQuery = ReadQuery<typeof ContagionQuery>

/**
 * Track record of the gaps of one kind of link, first served in the last 90 days (methodology D6).
 */
export const GapRecord = t.Object({
  kind: t.String(),
  n: t.Integer({ description: 'published gaps' }),
  closed: t.Array(
    t.Object({
      hours: t.Integer(),
      share: t.Number({ description: 'mean share of the gap that had closed, 0 to 1' }),
      n: t.Integer({ description: 'gaps known by then' }),
    }),
    { description: 'after 1, 6 and 24 hours, as far as known' },
  ),
  hitRate: Num,
  unproven: t.Boolean({ description: 'enough gaps, and no evidence that they close' }),
})
export type GapRecord = Static<typeof GapRecord>

export const ContagionAnswer = t.Object({
  window: t.String(),
  highlights: t.Array(ContagionLink, { description: 'widest gap first' }),
  count: t.Integer(),
  records: t.Optional(t.Array(GapRecord, { description: 'with records=true, by kind' })),
  generatedAt: Iso,
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type ContagionAnswer = Static<typeof ContagionAnswer>
