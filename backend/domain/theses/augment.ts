import { editedTree, TreeEditRefused } from './tree-edit.ts'
import { isBelow, type CausalTree } from './tree.ts'
import type { Millis } from '../units.ts'

/** A condition that may be added below another one. */
export interface Suggestion {
  /** Null for the top level. */
  readonly parentId: string | null
  readonly label: string
  readonly probability: number
  readonly tickers: readonly string[]
}
export interface SkippedSuggestion {
  readonly label: string
  readonly reason: 'duplicate' | 'limit'
}

const normalizedLabel = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Whether two labels differ at most by case, punctuation and white space. */
export const isSameLabel = (label: string, other: string): boolean =>
  normalizedLabel(label) === normalizedLabel(other)

/**
 * A tree with suggestions added one by one: nothing that exists changes, new conditions weigh
 * nothing, and what the tree has already or has no room for is skipped.
 */
export function augmentedTree(
  tree: CausalTree,
  suggestions: readonly Suggestion[],
  now: Millis,
): {
  readonly tree: CausalTree
  readonly added: readonly string[]
  readonly skipped: readonly SkippedSuggestion[]
} {
  let next = tree
  const addedNodeIds: string[] = []
  const skippedSuggestions: SkippedSuggestion[] = []
  for (const suggestion of suggestions) {
    const { label, tickers } = suggestion
    const isKnown = next.nodes.some(
      (node) =>
        isSameLabel(node.label, label) || tickers.some((ticker) => node.tickers.includes(ticker)),
    )
    if (isKnown) {
      skippedSuggestions.push({ label, reason: 'duplicate' })
      continue
    }
    try {
      const edit = { updates: [], add: [suggestion], remove: [] }
      const { tree: editedCausalTree, changed } = editedTree(next, edit, 'augment', now)
      next = { ...editedCausalTree, version: tree.version + 1 }
      addedNodeIds.push(...changed)
    } catch (error) {
      if (!(error instanceof TreeEditRefused)) throw error
      skippedSuggestions.push({ label, reason: 'limit' })
    }
  }
  return { tree: next, added: addedNodeIds, skipped: skippedSuggestions }
}

/** Conditions that may be augmented: one with those below it, or all. */
export const focusOf = (tree: CausalTree, nodeId: string | null): readonly string[] =>
  tree.nodes
    .filter(({ id }) => nodeId === null || id === nodeId || isBelow(id, nodeId))
    .map(({ id }) => id)
