import { LIQUIDITY_WEIGHTS } from './liquidity.ts'
import type { LiquidityScore } from './liquidity.ts'
import type { Ticker } from '../market.ts'
import { medianOf, saturate } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'

export interface ThemeLiquidityParams {
  readonly highShare: number
  readonly mediumShare: number
  readonly depthShare: number
  /** Dollars of depth at which its part is one half. */
  readonly halfDepthUsd: number
  readonly highFrom: number
  readonly mediumFrom: number
  readonly topMarkets: number
}
export const THEME_LIQUIDITY_PARAMS: ThemeLiquidityParams = {
  highShare: 0.5,
  mediumShare: 0.25,
  depthShare: 0.25,
  halfDepthUsd: 100_000,
  highFrom: 60,
  mediumFrom: 30,
  topMarkets: 3,
}

/** Inputs of a live market for its theme's liquidity; null is unknown. */
export interface MarketLiquidity {
  readonly ticker: Ticker
  readonly theme: string
  readonly liquidityScore: LiquidityScore
  readonly volume24hUsd: number | null
  readonly volume24hUsdDayAgo: number | null
  /** Contracts count as one dollar each; dollars are used as they are. */
  readonly openInterestUsd: number | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  readonly spread: number | null
}

export interface ThemeLiquidity<Market> {
  readonly theme: string
  readonly marketCount: number
  readonly volume24hUsd: number | null
  readonly openInterestUsd: number | null
  /** Sum of the thinner sides. */
  readonly depthUsd: number | null
  readonly medianSpread: number | null
  readonly shares: Readonly<Record<LiquidityScore, number>>
  /** 0 to 100; an unknown depth adds nothing. */
  readonly index: number
  readonly liquidityScore: LiquidityScore
  readonly change24hPct: number | null
  /** Markets with the most volume, ties by ticker. */
  readonly top: readonly Market[]
}

/** Sum of the known values; null when none is known. */
function knownSum(values: Iterable<number | null>): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum
}

const thinnerSide = ({ bidDepthUsd, askDepthUsd }: MarketLiquidity): number | null =>
  bidDepthUsd === null || askDepthUsd === null ? null : Math.min(bidDepthUsd, askDepthUsd)

/**
 * Index of a theme, 0 to 100: mostly the share of good books, plus depth with diminishing returns.
 */
export function liquidityIndex(
  highShare: number,
  mediumShare: number,
  depthUsd: number | null,
  params: ThemeLiquidityParams = THEME_LIQUIDITY_PARAMS,
): number {
  const depth = saturate((depthUsd ?? 0) / params.halfDepthUsd)
  const { highShare: high, mediumShare: medium, depthShare } = params
  return 100 * (high * highShare + medium * mediumShare + depthShare * depth)
}

/** Score of a theme's index. */
export const themeScore = (
  index: number,
  params: ThemeLiquidityParams = THEME_LIQUIDITY_PARAMS,
): LiquidityScore =>
  index >= params.highFrom ? 'high' : index >= params.mediumFrom ? 'medium' : 'low'

/** Liquidity of each theme, most dollar volume first, unknown volume last. Methodology F3. */
export function themeLiquidity<Market extends MarketLiquidity>(
  markets: Iterable<Market>,
  params: ThemeLiquidityParams = THEME_LIQUIDITY_PARAMS,
): ThemeLiquidity<Market>[] {
  const themes = new Map<string, Market[]>()
  for (const market of markets) {
    const members = themes.get(market.theme)
    if (members === undefined) themes.set(market.theme, [market])
    else members.push(market)
  }
  return [...themes]
    .map(([theme, members]) => liquidityOf(theme, members, params))
    .sort((a, b) => (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.theme < b.theme ? -1 : 1))
}

function liquidityOf<Market extends MarketLiquidity>(
  theme: string,
  all: readonly Market[],
  params: ThemeLiquidityParams,
): ThemeLiquidity<Market> {
  // Sorted by volume, then ticker, so that float sums do not depend on the input order.
  const members = all.toSorted(
    (a, b) => (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || (a.ticker < b.ticker ? -1 : 1),
  )
  const shareOf = (score: LiquidityScore): number =>
    members.filter(({ liquidityScore }) => liquidityScore === score).length / members.length
  const levels = Object.keys(LIQUIDITY_WEIGHTS) as LiquidityScore[]
  const shares = Object.fromEntries(levels.map((score) => [score, shareOf(score)])) as Record<
    LiquidityScore,
    number
  >
  const volume = knownSum(members.map(({ volume24hUsd }) => volume24hUsd))
  const previous = knownSum(members.map(({ volume24hUsdDayAgo }) => volume24hUsdDayAgo))
  const depthUsd = knownSum(members.map(thinnerSide))
  const index = liquidityIndex(shares.high, shares.medium, depthUsd, params)
  const spreads = members.map(({ spread }) => spread).filter((spread) => spread !== null)
  const isComparable = volume !== null && previous !== null && previous > 0
  return {
    theme,
    marketCount: members.length,
    volume24hUsd: volume,
    openInterestUsd: knownSum(members.map(({ openInterestUsd }) => openInterestUsd)),
    depthUsd,
    medianSpread: medianOf(spreads),
    shares,
    index,
    liquidityScore: themeScore(index, params),
    change24hPct: isComparable ? roundTo(100 * (volume / previous - 1), 2) : null,
    top: members.slice(0, params.topMarkets),
  }
}
