import { describe, expect, it } from 'vitest'
import { DAY } from '../../units.ts'
import { deflatedSharpe, effectiveTrials, expectedMaxSharpe } from './deflated-sharpe.ts'
import { adjustedSharpe, dailyEquity, dailyReturns, drawdownOf, returnMetrics } from './metrics.ts'

const RETURNS = [1, -0.5, 2, 0, -1, 1.5, 0.5, -0.2, 0.8, 0.4].map((percent) => percent / 100)

describe('metrics of a run', () => {
  it('[backtest.report.ratios] match the methodology’s example', () => {
    const metrics = returnMetrics(RETURNS)
    expect(metrics.dailyMean).toBeCloseTo(0.0045, 10)
    expect(metrics.dailySd).toBeCloseTo(0.009168, 6)
    expect(metrics.sharpeDaily).toBeCloseTo(0.4908, 4)
    expect(metrics.sharpe).toBeCloseTo(9.377, 3)
    expect(metrics.sortinoDaily).toBeCloseTo(1.2529, 4)
    expect(metrics.totalReturn).toBeCloseTo(0.04553, 5)
    expect(metrics.yearlyGrowth).toBeNull()
    expect(metrics.caveats).toEqual(['fewer than 60 days (10)'])
    const equity = RETURNS.reduce((days, r) => [...days, (days.at(-1) ?? 0) * (1 + r)], [100])
    const drawdown = drawdownOf(
      equity.map((_, i) => i * DAY),
      equity,
    )
    expect(drawdown.deepest).toBeCloseTo(0.01, 10)
    expect(adjustedSharpe(0.4908, [0.1, 0, 0, 0, 0])).toBeCloseTo(8.562, 3)
  })

  it('have no ratio for zero variance', () => {
    expect(returnMetrics([0, 0, 0])).toMatchObject({ sharpe: null, sortino: null, skew: null })
    expect(returnMetrics([])).toMatchObject({ days: 0, totalReturn: 0, dailyMean: null })
  })

  it('[backtest.report.daily] returns are measured between midnights', () => {
    const at = Float64Array.of(DAY - 1, DAY, DAY + 5, 2 * DAY, 3 * DAY - 1)
    const equity = Float64Array.of(100, 110, 115, 121, 130)
    const days = dailyEquity(at, equity)
    expect(days.at).toEqual([DAY - 1, DAY, 2 * DAY, 3 * DAY - 1])
    expect(dailyReturns(days).map((r) => Math.round(r * 1e6))).toEqual([100_000])
  })

  it('[backtest.study.deflated] many trials deflate a Sharpe as in the methodology’s example', () => {
    const luck = expectedMaxSharpe(50, 0.003)
    expect(luck).toBeCloseTo(0.1247, 4)
    const sample = { days: 250, sharpeDaily: 0.12, skew: -0.5, kurtosis: 5 }
    expect(deflatedSharpe(sample, luck)).toBeCloseTo(0.4716, 3)
    expect(deflatedSharpe(sample, 0)).toBeCloseTo(0.9661, 4)
    expect(effectiveTrials(50, 0.3)).toBeCloseTo(35.3, 10)
  })
})
