import type { Millis } from '../units.ts'
import { roundTo } from '../units.ts'
import {
  childrenOf,
  depthOf,
  sortedByTree,
  isBelow,
  nextId,
  parentOf,
  sharesOf,
  TREE_LIMITS,
  type CausalTree,
  type KillCondition,
  type TreeNode,
} from './tree.ts'

/** A change of a node; absent fields stay. */
export interface NodeUpdate {
  readonly nodeId: string
  readonly probability?: number
  readonly importance?: number
  readonly label?: string
  readonly outcome?: 'yes' | 'no' | null
  readonly locked?: boolean
  readonly tickers?: readonly string[]
  readonly killCondition?: KillCondition | null
}

export interface NewNode {
  /** Null for the top level. */
  readonly parentId: string | null
  readonly label: string
  readonly probability: number
  readonly importance?: number
  readonly tickers?: readonly string[]
}

export interface TreeEdit {
  readonly updates: readonly NodeUpdate[]
  readonly add: readonly NewNode[]
  readonly remove: readonly string[]
}

/** A change that a tree does not allow; the message names the node. */
export class TreeEditRefused extends Error {}

const refuse = (message: string): never => {
  throw new TreeEditRefused(message)
}

/**
 * The tree after an edit: all of it or nothing. A given importance stays and the siblings share the
 * rest in proportion; an outcome sets the probability to 1 or 0. Probabilities of parents are never
 * recomputed.
 * @throws TreeEditRefused for unknown nodes and for trees beyond the limits
 */
export function editedTree(
  tree: CausalTree,
  { updates, add, remove }: TreeEdit,
  origin: 'user' | 'augment',
  now: Millis,
): { readonly tree: CausalTree; readonly changed: readonly string[] } {
  let nodes = new Map(tree.nodes.map((node) => [node.id, node]))
  const changedIds = new Set<string>()
  const weights = new Map<string, number>()
  const nodeOf = (id: string): TreeNode => nodes.get(id) ?? refuse(`nodeId ${id} not found`)

  for (const update of updates) {
    const node = nodeOf(update.nodeId)
    const outcome = update.outcome === undefined ? node.outcome : update.outcome
    const probability = outcomeChance(update.outcome) ?? update.probability ?? node.probability
    const hasNewCondition = update.killCondition !== undefined
    nodes.set(node.id, {
      ...node,
      outcome,
      probability,
      label: update.label ?? node.label,
      locked: update.locked ?? node.locked,
      tickers: update.tickers ?? node.tickers,
      killCondition: hasNewCondition ? (update.killCondition ?? null) : node.killCondition,
      killHandled: hasNewCondition ? false : node.killHandled,
      updatedAt: now,
    })
    if (update.importance !== undefined) weights.set(node.id, update.importance)
    changedIds.add(node.id)
  }

  let { numbered } = tree
  for (const newNode of add) {
    const { parentId } = newNode
    if (parentId !== null) nodeOf(parentId)
    const next = nextId(numbered, parentId)
    ;({ numbered } = next)
    nodes.set(next.id, {
      id: next.id,
      label: newNode.label,
      probability: newNode.probability,
      importance: 0,
      tickers: newNode.tickers ?? [],
      rationale: null,
      killCondition: null,
      killHandled: false,
      outcome: null,
      locked: false,
      origin,
      updatedAt: now,
    })
    if (newNode.importance !== undefined) weights.set(next.id, newNode.importance)
    changedIds.add(next.id)
  }

  for (const id of remove) {
    nodeOf(id)
    nodes = new Map([...nodes].filter(([other]) => other !== id && !isBelow(other, id)))
    changedIds.add(id)
  }

  const parents = new Set([...changedIds].map(parentOf))
  for (const parent of parents) reweigh(nodes, parent, weights)
  const editedNodes = sortedByTree([...nodes.values()])
  expectWithinLimits(editedNodes)
  return {
    tree: { ...tree, nodes: editedNodes, numbered, version: tree.version + 1 },
    changed: [...changedIds],
  }
}

const outcomeChance = (outcome: 'yes' | 'no' | null | undefined): number | null =>
  outcome === 'yes' ? 1 : outcome === 'no' ? 0 : null

/** Keeps the given importances of the children of a node; the others share the rest. */
function reweigh(
  nodes: Map<string, TreeNode>,
  parent: string | null,
  statedImportances: ReadonlyMap<string, number>,
): void {
  const siblings = childrenOf([...nodes.values()], parent)
  if (siblings.length === 0) return
  const editedSiblings = siblings.filter(({ id }) => statedImportances.has(id))
  const others = siblings.filter(({ id }) => !statedImportances.has(id))
  const statedSum = editedSiblings.reduce(
    (sum, { id }) => sum + (statedImportances.get(id) ?? 0),
    0,
  )
  const otherSum = others.reduce((sum, { importance }) => sum + importance, 0)
  const rest = Math.max(0, 1 - statedSum)
  const requestedShares = siblings.map(({ id, importance }) => {
    const statedImportance = statedImportances.get(id)
    if (statedImportance !== undefined) return statedImportance
    return otherSum === 0 ? 0 : (importance / otherSum) * rest
  })
  // Weights of an augmented node stay 0 until the user sets them.
  const shares = sharesOf(requestedShares)
  for (const [index, node] of siblings.entries()) {
    const importance = roundTo(shares[index] ?? 0, 4)
    if (importance !== node.importance) nodes.set(node.id, { ...node, importance })
  }
}

function expectWithinLimits(nodes: readonly TreeNode[]): void {
  const { levels, top, children, nodes: max } = TREE_LIMITS
  if (nodes.length > max) refuse(`a thesis has at most ${max} nodes`)
  const byParent = Map.groupBy(nodes, ({ id }) => parentOf(id))
  const count = byParent.get(null)?.length ?? 0
  if (count === 0) refuse('the last top-level node cannot be removed')
  if (count > top) refuse(`a thesis has at most ${top} top-level nodes`)
  for (const { id } of nodes) {
    if (depthOf(id) >= levels) refuse(`a tree has at most ${levels} levels`)
    if ((byParent.get(id)?.length ?? 0) > children)
      refuse(`a node has at most ${children} children`)
  }
}
