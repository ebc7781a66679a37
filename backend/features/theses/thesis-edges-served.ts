import type { MarketView } from '../../computed/board/market-board.ts'
import type { EdgeAnalysis, ThesisMarketEdge } from '../../contract/theses/thesis.ts'
import { thesisEdge } from '../../domain/edges/thesis-edge.ts'
import { sideOf } from '../../domain/theses/track-record.ts'
import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import { confidenceOf, type CausalTree } from '../../domain/theses/tree.ts'
import { roundTo, type Cents } from '../../domain/units.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import type { Instant } from '../../http/request/as-of.ts'
import { isoOf } from '../../lib/clock.ts'
import { executableAt, type ThesisBoard } from './thesis-markets.ts'

const MAX_EDGES = 100

/** Each edge of a thesis shows its confidence. */
const confidences = new WeakMap<CausalTree, number | null>()

function confidenceIn({ tree }: Pick<Thesis, 'tree'>): number | null {
  if (tree === null) return null
  const knownConfidence = confidences.get(tree)
  if (knownConfidence !== undefined) return knownConfidence
  const confidence = confidenceOf(tree.nodes)
  confidences.set(tree, confidence)
  return confidence
}

/** The prices of a thesis for one market, as edges everywhere are computed from them. */
export const edgePrices = (thesis: Thesis, edge: BoundEdge) => ({
  thesisPrice: edge.thesisPrice as Cents,
  firstThesisPrice: edge.firstThesisPrice as Cents,
  firstMarketPrice: edge.firstMarketPrice as Cents,
  thesisConfidence: confidenceIn(thesis) ?? 0,
  ownConfidence: null,
})

/** An edge beside the market's prices; null when it is under a cent, unless its market has settled. */
export async function servedEdge(
  board: ThesisBoard,
  thesis: Thesis,
  edge: BoundEdge,
  view: MarketView,
  instant: Instant,
): Promise<ThesisMarketEdge | null> {
  const { facts, price } = view
  const settled = edge.settlement !== null || view.status === 'settled'
  // A settled market has no edge any more.
  const edgePricing = settled ? null : thesisEdge(edgePrices(thesis, edge), price)
  if (price !== null && edgePricing === null && !settled) return null
  return {
    marketId: facts.ticker,
    marketTitle: facts.title,
    venue: facts.venue,
    direction: settled
      ? sideOf(edge)
      : (edgePricing?.direction ?? (edge.orientation === 1 ? 'yes' : 'no')),
    marketPrice: roundOrNull(price),
    thesisImpliedPrice: roundTo(edge.thesisPrice, 2),
    edgeSize: roundOrNull(edgePricing?.edge ?? null),
    executableEdge: settled
      ? null
      : roundOrNull(await executableAt(board, view, edge.thesisPrice, instant)),
    confidence: roundOrNull(edgePricing?.confidence ?? null, 4) ?? 0,
    rationale: edge.rationale,
    relatedNodeId: edge.relatedNodeId,
    eventTicker: facts.eventId,
    seriesTicker: facts.seriesId,
    inherited: edge.inherited,
    settled,
    derivation: derivationOf(thesis, edge),
  }
}

/** How the price of an edge follows from a condition and the confidence (methodology H5). */
const derivationOf = (thesis: Thesis, edge: BoundEdge): ThesisMarketEdge['derivation'] => {
  const node = thesis.tree?.nodes.find(({ id }) => id === edge.relatedNodeId)
  return {
    nodeId: node?.id ?? null,
    nodeLabel: node?.label ?? null,
    relation: edge.orientation === 1 ? 'asks' : 'opposes',
    polarity: edge.orientation,
    match: edge.match,
    confidence: confidenceIn(thesis),
    shift: roundTo(edge.thesisPrice - edge.evaluatedPrice, 2),
  }
}

/** The edges of a thesis beside the prices of an instant, largest first. */
export async function pricedEdges(
  board: ThesisBoard,
  thesis: Thesis,
  instant: Instant,
): Promise<{ readonly row: ThesisMarketEdge; readonly view: MarketView }[]> {
  const views = await board.markets(
    thesis.edges.map(({ ticker }) => ticker),
    instant.asOf,
  )
  const rows = await Promise.all(
    thesis.edges.map(async (edge) => {
      const view = views.get(edge.ticker)
      if (view === undefined) return null
      const row = await servedEdge(board, thesis, edge, view, instant)
      return row === null ? null : { row, view }
    }),
  )
  const size = ({ row: { edgeSize } }: { row: ThesisMarketEdge }): number =>
    edgeSize === null ? -1 : Math.abs(edgeSize)
  return rows
    .filter((row) => row !== null)
    .sort((left, right) => size(right) - size(left))
    .slice(0, MAX_EDGES)
}

export async function servedEdges(
  board: ThesisBoard,
  thesis: Thesis,
  instant: Instant,
): Promise<EdgeAnalysis | null> {
  if (thesis.edgesAt === null) return null
  const edges = await pricedEdges(board, thesis, instant)
  return {
    analyzedAt: isoOf(thesis.edgesAt),
    lastRescanAt: isoOf(thesis.edgesAt),
    totalMarketsAnalyzed: thesis.marketsAnalyzed,
    edges: edges.map(({ row }) => row),
  }
}
