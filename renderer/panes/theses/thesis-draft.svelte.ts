import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import type { NodeUpdate } from '../../../backend/domain/theses/tree-edit.ts'
import {
  NO_EDITS,
  projectedBy,
  updatesIn,
  withEdit,
  type Edits,
  type NodeEdit,
  type Projection,
} from './thesis-projection.ts'
import type { FlatNode } from './thesis-tree.ts'

/**
 * The user's edits of a tree before they are stored. Confidence and edges under them are computed
 * by the functions that the service uses.
 */
export class ThesisDraft {
  edits = $state.raw<Edits>(NO_EDITS)
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
    this.edits = withEdit(this.edits, nodeId, edit)
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
    if (!this.isEmpty) this.replace(NO_EDITS)
  }

  undo(): boolean {
    const previous = this.#past.pop()
    if (previous === undefined) return false
    this.commit()
    this.#future.push(this.edits)
    this.edits = previous
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
    this.edits = NO_EDITS
  }

  /** The edits that change something, as the service takes them. */
  updates(nodes: readonly FlatNode[]): readonly NodeUpdate[] {
    return updatesIn(this.edits, nodes)
  }

  /** The thesis under the edits. */
  projected(thesis: ServedThesis): Projection | null {
    return projectedBy(this.edits, thesis)
  }
}

/** The fields of an update as they were before; an undone outcome also restores the probability. */
function inverseOf(update: NodeUpdate, node: FlatNode | undefined): NodeEdit {
  if (node === undefined) return {}
  const names = Object.keys(update).filter((name) => name !== 'nodeId')
  const previous = Object.fromEntries(names.map((name) => [name, node[name as keyof FlatNode]]))
  return update.outcome === undefined ? previous : { ...previous, probability: node.probability }
}
