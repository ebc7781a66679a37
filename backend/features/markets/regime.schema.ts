import { t } from 'elysia'
import type { Static } from 'elysia'
import { EVENT_TYPES, OBSERVABILITIES } from '../../domain/event-type-rules.ts'
import { VENUES } from '../../domain/market.ts'
import { REGIME_LABELS } from '../../domain/regime-label.ts'
import { REGIME_SORTS } from '../../domain/regime-scan.ts'
import * as param from '../../http/params.ts'
import { inOrder, query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso, nullable } from '../../http/schemas.ts'
import { MarketActions, RegimeRow } from './market.types.ts'

const score = () => param.number({ min: 0, max: 1, description: 'adverse-selection score' })

export const RegimeScanQuery = query(
  {
    label: param.oneOf(REGIME_LABELS, null),
    as_min: score(),
    as_max: score(),
    venue: param.oneOf(VENUES, null),
    event_type: param.oneOf(EVENT_TYPES, null),
    observability: param.oneOf(OBSERVABILITIES, null),
    has_edge: param.optionalFlag('an edge of at least a cent, or none'),
    category: param.text('category of the market'),
    topic: param.text('theme of the market'),
    min_volume: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    sort: param.oneOf(REGIME_SORTS, 'score'),
    order: param.oneOf(['asc', 'desc'] as const, 'desc'),
    limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
    cursor: param.text('continues a page; holds its sort and filters'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  (read) => inOrder('as', read.as_min, read.as_max),
)
export type RegimeScanQuery = ReadQuery<typeof RegimeScanQuery>

export const RegimePage = t.Object({
  markets: t.Array(RegimeRow),
  count: t.Integer({ description: 'rows of this page' }),
  total: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
  byLabel: t.Object(
    { maker: t.Integer(), taker: t.Integer(), neutral: t.Integer() },
    { description: 'markets that pass all filters but the label' },
  ),
  generatedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type RegimePage = Static<typeof RegimePage>

/** What the retired history answers: where its content went. */
export const RetiredHistory = t.Object({
  error: t.Literal('Gone'),
  code: t.Literal('GONE'),
  replacements: t.Array(Action),
})
export type RetiredHistory = Static<typeof RetiredHistory>
