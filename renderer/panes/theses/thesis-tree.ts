import type {
  ServedEvaluation,
  ServedTree,
  ThesisNode,
} from '../../../backend/contract/theses/thesis.ts'
import { parentOf } from '../../../backend/domain/theses/tree.ts'

/** A condition without its children. */
export type FlatNode = Omit<ThesisNode, 'children' | 'tickers'> & {
  readonly tickers: readonly string[]
}

/** Conditions in tree order: a parent precedes its children. */
export function flatNodes(nodes: ServedTree['nodes']): FlatNode[] {
  const flat: FlatNode[] = []
  const visit = (level: readonly unknown[]): void => {
    for (const node of level as readonly ThesisNode[]) {
      const { children, ...flatNode } = node
      flat.push(flatNode)
      visit(children)
    }
  }
  visit(nodes)
  return flat
}

export const nodesById = (nodes: readonly FlatNode[]): ReadonlyMap<string, FlatNode> =>
  new Map(nodes.map((node) => [node.id, node]))

/**
 * Change of each condition since an instant, −1 to 1; since the oldest evaluation when all are newer.
 * @param evaluations newest first
 */
export function movesSince(
  evaluations: readonly Pick<ServedEvaluation, 'evaluatedAt' | 'nodeProbabilities'>[],
  nodes: readonly Pick<FlatNode, 'id' | 'probability'>[],
  from: number,
): ReadonlyMap<string, number> {
  const reference =
    evaluations.find(({ evaluatedAt }) => Date.parse(evaluatedAt) <= from) ?? evaluations.at(-1)
  return new Map(
    nodes.flatMap(({ id, probability }) => {
      const previous = reference?.nodeProbabilities[id]
      return previous === undefined || previous === probability
        ? []
        : [[id, probability - previous]]
    }),
  )
}

export const BOX = { width: 210, height: 46 } as const
const ROW = BOX.height + 10
const COLUMN = BOX.width + 44

export interface PlacedNode {
  readonly id: string
  readonly x: number
  readonly y: number
}
export interface TreeDrawing {
  readonly width: number
  readonly height: number
  /** The claim first, with the id ''. */
  readonly boxes: readonly PlacedNode[]
  readonly lines: readonly { readonly id: string; readonly path: string }[]
}

/** Places the claim on the left and each level right of it; a parent is centred on its children. */
export function layoutTree(nodes: readonly Pick<FlatNode, 'id'>[]): TreeDrawing {
  const placedNodes = new Map<string, PlacedNode>()
  let rows = 0
  const place = (id: string, level: number): PlacedNode => {
    const children = nodes.filter((node) => (parentOf(node.id) ?? '') === id)
    const placedChildren = children.map((child) => place(child.id, level + 1))
    const [first, last] = [placedChildren[0], placedChildren.at(-1)]
    const y = first === undefined || last === undefined ? 1 + ROW * rows++ : (first.y + last.y) / 2
    const box = { id, x: 1 + level * COLUMN, y }
    placedNodes.set(id, box)
    return box
  }
  const root = place('', 0)
  const boxes = [root, ...nodes.flatMap(({ id }) => placedNodes.get(id) ?? [])]
  const lines = boxes.flatMap(({ id, x, y }) => {
    const parent = id === '' ? undefined : placedNodes.get(parentOf(id) ?? '')
    if (parent === undefined) return []
    const [startX, startY, endY] = [
      parent.x + BOX.width,
      parent.y + BOX.height / 2,
      y + BOX.height / 2,
    ]
    const bend = (startX + x) / 2
    return [
      { id, path: `M ${startX} ${startY} C ${bend} ${startY}, ${bend} ${endY}, ${x} ${endY}` },
    ]
  })
  return {
    width: Math.max(...boxes.map(({ x }) => x)) + BOX.width + 1,
    height: Math.max(...boxes.map(({ y }) => y)) + BOX.height + 1,
    boxes,
    lines,
  }
}
