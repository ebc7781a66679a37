import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import * as param from '../../http/params.ts'
import { inOrder, query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { pageSchema } from './lists.schema.ts'
import { ScreenRow } from './market.types.ts'

export const SCREEN_SORTS = ['iy', 'ee', 'or', 'las', 'cri', 'tau', 'volume'] as const
export type ScreenSort = (typeof SCREEN_SORTS)[number]

const price = () => param.number({ min: 0, max: 100, description: 'cents' })

export const ScreenQuery = query(
  {
    keyword: param.text('every word occurs in title, subtitle, event title or ticker'),
    category: param.text(),
    venue: param.oneOf(VENUES, null),
    topic: param.text(),
    iy_min: param.number({ description: 'implied yield of YES, percent a year' }),
    iy_max: param.number({ description: 'implied yield of YES, percent a year' }),
    ee_min: param.number({ description: 'expected edge, cents' }),
    las_max: param.number({ min: 0, description: 'spread over price' }),
    or_min: param.number({ description: 'overround as a fraction: 0.05 is a 105 cent field' }),
    or_max: param.number({ description: 'overround as a fraction' }),
    cri_min: param.number({ min: 0, description: 'cliff ratio' }),
    cri_max: param.number({ min: 0, description: 'cliff ratio' }),
    tau_min_days: param.number({ min: 0 }),
    tau_max_days: param.number({ min: 0 }),
    price_min: price(),
    price_max: price(),
    vol24h_min: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    has_thesis: param.flag(),
    no_thesis: param.flag(),
    has_orderbook: param.flag(),
    no_orderbook: param.flag(),
    sort: param.oneOf(SCREEN_SORTS, 'iy'),
    order: param.oneOf(['asc', 'desc'] as const, 'desc'),
    limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
    cursor: param.text('continues a page; holds its sort and filters'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  (read) => {
    inOrder('iy', read.iy_min, read.iy_max)
    inOrder('or', read.or_min, read.or_max)
    inOrder('cri', read.cri_min, read.cri_max)
    inOrder('price', read.price_min, read.price_max)
    const { tau_min_days: soonest, tau_max_days: latest } = read
    if (soonest !== null && latest !== null && soonest > latest) {
      throw new InvalidInput('tau_min_days must not be above tau_max_days')
    }
    for (const [has, no] of [
      ['has_thesis', 'no_thesis'],
      ['has_orderbook', 'no_orderbook'],
    ] as const) {
      if (read[has] && read[no]) throw new InvalidInput(`${has} and ${no} cannot both be true`)
    }
  },
)
export type ScreenQuery = ReadQuery<typeof ScreenQuery>

export const ScreenPage = pageSchema(ScreenRow)
export type ScreenPage = Static<typeof ScreenPage>

export const ScreenByTickersQuery = query({
  tickers: param.requiredTickers(),
  venue: param.oneOf(VENUES, null),
  minVolume: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
  asOf: param.asOf(),
})
export type ScreenByTickersQuery = ReadQuery<typeof ScreenByTickersQuery>

export const ScreenedTickers = t.Object({
  markets: t.Array(ScreenRow, { description: 'in request order' }),
  count: t.Integer(),
  missing: t.Array(t.String(), { description: 'tickers that name no market' }),
})
export type ScreenedTickers = Static<typeof ScreenedTickers>
