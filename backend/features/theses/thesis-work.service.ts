import type {
  EvaluationDay,
  EvaluationPage,
  SignalQueued,
  ThesisEvaluated,
  TreeEdited,
  WhatIfAnswer,
} from '../../contract/theses/thesis.ts'
import type { Evaluation } from '../../domain/theses/thesis.ts'
import { EVALUATION_TIERS, tierOf } from '../../domain/theses/heartbeat.ts'
import { editedTree } from '../../domain/theses/tree-edit.ts'
import { whatIf } from '../../domain/theses/what-if.ts'
import { DAY, roundTo, type Millis } from '../../domain/units.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOf } from '../../lib/clock.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import type { ModelTier } from '../../lib/language-model.ts'
import { requireBudget } from './model/model-costs.ts'
import type { ThesisEvaluations } from './evaluation/thesis-evaluation.service.ts'
import { orInvalid, overridesIn, signalIn, treeEditIn } from './thesis-body.ts'
import { ownerEditStep, readingsFor } from './thesis-changes.ts'
import { withEvents } from './thesis-events.ts'
import { openTree, type Paging, type ThesisDeps, type ThesisRows } from './thesis-rows.ts'
import { confidenceIn, deltaOf, servedEvaluation, servedTree } from './thesis-served.ts'
import { listPage } from '../../http/request/list-page.ts'

const MAX_REASON_LENGTH = 500

/** Signals, evaluations, edits of the tree and what-ifs. */
export function createThesisWork(
  deps: ThesisDeps,
  rows: ThesisRows,
  evaluations: ThesisEvaluations,
) {
  const { store, userQueue, board, clock } = deps
  const { thesisOfUser, thesisOfUserAt, saveThesis } = rows

  return {
    signal: (userId: string, id: string, body: unknown): Promise<SignalQueued> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const signal = signalIn(body, thesis.id, clock.now())
        const isKnown = thesis.tree?.nodes.some((node) => node.id === signal.nodeId) ?? true
        if (signal.nodeId !== null && !isKnown) {
          throw new InvalidInput(`nodeId ${signal.nodeId} not found`)
        }
        const pending = await store.addSignal(signal)
        const message = 'Signal queued for the next evaluation'
        return { id: signal.id, signalId: signal.id, message, pending }
      }),
    async evaluate(userId: string, id: string, body: unknown): Promise<ThesisEvaluated> {
      const tier = tierIn(body)
      const { id: thesisId } = await thesisOfUser(userId, id)
      if (deps.model() !== null) await requireBudget(deps, thesisId, clock.now())
      const request = { trigger: 'evaluation', tier, secondJudgedAt: null } as const
      return (await evaluations.evaluate(userId, thesisId, request)).evaluated
    },
    async evaluations(
      userId: string,
      id: string,
      historyQuery: { readonly days: number; readonly raw: boolean; readonly asOf: Millis | null },
      paging: Paging,
    ): Promise<EvaluationPage> {
      const { days, raw } = historyQuery
      const { thesis, asOf, at } = await thesisOfUserAt(userId, id, historyQuery.asOf)
      const span = { from: at - days * DAY, until: at }
      if (raw) {
        const { rows, pageInfo } = await listPage(
          paging,
          { id: thesis.id, days, raw, asOf },
          (after, max) => store.evaluations(thesis.id, span, after, max),
          (row) => ({ at: row.evaluatedAt, id: row.id }),
        )
        const data = rows.map(servedEvaluation)
        return { data, evaluations: data, pageInfo }
      }
      const all = evaluationDays(await store.evaluations(thesis.id, span, null, null))
      const { rows, pageInfo } = await listPage(
        paging,
        { id: thesis.id, days, raw, asOf },
        (after, max) => all.filter(({ date }) => after === null || date < after.id).slice(0, max),
        ({ date }) => ({ at: 0, id: date }),
      )
      return { data: rows, evaluations: rows, pageInfo }
    },
    edit: (userId: string, id: string, body: unknown): Promise<TreeEdited> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const previous = openTree(thesis)
        const { ifVersion, ...edit } = treeEditIn(body)
        const reason = new BodyFields(body).text('reason', { max: MAX_REASON_LENGTH }) ?? null
        if (ifVersion !== null && ifVersion !== previous.version) {
          const { version } = previous
          const text = `the tree has changed since: read it again and edit version ${version}`
          throw new Conflict(text, 'TREE_CHANGED', { version })
        }
        const now = clock.now()
        const { tree, changed } = orInvalid(() => editedTree(previous, edit, 'user', now))
        const { prices } = await readingsFor(board, thesis, null)
        const editedStep = ownerEditStep(thesis, previous, tree, reason, prices, now)
        const step = withEvents(thesis, editedStep)
        await saveThesis(step.thesis, step.evaluation, [], step.events)
        const [previousConfidence, confidence] = [confidenceIn(thesis), confidenceIn(step.thesis)]
        return {
          thesisId: thesis.id,
          previousConfidence,
          confidence,
          confidenceDelta: deltaOf(previousConfidence, confidence),
          changed: [...changed],
          causalTree: servedTree(tree),
        }
      }),
    async whatIf(userId: string, id: string, body: unknown): Promise<WhatIfAnswer> {
      const thesis = await thesisOfUser(userId, id)
      const { tree } = thesis
      if (tree === null) throw new Conflict('the thesis is still being formed', 'THESIS_FORMING')
      const overrides = overridesIn(body)
      const nodes = new Map(tree.nodes.map((node) => [node.id, node]))
      const overriddenNodes = [...overrides].map(([nodeId, newProb]) => {
        const node = nodes.get(nodeId)
        if (node === undefined) throw new InvalidInput(`nodeId ${nodeId} not found`)
        return { nodeId, label: node.label, oldProb: node.probability, newProb }
      })
      const heldTickers = new Set(
        thesis.positions.flatMap(({ ticker, exitedAt }) => (exitedAt === null ? [ticker] : [])),
      )
      const views = await board.markets(
        thesis.edges.map(({ ticker }) => ticker),
        null,
      )
      const pricedEdges = thesis.edges.flatMap((edge) => {
        const view = views.get(edge.ticker)
        const isOpen = edge.settlement === null && view?.status !== 'settled'
        return view === undefined || !isOpen ? [] : [{ ...edge, marketPrice: view.price, view }]
      })
      const { oldConfidence, newConfidence, edges } = whatIf(tree.nodes, overrides, pricedEdges)
      return {
        thesisId: thesis.id,
        asOf: isoOf(clock.now()),
        treeVersion: tree.version,
        overrides: overriddenNodes,
        oldConfidence,
        newConfidence,
        confidenceDelta: deltaOf(oldConfidence, newConfidence),
        edges: edges.map(({ edge, projected }) => ({
          marketId: edge.ticker,
          market: edge.view.facts.title,
          venue: edge.view.facts.venue,
          direction: (projected.oldEdge ?? edge.orientation) >= 0 ? 'yes' : 'no',
          marketPrice: roundOrNull(edge.marketPrice),
          oldThesisPrice: roundTo(edge.thesisPrice, 2),
          ...projected,
          relatedNodeId: edge.relatedNodeId,
          positioned: heldTickers.has(edge.ticker),
        })),
      }
    },
  }
}
/** @throws InvalidInput for an unknown tier */
const tierIn = (body: unknown): ModelTier =>
  tierOf(new BodyFields(body ?? {}).word('modelTier', EVALUATION_TIERS) ?? 'base')

export type ThesisWork = ReturnType<typeof createThesisWork>

/** Evaluations by UTC day, newest first. */
function evaluationDays(evaluations: readonly Evaluation[]): EvaluationDay[] {
  const days = Map.groupBy(evaluations, ({ evaluatedAt }) => isoOf(evaluatedAt).slice(0, 10))
  const rows = [...days].map(([date, dayEvaluations]) => {
    const confidences = dayEvaluations.flatMap(({ newConfidence }) => newConfidence ?? [])
    const [latest] = dayEvaluations
    return {
      date,
      open: confidences.at(-1) ?? null,
      close: confidences[0] ?? null,
      high: confidences.length === 0 ? null : Math.max(...confidences),
      low: confidences.length === 0 ? null : Math.min(...confidences),
      delta: null as number | null,
      count: dayEvaluations.length,
      latestSummary: latest?.summary ?? '',
      latestEvalAt: isoOf(latest?.evaluatedAt ?? (0 as Millis)),
      model: latest?.model ?? '',
      costUsd: dayEvaluations.reduce((sum, { cost }) => sum + (cost?.usd ?? 0), 0),
    }
  })
  return rows.map((row, index) => {
    const previous = rows[index + 1]?.close ?? null
    const isKnown = previous !== null && row.close !== null
    return { ...row, delta: isKnown ? deltaOf(previous, row.close) : null }
  })
}
