import type { ThesisEvaluated } from '../../../contract/theses/thesis.ts'
import { reasonToJudgeAgain } from '../../../domain/theses/model/second-judgement.ts'
import type { Evaluation, StoredSignal, Thesis } from '../../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../../domain/units.ts'
import { Conflict, ModelFailed } from '../../../lib/errors.ts'
import type { LanguageModel, ModelTier } from '../../../lib/language-model.ts'
import { recordCost, Spending } from '../model/model-costs.ts'
import { judgeConditions } from '../model/model-judge.ts'
import { evaluationStep, readingsFor, type ModelJudgement } from '../thesis-changes.ts'
import { withEvents } from '../thesis-events.ts'
import { openTree, type ThesisDeps, type ThesisRows } from '../thesis-rows.ts'
import { servedEvaluation } from '../thesis-served.ts'

/** Signals that one evaluation reads; the rest waits for the next. */
const MAX_SIGNALS = 100
/** The model that judges again what a cheap one judged. */
const SECOND_TIER: ModelTier = 'medium'

export interface EvaluationRequest {
  readonly trigger: Evaluation['trigger']
  /** The model that judges the signals. */
  readonly tier: ModelTier
  /** When the better model judged last, for one that may judge again; null without. */
  readonly secondJudgedAt: Millis | null
}

/** The judgement that counts, and whether the better model gave it. */
interface JudgedThesis {
  readonly judgement: ModelJudgement
  readonly isSecondJudgement: boolean
}

interface EvaluationResult {
  readonly evaluated: ThesisEvaluated
  readonly isSecondJudgement: boolean
}

/** Evaluations of theses. */
export function createThesisEvaluation(deps: ThesisDeps, { thesisOfUser, saveThesis }: ThesisRows) {
  const { store, userQueue, board, clock, calls, stopping } = deps
  const runningTheses = new Set<string>()

  /**
   * Judges the signals; where a cheap judgement would change much, the better model judges them again. When
   * that one fails, the first judgement counts. The judgement that counts has the cost of all calls.
   */
  const judgeSignals = async (
    thesis: Thesis,
    model: LanguageModel,
    signals: readonly StoredSignal[],
    { tier, trigger, secondJudgedAt }: EvaluationRequest,
    spending: Spending,
  ): Promise<JudgedThesis> => {
    const tree = openTree(thesis)
    const judgeWith = (by: ModelTier): Promise<ModelJudgement> =>
      calls.run(thesis.id, stopping, (signal) =>
        judgeConditions(model, by, { tree, signals, onCost: spending.next() }, signal),
      )
    const judgement = await judgeWith(tier)
    const mayJudgeAgain =
      secondJudgedAt !== null && model.nameOf(tier) !== model.nameOf(SECOND_TIER)
    if (!mayJudgeAgain) return { judgement, isSecondJudgement: false }
    const readings = await readingsFor(board, thesis, null)
    const input = { signals, consumed: [], readings, trigger, judged: judgement }
    const { evaluation } = evaluationStep(thesis, tree, input, clock.now())
    const reason = reasonToJudgeAgain(evaluation, secondJudgedAt, clock.now())
    if (reason === null) return { judgement, isSecondJudgement: false }
    try {
      const second = await judgeWith(SECOND_TIER)
      const note = `${second.model} judged again what ${judgement.model} had judged: ${reason}`
      const corrections = [note, ...second.corrections]
      return {
        judgement: { ...second, corrections, cost: spending.total },
        isSecondJudgement: true,
      }
    } catch (error) {
      if (!(error instanceof ModelFailed)) throw error
      const note = `${model.nameOf(SECOND_TIER)} was to judge again, because ${reason}, and failed: ${error.message}`
      const corrections = [...judgement.corrections, note]
      return {
        judgement: { ...judgement, corrections, cost: spending.total },
        isSecondJudgement: false,
      }
    }
  }

  const evaluateOnce = async (
    userId: string,
    id: string,
    request: EvaluationRequest,
  ): Promise<EvaluationResult> => {
    const startedAt = clock.monotonic()
    const previous = await thesisOfUser(userId, id)
    openTree(previous)
    const signals = await store.pendingSignals(id, MAX_SIGNALS)
    const model = signals.length === 0 ? null : deps.model()
    const spending = new Spending()
    const progress = { isWritten: false }
    const onWritten = (): void => {
      progress.isWritten = true
    }
    try {
      // Other writes of the user continue while the model answers.
      const answer =
        model === null ? null : await judgeSignals(previous, model, signals, request, spending)
      return await userQueue.run(userId, () =>
        writeEvaluation(userId, id, { ...request, onWritten }, signals, answer, startedAt),
      )
    } catch (error) {
      const { total } = spending
      // An evaluation that was written holds the cost of these calls.
      if (!progress.isWritten)
        await userQueue.run(userId, () => recordCost(deps, previous, total, clock.now()))
      throw error
    }
  }

  /** Writes the evaluation of a thesis as it is now. It runs in the queue of its owner. */
  const writeEvaluation = async (
    userId: string,
    id: string,
    { trigger, onWritten }: EvaluationRequest & { readonly onWritten: () => void },
    signals: readonly StoredSignal[],
    answer: JudgedThesis | null,
    startedAt: number,
  ): Promise<EvaluationResult> => {
    const thesis = await thesisOfUser(userId, id)
    const tree = openTree(thesis)
    const readings = await readingsFor(board, thesis, null)
    const judgement = answer?.judgement ?? null
    // Rules weigh what repeats an earlier signal less; a model judges by itself.
    const consumedSignals = judgement === null ? await store.consumedNear(id, signals) : []
    const input = { signals, consumed: consumedSignals, readings, trigger, judged: judgement }
    const step = withEvents(thesis, evaluationStep(thesis, tree, input, clock.now()))
    const durationMs = roundTo(clock.monotonic() - startedAt, 1)
    const evaluation = { ...step.evaluation, durationMs }
    const signalIds = signals.map((signal) => signal.id)
    await saveThesis(step.thesis, evaluation, signalIds, step.events)
    onWritten()
    if (step.thesis.status !== thesis.status) deps.onStopped(step.thesis)
    return {
      evaluated: {
        thesisId: thesis.id,
        evaluation: servedEvaluation(evaluation),
        status: step.thesis.status,
      },
      isSecondJudgement: answer?.isSecondJudgement ?? false,
    }
  }

  return {
    isRunning: (id: string): boolean => runningTheses.has(id),
    /**
     * Evaluates a thesis, one at a time; its other writes continue while a model answers.
     * @param id the whole id
     * @throws Conflict when one runs, or the thesis is not open; NotFound when it was deleted
     * meanwhile; ModelFailed, then nothing is written
     */
    async evaluate(userId: string, id: string, request: EvaluationRequest) {
      if (runningTheses.has(id)) {
        throw new Conflict(
          'an evaluation of this thesis is running: read it when it has ended',
          'EVALUATION_RUNNING',
        )
      }
      runningTheses.add(id)
      try {
        // Its own lane, so that a stop of the service waits for it.
        return await userQueue.run(`evaluation of ${id}`, () => evaluateOnce(userId, id, request))
      } finally {
        runningTheses.delete(id)
      }
    },
  }
}
export type ThesisEvaluations = ReturnType<typeof createThesisEvaluation>
