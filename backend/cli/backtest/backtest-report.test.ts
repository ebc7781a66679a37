import { expect, it } from 'vitest'
import type { BacktestRun } from '../../contract/backtests.ts'
import examples from '../../contract/examples.json' with { type: 'json' }
import { formatComparison } from './backtest-report.ts'

it('[backtest.engine.version] a comparison marks runs of other engine versions', () => {
  const run = examples['backtests.get'].response as never as BacktestRun
  const ofVersion = (engine: number): BacktestRun => ({
    ...run,
    report: run.report === null ? null : { ...run.report, engine },
  })
  expect(formatComparison([ofVersion(1), ofVersion(1)])).not.toContain('comparable')
  expect(formatComparison([ofVersion(1), ofVersion(2)])).toContain(
    'They differ in the engine version (1 and 2), so their figures are not comparable.',
  )
})
