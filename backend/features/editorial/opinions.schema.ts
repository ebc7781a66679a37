import { t } from 'elysia'
import type { Static } from 'elysia'
import { MarketRef } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Iso, words } from '../../http/schemas.ts'
import { listParams } from './editorial.params.ts'
import { pageFields } from './reference.schema.ts'

export const OpinionsQuery = query({
  ...listParams(),
  topic: param.text('topic or group'),
  ticker: param.text('market that it is about'),
  asOf: param.asOf(),
})
export type OpinionsQuery = ReadQuery<typeof OpinionsQuery>

const rowFields = {
  slug: t.String(),
  title: t.String(),
  author: t.String(),
  generatedBy: words(['editor', 'model', 'rule']),
  stance: words(['yes', 'no', 'neutral']),
  summary: t.String(),
  tickers: t.Array(t.String()),
  topics: t.Array(t.String()),
  publishedAt: Iso,
  url: t.String(),
}
export const OpinionRow = t.Object(rowFields)
export type OpinionRow = Static<typeof OpinionRow>
export const Opinions = t.Object({ opinions: t.Array(OpinionRow), ...pageFields })
export type Opinions = Static<typeof Opinions>
export const OpinionPage = t.Object({
  ...rowFields,
  body: t.String({ description: 'markdown' }),
  markets: t.Array(MarketRef),
})
export type OpinionPage = Static<typeof OpinionPage>
