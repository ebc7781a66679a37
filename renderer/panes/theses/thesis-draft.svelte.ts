import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import { editedTree, type NodeUpdate } from '../../../backend/domain/theses/tree-edit.ts'
import { confidenceOf, type CausalTree } from '../../../backend/domain/theses/tree.ts'
import type { Millis } from '../../../backend/domain/units.ts'
import { whatIf, type ProjectedEdge } from '../../../backend/domain/theses/what-if.ts'
import { flatNodes, type FlatNode } from './thesis-tree.ts'

/** Changed fields of a condition. */
export type NodeEdit = Omit<NodeUpdate, 'nodeId'>
type Edits = ReadonlyMap<string, NodeEdit>

const NONE: Edits = new Map()

/** The tree in the form of the rules; the numbering and the times are not needed by edits. */
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

/**
 * The user's edits of a tree before they are stored. Confidence and edges under them are computed
 * by the functions that the service uses.
 */
export class ThesisDraft {
  edits = $state.raw<Edits>(NONE)
  /** Edits that restore what the last save changed. */
  saved = $state.raw<readonly NodeUpdate[] | null>(null)
  #past: Edits[] = []
  #future: Edits[] = []
  /** The field that is being changed: its changes are undone together. */
  #changing: string | null = null

  get isEmpty(): boolean {
    return this.edits.size === 0
  }

  /** Changes fields of a condition; repeated changes of one field are one step for undo. */
  change(nodeId: string, edit: NodeEdit): void {
    const changing = `${nodeId} ${Object.keys(edit).join()}`
    if (this.#changing !== changing) this.#past.push(this.edits)
    this.#changing = changing
    this.#future = []
    const edits = new Map(this.edits)
    edits.set(nodeId, { ...edits.get(nodeId), ...edit })
    this.edits = edits
  }

  /** The next change is a step of its own. */
  commit(): void {
    this.#changing = null
  }

  /** Replaces all edits, as one step. */
  replace(edits: Edits): void {
    this.commit()
    this.#past.push(this.edits)
    this.#future = []
    this.edits = edits
  }

  discard(): void {
    if (!this.isEmpty) this.replace(NONE)
  }

  undo(): boolean {
    const before = this.#past.pop()
    if (before === undefined) return false
    this.commit()
    this.#future.push(this.edits)
    this.edits = before
    return true
  }

  redo(): boolean {
    const next = this.#future.pop()
    if (next === undefined) return false
    this.commit()
    this.#past.push(this.edits)
    this.edits = next
    return true
  }

  /** Call after the edits were stored. @param nodes the conditions before */
  wasSaved(nodes: readonly FlatNode[]): void {
    this.saved = this.updates(nodes).map((update) => {
      const node = nodes.find(({ id }) => id === update.nodeId)
      return { ...inverseOf(update, node), nodeId: update.nodeId }
    })
    this.#past = []
    this.#future = []
    this.commit()
    this.edits = NONE
  }

  /** The edits that change something, as the service takes them. */
  updates(nodes: readonly FlatNode[]): readonly NodeUpdate[] {
    return nodes.flatMap((node) => {
      const changed = Object.entries(this.edits.get(node.id) ?? {}).filter(
        ([name, value]) => JSON.stringify(node[name as keyof FlatNode]) !== JSON.stringify(value),
      )
      return changed.length === 0 ? [] : [{ nodeId: node.id, ...Object.fromEntries(changed) }]
    })
  }

  /** The thesis under the edits. */
  projected({ causalTree, edgeAnalysis }: ServedThesis): Projection | null {
    if (causalTree === null) return null
    const nodes = flatNodes(causalTree.nodes)
    const updates = this.updates(nodes)
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
    const edges = (edgeAnalysis?.edges ?? []).map((edge) => ({
      ...edge,
      thesisPrice: edge.thesisImpliedPrice,
    }))
    const served = new Map(nodes.map((node) => [node.id, node]))
    return {
      nodes: new Map(
        tree.nodes.flatMap(({ updatedAt: _, killHandled: __, ...node }) => {
          const before = served.get(node.id)
          return before === undefined ? [] : [[node.id, { ...before, ...node }] as const]
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
}

/** The fields of an update as they were before; an undone outcome also restores the probability. */
function inverseOf(update: NodeUpdate, node: FlatNode | undefined): NodeEdit {
  if (node === undefined) return {}
  const names = Object.keys(update).filter((name) => name !== 'nodeId')
  const before = Object.fromEntries(names.map((name) => [name, node[name as keyof FlatNode]]))
  return update.outcome === undefined ? before : { ...before, probability: node.probability }
}
