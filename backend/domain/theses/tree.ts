import { clamp } from '../statistics/statistics.ts'
import type { Millis } from '../units.ts'
import { roundTo } from '../units.ts'

export const KILL_OPS = ['prob_below', 'prob_above', 'price_below', 'price_above', 'text'] as const
export const NODE_ORIGINS = ['model', 'rules', 'user', 'augment'] as const
/** Limits of a tree; levels are counted from 1. */
export const TREE_LIMITS = { levels: 4, top: 12, children: 8, nodes: 120 } as const

/** A kill condition: an observation that would disprove a node. */
export interface KillCondition {
  readonly text: string
  readonly op: (typeof KILL_OPS)[number]
  readonly ticker: string | null
  /** A probability 0 to 1 or a price in cents, by `op`; null for a text. */
  readonly value: number | null
}

/** A condition under which a thesis holds. */
export interface TreeNode {
  /** `n1`, `n1.1`, …: the dots give the place in the tree; never used twice in a thesis. */
  readonly id: string
  readonly label: string
  readonly probability: number
  /** Weight among its siblings, 0 to 1. */
  readonly importance: number
  readonly tickers: readonly string[]
  readonly rationale: string | null
  readonly killCondition: KillCondition | null
  /** A kill condition that fired and was handled by the owner. */
  readonly killHandled: boolean
  readonly outcome: 'yes' | 'no' | null
  /** Evaluations do not move it. */
  readonly locked: boolean
  readonly origin: (typeof NODE_ORIGINS)[number]
  readonly updatedAt: Millis
}

/** The conditions of a thesis; a parent precedes its children. */
export interface CausalTree {
  readonly rootClaim: string
  readonly nodes: readonly TreeNode[]
  /** Increases with each change. */
  readonly version: number
  readonly generatedAt: Millis
  /** `rules-1` or the name of the model that formed it. */
  readonly model: string
  /** Highest number given to a child, by parent id ('' for the top level). */
  readonly numbered: Readonly<Record<string, number>>
}

/** Id of the parent of a node; null for a node of the top level. */
export function parentOf(id: string): string | null {
  const end = id.lastIndexOf('.')
  return end < 0 ? null : id.slice(0, end)
}

/** 0 for the top level. */
export const depthOf = (id: string): number => id.split('.').length - 1

export const isBelow = (id: string, ancestor: string): boolean => id.startsWith(`${ancestor}.`)

export const childrenOf = (
  nodes: readonly TreeNode[],
  parent: string | null,
): readonly TreeNode[] => nodes.filter(({ id }) => parentOf(id) === parent)

/**
 * Confidence of a thesis: mean of the probabilities of its top nodes, weighted by importance
 * (methodology H1), 4 decimals; null without nodes or weights. Children never recompute a parent.
 */
export function confidenceOf(
  nodes: readonly Pick<TreeNode, 'id' | 'probability' | 'importance'>[],
): number | null {
  let [sum, weights] = [0, 0]
  for (const { id, probability, importance } of nodes) {
    if (parentOf(id) !== null) continue
    sum += probability * importance
    weights += importance
  }
  return weights === 0 ? null : roundTo(clamp(sum / weights, 0, 1), 4)
}

/**
 * Importances scaled to a sum of 1, 4 decimals; the last that is not 0 takes the rest of the
 * rounding. All 0 stays all 0.
 */
export function sharesOf(importances: readonly number[]): number[] {
  const sum = importances.reduce((total, importance) => total + importance, 0)
  if (sum === 0) return importances.map(() => 0)
  const shares = importances.map((importance) => roundTo(importance / sum, 4))
  const last = importances.findLastIndex((importance) => importance > 0)
  const others = shares.slice(0, last).reduce((total, share) => total + share, 0)
  shares[last] = roundTo(Math.max(0, 1 - others), 4)
  return shares
}

/** A number for a new child of a parent, with the numbering after it. */
export function nextId(
  numberedNodes: CausalTree['numbered'],
  parent: string | null,
): { readonly id: string; readonly numbered: CausalTree['numbered'] } {
  const number = (numberedNodes[parent ?? ''] ?? 0) + 1
  const id = parent === null ? `n${number}` : `${parent}.${number}`
  return { id, numbered: { ...numberedNodes, [parent ?? '']: number } }
}

/** Nodes with each subtree behind its root, siblings in the order of creation. */
export function sortedByTree(nodes: readonly TreeNode[]): TreeNode[] {
  const byParent = Map.groupBy(nodes, ({ id }) => parentOf(id))
  const orderedNodes: TreeNode[] = []
  const visit = (parent: string | null): void => {
    for (const node of byParent.get(parent) ?? []) {
      orderedNodes.push(node)
      visit(node.id)
    }
  }
  visit(null)
  return orderedNodes
}

/** A tree as it is served: each node with its depth and its children. */
export type NestedNode = Omit<TreeNode, 'killHandled'> & {
  readonly depth: number
  readonly children: readonly NestedNode[]
}

export function nestedNodes(nodes: readonly TreeNode[]): NestedNode[] {
  const byParent = Map.groupBy(nodes, ({ id }) => parentOf(id))
  const nestBelow = (parent: string | null): NestedNode[] =>
    (byParent.get(parent) ?? []).map((node) => {
      const { killHandled: _, ...servedNode } = node
      return { ...servedNode, depth: depthOf(node.id), children: nestBelow(node.id) }
    })
  return nestBelow(null)
}
