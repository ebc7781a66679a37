import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'

export const HighlightsQuery = query({
  topic: param.text('theme of the market'),
  category: param.text('category of the market'),
  limit: param.clampedInteger({ default: 20, min: 1, max: 100 }),
  asOf: param.asOf(),
})
export type HighlightsQuery = ReadQuery<typeof HighlightsQuery>

export const Highlights = t.Object({
  highlights: t.Array(
    t.Object({
      rank: t.Integer({ description: 'from 0' }),
      kind: words(['mover', 'edge', 'contagion', 'resolving', 'new', 'volume']),
      title: t.String(),
      summary: t.String(),
      ticker: nullable(t.String()),
      price: Cents,
      delta24h: Num,
      at: Iso,
      url: t.String(),
    }),
  ),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Highlights = Static<typeof Highlights>
