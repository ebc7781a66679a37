import { roundTo } from '../units.ts'
import type { Thesis } from './thesis.ts'

/** Cents by which an edge must change to be reported. */
const MIN_MOVE = 2

export interface ChangedNode {
  readonly nodeId: string
  readonly label: string
  readonly from: number
  readonly to: number
}
export interface ChangedEdge {
  readonly marketId: string
  readonly market: string
  readonly fromEdge: number | null
  readonly toEdge: number | null
  readonly kind: 'new' | 'gone' | 'moved' | 'flipped'
}

type State = Pick<Thesis, 'tree' | 'edges'>

/** Conditions whose probability differs between two states, largest change first. */
export function changedNodes(before: State, after: State): ChangedNode[] {
  const old = new Map(before.tree?.nodes.map(({ id, probability }) => [id, probability]))
  return (after.tree?.nodes ?? [])
    .flatMap(({ id, label, probability }) => {
      const from = old.get(id)
      return from === undefined || from === probability
        ? []
        : [{ nodeId: id, label, from, to: probability }]
    })
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))
}

/** Edges that appeared, disappeared, flipped or moved by 2 cents or more, largest change first. */
export function changedEdges(before: State, after: State): ChangedEdge[] {
  const sizes = ({ edges }: State): Map<string, { edge: number; title: string }> =>
    new Map(
      edges.map(({ ticker, title, thesisPrice, evaluatedPrice }) => [
        ticker,
        { edge: roundTo(thesisPrice - evaluatedPrice, 2), title },
      ]),
    )
  const [old, now] = [sizes(before), sizes(after)]
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((ticker): ChangedEdge[] => {
    const [from, to] = [old.get(ticker), now.get(ticker)]
    const kind = kindOf(from?.edge ?? null, to?.edge ?? null)
    if (kind === null) return []
    const market = to?.title ?? from?.title ?? ticker
    const [fromEdge, toEdge] = [from?.edge ?? null, to?.edge ?? null]
    return [{ marketId: ticker, market, fromEdge, toEdge, kind }]
  })
  const size = ({ fromEdge, toEdge }: ChangedEdge): number =>
    Math.abs((toEdge ?? 0) - (fromEdge ?? 0))
  return changes.sort((a, b) => size(b) - size(a))
}

function kindOf(from: number | null, to: number | null): ChangedEdge['kind'] | null {
  if (from === null) return 'new'
  if (to === null) return 'gone'
  if (from * to < 0) return 'flipped'
  return Math.abs(to - from) >= MIN_MOVE ? 'moved' : null
}
