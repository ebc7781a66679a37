import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Highlight } from '../../http/read-schemas.ts'
import { Iso } from '../../http/schemas.ts'

export const HighlightsQuery = query({
  topic: param.text('theme of the market'),
  category: param.text('category of the market'),
  limit: param.clampedInteger({ default: 20, min: 1, max: 100 }),
  asOf: param.asOf(),
})
export type HighlightsQuery = ReadQuery<typeof HighlightsQuery>

export const Highlights = t.Object({
  highlights: t.Array(Highlight),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Highlights = Static<typeof Highlights>
