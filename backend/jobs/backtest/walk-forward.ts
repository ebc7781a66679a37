import { reportOf } from '../../domain/backtest/report/report.ts'
import type { CrossedGap } from '../../domain/backtest/report/report.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import {
  capacityOf,
  type Capacity,
  type CapacityStep,
} from '../../domain/backtest/studies/capacity.ts'
import {
  foldsOf,
  realisedReturns,
  stabilityOf,
  type Fold,
  type FoldRange,
} from '../../domain/backtest/studies/folds.ts'
import { joinedResult } from '../../domain/backtest/studies/joined-result.ts'
import { sharpeSignificance } from '../../domain/backtest/studies/overfitting.ts'
import { sizeOf } from '../../domain/backtest/studies/param-space.ts'
import type { StudyPlan, WalkForwardSpec } from '../../domain/backtest/studies/study-plan.ts'
import type { Trial } from '../../domain/backtest/studies/study.ts'
import { dailyEquity, dailyReturns } from '../../domain/backtest/report/metrics.ts'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { BacktestRunner } from './backtest-runner.ts'
import type { RunDone } from './strategy-host.ts'
import { withStudy, type StudyRequest } from './study-request.ts'
import { sweepOver, weightOf } from './sweep.ts'
import { Share } from './trial-pool.ts'

type WalkRequest = StudyRequest & { readonly walkForward: WalkForwardSpec }

/**
 * Selects parameters on one span and tests them on the next, repeatedly. The report covers the
 * joined out-of-sample stretches.
 */
export async function walkForward(
  runner: BacktestRunner,
  request: WalkRequest,
  plan: StudyPlan,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<RunDone> {
  const { method } = request.sweep
  const order = request.walkForward
  let embargoMs = order.embargoDays === null ? null : order.embargoDays * DAY
  let ranges = foldsIn(request, embargoMs ?? DAY)
  const weights = {
    train: weightOf(method, plan.points.length) * order.trainDays,
    test: order.testDays * 2,
  }
  const share = new Share(ranges.length * (weights.train + weights.test), onProgress)
  const trials: Trial[] = []
  const folds: Fold[] = []
  const tests: RunDone[] = []
  for (let number = 0; number < ranges.length; number++) {
    let range = ranges[number] as FoldRange
    const sweepResult = await trainIn(runner, request, plan, { range, number, signal, share })
    if (embargoMs === null) {
      // Taken from the first training alone, so that the tests of all folds are contiguous.
      embargoMs = sweepResult.embargoMs
      ranges = foldsIn(request, embargoMs)
      range = ranges[number] as FoldRange
    }
    const piece = share.piece(weights.test)
    const { testFrom: from, testTo: to } = range
    const test = await runner.run(
      { ...request, params: sweepResult.params, from, to, keepsResult: true },
      signal,
      ({ progress }) => piece.at(progress),
    )
    piece.end()
    trials.push(...sweepResult.trials)
    tests.push(test)
    const { profit, trades, returns } = test.report
    folds.push({
      ...range,
      params: sweepResult.chosen.params,
      trainScore: sweepResult.chosen.median,
      purged: sweepResult.openLots,
      testProfit: profit,
      testTrades: trades,
      testSharpe: returns.sharpeDaily,
    })
  }
  const joinedRun = joinRuns(tests, request)
  const line =
    joinedRun.result === null
      ? []
      : dailyReturns(dailyEquity(joinedRun.result.samples.at, joinedRun.result.samples.equity))
  return withStudy(joinedRun, {
    kind: 'walk-forward',
    method,
    seed: request.seed,
    trials,
    chosen: null,
    overfitting: null,
    axes: plan.axes.map(({ name, values }) => ({ name, values })),
    gridPoints: sizeOf(plan.axes),
    // The joined equity was run once: nothing in it was selected among several.
    luck: sharpeSignificance(line, { completedReturns: [line], sharpes: [], count: 1 }),
    folds,
    embargoMs: embargoMs as Millis | null,
    stability: stabilityOf(
      plan.axes,
      folds.map(({ params }) => params),
    ),
  })
}

const trainIn = (
  runner: BacktestRunner,
  request: WalkRequest,
  plan: StudyPlan,
  {
    range,
    number,
    signal,
    share,
  }: { range: FoldRange; number: number; signal: AbortSignal; share: Share },
) => {
  const { trainFrom: from, trainTo: to } = range
  const base = { ...request, from, to, cutsAt: [], checkDeterminism: false, multiples: [] }
  const startCash = request.startCashUsd * 1e6
  const returnsOf = ({ lots, to: until }: RunResult) =>
    realisedReturns(lots, { from, to: until, startCash })
  return sweepOver(
    runner,
    { base, ...plan, method: request.sweep.method, fold: number, returnsOf },
    signal,
    share,
  )
}

function foldsIn({ from, to, walkForward: order }: WalkRequest, embargoMs: number): FoldRange[] {
  const folds = foldsOf({ from, to }, order, embargoMs)
  if (folds.length > 0) return folds
  const days = (embargoMs / DAY).toFixed(1)
  throw new InvalidInput(
    `walkForward: positions are held so long that training and test must be ${days} days apart; no fold fits between from and to`,
  )
}

/** Joins the tests of all folds into one run. */
function joinRuns(tests: readonly RunDone[], request: WalkRequest): RunDone {
  const [first] = tests
  const result = joinedResult(tests.flatMap(({ result }) => result ?? []))
  const reports = tests.map(({ report }) => report)
  const gaps = new Map<string, CrossedGap>(
    reports.flatMap((report) => report.gaps.map((gap) => [JSON.stringify(gap), gap])),
  )
  const report = reportOf(result, {
    strategy: first?.report.strategy ?? '',
    about: first?.report.about ?? '',
    params: request.params,
    scope: `${tests.length} test folds; the first of ${first?.report.scope ?? ''}`,
    gaps: [...gaps.values()],
    gapsLeftOut: reports.reduce((sum, { gapsLeftOut }) => sum + gapsLeftOut, 0),
    checks: reports.flatMap(({ checks }) => checks),
    isDeterministic: request.checkDeterminism
      ? reports.every((testReport) => testReport.isDeterministic)
      : null,
    capacity: joinedCapacity(reports.flatMap(({ capacity }) => capacity ?? [])),
  })
  const tickers = Object.fromEntries(result.traded.map(({ market, ticker }) => [market, ticker]))
  const { fills, samples, tags } = result
  return { type: 'done', report, result, fills, samples, tickers, tags }
}

function joinedCapacity(all: readonly Capacity[]): Capacity | null {
  const [first] = all
  if (first === undefined) return null
  return capacityOf(
    first.steps.map(({ multiple }, i): CapacityStep => {
      const sum = (valueOf: (step: CapacityStep) => number): number =>
        all.reduce(
          (total, { steps }) => total + (steps[i] === undefined ? 0 : valueOf(steps[i])),
          0,
        )
      return {
        multiple,
        profit: sum(({ profit }) => profit),
        trades: sum(({ trades }) => trades),
        contracts: sum(({ contracts }) => contracts),
      }
    }),
  )
}
