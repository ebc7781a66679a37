import { t } from 'elysia'
import type { Static } from 'elysia'
import { linkFields, SampleMark, VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import type { OddsBand } from '../../domain/odds.ts'

const BANDS: readonly OddsBand[] = ['mid', 'moving']

const oddsParams = (limit: number) => ({
  category: param.text('category of the leading market'),
  band: param.oneOf(BANDS, null, {
    description: 'mid: priced 20 to 80¢; moving: moved by 5¢ and more in a day',
  }),
  topic: param.text('theme of a market of the question'),
  limit: param.clampedInteger({ default: limit, min: 1, max: 500 }),
  asOf: param.asOf(),
})
export const OddsQuery = query(oddsParams(100))
export type OddsQuery = ReadQuery<typeof OddsQuery>
/** The markdown form shows as many as it may. */
export const OddsTableQuery = query(oddsParams(500))

export const OddsRow = t.Object({
  ...linkFields,
  slug: t.String(),
  title: t.String(),
  category: t.String(),
  kind: words(['binary', 'multi']),
  price: Cents,
  leader: nullable(t.Object({ label: t.String(), ticker: t.String(), price: Cents })),
  delta24h: Num,
  volume24hUsd: Num,
  venues: t.Array(VenueWord),
  marketCount: t.Integer(),
  tickers: t.Array(t.String()),
  closeTime: nullable(Iso),
  sample: SampleMark,
})
export type OddsRow = Static<typeof OddsRow>

export const OddsAnswer = t.Object({
  asOf: Iso,
  category: nullable(t.String()),
  band: nullable(words(['mid', 'moving'])),
  count: t.Integer(),
  total: t.Integer(),
  odds: t.Array(OddsRow, { description: 'by dollars traded in 24 hours' }),
})
export type OddsAnswer = Static<typeof OddsAnswer>
