import { t } from 'elysia'
import type { Static } from 'elysia'
import { VENUES } from '../../domain/market.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Iso } from '../../http/schemas.ts'
import { ThemeLiquidity } from '../../http/theme-liquidity.ts'

export const LiquidityQuery = query({
  q: param.text('every word occurs in the name of the theme'),
  category: param.text('category of the markets that count'),
  venue: param.oneOf(VENUES, null, { description: 'venue of the markets that count' }),
  limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
  asOf: param.asOf(),
})
export type LiquidityQuery = ReadQuery<typeof LiquidityQuery>

export const LiquidityByTheme = t.Object({
  themes: t.Array(ThemeLiquidity, { description: 'by dollars traded in 24 hours' }),
  count: t.Integer(),
  generatedAt: Iso,
})
export type LiquidityByTheme = Static<typeof LiquidityByTheme>
