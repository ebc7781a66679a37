import { feePerContract } from '../fees.ts'
import type { FeeTerms } from '../fees.ts'
import { LIQUIDITY_WEIGHTS } from '../liquidity.ts'
import type { LiquidityScore } from '../liquidity.ts'
import type { OrderBook, Side } from '../market.ts'
import { executionOf } from '../orderbook.ts'
import { clamp } from '../statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'

/** A thesis's price against the market's, on the YES scale. */
export interface ThesisEdge {
  /** Thesis less market, cents. */
  readonly edge: number
  readonly direction: Side
  /** Share of the first edge that the market has taken; null when that edge was under a cent. */
  readonly absorption: number | null
  readonly confidence: number
}

/** What a thesis says of one market. */
export interface ThesisPrice {
  readonly thesisPrice: Cents
  /** When the edge was first seen: the thesis's price then, and the market's. */
  readonly firstThesisPrice: Cents
  readonly firstMarketPrice: Cents | null
  readonly thesisConfidence: number
  /** Null when the thesis gives the edge none of its own. */
  readonly ownConfidence: number | null
}

/** Share of an edge that the market has taken (methodology E1). */
export function marketAbsorption(
  price: Cents,
  first: Pick<ThesisPrice, 'firstThesisPrice' | 'firstMarketPrice'>,
  params: EdgeParams = EDGE_PARAMS,
): number | null {
  if (first.firstMarketPrice === null) return null
  const whole = first.firstThesisPrice - first.firstMarketPrice
  if (Math.abs(whole) < params.leastEdge) return null
  return clamp((price - first.firstMarketPrice) / whole, 0, 1)
}

/** The edge of a thesis in one market, or null when it is under a cent or there is no price. */
export function thesisEdge(
  thesis: ThesisPrice,
  price: Cents | null,
  params: EdgeParams = EDGE_PARAMS,
): ThesisEdge | null {
  if (price === null) return null
  const edge = roundTo(thesis.thesisPrice - price, 4)
  if (Math.abs(edge) < params.leastEdge) return null
  return {
    edge,
    direction: edge > 0 ? 'yes' : 'no',
    absorption: marketAbsorption(price, thesis, params),
    confidence: thesis.thesisConfidence * (thesis.ownConfidence ?? params.ownConfidence),
  }
}

/** What is left of an edge after crossing the book and paying the fee. */
export interface ExecutableEdge {
  /** Cents per contract, not rounded; null when nothing can be taken. */
  readonly edge: number | null
  /** Contracts that were there to take, at most the reference size. */
  readonly sizeAvailable: number
  /** No book was known; see `executionOf`. */
  readonly estimated: boolean
}

/** Where a market can be traded. */
export interface TradablePrice {
  readonly book: OrderBook | null
  readonly price: Cents | null
  readonly spread: Cents | null
  readonly fees: FeeTerms
}

/**
 * An edge against a fair price after walking 100 contracts of the book and the taker's fee
 * (methodology E2): cents per contract, positive is worth it. Holding to settlement costs nothing.
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
  const before = direction === 'yes' ? fair - price : price - fair
  return {
    edge: before - feePerContract(market.fees, price, at),
    sizeAvailable: filled,
    estimated,
  }
}

/** How strong an edge is: its size, how sure, how much is left, how well it can be traded (E6). */
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

/** Why an edge may be there: the first kind that holds (methodology E6). */
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
