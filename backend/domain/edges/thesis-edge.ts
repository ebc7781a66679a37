import { feePerContract } from '../fees.ts'
import type { FeeTerms } from '../fees.ts'
import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { OrderBook, Side } from '../market.ts'
import { executionOf } from '../prices/orderbook.ts'
import { clamp } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'

/** A thesis price compared with the market price, on the YES scale. */
export interface ThesisEdge {
  /** Thesis minus market, cents. */
  readonly edge: number
  readonly direction: Side
  /** Share of the first edge that the market has absorbed; null when that edge was under a cent. */
  readonly absorption: number | null
  readonly confidence: number
}

/** A thesis's pricing of one market. */
export interface ThesisPrice {
  readonly thesisPrice: Cents
  /** Prices when the edge was first seen: the thesis's and the market's. */
  readonly firstThesisPrice: Cents
  readonly firstMarketPrice: Cents | null
  readonly thesisConfidence: number
  /** Null when the thesis states no confidence for this edge. */
  readonly ownConfidence: number | null
}

/** Share of an edge that the market has absorbed (methodology E1). */
export function marketAbsorption(
  price: Cents,
  first: Pick<ThesisPrice, 'firstThesisPrice' | 'firstMarketPrice'>,
  params: EdgeParams = EDGE_PARAMS,
): number | null {
  if (first.firstMarketPrice === null) return null
  const firstGap = first.firstThesisPrice - first.firstMarketPrice
  if (Math.abs(firstGap) < params.minEdge) return null
  return clamp((price - first.firstMarketPrice) / firstGap, 0, 1)
}

/** The edge of a thesis in one market; null when it is under a cent or there is no price. */
export function thesisEdge(
  thesis: ThesisPrice,
  price: Cents | null,
  params: EdgeParams = EDGE_PARAMS,
): ThesisEdge | null {
  if (price === null) return null
  const edge = roundTo(thesis.thesisPrice - price, 4)
  if (Math.abs(edge) < params.minEdge) return null
  return {
    edge,
    direction: edge > 0 ? 'yes' : 'no',
    absorption: marketAbsorption(price, thesis, params),
    confidence: thesis.thesisConfidence * (thesis.ownConfidence ?? params.defaultConfidence),
  }
}

/** The edge that remains after crossing the book and paying the fee. */
export interface ExecutableEdge {
  /** Cents per contract, not rounded; null when nothing can be bought. */
  readonly edge: number | null
  /** Contracts available, at most the reference size. */
  readonly sizeAvailable: number
  /** True when no book was known; see `executionOf`. */
  readonly estimated: boolean
}

/** Book and prices of a market for trading. */
export interface TradablePrice {
  readonly book: OrderBook | null
  readonly price: Cents | null
  readonly spread: Cents | null
  readonly fees: FeeTerms
}

/**
 * Edge against a fair price after walking 100 contracts of the book and paying the taker fee
 * (methodology E2): cents per contract, positive is profitable. Holding to settlement costs
 * nothing.
 */
export function executableEdge(
  fair: Cents,
  direction: Side,
  market: TradablePrice,
  at: Millis | null = null,
  params: EdgeParams = EDGE_PARAMS,
): ExecutableEdge {
  const side = direction === 'yes' ? 'buy' : 'sell'
  const { price, filled, estimated } = executionOf(side, params.size, market.book, market)
  if (price === null) return { edge: null, sizeAvailable: 0, estimated }
  const previous = direction === 'yes' ? fair - price : price - fair
  return {
    edge: previous - feePerContract(market.fees, price, at),
    sizeAvailable: filled,
    estimated,
  }
}

/** Strength of an edge from its size, confidence, unabsorbed share and liquidity (E6). */
export const edgeStrength = (
  executable: number | null,
  confidence: number,
  absorption: number | null,
  liquidity: LiquidityScore,
): number | null =>
  executable === null
    ? null
    : Math.abs(executable) * confidence * (1 - (absorption ?? 0)) * LIQUIDITY_WEIGHTS[liquidity]

export type EdgeType = 'timing_gap' | 'attention_gap' | 'risk_premium' | 'consensus_gap'

/** Type of an edge: the first kind whose condition holds (methodology E6). */
export function edgeTypeOf(
  market: {
    readonly onDateLadder: boolean
    readonly residualVr: number | null
    readonly price: Cents | null
  },
  params: EdgeParams = EDGE_PARAMS,
): EdgeType {
  if (market.onDateLadder) return 'timing_gap'
  if (market.residualVr !== null && market.residualVr >= params.attention) return 'attention_gap'
  const { above, below } = params.riskPremium
  if (market.price !== null && (market.price >= above || market.price <= below)) {
    return 'risk_premium'
  }
  return 'consensus_gap'
}
