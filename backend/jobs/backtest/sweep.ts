import { returnMetrics } from '../../domain/backtest/report/metrics.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import { embargoOf } from '../../domain/backtest/studies/folds.ts'
import { roundsOf, survivors } from '../../domain/backtest/studies/halving.ts'
import { paramsAt, type Axis, type GridPoint } from '../../domain/backtest/studies/param-space.ts'
import { bestPoint, judgedPoints } from '../../domain/backtest/studies/selection.ts'
import type { SelectedTrial, SweepMethod, Trial } from '../../domain/backtest/studies/study.ts'
import type { Millis } from '../../domain/units.ts'
import type { BacktestRequest, BacktestRunner } from './backtest-runner.ts'
import { StrategyEnded, StrategyFailed } from './strategy-watch.ts'
import { runInPool, type Share } from './trial-pool.ts'

/** Points of a parameter grid to try over one range. */
export interface SweepTask {
  /** The run of a point, with the parameters that do not vary. */
  readonly base: BacktestRequest
  readonly axes: readonly Axis[]
  readonly points: readonly GridPoint[]
  readonly method: SweepMethod
  readonly fold: number
  /** Daily returns by which a point is judged. */
  readonly returnsOf: (result: RunResult) => number[]
}

export interface SweepResult {
  readonly trials: readonly Trial[]
  readonly chosen: SelectedTrial
  /** All parameters of the chosen point. */
  readonly params: Params
  readonly chosenReturns: readonly number[]
  /** Daily returns of the points that ran to the end. */
  readonly whole: readonly (readonly number[])[]
  /** Sharpe ratio of every trial that has one. */
  readonly sharpes: readonly number[]
  readonly embargoMs: Millis
  /** Lots of the chosen point that were open at the end of the range. */
  readonly openLots: number
}

interface Outcome {
  readonly until: Millis
  readonly returns: readonly number[]
  readonly score: number | null
  readonly profit: number
  readonly trades: number
  readonly embargoMs: Millis
  readonly openLots: number
}

/**
 * Points that may be ended for time or memory before the sweep is abandoned: each takes minutes.
 */
const MAX_ENDED = 3

/** Cost of playing all points of a task, in whole ranges. */
export const weightOf = (method: SweepMethod, points: number): number =>
  method === 'halving'
    ? roundsOf(points).reduce((sum, { trials, share }) => sum + trials * share, 0)
    : points

/**
 * Runs every point, two at a time, and selects by the median of neighbours. A point whose
 * strategy fails counts as a trial. Rejects with StrategyFailed when every point fails or several
 * had to be ended, and with the other errors of the runner.
 */
export async function sweepOver(
  runner: BacktestRunner,
  task: SweepTask,
  signal: AbortSignal,
  share: Share,
): Promise<SweepResult> {
  const { base, axes, points, method } = task
  const outcomes: (Outcome | undefined)[] = []
  const errors: (string | undefined)[] = []
  const rounds =
    method === 'halving' ? roundsOf(points.length) : [{ trials: points.length, share: 1 }]
  let endedCount = 0
  let remainingIndices = points.map((_, index) => index)
  for (const round of rounds) {
    if (remainingIndices.length > round.trials) {
      remainingIndices = survivors(
        remainingIndices.map((index) => outcomes[index]?.score ?? null),
        round.trials,
      ).map((keptIndex) => remainingIndices[keptIndex] as number)
    }
    const to = Math.floor(base.from + (base.to - base.from) * round.share) as Millis
    await runInPool(remainingIndices, signal, async (index, _turn, cancelSignal) => {
      const piece = share.piece(round.share)
      const params = paramsAt(axes, points[index] as GridPoint, base.params)
      try {
        const request = { ...base, params, to, keepsResult: true }
        const runResult = await runner.run(request, cancelSignal, ({ progress }) =>
          piece.at(progress),
        )
        if (runResult.result !== null) outcomes[index] = outcomeOf(runResult.result, task)
      } catch (error) {
        if (!(error instanceof StrategyFailed)) throw error
        if (error instanceof StrategyEnded && ++endedCount >= MAX_ENDED) throw error
        errors[index] = error.message
        outcomes[index] = undefined
      } finally {
        piece.end()
      }
    })
    remainingIndices = remainingIndices.filter((index) => errors[index] === undefined)
  }
  const [fault] = errors.filter((error) => error !== undefined)
  if (remainingIndices.length === 0)
    throw new StrategyFailed(fault ?? 'No point of the sweep could be run')
  return judgeSweep(task, { going: remainingIndices, outcomes, errors })
}

function judgeSweep(
  { axes, points, base, fold }: SweepTask,
  {
    going,
    outcomes,
    errors,
  }: {
    readonly going: readonly number[]
    readonly outcomes: readonly (Outcome | undefined)[]
    readonly errors: readonly (string | undefined)[]
  },
): SweepResult {
  const paramsOf = (index: number): Params => paramsAt(axes, points[index] as GridPoint, {})
  const scoredPoints = going.map((index) => ({
    point: points[index] as GridPoint,
    score: outcomes[index]?.score ?? null,
  }))
  const medians = judgedPoints(axes, scoredPoints)
  const best = bestPoint(medians)
  const winner = going[best?.index ?? 0] as number
  const outcome = outcomes[winner] as Outcome
  const [peak = 0] = survivors(
    scoredPoints.map(({ score }) => score),
    1,
  )
  const byIndex = new Map(going.map((index, i) => [index, medians[i]]))
  const trials = points.map((_, index): Trial => {
    const trialOutcome = outcomes[index]
    const error = errors[index] ?? null
    const nearestPoint = byIndex.get(index) ?? null
    return {
      fold,
      params: paramsOf(index),
      error,
      state: error !== null ? 'failed' : nearestPoint === null ? 'abandoned' : 'whole',
      until: trialOutcome?.until ?? null,
      days: trialOutcome?.returns.length ?? 0,
      profit: trialOutcome?.profit ?? null,
      trades: trialOutcome?.trades ?? null,
      score: trialOutcome?.score ?? null,
      median: nearestPoint?.median ?? null,
      neighbours: nearestPoint?.neighbours ?? null,
    }
  })
  return {
    trials,
    chosen: {
      params: paramsOf(winner),
      median: best?.median ?? 0,
      neighbours: best?.neighbours ?? 0,
      score: outcome.score,
      peak: { params: paramsOf(going[peak] as number), score: scoredPoints[peak]?.score ?? null },
    },
    params: paramsAt(axes, points[winner] as GridPoint, base.params),
    chosenReturns: outcome.returns,
    whole: going.map((index) => outcomes[index]?.returns ?? []),
    sharpes: outcomes.flatMap((trialOutcome) =>
      trialOutcome === undefined || trialOutcome.score === null ? [] : [trialOutcome.score],
    ),
    embargoMs: outcome.embargoMs,
    openLots: outcome.openLots,
  }
}

function outcomeOf(result: RunResult, { returnsOf }: SweepTask): Outcome {
  const returns = returnsOf(result)
  return {
    until: result.to,
    returns,
    score: returnMetrics(returns).sharpeDaily,
    profit: (result.equity - result.startCash) / 1e6,
    trades: result.fills.at.length,
    embargoMs: embargoOf(result.lots),
    openLots: result.open.length,
  }
}
