import { expect, it } from 'vitest'
import type { Millis } from '../../../backend/domain/units.ts'
import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import {
  incomparableText,
  settingDifferences,
} from '../../../backend/domain/backtest/report/setting-differences.ts'
import {
  comparedCurves,
  comparedPlan,
  curveOf,
  drawdownPlan,
  equityPlan,
  exposurePlan,
  reportSentence,
} from './report-curves.ts'
import { comparedMetrics, METRICS } from './report-figures.ts'

const report = (change: Partial<RunReport>): RunReport =>
  ({
    strategy: 'own',
    from: 0,
    to: 10,
    scope: '3 markets',
    engine: 1,
    seed: 1,
    params: {},
    model: {},
    startCash: 100,
    profit: 0,
    fees: 1,
    returns: { totalReturn: 0 },
    maxDrawdown: 0,
    longestDrawdownMs: 0,
    hitRate: null,
    entries: null,
    ...change,
  }) as unknown as RunReport

it('[terminal.backtest.curves] measures drawdown from the running maximum, and exposure as a share of equity', () => {
  const points = curveOf(
    report({ equityCurve: { at: [1, 2, 3, 4], equity: [90, 120, 96, 0], cost: [45, 0, 48, 1] } }),
  )
  expect(points.map(({ drawdown }) => drawdown)).toEqual([
    expect.closeTo(-0.1, 9),
    0,
    expect.closeTo(-0.2, 9),
    -1,
  ])
  expect(points.map(({ exposure }) => exposure)).toEqual([0.5, 0, 0.5, null])
  expect(points.map(({ profit }) => profit)).toEqual([-10, 20, -4, -100])
  expect(drawdownPlan(points).lines[0]?.values[2]).toBeCloseTo(-20, 9)
})

it('[terminal.backtest.compare] aligns curves at the instants of both', () => {
  const curve = (at: readonly number[], equity: readonly number[]) =>
    curveOf(report({ equityCurve: { at, equity, cost: at.map(() => 0) } }))
  const points = comparedCurves(curve([1, 3], [101, 103]), curve([2, 3, 5], [90, 91, 92]))
  expect(points.map(({ at, a, b }) => [at, a?.equity ?? null, b?.equity ?? null])).toEqual([
    [1, 101, null],
    [2, 101, 90],
    [3, 103, 91],
    [5, null, 92],
  ])
})

it('[terminal.backtest.compare] lists how metrics differ, and which settings the runs do not share', () => {
  const first = report({ profit: 10, params: { edge: 1 } })
  const second = report({ profit: 4, params: { edge: 2 }, seed: 2 })
  const rows = comparedMetrics(first, second)
  expect(rows.find(({ name }) => name === 'Profit')).toMatchObject({
    a: '+$10.00',
    b: '+$4.00',
    difference: '−$6.00',
  })
  expect(rows.find(({ name }) => name === 'Hit rate')?.difference).toBe('–')
  expect(settingDifferences(first, second)).toEqual({
    strategy: ['edge (1 and 2)'],
    conditions: ['the seed'],
  })
})

it('[terminal.backtest.curves] the drawdown of a run without equity is none', () => {
  const curve = { at: [1, 2], equity: [0, -5], cost: [1, 1] }
  const [first, second] = curveOf(report({ startCash: 0, equityCurve: curve }))
  expect([first?.drawdown, first?.exposure, second?.exposure]).toEqual([0, null, null])
})

it('[terminal.backtest.curves] plans are in dollars and percent, by second', () => {
  const points = curveOf(
    report({ equityCurve: { at: [1_000, 2_000], equity: [110, 0], cost: [11, 1] } }),
  )
  const equity = equityPlan(points)
  expect(equity).toMatchObject({ times: [1, 2], lines: [{ values: [10, -100], isPrimary: true }] })
  expect([9.994, 10, 9_999, 10_000, -12_000].map(equity.valueText)).toEqual([
    '9.99',
    '10',
    '9,999',
    '10.0k',
    '−12.0k',
  ])
  expect(exposurePlan(points).lines[0]?.values).toEqual([10, null])
  expect(drawdownPlan(points).valueText(-12.345)).toBe('−12.35%')
  const both = comparedPlan(comparedCurves(points, points.slice(1)))
  expect(both.times).toEqual([1, 2])
  expect(both.lines).toEqual([
    { name: 'A', values: [10, -100], isPrimary: true },
    { name: 'B', values: [null, -100], isPrimary: true },
  ])
})

it('[terminal.backtest.report] a report is a sentence', () => {
  const to = 86_400_000 as Millis
  expect(reportSentence(report({ profit: 5, trades: 1_200, maxDrawdown: -0.25, to }))).toBe(
    'own: +$5.00 in 1,200 trades, 1970-01-01 to 1970-01-02 UTC; deepest drawdown 25%.',
  )
})

it('[terminal.backtest.compare] metrics have their units, differences a sign', () => {
  const rows = comparedMetrics(
    report({
      fees: 1,
      longestDrawdownMs: 86_400_000 as Millis,
      maxDrawdown: -0.1,
      hitRate: 0.5,
      returns: { totalReturn: 0.1, sharpe: 1, sharpeAdjusted: null } as never,
    }),
    report({
      fees: 3,
      longestDrawdownMs: 129_600_000 as Millis,
      maxDrawdown: -0.3,
      hitRate: 0.25,
      returns: { totalReturn: 0.1, sharpe: 0.5, sharpeAdjusted: null } as never,
    }),
  )
  const row = (name: string) => {
    const found = rows.find((one) => one.name === name)
    return [found?.a, found?.b, found?.difference]
  }
  expect(row('Fees')).toEqual(['$1.00', '$3.00', '+$2.00'])
  expect(row('Longest drawdown')).toEqual(['1 d', '1.5 d', '+0.5 d'])
  expect(row('Max drawdown')).toEqual(['10%', '30%', '+20 points'])
  expect(row('Return')).toEqual(['10%', '10%', '0 points'])
  expect(row('Hit rate')).toEqual(['50%', '25%', '−25 points'])
  expect(row('Sharpe')).toEqual(['1', '0.5', '−0.5'])
  expect(row('Sharpe, adjusted')).toEqual(['–', '–', '–'])
})

it('[terminal.backtest.compare] a figure that only one run has, has no difference', () => {
  const rows = comparedMetrics(report({ hitRate: 0.5 }), report({ hitRate: null }))
  expect(rows.find(({ name }) => name === 'Hit rate')).toMatchObject({
    a: '50%',
    b: '–',
    difference: '–',
  })
})

it('[terminal.backtest.report] each quantity is read from the report', () => {
  const measured = report({
    slippage: 2,
    trades: 7,
    contracts: 1_500,
    meanHoldingDays: 2.25,
    makerShare: 0.005,
    estimatedShare: 1,
    exposure: 0.4,
  })
  const shown = (name: string) => {
    const metric = METRICS.find((one) => one.name === name)
    return metric?.text(metric.valueOf(measured))
  }
  const names = ['Slippage', 'Trades', 'Contracts', 'Maker', 'Estimated', 'Exposure']
  expect(names.map(shown)).toEqual(['$2.00', '7', '1,500', '0.5%', '100%', '40%'])
})

it('[terminal.backtest.compare] names each setting that differs', () => {
  const first = report({ params: { edge: 1 } })
  const differs = (change: Partial<RunReport>) => {
    const { strategy, conditions } = settingDifferences(first, { ...first, ...change })
    return [...strategy, ...conditions]
  }
  expect(differs({})).toEqual([])
  expect(differs({ strategy: 'other', params: { edge: 2 } })).toEqual(['the strategy'])
  expect(differs({ from: 1 as Millis })).toEqual(['the range'])
  expect(differs({ to: 11 as Millis })).toEqual(['the range'])
  expect(differs({ scope: '4 markets' })).toEqual(['the markets (3 markets and 4 markets)'])
  expect(differs({ startCash: 1 })).toEqual(['the starting cash'])
  expect(differs({ model: { latencyMs: 1 } as never })).toEqual(['the fill model'])
  expect(differs({ params: { size: 2 } })).toEqual(['edge (1 and –)', 'size (– and 2)'])
  expect(differs({ engine: 2 })).toEqual(['the engine version (1 and 2)'])
})

it('[terminal.backtest.compare] runs by another or an unknown engine version are not comparable', () => {
  const { engine: _, ...old } = report({})
  const text = (first: RunReport, second: RunReport) =>
    incomparableText(settingDifferences(first, second))
  expect(text(report({}), report({ params: { edge: 2 } }))).toBeNull()
  expect(text(old, report({}))).toBe(
    'They differ in the engine version (unknown and 1), so their figures are not comparable.',
  )
  expect(text(old, old)).toMatch(/^They differ in possibly the engine version \(unknown\), so/)
})
