import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { CHANGE_TYPES } from '../../history/change-events.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'

export const ChangesQuery = query({
  since: param.since('1h'),
  type: param.listOf(CHANGE_TYPES),
  ticker: param.text(),
  topic: param.text(),
  venue: param.oneOf(VENUES, null),
  limit: param.clampedInteger({ default: 100, min: 1, max: 500 }),
  cursor: param.text('continues a page; holds its window and filters'),
  asOf: param.asOf(),
})
export type ChangesQuery = ReadQuery<typeof ChangesQuery>

const Told = nullable(t.Union([t.Number(), t.String()]))
export const ChangesAnswer = t.Object({
  since: Iso,
  to: Iso,
  changes: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueWord,
      title: t.String(),
      price: Cents,
      url: t.String(),
      id: t.String(),
      type: words(CHANGE_TYPES),
      before: Told,
      after: Told,
      delta: Num,
      at: Iso,
    }),
  ),
  count: t.Integer(),
  nextCursor: nullable(t.String()),
  hasMore: t.Boolean(),
})
export type ChangesAnswer = Static<typeof ChangesAnswer>
