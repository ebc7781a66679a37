import { t } from 'elysia'
import type { Static } from 'elysia'
import { Pair } from '../crossvenue.ts'
import { Catalyst } from '../edges.ts'
import { ContagionLink, Gauges, ThemeLiquidity } from '../indices.ts'
import { MarketRef, Mover, RegimeLabel } from '../market.ts'
import { SCREEN_SOURCES } from './panel-names.ts'
import { PanelFilters } from './panel-spec.ts'
import { Cents, Iso, Num, nullable, stringEnum } from '../schemas.ts'
import { VENUES } from '../../domain/venue.ts'

export const IndexPoint = t.Object({ at: Iso, value: Num, ...Gauges.properties })
export type IndexPoint = Static<typeof IndexPoint>

export const IndexPanel = t.Object({
  kind: t.Literal('sf_index_24h'),
  current: nullable(t.Object({ ...Gauges.properties, value: Num, delta24h: Num, at: Iso })),
  series: t.Array(IndexPoint, { description: 'every quarter hour of a day, ascending' }),
})
export type IndexPanel = Static<typeof IndexPanel>

export const ThemesPanel = t.Object({
  kind: t.Literal('liquidity_by_theme'),
  themes: t.Array(ThemeLiquidity, { description: 'by dollars traded in 24 hours, at most 20' }),
  totalVolume24hUsd: Num,
})
export type ThemesPanel = Static<typeof ThemesPanel>

export const RegimeBucket = t.Object({
  label: RegimeLabel,
  count: t.Integer(),
  volume24hUsd: Num,
  meanAsScore: Num,
})
export type RegimeBucket = Static<typeof RegimeBucket>

export const RegimePanel = t.Object({
  kind: t.Literal('regime_attention'),
  buckets: t.Array(RegimeBucket, { description: 'maker, neutral, taker, unknown' }),
  markets: t.Array(
    t.Object({
      ...MarketRef.properties,
      label: RegimeLabel,
      asScore: Num,
      change24h: nullable(t.Number({ description: 'of asScore' })),
      volume24h: Num,
      volumeZ: Num,
    }),
    { description: 'by size of the change, at most 15' },
  ),
  regimeSummary: t.Object({ calm: t.Integer(), active: t.Integer(), stressed: t.Integer() }),
})
export type RegimePanel = Static<typeof RegimePanel>

export const ContagionPanel = t.Object({
  kind: t.Literal('cross_venue_contagion'),
  window: t.Literal('6h'),
  links: t.Array(ContagionLink, {
    description: 'cross-venue first, then widest first, at most 15',
  }),
  pairs: t.Array(Pair, { description: 'widest gap first, at most 10' }),
})
export type ContagionPanel = Static<typeof ContagionPanel>

export const MoversPanel = t.Object({
  kind: t.Literal('movers_volume_z'),
  window: t.Literal('24h'),
  movers: t.Array(Mover, { description: 'by size of volumeZ, unknown last, at most 20' }),
})
export type MoversPanel = Static<typeof MoversPanel>

export const SOURCE_NAMES = [
  ...VENUES,
  'traditional',
  'social',
  'government',
  'economy',
  'content',
  'computed',
] as const

export const SourceHealth = t.Object({
  source: stringEnum(SOURCE_NAMES),
  status: stringEnum(['ok', 'late', 'down', 'off']),
  lastReceivedAt: nullable(Iso),
  ageSeconds: Num,
  mode: stringEnum(['live', 'polled', 'imported', 'demo', 'replay', 'off']),
  message: nullable(t.String()),
})
export type SourceHealth = Static<typeof SourceHealth>

export const Gap = t.Object({
  source: t.String(),
  ticker: nullable(t.String({ description: 'null: every market of the venue' })),
  from: Iso,
  to: nullable(Iso),
  state: stringEnum(['gap', 'repaired']),
})
export type Gap = Static<typeof Gap>

export const HealthPanel = t.Object({
  kind: t.Literal('data_health'),
  status: stringEnum(['operational', 'degraded', 'outage']),
  sources: t.Array(SourceHealth, { description: 'in a fixed order' }),
  gaps: t.Array(Gap, { description: 'of the last 24 hours, newest first, at most 20' }),
  ingestPerSecond: nullable(t.Number({ description: 'ingested events, over the last minute' })),
})
export type HealthPanel = Static<typeof HealthPanel>

export const CatalystsPanel = t.Object({
  kind: t.Literal('calendar_catalysts'),
  from: Iso,
  to: Iso,
  events: t.Array(Catalyst, { description: 'of seven days, soonest first, at most 50' }),
})
export type CatalystsPanel = Static<typeof CatalystsPanel>

export const MicroRow = t.Object({
  ...MarketRef.properties,
  bestBid: Cents,
  bestAsk: Cents,
  spread: Cents,
  bidDepthUsd: Num,
  askDepthUsd: Num,
  imbalance: nullable(t.Number({ description: '-1 to 1' })),
  trades1h: t.Integer(),
  flowImbalance1h: nullable(t.Number({ description: '-1 to 1' })),
  label: nullable(RegimeLabel),
  asScore: Num,
  volume24h: Num,
  updatedAt: Iso,
})
export type MicroRow = Static<typeof MicroRow>

export const WatchlistPanel = t.Object({
  kind: t.Literal('watchlist_microstructure'),
  markets: t.Array(MicroRow, { description: 'by volume of 24 hours, at most 50' }),
  missing: t.Array(t.String()),
  emptyReason: nullable(t.Literal('no_watched_markets')),
})
export type WatchlistPanel = Static<typeof WatchlistPanel>

export const PanelScreenRow = t.Object({
  ...MarketRef.properties,
  probability: nullable(t.Number({ description: 'price / 100' })),
  bestBid: Cents,
  bestAsk: Cents,
  spread: Cents,
  change: nullable(t.Number({ description: 'cents over the window' })),
  volume24h: Num,
  closeTime: nullable(Iso),
  updatedAt: Iso,
})
export type PanelScreenRow = Static<typeof PanelScreenRow>

export const ScreenPanel = t.Object({
  kind: stringEnum(SCREEN_SOURCES),
  rows: t.Array(PanelScreenRow, { description: 'by volume of 24 hours, at most 100' }),
  count: t.Integer(),
  total: t.Integer(),
  filters: PanelFilters,
  missing: t.Array(t.String()),
  emptyReason: nullable(stringEnum(['no_match', 'source_not_executed'])),
})
export type ScreenPanel = Static<typeof ScreenPanel>

export const PanelPayload = t.Union([
  IndexPanel,
  ThemesPanel,
  RegimePanel,
  ContagionPanel,
  MoversPanel,
  HealthPanel,
  CatalystsPanel,
  WatchlistPanel,
  ScreenPanel,
])
export type PanelPayload = Static<typeof PanelPayload>
