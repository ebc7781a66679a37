import { dailyEquity, dailyReturns } from '../../domain/backtest/report/metrics.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import { sharpeSignificance, overfittingOf } from '../../domain/backtest/studies/overfitting.ts'
import { axesFor, sizeOf, type Axis } from '../../domain/backtest/studies/param-space.ts'
import { studyPlan } from '../../domain/backtest/studies/study-plan.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { BacktestRunner } from './backtest-runner.ts'
import type { StrategyMetadataReader } from './strategy-metadata.ts'
import type { RunDone } from './strategy-host.ts'
import { withStudy, type StudyRequest } from './study-request.ts'
import { sweepOver, weightOf } from './sweep.ts'
import { Share } from './trial-pool.ts'
import { walkForward } from './walk-forward.ts'

/**
 * Runs a sweep, or a walk-forward of sweeps, and then the selected parameters, whose report
 * includes the study. Rejects as the runner does, and with InvalidInput for parameters that the
 * strategy does not have.
 */
export async function runStudy(
  {
    runner,
    metadataReader,
  }: { readonly runner: BacktestRunner; readonly metadataReader: StrategyMetadataReader },
  request: StudyRequest,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<RunDone> {
  const plan = studyPlan(request.sweep, request.seed)
  const { params: defaults } = await metadataReader.read(request.module)
  const axes = axesIn(defaults, plan.axes, request.params)
  const shape = { axes, points: plan.points }
  if (request.walkForward !== null) {
    return walkForward(
      runner,
      { ...request, walkForward: request.walkForward },
      shape,
      signal,
      onProgress,
    )
  }
  const { method } = request.sweep
  const weight = weightOf(method, plan.points.length)
  const finals =
    1 + request.cutsAt.length + Number(request.checkDeterminism) + (request.multiples?.length ?? 0)
  const share = new Share(weight + finals, onProgress)
  const base = { ...request, cutsAt: [], checkDeterminism: false, multiples: [] }
  const returnsOf = ({ samples }: { samples: { at: Float64Array; equity: Float64Array } }) =>
    dailyReturns(dailyEquity(samples.at, samples.equity))
  const sweepResult = await sweepOver(
    runner,
    { base, ...shape, method, fold: 0, returnsOf },
    signal,
    share,
  )
  const last = share.piece(finals)
  const runResult = await runner.run(
    { ...request, params: sweepResult.params },
    signal,
    ({ progress }) => last.at(progress),
  )
  last.end()
  const { trials, whole, sharpes } = sweepResult
  return withStudy(runResult, {
    kind: 'sweep',
    method,
    seed: request.seed,
    trials,
    chosen: sweepResult.chosen,
    axes: axes.map(({ name, values }) => ({ name, values })),
    gridPoints: sizeOf(axes),
    luck: sharpeSignificance(sweepResult.chosenReturns, {
      completedReturns: whole,
      sharpes,
      count: trials.length,
    }),
    overfitting: overfittingOf(whole),
    folds: [],
    stability: [],
    embargoMs: null,
  })
}

function axesIn(defaults: Params, axes: readonly Axis[], fixedParams: Params): Axis[] {
  try {
    return axesFor(defaults, axes, fixedParams)
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidInput(error.message)
    throw error
  }
}
