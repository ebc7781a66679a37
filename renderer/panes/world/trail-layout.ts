import type { TrailLink, TrailNode } from '../../../backend/contract/world.ts'
import type { MarketRef } from '../../../backend/contract/market.ts'

/** A market of the graph with its place: column 0 is where the trail starts. */
export interface PlacedNode {
  readonly market: MarketRef
  readonly hop: number
  readonly via: string | null
  /** Middle of the box, in px of the drawing. */
  readonly x: number
  readonly y: number
}
export interface PlacedLink {
  readonly link: TrailLink
  readonly from: PlacedNode
  readonly to: PlacedNode
}
export interface TrailDrawing {
  readonly nodes: readonly PlacedNode[]
  readonly links: readonly PlacedLink[]
  readonly width: number
  readonly height: number
}

export const NODE_WIDTH = 214
export const NODE_HEIGHT = 42
const GAP_X = 60
const GAP_Y = 8
const MARGIN = 6

/**
 * Places a trail in columns by hop. Markets of the second hop follow the order of those they were
 * reached from, so that few links cross; each column is centred.
 */
export function placeTrail(
  start: MarketRef,
  nodes: readonly TrailNode[],
  links: readonly TrailLink[],
): TrailDrawing {
  const first = nodes.filter(({ hop }) => hop === 1)
  const order = new Map(first.map(({ ticker }, index) => [ticker, index]))
  const otherNodes = nodes
    .filter(({ hop }) => hop > 1)
    .toSorted((a, b) => (order.get(a.via) ?? first.length) - (order.get(b.via) ?? first.length))
  const columns: readonly (readonly (MarketRef & Partial<TrailNode>)[])[] = [
    [start],
    first,
    otherNodes,
  ]
  const tallest = Math.max(...columns.map(({ length }) => length))
  const height = tallest * (NODE_HEIGHT + GAP_Y) - GAP_Y + MARGIN * 2
  const placedNodes = columns.flatMap((column, hop) => {
    const columnHeight = column.length * (NODE_HEIGHT + GAP_Y) - GAP_Y
    return column.map((market, row): PlacedNode => ({
      market,
      hop,
      via: market.via ?? null,
      x: MARGIN + NODE_WIDTH / 2 + hop * (NODE_WIDTH + GAP_X),
      y: (height - columnHeight) / 2 + row * (NODE_HEIGHT + GAP_Y) + NODE_HEIGHT / 2,
    }))
  })
  const byTicker = new Map(placedNodes.map((node) => [node.market.ticker, node]))
  const placedLinks = links.flatMap((link): PlacedLink[] => {
    const [from, to] = [byTicker.get(link.from), byTicker.get(link.to)]
    return from === undefined || to === undefined ? [] : [{ link, from, to }]
  })
  const columnCount = columns.filter(({ length }) => length > 0).length
  return {
    nodes: placedNodes,
    links: placedLinks,
    width: MARGIN * 2 + columnCount * NODE_WIDTH + (columnCount - 1) * GAP_X,
    height,
  }
}

/** The curve of a link: between two columns, or a bow beside the column of both. */
export function linkPath({ from, to }: PlacedLink): string {
  if (from.hop === to.hop) {
    const x = from.x + NODE_WIDTH / 2
    return `M ${x} ${from.y} C ${x + 36} ${from.y}, ${x + 36} ${to.y}, ${x} ${to.y}`
  }
  const [left, right] = from.hop < to.hop ? [from, to] : [to, from]
  const [x1, x2] = [left.x + NODE_WIDTH / 2, right.x - NODE_WIDTH / 2]
  const middle = (x1 + x2) / 2
  return `M ${x1} ${left.y} C ${middle} ${left.y}, ${middle} ${right.y}, ${x2} ${right.y}`
}

export type Step = 'up' | 'down' | 'left' | 'right'

/**
 * The market that an arrow key selects: its neighbour in the column, or the linked one in the next;
 * null when there is none.
 */
export function neighbourOf(
  { nodes, links }: TrailDrawing,
  from: PlacedNode,
  step: Step,
): PlacedNode | null {
  if (step === 'up' || step === 'down') {
    const column = nodes.filter(({ hop }) => hop === from.hop)
    return column[column.indexOf(from) + (step === 'up' ? -1 : 1)] ?? null
  }
  const hop = from.hop + (step === 'left' ? -1 : 1)
  const linkedNodes = links
    .flatMap(({ from: a, to: b }) => (a === from ? [b] : b === from ? [a] : []))
    .filter((node) => node.hop === hop)
  const column = nodes.filter((node) => node.hop === hop)
  return [...linkedNodes, ...column].reduce<PlacedNode | null>((best, node) => {
    if (best === null) return node
    const isLinked = linkedNodes.includes(node)
    if (isLinked !== linkedNodes.includes(best)) return isLinked ? node : best
    return Math.abs(node.y - from.y) < Math.abs(best.y - from.y) ? node : best
  }, null)
}
