import { describe, expect, it } from 'vitest'
import { correlationOf, meanOf } from '../../statistics/statistics.ts'
import { seededRandom } from '../seeded.ts'
import { sharpeSignificance, meanCorrelation, overfittingOf } from './overfitting.ts'

/** Rows of daily returns, each around its own mean. */
const noise = (rows: number, days: number, seed: number, meanOfRow = (_row: number) => 0) => {
  const random = seededRandom(seed)
  const one = (): number => (random() + random() + random() - 1.5) / 50
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: days }, () => meanOfRow(row) + one()),
  )
}

describe('significance after many trials', () => {
  it('[backtest.study.overfitting] is measured by the out-of-sample rank of the best trial in sample', () => {
    // Pure noise: the best in sample ranks anywhere out of sample, half of the time below the
    // median.
    const chances = Array.from(
      { length: 20 },
      (_, seed) => overfittingOf(noise(20, 80, seed + 1)).chance ?? 0,
    )
    expect(meanOf(chances)).toBeGreaterThan(0.35)
    expect(meanOf(chances)).toBeLessThan(0.65)
    // A truly better trial is best in every split.
    const found = overfittingOf(noise(20, 80, 3, (row) => (row === 7 ? 0.03 : 0)))
    expect(found).toMatchObject({ chance: 0, splits: 70, trials: 20, why: null })
  })

  it('[backtest.study.overfitting-least] is null for fewer than ten trials or few days', () => {
    expect(overfittingOf(noise(9, 80, 1))).toMatchObject({
      chance: null,
      why: '9 trials are fewer than 10',
    })
    expect(overfittingOf(noise(10, 15, 1)).why).toBe('15 days are fewer than 16')
    expect(overfittingOf(noise(10, 16, 1)).chance).not.toBeNull()
    expect(overfittingOf([]).chance).toBeNull()
  })

  it('is 1 when the best of one half is the worst of the other', () => {
    // A trial that gains in one time block only loses in all others.
    const rows = Array.from({ length: 16 }, (_, row) =>
      Array.from(
        { length: 80 },
        (_day, day) => (Math.floor(day / 10) === row % 8 ? 0.05 : -0.01) + (day % 3) / 1_000,
      ),
    )
    expect(overfittingOf(rows).chance).toBe(1)
  })

  it('computes the same mean correlation as a loop over pairs', () => {
    const rows = noise(6, 40, 9).map((row, i) => row.map((r, day) => r + Math.sin(day) * (i / 100)))
    const pairs: number[] = []
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < i; j++) pairs.push(correlationOf(rows[i] ?? [], rows[j] ?? []) ?? NaN)
    }
    expect(meanCorrelation(rows)).toBeCloseTo(meanOf(pairs) ?? NaN, 10)
    expect(meanCorrelation([[0, 0, 0]])).toBeNull()
  })

  it('[backtest.study.luck] deflates by independent trials, including abandoned ones', () => {
    const whole = noise(10, 60, 5)
    const best = whole[0] ?? []
    const sharpes = [0.1, -0.05, 0.2, 0, 0.1]
    const few = sharpeSignificance(best, { completedReturns: whole, sharpes, count: 10 })
    const many = sharpeSignificance(best, { completedReturns: whole, sharpes, count: 400 })
    expect(many.expectedMaxSharpe).toBeGreaterThan(few.expectedMaxSharpe)
    expect(many.deflated ?? 1).toBeLessThan(few.deflated ?? 0)
    const twins = sharpeSignificance(best, {
      completedReturns: Array.from({ length: 10 }, () => best),
      sharpes,
      count: 10,
    })
    expect(twins.effectiveTrials).toBeCloseTo(1, 6)
    const alone = sharpeSignificance(best, { completedReturns: [best], sharpes: [], count: 1 })
    expect(alone).toMatchObject({ expectedMaxSharpe: 0, trials: 1 })
    expect(
      sharpeSignificance([0, 0, 0], { completedReturns: [], sharpes: [], count: 3 }),
    ).toMatchObject({
      deflated: null,
      isDistinguishable: false,
    })
  })
})
