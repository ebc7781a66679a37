import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { Pair, PAIR_STATUSES } from '../../http/pair.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Iso, nullable, Num } from '../../http/schemas.ts'

export const PAIR_SORTS = ['gap', 'confidence', 'volume'] as const
export type PairSort = (typeof PAIR_SORTS)[number]

export const PairsQuery = query({
  venue: param.oneOf(VENUES, null, { description: 'either venue; every pair has both' }),
  minConfidence: param.number({ min: 0, max: 1, description: '0.5 unless sent' }),
  minGap: param.number({ min: 0, max: 100, description: 'least size of the gap, cents' }),
  topic: param.text('theme of either market'),
  status: param.oneOf(PAIR_STATUSES, null, { aliases: { open: 'active' } }),
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  cursor: param.text('continues a page; holds its sort and filters'),
  sort: param.oneOf(PAIR_SORTS, 'confidence'),
  asOf: param.asOf(),
})
export type PairsQuery = ReadQuery<typeof PairsQuery>

export const PairStatsQuery = query({ asOf: param.asOf() })
export type PairStatsQuery = ReadQuery<typeof PairStatsQuery>

export const PairPage = t.Object({
  pairs: t.Array(Pair, { description: 'by the sort, descending' }),
  count: t.Integer(),
  total: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
  generatedAt: Iso,
})
export type PairPage = Static<typeof PairPage>

export const PairStats = t.Object({
  totalPairs: t.Integer(),
  activePairs: t.Integer(),
  byConfidence: t.Array(t.Object({ from: t.Number(), to: t.Number(), count: t.Integer() }), {
    description: 'ten bands of 0.1, ascending',
  }),
  byPreset: t.Object({
    arb: t.Integer(),
    world: t.Integer(),
    detail: t.Integer(),
    browse: t.Integer(),
  }),
  medianAbsGap: Num,
  generatedAt: Iso,
})
export type PairStats = Static<typeof PairStats>
