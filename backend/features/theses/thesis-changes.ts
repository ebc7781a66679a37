import {
  edgesByRules,
  partsOf,
  RULES_MODEL,
  thesisPriceOf,
  treeByRules,
  type BoundPart,
} from '../../domain/theses/formation.ts'
import { killChecks, type MetKill } from '../../domain/theses/kill-conditions.ts'
import { adviceOn } from '../../domain/theses/position-advice.ts'
import { applySettlements, type SettledThesis } from '../../domain/theses/settlement.ts'
import { statementOf } from '../../domain/theses/claim.ts'
import {
  evaluateByRules,
  type JudgedShift,
  type MarketMove,
  type Signal,
} from '../../domain/theses/rules-evaluation.ts'
import {
  metKills,
  type BoundEdge,
  type Evaluation,
  type EvaluationCost,
  type EvaluationEvent,
  type StoredSignal,
  type Thesis,
} from '../../domain/theses/thesis.ts'
import { confidenceOf, type CausalTree } from '../../domain/theses/tree.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { newId } from '../../lib/ids.ts'
import type { Instant } from '../../http/request/as-of.ts'
import { boundPart, edgeFromMatch, settlementOf, type ThesisBoard } from './thesis-markets.ts'

/** The next state of a thesis with the evaluation that records it. */
export interface ThesisStep {
  readonly thesis: Thesis
  readonly evaluation: Evaluation
}

const MAX_EVENTS = 20
const MAX_EVENT_TITLE = 200

const percent = (chance: number | null): string =>
  chance === null ? 'unknown' : `${roundTo(chance * 100, 1)}%`
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const chancesOf = (tree: CausalTree): Record<string, number> =>
  Object.fromEntries(tree.nodes.map(({ id, probability }) => [id, probability]))

/** Prices and settlements of a thesis's markets at an instant. */
export interface MarketReadings {
  /** Headline prices of YES by ticker, cents; unpriced markets are left out. */
  readonly prices: ReadonlyMap<string, number>
  /** Payouts of YES in settled markets by ticker, cents. */
  readonly settlements: ReadonlyMap<string, number>
}

export async function readingsFor(
  board: ThesisBoard,
  { edges, tree, positions }: Pick<Thesis, 'edges' | 'tree' | 'positions'>,
  asOf: Millis | null,
): Promise<MarketReadings> {
  const tickers = [
    ...edges.map(({ ticker }) => ticker),
    ...positions.map(({ ticker }) => ticker),
    ...(tree?.nodes ?? []).flatMap(({ tickers: nodeTickers, killCondition }) => [
      ...nodeTickers,
      ...[killCondition?.ticker ?? []].flat(),
    ]),
  ]
  const views = [...(await board.markets([...new Set(tickers)], asOf))]
  return {
    prices: new Map(
      views.flatMap(([ticker, { price }]) => (price === null ? [] : [[ticker, price]])),
    ),
    settlements: new Map(
      views.flatMap(([ticker, view]) => {
        const settlement = settlementOf(view)
        return settlement === null ? [] : [[ticker, settlement]]
      }),
    ),
  }
}

/** Edges at the prices and the confidence of an evaluation; an unpriced one stays. */
const repriceEdges = (
  edges: readonly BoundEdge[],
  confidence: number | null,
  prices: ReadonlyMap<string, number>,
): BoundEdge[] =>
  edges.map((edge) => {
    const price = prices.get(edge.ticker)
    if (price === undefined || confidence === null || edge.settlement !== null) return edge
    return { ...edge, thesisPrice: thesisPriceOf(price, confidence, edge), evaluatedPrice: price }
  })

/** Forms a thesis without a model: conditions, markets, edges (methodology H5). */
export async function formByRules(
  board: ThesisBoard,
  thesis: Thesis,
  { asOf, at: now }: Instant,
): Promise<ThesisStep> {
  const statement = statementOf(thesis.rawThesis)
  const markets = asOf === null ? board.live() : await board.at(asOf)
  const parts = partsOf(statement).map((part) => boundPart(markets, part))
  return formThesis(board, thesis, treeByRules(statement, parts, now), parts, { asOf, at: now })
}

/** A formed thesis from its tree and the markets of its conditions. */
export async function formThesis(
  board: ThesisBoard,
  thesis: Thesis,
  tree: CausalTree,
  parts: readonly (BoundPart & { readonly nodeId?: string })[],
  { asOf, at: now }: Instant,
): Promise<ThesisStep> {
  const seeds = edgesByRules(tree, parts)
  const views = await board.markets(
    seeds.map(({ ticker }) => ticker),
    asOf,
  )
  const labels = new Map(tree.nodes.map(({ id, label }) => [id, label]))
  const edges = seeds.flatMap((seed) => {
    const view = views.get(seed.ticker)
    if (view === undefined) return []
    return [edgeFromMatch(seed, labels.get(seed.relatedNodeId) ?? '', view, now)]
  })
  const confidence = confidenceOf(tree.nodes)
  const edgeTickers = new Set(edges.map(({ ticker }) => ticker))
  const inheritedEdges = thesis.edges.filter(({ ticker }) => !edgeTickers.has(ticker))
  const { prices } = await readingsFor(board, { ...thesis, tree: null }, asOf)
  const synthesis = tree.model === RULES_MODEL ? ('rules' as const) : ('model' as const)
  const formedThesis: Thesis = {
    ...thesis,
    status: 'active',
    tree,
    edges: [...edges, ...repriceEdges(inheritedEdges, confidence, prices)],
    marketsAnalyzed: new Set(parts.flatMap(({ markets }) => markets.map(({ ticker }) => ticker)))
      .size,
    edgesAt: now,
    formation: { ...thesis.formation, finishedAt: now, synthesis },
    announcedConfidence: confidence,
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
    summary: `Formed by ${synthesis === 'rules' ? 'rules' : tree.model} from ${plural(tree.nodes.length, 'condition')} and ${plural(edges.length, 'market')}; confidence ${percent(confidence)}.`,
    nodeProbabilities: chancesOf(tree),
    changes: [],
    signals: [],
    kills: [],
    model: tree.model,
    durationMs: 0,
  }
  return { thesis: formedThesis, evaluation }
}

/** Inputs of an evaluation. */
export interface EvaluationInput {
  readonly signals: readonly StoredSignal[]
  /** Signals of earlier evaluations that these may repeat. */
  readonly consumed: readonly Signal[]
  readonly readings: MarketReadings
  readonly trigger: Evaluation['trigger']
  /** The judgement of a model on the signals; null for rules alone. */
  readonly judged: ModelJudgement | null
}

/** The classes that a model gave to signals, with what it cost (methodology H4). */
export interface ModelJudgement {
  readonly model: string
  readonly shifts: readonly JudgedShift[]
  readonly kills: readonly MetKill[]
  readonly corrections: readonly string[]
  readonly answer: string
  readonly summary: string | null
  readonly cost: EvaluationCost
}

/** Evaluates a thesis by settlements, signals and the moves of its markets (methodology H3). */
export function evaluationStep(
  thesis: Thesis,
  tree: CausalTree,
  { signals, consumed, readings, trigger, judged }: EvaluationInput,
  now: Millis,
): ThesisStep {
  const { prices, settlements } = readings
  const settledThesis = applySettlements(tree, thesis.edges, thesis.positions, settlements, now)
  const moves = thesis.edges.flatMap((edge): MarketMove[] => {
    const to = settlements.get(edge.ticker) ?? prices.get(edge.ticker)
    const link = edge.match * edge.orientation
    const { title, relatedNodeId: nodeId, evaluatedPrice: from } = edge
    return to === undefined || edge.settlement !== null ? [] : [{ title, nodeId, link, from, to }]
  })
  const shifts = judged?.shifts ?? null
  const evaluation = evaluateByRules(settledThesis.nodes, signals, moves, now, shifts, consumed)
  const { newConfidence } = evaluation
  const kills = killChecks(evaluation.nodes, prices, judged?.kills ?? null)
  const previousConfidence = confidenceOf(tree.nodes)
  const changes = [...settledThesis.changes, ...evaluation.changes]
  const next: CausalTree =
    changes.length > 0 ? { ...tree, nodes: evaluation.nodes, version: tree.version + 1 } : tree
  const isKilled = kills.some(({ triggered }) => triggered)
  const status =
    settledThesis.outcome !== null
      ? ('resolved' as const)
      : isKilled
        ? ('killed' as const)
        : thesis.status
  const edges = repriceEdges(settledThesis.edges, newConfidence, prices)
  const positionUpdates = adviceOn(settledThesis.positions, edges, status)
  const events = eventsOf(signals, thesis.edges, edges, now)
  return {
    thesis: {
      ...thesis,
      status,
      outcome: settledThesis.outcome ?? thesis.outcome,
      tree: next,
      edges,
      positions: settledThesis.positions,
      edgesAt: now,
      previousConfidence,
      lastEvaluatedAt: now,
      updatedAt: now,
    },
    evaluation: {
      id: newId('ev', now),
      thesisId: thesis.id,
      evaluatedAt: now,
      trigger,
      previousConfidence,
      newConfidence,
      summary: summaryOf(
        { previousConfidence, newConfidence, changes, kills },
        signals,
        settledThesis,
      ),
      nodeProbabilities: chancesOf(next),
      changes,
      signals: signals.map(({ id, type, source, content }) => ({ id, type, source, content })),
      kills,
      ...(positionUpdates.length > 0 && { positionUpdates }),
      ...(events.length > 0 && { events }),
      model: judged?.model ?? RULES_MODEL,
      durationMs: 0,
      ...(judged !== null && {
        cost: judged.cost,
        corrections: [...judged.corrections],
        modelAnswer: judged.answer,
      }),
    },
  }
}

/** Events of a thesis: signals that are no notes of its owner, and markets that settled now. */
function eventsOf(
  signals: readonly StoredSignal[],
  before: readonly BoundEdge[],
  after: readonly BoundEdge[],
  now: Millis,
): EvaluationEvent[] {
  const open = new Set(before.flatMap(({ ticker, settlement }) => (settlement ? [] : [ticker])))
  const settlementEvents = after.flatMap(({ ticker, title, settlement }): EvaluationEvent[] => {
    if (settlement === null || !open.has(ticker)) return []
    const payoutText = `YES paid ${roundTo(settlement.price, 2)}¢`
    return [{ at: now, title: `${title}: ${payoutText}`, source: 'settlement', url: null }]
  })
  const signalEvents = signals
    .filter(({ type }) => type !== 'user_note')
    .map(({ at, content, source, url }) => ({ at, title: firstLine(content), source, url }))
  return [...settlementEvents, ...signalEvents]
    .toSorted((left, right) => right.at - left.at)
    .slice(0, MAX_EVENTS)
}

/** The first line of a text, at most 200 characters. */
const firstLine = (text: string): string =>
  Array.from(text.split('\n', 1)[0] ?? '')
    .slice(0, MAX_EVENT_TITLE)
    .join('')

function summaryOf(
  evaluation: Pick<Evaluation, 'previousConfidence' | 'newConfidence' | 'changes' | 'kills'>,
  signals: readonly StoredSignal[],
  settledThesis: SettledThesis,
): string {
  const { previousConfidence, newConfidence, changes, kills } = evaluation
  const [first] = changes
  const changeSummary =
    first === undefined
      ? 'no condition moved'
      : `${plural(changes.length, 'condition')} moved, first “${first.label}” to ${percent(first.newProbability)}`
  const [kill] = metKills({ kills })
  const extraSentences = [
    settledThesis.count > 0 ? ` ${plural(settledThesis.count, 'market')} settled.` : '',
    settledThesis.outcome === null ? '' : ` The claim resolved ${settledThesis.outcome}.`,
    kill === undefined ? '' : ` A kill condition is met: ${kill.evidence ?? kill.text}.`,
  ]
  return `Confidence ${percent(previousConfidence)} to ${percent(newConfidence)}: ${changeSummary}; ${plural(signals.length, 'signal')} read.${extraSentences.join('')}`
}

/** A thesis after its owner edited the tree, recorded as an evaluation without a model. */
export function ownerEditStep(
  thesis: Thesis,
  before: CausalTree,
  tree: CausalTree,
  reason: string | null,
  prices: ReadonlyMap<string, number>,
  now: Millis,
): ThesisStep {
  const [previousConfidence, newConfidence] = [confidenceOf(before.nodes), confidenceOf(tree.nodes)]
  const old = new Map(before.nodes.map(({ id, probability }) => [id, probability]))
  const editReason = reason === null || reason === '' ? 'edited by the owner' : reason
  const changes = tree.nodes
    .filter(({ id, probability }) => (old.get(id) ?? probability) !== probability)
    .map(({ id, label, probability }) => ({
      nodeId: id,
      label,
      previousProbability: old.get(id) ?? probability,
      newProbability: probability,
      reason: editReason,
    }))
  return {
    thesis: {
      ...thesis,
      tree,
      edges: repriceEdges(thesis.edges, newConfidence, prices),
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
      summary: `Tree edited: confidence ${percent(previousConfidence)} to ${percent(newConfidence)} (${editReason}).`,
      nodeProbabilities: chancesOf(tree),
      changes,
      signals: [],
      kills: [],
      model: 'manual',
      durationMs: 0,
    },
  }
}
