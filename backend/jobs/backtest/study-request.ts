import { studyWarnings, type Study } from '../../domain/backtest/studies/study.ts'
import type { SweepSpec, WalkForwardSpec } from '../../domain/backtest/studies/study-plan.ts'
import type { BacktestRequest } from './backtest-runner.ts'
import type { RunDone } from './strategy-host.ts'

/** Many runs of one strategy, of which one is chosen. */
export interface StudyRequest extends BacktestRequest {
  readonly sweep: SweepSpec
  /** Null for one choice over the whole range. */
  readonly walkForward: WalkForwardSpec | null
}

/** The result of the chosen run, with the study that chose it. */
export const withStudy = (runResult: RunDone, study: Study): RunDone => ({
  ...runResult,
  report: {
    ...runResult.report,
    study,
    invalidatedBy: [...studyWarnings(study), ...runResult.report.invalidatedBy],
  },
})
