import type {
  ServedEvaluation,
  ServedThesis,
  ServedTree,
  ThesisNode,
  ThesisRow,
} from '../../contract/theses/thesis.ts'
import { NO_COST, type Evaluation, type Thesis } from '../../domain/theses/thesis.ts'
import {
  confidenceOf,
  depthOf,
  parentOf,
  type CausalTree,
  type NestedNode,
} from '../../domain/theses/tree.ts'
import { roundTo } from '../../domain/units.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Instant } from '../../http/request/as-of.ts'
import {
  orderedStrategies,
  servedPositions,
  servedStrategy,
  type BoughtContracts,
} from './holdings/holdings-served.ts'
import { servedEdges } from './thesis-edges-served.ts'
import type { ThesisBoard } from './thesis-markets.ts'

export const SHORT_ID = 8
const QUOTED_CONTENT = 280

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
  openPositionCount: thesis.positions.filter(({ exitedAt }) => exitedAt === null).length,
  parentId: thesis.parentId,
  published: thesis.slug !== null,
  slug: thesis.slug,
  lastEvaluatedAt: isoOrNull(thesis.lastEvaluatedAt),
  createdAt: isoOf(thesis.createdAt),
  updatedAt: isoOf(thesis.updatedAt),
})

/** The levels of a tree are bounded, which its recursive form does not show. */
export const servedNodes = (nodes: readonly NestedNode[]): ThesisNode[] =>
  nodes.map((node) => ({
    ...node,
    tickers: [...node.tickers],
    updatedAt: isoOf(node.updatedAt),
    children: servedNodes(node.children),
  }))

export function servedTree({ numbered: _, ...tree }: CausalTree): ServedTree {
  const byParent = Map.groupBy(tree.nodes, ({ id }) => parentOf(id))
  const nestBelow = (parent: string | null): ThesisNode[] =>
    (byParent.get(parent) ?? []).map(({ killHandled: _handled, ...node }) => ({
      ...node,
      tickers: [...node.tickers],
      updatedAt: isoOf(node.updatedAt),
      depth: depthOf(node.id),
      children: nestBelow(node.id),
    }))
  return { ...tree, nodes: nestBelow(null), generatedAt: isoOf(tree.generatedAt) }
}

export const servedEvaluation = (evaluation: Evaluation): ServedEvaluation => {
  const { previousConfidence, newConfidence, changes, signals, kills, events, cost, ...rest } =
    evaluation
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
    killConditions: killConditionsOf({ kills }),
    positionUpdates: (evaluation.positionUpdates ?? []).map((advice) => ({ ...advice })),
    events: (events ?? []).map((event) => ({ ...event, at: isoOf(event.at) })),
    cost: cost ?? NO_COST,
  }
}

/** Kill conditions that an evaluation checked; those of earlier versions were all met. */
export const killConditionsOf = ({
  kills,
}: Pick<Evaluation, 'kills'>): ServedEvaluation['killConditions'] =>
  kills.map((kill) => ({ ...kill, triggered: kill.triggered ?? true }))

/** Difference of two confidences, 4 decimals; 0 where one is unknown. */
export const deltaOf = (before: number | null, after: number | null): number =>
  before === null || after === null ? 0 : roundTo(after - before, 4)

export async function servedThesis(
  deps: { readonly board: ThesisBoard; readonly urls: Urls },
  thesis: Thesis,
  context: {
    readonly last: Evaluation | null
    readonly webhookUrl: string | null
    readonly bought: BoughtContracts
    readonly instant: Instant
  },
): Promise<ServedThesis> {
  const { last, webhookUrl, bought, instant } = context
  const { formation, slug, tree } = thesis
  const { startedAt, finishedAt, synthesis } = formation
  return {
    ...rowOf(thesis),
    webhookUrl,
    metadata: { ...thesis.metadata },
    description: thesis.description,
    publicUrl: slug === null ? null : thesisPageUrl(deps.urls, slug),
    publishedAt: isoOrNull(thesis.publishedAt),
    forkedFrom: thesis.forkedFrom,
    causalTree: tree === null ? null : servedTree(tree),
    edgeAnalysis: await servedEdges(deps.board, thesis, instant),
    positions: await servedPositions(deps.board, thesis, instant.asOf),
    strategies: orderedStrategies(thesis.strategies).map((strategy) =>
      servedStrategy(strategy, thesis, bought),
    ),
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
