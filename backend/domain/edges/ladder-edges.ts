import { feePerContract } from '../fees.ts'
import { contractsOf, centsOf } from '../units.ts'
import type { Ticker } from '../market.ts'
import type { Cents } from '../units.ts'
import { EDGE_PARAMS } from './edge-params.ts'
import type { EdgeParams } from './edge-params.ts'
import type { EdgeLeg } from './implied-edges.ts'

/** One rung of a ladder over one variable: YES becomes less likely, or more likely, with `rung`. */
export interface LadderRung extends EdgeLeg {
  readonly ticker: Ticker
  /** Strike of an "above" ladder, or the day of a "by" ladder. */
  readonly rung: number
  readonly mark: Cents | null
  /** Settlement source; rungs with different known sources are not compared. */
  readonly source: string | null
}

/** Two rungs whose prices contradict each other. */
export interface LadderEdge {
  readonly easier: Ticker
  readonly harder: Ticker
  /**
   * Cents per contract of buying the easier YES and the harder NO, after fees; null when only
   * marks violate the order.
   */
  readonly net: number | null
  /** Contracts available at that price; 0 when only marks violate the order. */
  readonly size: number
  /** Mark of the harder minus the easier rung; null when one is unknown. */
  readonly markViolation: number | null
  readonly soft: boolean
}

/**
 * Inconsistencies of a ladder (methodology E5): P(above 110) must not exceed P(above 100), nor P(by
 * May) P(by June). A pair is executable when the harder rung's bid is above the easier one's ask,
 * even if fees consume the gain; it is soft when only marks violate the order, by more than a cent.
 * @param kind `above`: a higher rung is harder; `by`: a later one is easier
 * @returns by net descending, soft ones last, then by tickers
 */
export function ladderEdges(
  rungs: readonly LadderRung[],
  kind: 'above' | 'by',
  params: EdgeParams = EDGE_PARAMS,
): LadderEdge[] {
  const sortedRungs = [...rungs].sort((a, b) => a.rung - b.rung || (a.ticker < b.ticker ? -1 : 1))
  if (kind === 'by') sortedRungs.reverse()
  const edges = sortedRungs.flatMap((easier, index) =>
    sortedRungs.slice(index + 1).flatMap((harder) => contradiction(easier, harder, params) ?? []),
  )
  return edges.sort(
    (a, b) =>
      (b.net ?? -Infinity) - (a.net ?? -Infinity) ||
      (a.easier + a.harder < b.easier + b.harder ? -1 : 1),
  )
}

function contradiction(
  easier: LadderRung,
  harder: LadderRung,
  params: EdgeParams,
): LadderEdge | null {
  if (easier.rung === harder.rung) return null
  if (easier.source !== null && harder.source !== null && easier.source !== harder.source) {
    return null
  }
  const [ask, bid] = [easier.book?.asks[0], harder.book?.bids[0]]
  const markViolation =
    easier.mark === null || harder.mark === null ? null : harder.mark - easier.mark
  const names = { easier: easier.ticker, harder: harder.ticker, markViolation }
  if (ask !== undefined && bid !== undefined && bid.price > ask.price) {
    const [paidCents, got] = [centsOf(ask.price), centsOf(bid.price)]
    const fees = feePerContract(easier.fees, paidCents) + feePerContract(harder.fees, got)
    const size = Math.min(contractsOf(ask.size), contractsOf(bid.size))
    return { ...names, net: got - paidCents - fees, size, soft: false }
  }
  if (markViolation === null || markViolation <= params.softViolation) return null
  return { ...names, net: null, size: 0, soft: true }
}
