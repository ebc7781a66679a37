import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { LevelWord, linkFields, VenueWord } from '../../http/market-ref.ts'
import { StatusWord } from '../../http/market-schemas.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'

export const EdgesQuery = query({
  limit: param.clampedInteger({ default: 25, min: 1, max: 200 }),
  minStrength: param.number({ min: 0, description: 'least size of the edge, cents' }),
  theme: param.text('theme of the market'),
  venue: param.oneOf(VENUES, null),
  asOf: param.asOf(),
})
export type EdgesQuery = ReadQuery<typeof EdgesQuery>

export const EdgeRow = t.Object({
  ...linkFields,
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  status: StatusWord,
  marketPrice: Cents,
  thesisPrice: t.Number({ description: 'cents' }),
  edge: t.Number({ description: 'thesis less market, cents' }),
  executableEdge: nullable(t.Number({ description: 'after crossing the book and the fee' })),
  direction: words(['yes', 'no']),
  confidence: t.Number(),
  liquidityScore: LevelWord,
  spread: Cents,
  reasoning: t.String(),
  edgeAgeHours: Num,
  marketAbsorption: Num,
  edgeType: words(['consensus_gap', 'attention_gap', 'timing_gap', 'risk_premium']),
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
