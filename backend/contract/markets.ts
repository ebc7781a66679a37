import { t } from 'elysia'
import type { Static, TSchema } from 'elysia'
import {
  ListedRow,
  MarketActions,
  MarketRow,
  NewRow,
  SampleMark,
  NearRow,
  ScannedRow,
  ScreenRow,
  VenueEnum,
  quotedFields,
} from './market.ts'
import * as param from './params.ts'
import { inOrder, query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { MARKET_STATUSES } from '../domain/market.ts'
import { InvalidInput } from '../lib/errors.ts'

export const MarketQuery = query({
  depth: param.flag('adds the best five book levels per side'),
  cv_preset: param.oneOf(['arb', 'world', 'detail', 'browse'] as const, 'detail', {
    description: 'minimum confidence of a cross-venue match',
  }),
  cv_min_conf: param.number({ min: 0, max: 1, description: 'replaces the minimum confidence' }),
  cv_max_dt_days: param.number({ min: 0, description: 'replaces the close-time cap' }),
  refresh: param.flag('recomputes from a fresh book; needs credentials'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type MarketQuery = ReadQuery<typeof MarketQuery>
/** Quantities that lists of markets are ranked by. */
export const SORTS = [
  'volume24h',
  'volume',
  'closeTime',
  'price',
  'spread',
  'change24h',
  'openInterest',
  'newest',
] as const
export type MarketSort = (typeof SORTS)[number]

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
const venue = () => param.venue()

const price = () => param.number({ min: 0, max: 100, description: 'cents' })

export const MarketsQuery = query(
  {
    q: param.text('every word occurs in title, subtitle, event title or ticker'),
    tickers: param.tickers(),
    topic: topic(),
    category: category(),
    venue: venue(),
    price_min: price(),
    price_max: price(),
    vol24h_min: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    status: param.oneOf(MARKET_STATUSES, 'active', {
      description: 'state of the market',
      aliases: { open: 'active' },
    }),
    sort: param.oneOf(SORTS, 'volume24h', { description: 'order of the markets' }),
    order: param.oneOf(['asc', 'desc'] as const, null, { description: 'desc; closeTime: asc' }),
    limit: param.limit(50, 500),
    cursor: param.text('continues a page with its sort and filters'),
    offset: param.boundedInteger({
      default: null,
      min: 0,
      max: 100_000,
      description: 'rows to skip; not together with cursor',
    }),
    depth: param.flag('book levels for the first ten rows'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ cursor, offset, price_min, price_max }) => {
    inOrder('price', price_min, price_max)
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
  limit: param.limit(50, 500),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type NewMarketsQuery = ReadQuery<typeof NewMarketsQuery>

export const LiveTickersQuery = query({
  topic: topic(),
  category: category(),
  venue: venue(),
  tickers: param.tickers(),
  limit: param.limit(50, 500),
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
export type LiveTicker = LiveTickers['tickers'][number]

/** Kinds of texts that the search of the whole site finds besides markets. */
export const TEXT_TYPES = [
  'topic',
  'thesis',
  'glossary',
  'technical',
  'opinion',
  'skill',
  'idea',
] as const
export type TextType = (typeof TEXT_TYPES)[number]
const searchTextParam = () =>
  param.requiredText('q required (min 2 chars)', 2, 'words or a question, at least 2 characters')

export const HIT_TYPES = ['market', ...TEXT_TYPES] as const

export const SearchQuery = query({
  q: searchTextParam(),
  limit: param.limit(10, 20),
  type: param.listOf(HIT_TYPES),
  asOf: param.asOf(),
})
export type SearchQuery = ReadQuery<typeof SearchQuery>

const nearFields = {
  note: t.Optional(t.String({ description: 'why no market is listed' })),
  nearest: t.Optional(
    t.Array(NearRow, { description: 'without a market: those nearest to the text' }),
  ),
}

export const SearchAnswer = t.Object({
  query: t.String(),
  results: t.Array(
    t.Object({
      id: t.String({ description: 'kind and name, such as market:<ticker>' }),
      type: stringEnum(HIT_TYPES),
      title: t.String(),
      href: t.String(),
      description: t.String(),
      badge: nullable(t.String()),
      meta: nullable(
        t.Object({
          ticker: t.Optional(t.String()),
          venue: t.Optional(VenueEnum),
          price: t.Optional(Cents),
          volume24h: t.Optional(Num),
        }),
      ),
      score: t.Number(),
    }),
  ),
  markets: t.Array(MarketRow),
  count: t.Integer(),
  ...nearFields,
})
export type SearchAnswer = Static<typeof SearchAnswer>

export const ScanQuery = query(
  {
    q: searchTextParam(),
    limit: param.limit(20, 50),
    venue: param.venue(),
    price_min: price(),
    price_max: price(),
    vol_min: param.number({ min: 0, description: 'dollars traded over the life of the market' }),
    vol24h_min: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    expires_before: param.instant('closes before this time'),
    expires_after: param.instant('closes after this time'),
    include_subcent: param.flag('includes prices below one cent'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ price_min, price_max, expires_after: after, expires_before: before }) => {
    inOrder('price', price_min, price_max)
    if (after !== null && before !== null && after > before) {
      throw new InvalidInput('expires_after must not be later than expires_before')
    }
  },
)
export type ScanQuery = ReadQuery<typeof ScanQuery>

export const ScanAnswer = t.Object({
  query: t.String(),
  results: t.Array(ScannedRow),
  count: t.Integer(),
  ...nearFields,
  generatedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type ScanAnswer = Static<typeof ScanAnswer>

export const SCREEN_SORTS = ['iy', 'ee', 'or', 'las', 'cri', 'tau', 'volume'] as const
export type ScreenSort = (typeof SCREEN_SORTS)[number]

const daysLeft = () => param.number({ min: 0, description: 'days until the market closes' })

export const ScreenQuery = query(
  {
    keyword: param.text('every word occurs in title, subtitle, event title or ticker'),
    category: category(),
    venue: venue(),
    topic: topic(),
    iy_min: param.number({ description: 'implied yield of YES, percent per year' }),
    iy_max: param.number({ description: 'implied yield of YES, percent per year' }),
    ee_min: param.number({ description: 'expected edge, cents' }),
    las_max: param.number({ min: 0, description: 'spread divided by price' }),
    or_min: param.number({
      description: 'overround as a fraction: 0.05 is a field priced at 105 cents',
    }),
    or_max: param.number({ description: 'overround as a fraction' }),
    cri_min: param.number({ min: 0, description: 'cliff ratio' }),
    cri_max: param.number({ min: 0, description: 'cliff ratio' }),
    tau_min_days: daysLeft(),
    tau_max_days: daysLeft(),
    price_min: price(),
    price_max: price(),
    vol24h_min: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    has_thesis: param.flag('only markets of a thesis'),
    no_thesis: param.flag('only markets without a thesis'),
    has_orderbook: param.flag('only markets with a stored book'),
    no_orderbook: param.flag('only markets without a stored book'),
    sort: param.oneOf(SCREEN_SORTS, null, {
      description:
        'default: iy of markets from 3 to 97 cents with a narrow book, $1,000 a day and a week to the close, then the others from 50 cents outwards',
    }),
    order: param.order(),
    limit: param.limit(50, 200),
    cursor: param.text('continues a page with its sort and filters'),
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
  venue: param.venue(),
  minVolume: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
  asOf: param.asOf(),
})
export type ScreenByTickersQuery = ReadQuery<typeof ScreenByTickersQuery>

export const ScreenedTickers = t.Object({
  markets: t.Array(ScreenRow, { description: 'in request order' }),
  count: t.Integer(),
  missing: t.Array(t.String(), { description: 'tickers without a market' }),
})
export type ScreenedTickers = Static<typeof ScreenedTickers>
