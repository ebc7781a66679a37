import { t } from 'elysia'
import type { Static } from 'elysia'
import { SampleMark, Suspect, linkFields, quotedFields } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Iso, Num, nullable, stringEnum } from './schemas.ts'

export const PAIR_STATUSES = ['active', 'closed'] as const
export type PairStatus = (typeof PAIR_STATUSES)[number]

export const PairLeg = t.Object({
  ...linkFields,
  ...quotedFields,
  volume24h: Num,
  closeTime: nullable(Iso),
  sample: SampleMark,
})
export type PairLeg = Static<typeof PairLeg>

/** One question on both venues (methodology D7). */
export const Pair = t.Object({
  id: t.String(),
  confidence: t.Number(),
  method: stringEnum(['exact', 'text', 'reviewed']),
  inverted: t.Boolean({ description: 'the two questions are opposites' }),
  gap: nullable(t.Number({ description: 'a minus the aligned b, cents on the YES scale' })),
  executableGap: nullable(
    t.Number({ description: 'profit of trading both at 100 contracts after fees, cents' }),
  ),
  closeDeltaDays: Num,
  a: PairLeg,
  b: PairLeg,
  status: stringEnum(PAIR_STATUSES),
  matchedAt: Iso,
  suspect: Suspect,
})
export type Pair = Static<typeof Pair>

export const PAIR_SORTS = ['gap', 'confidence', 'volume'] as const
export type PairSort = (typeof PAIR_SORTS)[number]

export const PairsQuery = query({
  venue: param.venue('either venue; every pair has both'),
  minConfidence: param.number({
    min: 0,
    max: 1,
    description: 'minimum confidence of the match; 0.5 when absent',
  }),
  minGap: param.number({ min: 0, max: 100, description: 'minimum size of the gap, cents' }),
  topic: param.text('theme of either market'),
  status: param.oneOf(PAIR_STATUSES, null, {
    description: 'state of the pair',
    aliases: { open: 'active' },
  }),
  limit: param.limit(50, 500),
  cursor: param.text('continues a page with its sort and filters'),
  sort: param.oneOf(PAIR_SORTS, 'confidence', { description: 'order of the pairs' }),
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
