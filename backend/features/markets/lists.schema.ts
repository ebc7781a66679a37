import { t } from 'elysia'
import type { Static, TSchema } from 'elysia'
import { quotedFields, SampleMark } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { MARKET_STATUSES, VENUES } from '../../domain/market.ts'
import { ListedRow, MarketActions, NewRow } from './market.types.ts'
import { SORT_KEYS } from './ranking.ts'
import type { MarketSort } from './ranking.ts'

export const SORTS = Object.keys(SORT_KEYS) as readonly MarketSort[]

/** A page of market rows of some kind. */
export const pageSchema = <T extends TSchema>(row: T) =>
  t.Object({
    markets: t.Array(row),
    count: t.Integer({ description: 'rows of this page' }),
    total: t.Integer(),
    limit: t.Integer(),
    offset: t.Integer(),
    nextCursor: nullable(t.String()),
    hasMore: t.Boolean(),
    generatedAt: Iso,
    nextActions: t.Optional(MarketActions),
  })

export const MarketPage = pageSchema(ListedRow)
export type MarketPage = Static<typeof MarketPage>
export const NewMarketPage = pageSchema(NewRow)
export type NewMarketPage = Static<typeof NewMarketPage>

const topic = () =>
  param.text('theme of the market, or energy, rates, fx, equities, crypto, volatility')
const category = () => param.text('category of the market')
const venue = () => param.oneOf(VENUES, null)

export const MarketsQuery = query(
  {
    q: param.text('every word occurs in title, subtitle, event title or ticker'),
    tickers: param.tickers(),
    topic: topic(),
    category: category(),
    venue: venue(),
    status: param.oneOf(MARKET_STATUSES, 'active', { aliases: { open: 'active' } }),
    sort: param.oneOf(SORTS, 'volume24h'),
    order: param.oneOf(['asc', 'desc'] as const, null, { description: 'desc; closeTime: asc' }),
    limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
    cursor: param.text('continues a page; holds its sort and filters'),
    offset: param.boundedInteger({ default: null, min: 0, max: 100_000 }),
    depth: param.flag('book levels for the first ten rows'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ cursor, offset }) => {
    if (cursor !== null && offset !== null) {
      throw new InvalidInput('cursor and offset cannot be used together')
    }
  },
)
export type MarketsQuery = ReadQuery<typeof MarketsQuery>

export const NewMarketsQuery = query({
  since: param.since('24h'),
  topic: topic(),
  category: category(),
  venue: venue(),
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type NewMarketsQuery = ReadQuery<typeof NewMarketsQuery>

export const LiveTickersQuery = query({
  topic: topic(),
  category: category(),
  venue: venue(),
  tickers: param.tickers(),
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  asOf: param.asOf(),
})
export type LiveTickersQuery = ReadQuery<typeof LiveTickersQuery>

export const LiveTickers = t.Object({
  tickers: t.Array(
    t.Object({
      ...quotedFields,
      lastPrice: Cents,
      change24h: Num,
      volume24h: Num,
      updatedAt: Iso,
      sample: SampleMark,
    }),
  ),
  count: t.Integer(),
  generatedAt: Iso,
})
export type LiveTickers = Static<typeof LiveTickers>
