import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import { MarketRef } from '../../http/market-ref.ts'
import { RegimeLabel } from '../../http/market-schemas.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Gauges, Mover } from '../../http/read-schemas.ts'
import { Iso, words } from '../../http/schemas.ts'

export const DIFF_WINDOWS = ['1h', '6h', '24h', '7d'] as const
export type DiffWindow = (typeof DIFF_WINDOWS)[number]

export const DiffQuery = query({
  window: param.oneOf(DIFF_WINDOWS, '24h'),
  topic: param.text('theme of the market'),
  category: param.text('category of the market'),
  venue: param.oneOf(VENUES, null),
  limit: param.clampedInteger({ default: 50, min: 1, max: 200, description: 'rows of each list.' }),
  asOf: param.asOf(),
})
export type DiffQuery = ReadQuery<typeof DiffQuery>

export const DiffAnswer = t.Object({
  window: words(DIFF_WINDOWS),
  from: Iso,
  to: Iso,
  moved: t.Array(Mover, { description: 'a cent and more, largest first' }),
  added: t.Array(MarketRef, { description: 'newest first, as are the lists below' }),
  resolved: t.Array(
    t.Object({ ...MarketRef.properties, result: words(['yes', 'no', 'scalar']), at: Iso }),
  ),
  closed: t.Array(MarketRef),
  regimeChanges: t.Array(
    t.Object({ ...MarketRef.properties, fromLabel: RegimeLabel, toLabel: RegimeLabel, at: Iso }),
  ),
  index: t.Object(Gauges.properties, {
    description: 'gauges at the end less those at the start',
  }),
})
export type DiffAnswer = Static<typeof DiffAnswer>
