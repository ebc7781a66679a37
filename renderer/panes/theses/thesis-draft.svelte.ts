import type { ServedThesis } from '../../../backend/contract/theses/thesis.ts'
import type { NodeUpdate } from '../../../backend/domain/theses/tree-edit.ts'
import {
  NO_EDITS,
  projectedBy,
  unsavedEdits,
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
  savedEdits = $state.raw<readonly NodeUpdate[] | null>(null)
  #undoSteps: Edits[] = []
  #future: Edits[] = []
  /** Condition and fields of the last change: repeated changes are undone together. */
  #lastChanged: string | null = null

  get isEmpty(): boolean {
    return this.edits.size === 0
  }

  /** Changes fields of a condition; repeated changes of one field are one step for undo. */
  change(nodeId: string, edit: NodeEdit): void {
    const changeKey = `${nodeId} ${Object.keys(edit).join()}`
    if (this.#lastChanged !== changeKey) this.#undoSteps.push(this.edits)
    this.#lastChanged = changeKey
    this.#future = []
    this.edits = withEdit(this.edits, nodeId, edit)
  }

  /** The next change is a step of its own. */
  commit(): void {
    this.#lastChanged = null
  }

  /** Replaces all edits, as one step. */
  replace(edits: Edits): void {
    this.commit()
    this.#undoSteps.push(this.edits)
    this.#future = []
    this.edits = edits
  }

  discard(): void {
    if (!this.isEmpty) this.replace(NO_EDITS)
  }

  undo(): boolean {
    const previous = this.#undoSteps.pop()
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
    this.#undoSteps.push(this.edits)
    this.edits = next
    return true
  }

  /**
   * Call after edits were stored; those made since then stay.
   * @param nodes the conditions before the save
   */
  wasSaved(edits: Edits, nodes: readonly FlatNode[]): void {
    this.savedEdits = updatesIn(edits, nodes).map((update) => {
      const node = nodes.find(({ id }) => id === update.nodeId)
      return { ...inverseOf(update, node), nodeId: update.nodeId }
    })
    this.#undoSteps = []
    this.#future = []
    this.commit()
    this.edits = unsavedEdits(this.edits, edits)
  }

  /** The edits that change something, as the service takes them. */
  updates(nodes: readonly FlatNode[]): readonly NodeUpdate[] {
    return updatesIn(this.edits, nodes)
  }

  /** The thesis under the edits. */
  projectionOf(thesis: ServedThesis): Projection | null {
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
