import { roundTo } from '../units.ts'
import type { ThesisPosition } from './holdings.ts'
import type { ThesisStatus } from './status.ts'

export type Recommendation = 'hold' | 'increase' | 'reduce' | 'close'

/** The recommendation of an evaluation for an open position. */
export interface PositionAdvice {
  readonly positionId: string
  readonly recommendation: Recommendation
  readonly reason: string
}

/** Prices of YES by a thesis and by the market, cents. */
export interface PricedMarket {
  readonly ticker: string
  readonly thesisPrice: number
  readonly evaluatedPrice: number
}

/** Edges of the side that is held, cents. */
const LIMITS = { close: -2, reduce: 1, increase: 5 } as const

/**
 * Recommendations for the open positions of a thesis, by the edge that the side of each still has.
 * @param edges as the evaluation priced them
 */
export const adviceOn = (
  positions: readonly ThesisPosition[],
  edges: readonly PricedMarket[],
  status: ThesisStatus,
): PositionAdvice[] =>
  positions
    .filter(({ exitedAt }) => exitedAt === null)
    .map((position) => ({ positionId: position.id, ...adviceFor(position, edges, status) }))

/** The recommendation for a side of a market that is held. */
export function adviceFor(
  { ticker, direction }: Pick<ThesisPosition, 'ticker' | 'direction'>,
  edges: readonly PricedMarket[],
  status: ThesisStatus,
): Omit<PositionAdvice, 'positionId'> {
  if (status === 'killed') return { recommendation: 'close', reason: 'a kill condition is met' }
  const edge = edges.find((candidate) => candidate.ticker === ticker)
  if (edge === undefined) {
    return { recommendation: 'hold', reason: 'the thesis has no price for this market' }
  }
  const edgeOfYes = edge.thesisPrice - edge.evaluatedPrice
  const size = roundTo(direction === 'yes' ? edgeOfYes : -edgeOfYes, 2)
  const reason = `the thesis prices ${direction.toUpperCase()} ${Math.abs(size)}¢ ${size < 0 ? 'below' : 'above'} the market`
  if (size <= LIMITS.close) return { recommendation: 'close', reason }
  if (size < LIMITS.reduce) return { recommendation: 'reduce', reason }
  return { recommendation: size >= LIMITS.increase ? 'increase' : 'hold', reason }
}
