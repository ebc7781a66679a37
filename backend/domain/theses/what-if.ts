import { clamp } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import { confidenceOf, parentOf, type TreeNode } from './tree.ts'

/** An edge of a thesis in one market, cents of YES. */
export interface PricedEdge {
  /** Null when the market has no price. */
  readonly marketPrice: number | null
  readonly thesisPrice: number
  readonly relatedNodeId: string | null
}

export type EdgeSignal = 'unchanged' | 'reduced' | 'gone' | 'reversed'

export interface ProjectedEdge {
  readonly newThesisPrice: number
  readonly oldEdge: number | null
  readonly newEdge: number | null
  readonly delta: number | null
  readonly signal: EdgeSignal
}

export interface WhatIf<Edge> {
  readonly oldConfidence: number | null
  readonly newConfidence: number | null
  /** Largest change first, unpriced markets last. */
  readonly edges: readonly { readonly edge: Edge; readonly projected: ProjectedEdge }[]
}

/** Edges that change by less are unchanged; smaller ones are gone. Cents. */
const UNCHANGED_BELOW = 1
const HIDDEN_BELOW = 2
const MAX_FACTOR = 2

/**
 * Confidence and edges of a thesis if its nodes had other probabilities (methodology H2).
 * @param overrides node id to probability
 */
export function whatIf<Edge extends PricedEdge>(
  nodes: readonly Pick<TreeNode, 'id' | 'probability' | 'importance'>[],
  overrides: ReadonlyMap<string, number>,
  edges: readonly Edge[],
): WhatIf<Edge> {
  const old = new Map(nodes.map(({ id, probability }) => [id, probability]))
  const oldConfidence = confidenceOf(nodes)
  const newConfidence = confidenceOf(
    nodes.map((node) => ({ ...node, probability: overrides.get(node.id) ?? node.probability })),
  )
  const ratio = (now: number, before: number): number =>
    before === 0 ? 1 : clamp(now / before, 0, MAX_FACTOR)
  const factorOf = (relatedNodeId: string | null): number => {
    if (relatedNodeId === null) return ratio(newConfidence ?? 0, oldConfidence ?? 0)
    for (let id: string | null = relatedNodeId; id !== null; id = parentOf(id)) {
      const probability = overrides.get(id)
      if (probability !== undefined) return ratio(probability, old.get(id) ?? 0)
    }
    return 1
  }
  const projectedEdges = edges.map((edge) => ({
    edge,
    projected: projectedEdge(edge, factorOf(edge.relatedNodeId)),
  }))
  const size = ({ projected: { delta } }: (typeof projectedEdges)[number]): number =>
    delta === null ? -1 : Math.abs(delta)
  return {
    oldConfidence,
    newConfidence,
    edges: projectedEdges.toSorted((a, b) => size(b) - size(a)),
  }
}

function projectedEdge({ marketPrice, thesisPrice }: PricedEdge, factor: number): ProjectedEdge {
  if (marketPrice === null) {
    const newThesisPrice = roundTo(thesisPrice, 2)
    return { newThesisPrice, oldEdge: null, newEdge: null, delta: null, signal: 'unchanged' }
  }
  const previous = thesisPrice - marketPrice
  const price = clamp(marketPrice + previous * factor, 0, 100)
  const after = price - marketPrice
  return {
    newThesisPrice: roundTo(price, 2),
    oldEdge: roundTo(previous, 2),
    newEdge: roundTo(after, 2),
    delta: roundTo(after - previous, 2),
    signal: signalOf(previous, after),
  }
}

function signalOf(before: number, after: number): EdgeSignal {
  if (Math.abs(after - before) < UNCHANGED_BELOW) return 'unchanged'
  if (before * after < 0) return 'reversed'
  if (Math.abs(after) < HIDDEN_BELOW) return 'gone'
  return Math.abs(after) < Math.abs(before) ? 'reduced' : 'unchanged'
}
