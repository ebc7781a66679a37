import type { TreeNode } from '../domain/theses/tree.ts'
import type { Millis } from '../domain/units.ts'

/** A node of a thesis. */
export const treeNode = (id: string, fields: Partial<TreeNode> = {}): TreeNode => ({
  id,
  label: `condition ${id}`,
  probability: 0.5,
  importance: 1,
  tickers: [],
  rationale: null,
  killCondition: null,
  killHandled: false,
  outcome: null,
  locked: false,
  origin: 'user',
  updatedAt: 0 as Millis,
  ...fields,
})
