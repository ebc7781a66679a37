import type { ParamsOf } from '../params.ts'
import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import { DAY } from '../units.ts'
import { byTicker, type WorldMarket } from './world-market.ts'

export const UNIVERSE_PARAMS = {
  /** Markets with a shorter lifetime at listing are recurring noise, ms. */
  shortestHorizon: DAY,
  /** Confidence from which a pair is one question on two venues. */
  samePair: 0.8,
} as const

/** Two tickers that may be the same question. */
export interface Duplicate {
  readonly a: string
  readonly b: string
  readonly confidence: number
}

/**
 * Whether a live market counts at all: not a parlay, and a day or more to its close when it was
 * listed.
 */
export function isEligible(
  market: WorldMarket,
  params: ParamsOf<typeof UNIVERSE_PARAMS> = UNIVERSE_PARAMS,
): boolean {
  if (market.multiLeg) return false
  const { closeTime, listedAt } = market
  return closeTime === null || listedAt === null || closeTime - listedAt >= params.shortestHorizon
}

/**
 * U(t): the live markets that gauges count. A question on both venues counts once, by its more
 * liquid leg (liquidity, then dollars traded, then ticker). Methodology Part B.
 * @param markets live markets of both venues
 */
export function universeOf(
  markets: readonly WorldMarket[],
  duplicates: readonly Duplicate[],
  params: ParamsOf<typeof UNIVERSE_PARAMS> = UNIVERSE_PARAMS,
): WorldMarket[] {
  const eligible = markets.filter((market) => isEligible(market, params))
  const byName = new Map(eligible.map((market) => [market.ticker, market]))
  const droppedTickers = new Set<string>()
  for (const pair of duplicates) {
    if (pair.confidence < params.samePair) continue
    const [a, b] = [byName.get(pair.a), byName.get(pair.b)]
    if (a !== undefined && b !== undefined) droppedTickers.add((isThinner(a, b) ? a : b).ticker)
  }
  return droppedTickers.size === 0
    ? eligible
    : eligible.filter(({ ticker }) => !droppedTickers.has(ticker))
}

function isThinner(a: WorldMarket, b: WorldMarket): boolean {
  const weight = LIQUIDITY_WEIGHTS[a.liquidity] - LIQUIDITY_WEIGHTS[b.liquidity]
  if (weight !== 0) return weight < 0
  const dollars = (a.volume24hUsd ?? 0) - (b.volume24hUsd ?? 0)
  return dollars === 0 ? byTicker(a, b) > 0 : dollars < 0
}
