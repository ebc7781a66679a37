import type { Millis } from '../units.ts'
import type { ThesisPosition } from './holdings.ts'
import type { NodeChange } from './rules-evaluation.ts'
import type { ThesisOutcome } from './status.ts'
import type { BoundEdge } from './thesis.ts'
import type { CausalTree, TreeNode } from './tree.ts'

/** Effects of settled markets on a thesis. */
export interface SettledThesis {
  readonly nodes: readonly TreeNode[]
  readonly changes: readonly NodeChange[]
  readonly edges: readonly BoundEdge[]
  readonly positions: readonly ThesisPosition[]
  /** Outcome of the claim when the market that asks it settled; else null. */
  readonly outcome: ThesisOutcome | null
  /** Markets that settled since the last evaluation. */
  readonly count: number
}

/** A claim of several parts is not decided by its first. */
const CONJUNCTION = /\band\b|;/i

/** The condition that states the claim itself; null when no single one does. */
export function claimNodeOf({ rootClaim, nodes }: CausalTree): TreeNode | null {
  const [first] = nodes
  if (first === undefined) return null
  const isAlone = nodes.filter(({ id }) => !id.includes('.')).length === 1
  return isAlone || !CONJUNCTION.test(rootClaim) ? first : null
}

const payoutFor = (settlement: number, polarity: 1 | -1): number =>
  polarity === 1 ? settlement : 100 - settlement

const outcomeAt = (entryPrice: number): ThesisOutcome =>
  entryPrice === 100 ? 'yes' : entryPrice === 0 ? 'no' : 'void'

/**
 * Applies settlements: conditions that the settled market asks get their outcome, edges keep their
 * last price, open positions close at what their side paid.
 * @param settlements cents that YES paid, by ticker
 */
export function applySettlements(
  tree: CausalTree,
  edges: readonly BoundEdge[],
  positions: readonly ThesisPosition[],
  settlements: ReadonlyMap<string, number>,
  now: Millis,
): SettledThesis {
  const polarityOf = (ticker: string): 1 | -1 =>
    edges.find((edge) => edge.ticker === ticker)?.orientation ?? 1
  const payoutOf = ({ tickers: [anchor] }: TreeNode): number | null => {
    const settlement = anchor === undefined ? undefined : settlements.get(anchor)
    return anchor === undefined || settlement === undefined
      ? null
      : payoutFor(settlement, polarityOf(anchor))
  }
  const changes: NodeChange[] = []
  const nodes = tree.nodes.map((node): TreeNode => {
    const value = payoutOf(node)
    const outcome = value === null ? 'void' : outcomeAt(value)
    if (outcome === 'void' || node.outcome !== null || node.locked) return node
    const probability = outcome === 'yes' ? 1 : 0
    changes.push({
      nodeId: node.id,
      label: node.label,
      previousProbability: node.probability,
      newProbability: probability,
      reason: `${node.tickers[0] ?? ''} settled ${outcome}`,
    })
    return { ...node, outcome, probability, updatedAt: now }
  })
  const claim = claimNodeOf(tree)
  const payout = claim === null ? null : payoutOf(claim)
  return {
    nodes,
    changes,
    edges: edges.map((edge) => {
      const settlement = settlements.get(edge.ticker)
      if (settlement === undefined || edge.settlement !== null) return edge
      return { ...edge, settlement: { at: now, price: settlement } }
    }),
    positions: positions.map((position) => closedBySettlement(position, settlements, now)),
    outcome: payout === null ? null : outcomeAt(payout),
    count: edges.filter(({ ticker, settlement }) => settlement === null && settlements.has(ticker))
      .length,
  }
}

function closedBySettlement(
  position: ThesisPosition,
  settlements: ReadonlyMap<string, number>,
  now: Millis,
): ThesisPosition {
  const settlement = settlements.get(position.ticker)
  if (settlement === undefined || position.exitedAt !== null) return position
  return {
    ...position,
    exitedAt: now,
    exitPrice: payoutFor(settlement, position.direction === 'yes' ? 1 : -1),
    exitReason: 'settlement',
    updatedAt: now,
  }
}
