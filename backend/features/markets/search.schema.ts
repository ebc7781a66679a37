import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import { inOrder, query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { TEXT_TYPES } from '../../http/site-texts.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { MarketRow } from '../../http/market-schemas.ts'
import { MarketActions, ScannedRow } from './market.types.ts'

const searched = () => param.requiredText('q required (min 2 chars)', 2)

export const HIT_TYPES = ['market', ...TEXT_TYPES] as const

export const SearchQuery = query({
  q: searched(),
  limit: param.clampedInteger({ default: 10, min: 1, max: 20 }),
  type: param.listOf(HIT_TYPES),
  asOf: param.asOf(),
})
export type SearchQuery = ReadQuery<typeof SearchQuery>

export const SearchAnswer = t.Object({
  query: t.String(),
  results: t.Array(
    t.Object({
      id: t.String({ description: 'kind and name, as market:<ticker>' }),
      type: words(HIT_TYPES),
      title: t.String(),
      href: t.String(),
      description: t.String(),
      badge: nullable(t.String()),
      meta: nullable(
        t.Object({
          ticker: t.Optional(t.String()),
          venue: t.Optional(VenueWord),
          price: t.Optional(Cents),
          volume24h: t.Optional(Num),
        }),
      ),
      score: t.Number(),
    }),
  ),
  markets: t.Array(MarketRow),
  count: t.Integer(),
})
export type SearchAnswer = Static<typeof SearchAnswer>

const price = () => param.number({ min: 0, max: 100, description: 'cents' })

export const ScanQuery = query(
  {
    q: searched(),
    limit: param.clampedInteger({ default: 20, min: 1, max: 50 }),
    venue: param.oneOf(VENUES, null),
    price_min: price(),
    price_max: price(),
    vol_min: param.number({ min: 0, description: 'dollars traded in all' }),
    vol24h_min: param.number({ min: 0, description: 'dollars traded in 24 hours' }),
    expires_before: param.instant('closes before this time'),
    expires_after: param.instant('closes after this time'),
    include_subcent: param.flag('also prices under one cent'),
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
  generatedAt: Iso,
  nextActions: t.Optional(MarketActions),
})
export type ScanAnswer = Static<typeof ScanAnswer>
