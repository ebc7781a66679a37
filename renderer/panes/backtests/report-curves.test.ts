import { expect, it } from 'vitest'
import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import { comparedCurves, curveOf, drawdownPlan } from './report-curves.ts'
import { comparedMetrics, settingDifferences } from './report-figures.ts'

const report = (change: Partial<RunReport>): RunReport =>
  ({
    strategy: 'own',
    from: 0,
    to: 10,
    scope: '3 markets',
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
  expect(settingDifferences(first, second)).toEqual(['the seed', 'edge (1 and 2)'])
})
