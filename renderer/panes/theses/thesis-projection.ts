import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import { editedTree, type NodeUpdate } from '../../../backend/domain/theses/tree-edit.ts'
import { confidenceOf, isBelow, type CausalTree } from '../../../backend/domain/theses/tree.ts'
import type { Millis } from '../../../backend/domain/units.ts'
import { whatIf, type ProjectedEdge } from '../../../backend/domain/theses/what-if.ts'
import { flatNodes, type FlatNode } from './thesis-tree.ts'

/** Changed fields of a condition. */
export type NodeEdit = Omit<NodeUpdate, 'nodeId'>
export type Edits = ReadonlyMap<string, NodeEdit>

export const NO_EDITS: Edits = new Map()

/** The tree as the domain functions take it; edits need no numbering and no times. */
const treeOf = (nodes: readonly FlatNode[], version: number): CausalTree => ({
  rootClaim: '',
  nodes: nodes.map((node) => ({ ...node, killHandled: false, updatedAt: 0 as Millis })),
  version,
  generatedAt: 0 as Millis,
  model: '',
  numbered: {},
})

const probabilityIn = ({ outcome, probability }: NodeEdit): number | undefined =>
  outcome === 'yes' ? 1 : outcome === 'no' ? 0 : probability

export interface Projection {
  readonly nodes: ReadonlyMap<string, FlatNode>
  readonly confidence: number | null
  /** By ticker. */
  readonly edges: ReadonlyMap<string, ProjectedEdge>
}

export const withEdit = (edits: Edits, nodeId: string, edit: NodeEdit): Edits =>
  new Map([...edits, [nodeId, { ...edits.get(nodeId), ...edit }]])

export const editsOf = (changes: readonly (readonly [string, NodeEdit])[]): Edits =>
  new Map(changes)

/** The edits without those of a condition and the conditions below it. */
export const withoutNode = (edits: Edits, nodeId: string): Edits =>
  new Map([...edits].filter(([other]) => other !== nodeId && !isBelow(other, nodeId)))

/** The edits that are not among saved ones. */
export function unsavedEdits(edits: Edits, savedEdits: Edits): Edits {
  const unsavedEntries = [...edits].flatMap(([nodeId, edit]) => {
    const savedEdit: NodeEdit = savedEdits.get(nodeId) ?? {}
    const fields = Object.entries(edit).filter(
      ([name, value]) => savedEdit[name as keyof NodeEdit] !== value,
    )
    return fields.length === 0 ? [] : [[nodeId, Object.fromEntries(fields) as NodeEdit] as const]
  })
  return new Map(unsavedEntries)
}

/** The edits that change something, as the service takes them. */
export function updatesIn(edits: Edits, nodes: readonly FlatNode[]): readonly NodeUpdate[] {
  return nodes.flatMap((node) => {
    const changedFields = Object.entries(edits.get(node.id) ?? {}).filter(
      ([name, value]) => JSON.stringify(node[name as keyof FlatNode]) !== JSON.stringify(value),
    )
    return changedFields.length === 0
      ? []
      : [{ nodeId: node.id, ...Object.fromEntries(changedFields) }]
  })
}

/** A thesis under edits; null without a tree. */
export function projectedBy(
  edits: Edits,
  { causalTree, edgeAnalysis }: ServedThesis,
): Projection | null {
  if (causalTree === null) return null
  const nodes = flatNodes(causalTree.nodes)
  const updates = updatesIn(edits, nodes)
  const { tree } = editedTree(
    treeOf(nodes, causalTree.version),
    { updates, add: [], remove: [] },
    'user',
    0 as Millis,
  )
  const overrides = new Map(
    updates.flatMap((update) => {
      const probability = probabilityIn(update)
      return probability === undefined ? [] : [[update.nodeId, probability] as const]
    }),
  )
  const edges = (edgeAnalysis?.edges ?? [])
    .filter(({ settled }) => !settled)
    .map((edge) => ({ ...edge, thesisPrice: edge.thesisImpliedPrice }))
  const servedById = new Map(nodes.map((node) => [node.id, node]))
  return {
    nodes: new Map(
      tree.nodes.flatMap(({ updatedAt: _, killHandled: __, ...node }) => {
        const previous = servedById.get(node.id)
        return previous === undefined ? [] : [[node.id, { ...previous, ...node }] as const]
      }),
    ),
    confidence: confidenceOf(tree.nodes),
    edges: new Map(
      whatIf(nodes, overrides, edges).edges.map(({ edge, projected }) => [
        edge.marketId,
        projected,
      ]),
    ),
  }
}
