import type { MarketView } from '../../computed/board/market-board.ts'
import type {
  EdgeAnalysis,
  ServedEvaluation,
  ServedThesis,
  ServedTree,
  ThesisMarketEdge,
  ThesisNode,
  ThesisRow,
} from '../../contract/theses/thesis.ts'
import { thesisEdge } from '../../domain/edges/thesis-edge.ts'
import type { BoundEdge, Evaluation, Thesis } from '../../domain/theses/thesis.ts'
import {
  confidenceOf,
  nestedNodes,
  type CausalTree,
  type NestedNode,
} from '../../domain/theses/tree.ts'
import { roundTo, type Cents, type Millis } from '../../domain/units.ts'
import { isoOrNull, rounded } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { executableAt, type ThesisBoard } from './thesis-markets.ts'

export const SHORT_ID = 8
const MOST_EDGES = 100
const QUOTED_CONTENT = 280
const NO_COST = { usd: 0, llmCalls: 0, searchCalls: 0, inputTokens: 0, outputTokens: 0 }
const OVER: ReadonlySet<string> = new Set(['determined', 'disputed', 'settled'])

export const shortIdOf = ({ id }: Pick<Thesis, 'id'>): string => id.slice(0, SHORT_ID)
export const confidenceIn = ({ tree }: Pick<Thesis, 'tree'>): number | null =>
  tree === null ? null : confidenceOf(tree.nodes)

/** Address of the public page of a thesis. */
export const thesisPageUrl = (urls: Urls, slug: string): string => `${urls.appUrl}/thesis/${slug}`
export const thesisUrl = (urls: Urls, id: string): string => `${urls.baseUrl}/api/thesis/${id}`
export const publicThesisUrl = (urls: Urls, slug: string): string =>
  `${urls.baseUrl}/api/public/thesis/${slug}`

export const rowOf = (thesis: Thesis): ThesisRow => ({
  id: thesis.id,
  shortId: shortIdOf(thesis),
  title: thesis.title,
  rawThesis: thesis.rawThesis,
  status: thesis.status,
  confidence: confidenceIn(thesis),
  previousConfidence: thesis.previousConfidence,
  horizon: thesis.horizon,
  outcome: thesis.outcome,
  nodeCount: thesis.tree?.nodes.length ?? 0,
  edgeCount: thesis.edges.length,
  openPositionCount: 0,
  parentId: thesis.parentId,
  published: thesis.slug !== null,
  slug: thesis.slug,
  lastEvaluatedAt: isoOrNull(thesis.lastEvaluatedAt),
  createdAt: isoOf(thesis.createdAt),
  updatedAt: isoOf(thesis.updatedAt),
})

/** The levels of a tree are bounded, which its recursive form does not show. */
const servedNodes = (nodes: readonly NestedNode[]): ThesisNode[] =>
  nodes.map((node) => ({
    ...node,
    tickers: [...node.tickers],
    updatedAt: isoOf(node.updatedAt),
    children: servedNodes(node.children),
  }))

export const servedTree = ({ numbered: _, ...tree }: CausalTree): ServedTree => ({
  ...tree,
  nodes: servedNodes(nestedNodes(tree.nodes)),
  generatedAt: isoOf(tree.generatedAt),
})

/** An edge beside the market's prices now; null when it is under a cent. */
export async function servedEdge(
  board: ThesisBoard,
  thesis: Thesis,
  edge: BoundEdge,
  view: MarketView,
  at: Millis,
): Promise<ThesisMarketEdge | null> {
  const { facts, price } = view
  const found = thesisEdge(pricedBy(thesis, edge), price)
  if (price !== null && found === null) return null
  return {
    marketId: facts.ticker,
    marketTitle: facts.title,
    venue: facts.venue,
    direction: found?.direction ?? (edge.orientation === 1 ? 'yes' : 'no'),
    marketPrice: rounded(price),
    thesisImpliedPrice: roundTo(edge.thesisPrice, 2),
    edgeSize: rounded(found?.edge ?? null),
    executableEdge: rounded(await executableAt(board, view, edge.thesisPrice, at)),
    confidence: rounded(found?.confidence ?? null, 4) ?? 0,
    rationale: edge.rationale,
    relatedNodeId: edge.relatedNodeId,
    eventTicker: facts.eventId,
    seriesTicker: facts.seriesId,
    inherited: edge.inherited,
    settled: OVER.has(view.status),
  }
}

/** The prices of a thesis for one market, as edges everywhere are computed from them. */
export const pricedBy = (thesis: Thesis, edge: BoundEdge) => ({
  thesisPrice: edge.thesisPrice as Cents,
  firstThesisPrice: edge.firstThesisPrice as Cents,
  firstMarketPrice: edge.firstMarketPrice as Cents,
  thesisConfidence: confidenceIn(thesis) ?? 0,
  ownConfidence: null,
})

export async function servedEdges(
  board: ThesisBoard,
  thesis: Thesis,
  at: Millis,
): Promise<EdgeAnalysis | null> {
  if (thesis.edgesAt === null) return null
  const views = await board.markets(
    thesis.edges.map(({ ticker }) => ticker),
    null,
  )
  const rows = await Promise.all(
    thesis.edges.map((edge) => {
      const view = views.get(edge.ticker)
      if (view === undefined) return Promise.resolve(null)
      return servedEdge(board, thesis, edge, view, at)
    }),
  )
  const size = ({ edgeSize }: ThesisMarketEdge): number =>
    edgeSize === null ? -1 : Math.abs(edgeSize)
  return {
    analyzedAt: isoOf(thesis.edgesAt),
    lastRescanAt: isoOf(thesis.edgesAt),
    totalMarketsAnalyzed: thesis.marketsAnalyzed,
    edges: rows
      .filter((row) => row !== null)
      .sort((one, other) => size(other) - size(one))
      .slice(0, MOST_EDGES),
  }
}

export const servedEvaluation = (evaluation: Evaluation): ServedEvaluation => {
  const { previousConfidence, newConfidence, changes, signals, kills, ...rest } = evaluation
  return {
    ...rest,
    evaluatedAt: isoOf(evaluation.evaluatedAt),
    confidence: newConfidence,
    previousConfidence,
    newConfidence,
    confidenceDelta: deltaOf(previousConfidence, newConfidence),
    nodeProbabilities: { ...evaluation.nodeProbabilities },
    updatedNodes: changes.map((change) => ({ ...change })),
    signalsConsumed: signals.map((signal) => ({
      ...signal,
      content: Array.from(signal.content).slice(0, QUOTED_CONTENT).join(''),
    })),
    killConditions: kills.map((kill) => ({ ...kill, triggered: true })),
    positionUpdates: [],
    events: [],
    cost: NO_COST,
  }
}

/** Difference of two confidences, 4 decimals; 0 where one is unknown. */
export const deltaOf = (before: number | null, after: number | null): number =>
  before === null || after === null ? 0 : roundTo(after - before, 4)

export async function servedThesis(
  deps: { readonly board: ThesisBoard; readonly urls: Urls },
  thesis: Thesis,
  last: Evaluation | null,
  now: Millis,
): Promise<ServedThesis> {
  const { formation, slug, tree } = thesis
  const { startedAt, finishedAt, synthesis } = formation
  return {
    ...rowOf(thesis),
    webhookUrl: null,
    metadata: { ...thesis.metadata },
    description: thesis.description,
    publicUrl: slug === null ? null : thesisPageUrl(deps.urls, slug),
    publishedAt: isoOrNull(thesis.publishedAt),
    forkedFrom: null,
    causalTree: tree === null ? null : servedTree(tree),
    edgeAnalysis: await servedEdges(deps.board, thesis, now),
    positions: [],
    strategies: [],
    lastEvaluation: last === null ? null : servedEvaluation(last),
    formation: {
      step: finishedAt === null ? 'queued' : 'done',
      startedAt: isoOf(startedAt),
      finishedAt: isoOrNull(finishedAt),
      processingTimeMs: finishedAt === null ? null : finishedAt - startedAt,
      synthesis,
    },
  }
}
