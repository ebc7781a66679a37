import type { Trial } from '../../domain/backtest/studies/study.ts'
import { describe, expect, it } from 'vitest'
import { DAY, type Millis } from '../../domain/units.ts'
import { studyLines, studyOf, STUDY_FLAGS } from './backtest-study.ts'
import { CliFailure } from '../failure.ts'
import { parseLine } from '../flags.ts'

const parsed = (...args: readonly string[]): object => studyOf(parseLine(args, STUDY_FLAGS).flags)
const refusalOf = (...args: readonly string[]): string => {
  try {
    parsed(...args)
    return 'taken'
  } catch (error) {
    return error instanceof CliFailure ? error.message : 'another error'
  }
}

const trial = (state: Trial['state']): Trial => ({
  fold: 0,
  params: { a: 1 },
  state,
  until: null,
  days: 10,
  profit: 1,
  trades: 2,
  score: null,
  median: null,
  neighbours: null,
  error: null,
})

describe('study arguments', () => {
  it('[client.backtest.study] take stepped or single values, a method, and ranges of days', () => {
    expect(parsed()).toEqual({})
    expect(
      parsed('--sweep', 'edge=1..10/0.5', 'side=yes,no', 'hours=-2,4', '--method', 'grid'),
    ).toEqual({
      sweep: {
        params: {
          edge: { from: 1, to: 10, step: 0.5 },
          side: { values: ['yes', 'no'] },
          hours: { values: [-2, 4] },
        },
        method: 'grid',
      },
    })
    expect(
      parsed(
        '--sweep',
        'a=1',
        '--method=random',
        '--trials',
        '9',
        '--walk-forward',
        '--train-days=20',
        '--test-days',
        '10',
      ),
    ).toEqual({
      sweep: { params: { a: { values: [1] } }, method: 'random', trials: 9 },
      walkForward: { trainDays: 20, testDays: 10 },
    })
  })

  it('[client.backtest.study-refused] are refused when a number is text or a part is missing', () => {
    const form = '--sweep takes name=from..to/step in numbers, or name=value,value'
    for (const flag of [
      'edge=a..b/c',
      'edge=1..10',
      'edge=1..10/',
      'edge',
      '=1,2',
      'edge=',
      'edge=1,,2',
    ]) {
      expect(refusalOf('--sweep', flag), flag).toContain(form)
    }
    expect(refusalOf('--sweep', 'a=1', '--method', 'all')).toContain('grid, random, halving')
    expect(refusalOf('--method', 'grid')).toContain('--method needs --sweep')
    expect(refusalOf('--trials', '5')).toContain('--trials needs --sweep')
    expect(refusalOf('--walk-forward')).toContain('--walk-forward needs --sweep')
    expect(refusalOf('--sweep', 'a=1', '--train-days', '5')).toContain('are for --walk-forward')
    expect(() => parsed('--sweep', 'a=1', '--trials', 'many')).toThrow()
  })

  it('are reported with their significance', () => {
    const lines = studyLines({
      kind: 'sweep',
      method: 'grid',
      gridPoints: 3,
      folds: [
        {
          trainFrom: 0 as Millis,
          trainTo: DAY,
          testFrom: DAY,
          testTo: (2 * DAY) as Millis,
          params: { a: 2 },
          trainScore: 0.1,
          purged: 0,
          testProfit: -3.2,
          testTrades: 4,
          testSharpe: null,
        },
      ],
      seed: 1,
      axes: [],
      stability: [],
      embargoMs: null,
      trials: [trial('whole'), trial('failed'), trial('whole')],
      chosen: {
        params: { a: 2 },
        median: 0.04,
        neighbours: 1,
        score: 0.05,
        peak: { params: { a: 9 }, score: 0.06 },
      },
      luck: {
        trials: 3,
        meanCorrelation: null,
        variance: null,
        effectiveTrials: 2.5,
        expectedMaxSharpe: 0.1,
        sharpe: 0.05,
        deflated: 0.3,
        isDistinguishable: false,
      },
      overfitting: { chance: null, splits: 0, trials: 2, why: '2 trials are fewer than 10' },
    })
    expect(Object.fromEntries(lines)).toEqual({
      study: 'sweep, grid',
      trials: '3 of 3 points, 1 abandoned or failed',
      chosen: 'a=2 (by the median of 2)',
      peak: 'a=9',
      'fold 1': 'from 1970-01-02: a=2; -$3.20, 4 trades',
      'deflated sharpe':
        '0.300: a daily Sharpe of 0.050 against 0.100 by luck in 2.5 trials, not distinguishable from luck',
      overfitting: '– (2 trials are fewer than 10)',
    })
  })
})
