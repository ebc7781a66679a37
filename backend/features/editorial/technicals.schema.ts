import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { VenueWord } from '../../http/market-ref.ts'
import { Indicators } from '../../http/market-schemas.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { listParams } from './editorial.params.ts'
import { pageFields } from './reference.schema.ts'

export const TechnicalsQuery = query({
  ...listParams(),
  topic: param.text('topic or group'),
  venue: param.oneOf(VENUES, null),
  asOf: param.asOf(),
})
export type TechnicalsQuery = ReadQuery<typeof TechnicalsQuery>

const rowFields = {
  slug: t.String(),
  ticker: t.String(),
  venue: VenueWord,
  title: t.String(),
  price: Cents,
  trend: words(['up', 'down', 'flat']),
  momentum: nullable(t.Number({ description: 'cents a day' })),
  rv: Num,
  volumeZ: Num,
  breakout: nullable(words(['up', 'down'])),
  strength: t.Number({ description: '0 to 1' }),
  summary: t.String(),
  url: t.String(),
  asOf: Iso,
}
export const TechRow = t.Object(rowFields)
export type TechRow = Static<typeof TechRow>
export const Technicals = t.Object({ technicals: t.Array(TechRow), ...pageFields })
export type Technicals = Static<typeof Technicals>

export const TechPage = t.Object({
  ...rowFields,
  levels: t.Array(
    t.Object({
      price: t.Number(),
      kind: words(['support', 'resistance']),
      touches: t.Integer(),
    }),
  ),
  series: t.Array(t.Object({ date: t.String(), price: Cents, volume: Num }), {
    description: '30 days, oldest first; volume in dollars',
  }),
  indicators: Indicators,
  note: t.String(),
})
export type TechPage = Static<typeof TechPage>
