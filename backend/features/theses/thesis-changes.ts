import {
  edgesByRules,
  partsOf,
  RULES_MODEL,
  thesisPriceOf,
  treeByRules,
} from '../../domain/theses/formation.ts'
import { statementOf } from '../../domain/theses/claim.ts'
import { evaluateByRules, type MarketMove } from '../../domain/theses/rules-evaluation.ts'
import type { BoundEdge, Evaluation, StoredSignal, Thesis } from '../../domain/theses/thesis.ts'
import { confidenceOf, type CausalTree } from '../../domain/theses/tree.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { newId } from '../../lib/ids.ts'
import { boundPart, foundEdge, type ThesisBoard } from './thesis-markets.ts'

/** The next state of a thesis with the evaluation that records it. */
export interface ThesisStep {
  readonly thesis: Thesis
  readonly evaluation: Evaluation
}

const percent = (chance: number | null): string =>
  chance === null ? 'unknown' : `${roundTo(chance * 100, 1)}%`
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const chancesOf = (tree: CausalTree): Record<string, number> =>
  Object.fromEntries(tree.nodes.map(({ id, probability }) => [id, probability]))

/** Headline prices of YES of the markets of a thesis, cents; unpriced ones are left out. */
export async function pricesFor(
  board: ThesisBoard,
  { edges, tree }: Pick<Thesis, 'edges' | 'tree'>,
): Promise<ReadonlyMap<string, number>> {
  const tickers = [
    ...edges.map(({ ticker }) => ticker),
    ...(tree?.nodes ?? []).flatMap(({ tickers: own, killCondition }) => [
      ...own,
      ...[killCondition?.ticker ?? []].flat(),
    ]),
  ]
  const views = await board.markets([...new Set(tickers)], null)
  return new Map(
    [...views].flatMap(([ticker, { price }]) => (price === null ? [] : [[ticker, price]])),
  )
}

/** Edges at the prices and the confidence of an evaluation; an unpriced one stays. */
const repriced = (
  edges: readonly BoundEdge[],
  confidence: number | null,
  prices: ReadonlyMap<string, number>,
): BoundEdge[] =>
  edges.map((edge) => {
    const price = prices.get(edge.ticker)
    if (price === undefined || confidence === null) return edge
    return { ...edge, thesisPrice: thesisPriceOf(price, confidence, edge), evaluatedPrice: price }
  })

/** Forms a thesis without a model: conditions, markets, edges (methodology H5). */
export async function formedByRules(
  board: ThesisBoard,
  thesis: Thesis,
  now: Millis,
): Promise<ThesisStep> {
  const statement = statementOf(thesis.rawThesis)
  const parts = partsOf(statement).map((part) => boundPart(board, part))
  const tree = treeByRules(statement, parts, now)
  const seeds = edgesByRules(tree, parts)
  const views = await board.markets(
    seeds.map(({ ticker }) => ticker),
    null,
  )
  const labels = new Map(tree.nodes.map(({ id, label }) => [id, label]))
  const edges = seeds.flatMap((seed) => {
    const view = views.get(seed.ticker)
    if (view === undefined) return []
    return [foundEdge(seed, labels.get(seed.relatedNodeId) ?? '', view, now)]
  })
  const confidence = confidenceOf(tree.nodes)
  const formed: Thesis = {
    ...thesis,
    status: 'active',
    tree,
    edges,
    marketsAnalyzed: new Set(parts.flatMap(({ markets }) => markets.map(({ ticker }) => ticker)))
      .size,
    edgesAt: now,
    formation: { ...thesis.formation, finishedAt: now, synthesis: 'rules' },
    lastEvaluatedAt: now,
    updatedAt: now,
  }
  const evaluation: Evaluation = {
    id: newId('ev', now),
    thesisId: thesis.id,
    evaluatedAt: now,
    trigger: 'evaluation',
    previousConfidence: null,
    newConfidence: confidence,
    summary: `Formed by rules from ${plural(tree.nodes.length, 'condition')} and ${plural(edges.length, 'market')}; confidence ${percent(confidence)}.`,
    nodeProbabilities: chancesOf(tree),
    changes: [],
    signals: [],
    kills: [],
    model: RULES_MODEL,
    durationMs: 0,
  }
  return { thesis: formed, evaluation }
}

/** Evaluates a thesis by its signals and by the moves of its markets (methodology H3). */
export function evaluatedByRules(
  thesis: Thesis,
  tree: CausalTree,
  signals: readonly StoredSignal[],
  prices: ReadonlyMap<string, number>,
  now: Millis,
): ThesisStep {
  const moves = thesis.edges.flatMap((edge): MarketMove[] => {
    const to = prices.get(edge.ticker)
    const link = edge.match * edge.orientation
    const { title, relatedNodeId: nodeId, evaluatedPrice: from } = edge
    return to === undefined ? [] : [{ title, nodeId, link, from, to }]
  })
  const found = evaluateByRules(tree.nodes, signals, moves, prices, now)
  const { previousConfidence, newConfidence, changes, kills } = found
  const hasMoved = changes.length > 0
  const next: CausalTree = hasMoved
    ? { ...tree, nodes: found.nodes, version: tree.version + 1 }
    : tree
  const changed = hasMoved
    ? `${plural(changes.length, 'condition')} moved, first “${changes[0]?.label ?? ''}” to ${percent(changes[0]?.newProbability ?? null)}`
    : 'no condition moved'
  const killed = kills.length > 0 ? ` A kill condition is met: ${kills[0]?.evidence ?? ''}.` : ''
  return {
    thesis: {
      ...thesis,
      status: kills.length > 0 ? 'killed' : thesis.status,
      tree: next,
      edges: repriced(thesis.edges, newConfidence, prices),
      edgesAt: now,
      previousConfidence,
      lastEvaluatedAt: now,
      updatedAt: now,
    },
    evaluation: {
      id: newId('ev', now),
      thesisId: thesis.id,
      evaluatedAt: now,
      trigger: 'evaluation',
      previousConfidence,
      newConfidence,
      summary: `Confidence ${percent(previousConfidence)} to ${percent(newConfidence)}: ${changed}; ${plural(signals.length, 'signal')} read.${killed}`,
      nodeProbabilities: chancesOf(next),
      changes,
      signals: signals.map(({ id, type, source, content }) => ({ id, type, source, content })),
      kills,
      model: RULES_MODEL,
      durationMs: 0,
    },
  }
}

/** A thesis after its owner edited the tree, recorded as an evaluation without a model. */
export function editedByOwner(
  thesis: Thesis,
  before: CausalTree,
  tree: CausalTree,
  reason: string | null,
  prices: ReadonlyMap<string, number>,
  now: Millis,
): ThesisStep {
  const [previousConfidence, newConfidence] = [confidenceOf(before.nodes), confidenceOf(tree.nodes)]
  const old = new Map(before.nodes.map(({ id, probability }) => [id, probability]))
  const why = reason === null || reason === '' ? 'edited by the owner' : reason
  const changes = tree.nodes
    .filter(({ id, probability }) => (old.get(id) ?? probability) !== probability)
    .map(({ id, label, probability }) => ({
      nodeId: id,
      label,
      previousProbability: old.get(id) ?? probability,
      newProbability: probability,
      reason: why,
    }))
  return {
    thesis: {
      ...thesis,
      tree,
      edges: repriced(thesis.edges, newConfidence, prices),
      edgesAt: now,
      previousConfidence,
      lastEvaluatedAt: now,
      updatedAt: now,
    },
    evaluation: {
      id: newId('ev', now),
      thesisId: thesis.id,
      evaluatedAt: now,
      trigger: 'evaluation',
      previousConfidence,
      newConfidence,
      summary: `Tree edited: confidence ${percent(previousConfidence)} to ${percent(newConfidence)} (${why}).`,
      nodeProbabilities: chancesOf(tree),
      changes,
      signals: [],
      kills: [],
      model: 'manual',
      durationMs: 0,
    },
  }
}
