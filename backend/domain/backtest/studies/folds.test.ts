import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { CLOSED_LOT_COLUMNS, type ClosedLots } from '../broker/positions.ts'
import { embargoOf, foldsOf, realisedReturns, stabilityOf } from './folds.ts'
import { axesOf } from './param-space.ts'
import { checkFolds, studyPlan } from './study-plan.ts'

const range = (days: number) => ({ from: 0 as Millis, to: (days * DAY) as Millis })
const lotsOf = (rows: readonly Partial<Record<keyof ClosedLots, number>>[]): ClosedLots =>
  Object.fromEntries(
    CLOSED_LOT_COLUMNS.map((name) => [name, Float64Array.from(rows, (row) => row[name] ?? 0)]),
  ) as ClosedLots

describe('a walk-forward', () => {
  it('[backtest.walk.folds] trains before it tests, with an embargo, and its tests are contiguous', () => {
    const folds = foldsOf(range(125), { trainDays: 60, testDays: 20 }, DAY)
    expect(folds).toHaveLength(3)
    expect(folds[0]).toEqual({
      trainFrom: 0,
      trainTo: 60 * DAY,
      testFrom: 61 * DAY,
      testTo: 81 * DAY,
    })
    for (const [i, fold] of folds.entries()) {
      expect(fold.testFrom - fold.trainTo).toBe(DAY)
      expect(fold.testFrom).toBe(folds[i - 1]?.testTo ?? fold.testFrom)
    }
    expect(foldsOf(range(80), { trainDays: 60, testDays: 20 }, DAY)).toEqual([])
  })

  it('[backtest.walk.embargo] leaves a day, or the usual holding time', () => {
    const held = (hours: number) => ({ openedAt: 0, closedAt: hours * HOUR })
    expect(embargoOf(lotsOf([]))).toBe(DAY)
    expect(embargoOf(lotsOf([held(2), held(5)]))).toBe(DAY)
    const hours = Array.from({ length: 101 }, (_, i) => held(i))
    expect(embargoOf(lotsOf(hours))).toBe(95 * HOUR)
  })

  it('[backtest.walk.purged] scores a training range by its closed lots, day by day', () => {
    const lots = lotsOf([
      { openedAt: 0, closedAt: 2 * HOUR, realised: 5e6 },
      { openedAt: 0, closedAt: DAY + 1, realised: -1e6 },
      { openedAt: 0, closedAt: 3 * DAY, realised: 2e6 },
    ])
    // The last day includes lots closed at its end; lots that were open then are excluded.
    expect(realisedReturns(lots, { ...range(3), startCash: 100e6 })).toEqual([0.05, -0.01, 0.02])
  })

  it('[backtest.walk.stability] measures how much parameters changed from fold to fold', () => {
    const axes = axesOf({ edge: { from: 1, to: 9, step: 2 }, side: { values: ['yes', 'no'] } })
    const chosen = [
      { edge: 1, side: 'yes' },
      { edge: 7, side: 'yes' },
      { edge: 7, side: 'no' },
    ]
    expect(stabilityOf(axes, chosen)).toEqual([
      { name: 'edge', values: [1, 7, 7], distinct: 2, commonest: 2 / 3, meanSteps: 1.5 },
      {
        name: 'side',
        values: ['yes', 'yes', 'no'],
        distinct: 2,
        commonest: 2 / 3,
        meanSteps: null,
      },
    ])
  })

  it('[backtest.walk.refused] needs a fold, and at most the allowed number of trials', () => {
    const order = { trainDays: 60, testDays: 20, embargoDays: null }
    expect(() => checkFolds(range(55), order, 10)).toThrow(
      '60 days to train, 1 between and 20 to test need 81 days between from and to, which are 55 apart',
    )
    expect(() => checkFolds(range(365), order, 500)).toThrow(
      '15 folds of 500 points are 7500 trials; at most 2000 are allowed',
    )
    checkFolds(range(81), order, 500)
    const sweep = { ranges: { a: { values: [1, 2] } }, trials: 5 } as const
    expect(() => studyPlan({ ...sweep, method: 'grid' }, 1)).toThrow(
      'trials is for random and halving',
    )
    expect(studyPlan({ ...sweep, method: 'random' }, 1).points).toHaveLength(2)
  })
})
