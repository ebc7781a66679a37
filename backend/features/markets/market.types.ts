import { t } from 'elysia'
import type { Static } from 'elysia'
import { CrossMatch } from '../../http/cross-match.ts'
import { MarketRef } from '../../http/market-ref.ts'
import { Regime, RegimeSignal, RegimeSignals, TrendWord } from '../../http/market-regime.ts'
import { BookLevel, Indicators, marketRowFields, RegimeLabel } from '../../http/market-schemas.ts'
import { Action, Iso, nullable, Num } from '../../http/schemas.ts'
import { ThesisEdge } from '../../http/thesis-edge.ts'

/** A row of a list with what some lists add to it. */
export const ListedRow = t.Object({
  ...marketRowFields,
  bidLevels: t.Optional(t.Array(BookLevel)),
  askLevels: t.Optional(t.Array(BookLevel)),
})
export type ListedRow = Static<typeof ListedRow>
export const NewRow = t.Object({ ...marketRowFields, firstSeenAt: Iso })
export const ScannedRow = t.Object({
  ...marketRowFields,
  score: t.Number(),
  matched: t.Array(t.String()),
})

export const ScreenRow = t.Object({
  ...marketRowFields,
  indicators: Indicators,
  regimeLabel: nullable(RegimeLabel),
})
export type ScreenRow = Static<typeof ScreenRow>

export const RegimeRow = t.Object({
  ...marketRowFields,
  score: Num,
  asScore: Num,
  label: RegimeLabel,
  trendLabel: nullable(TrendWord),
  signals: RegimeSignals,
  breakdown: t.Array(RegimeSignal),
  computedAt: Iso,
})
export type RegimeRow = Static<typeof RegimeRow>

/** Next actions of market lists and of one market. */
export const MarketActions = t.Object({ inspect: t.Array(Action), related: t.Array(Action) })
export type MarketActions = Static<typeof MarketActions>

export const Market = t.Object({
  ...marketRowFields,
  description: t.String(),
  rulesUrl: nullable(t.String()),
  expirationTime: nullable(Iso),
  tickSize: nullable(t.Number({ description: 'cents' })),
  exclusive: t.Boolean(),
  bidLevels: t.Optional(t.Array(BookLevel, { description: 'best five, with depth=true' })),
  askLevels: t.Optional(t.Array(BookLevel, { description: 'best five, with depth=true' })),
  depthAt: t.Optional(Iso),
  edges: t.Array(ThesisEdge),
  indicators: Indicators,
  regime: nullable(Regime),
  crossVenue: nullable(CrossMatch),
  siblings: t.Array(MarketRef),
  fetchedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type Market = Static<typeof Market>
