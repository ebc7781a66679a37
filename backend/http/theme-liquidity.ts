import { t } from 'elysia'
import type { Static } from 'elysia'
import { LevelWord, MarketRef } from './market-ref.ts'
import { Num } from './schemas.ts'

/** How well a theme can be traded (methodology F3). */
export const ThemeLiquidity = t.Object({
  theme: t.String(),
  label: t.String(),
  marketCount: t.Integer(),
  volume24hUsd: Num,
  openInterestUsd: Num,
  depthUsd: Num,
  medianSpread: Num,
  liquidityScore: LevelWord,
  change24hPct: Num,
  topMarkets: t.Array(MarketRef, { description: 'three, most traded first' }),
})
export type ThemeLiquidity = Static<typeof ThemeLiquidity>
