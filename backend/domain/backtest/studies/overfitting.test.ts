import { describe, expect, it } from 'vitest'
import { correlationOf, meanOf } from '../../statistics.ts'
import { seededRandom } from '../seeded.ts'
import { luckOf, meanCorrelation, overfittingOf } from './overfitting.ts'

/** Rows of daily returns around a mean, each its own. */
const noise = (rows: number, days: number, seed: number, meanOfRow = (_row: number) => 0) => {
  const random = seededRandom(seed)
  const one = (): number => (random() + random() + random() - 1.5) / 50
  return Array.from({ length: rows }, (_, row) => Array.from({ length: days }, () => meanOfRow(row) + one())) // prettier-ignore
}

describe('what many tries are worth', () => {
  it('[backtest.study.overfitting] is told by how the best half in sample does out of it', () => {
    // Nothing but noise: the best in sample is anywhere out of it, half of the time below the middle.
    const chances = Array.from({ length: 20 }, (_, seed) => overfittingOf(noise(20, 80, seed + 1)).chance ?? 0) // prettier-ignore
    expect(meanOf(chances)).toBeGreaterThan(0.35)
    expect(meanOf(chances)).toBeLessThan(0.65)
    // One that is truly better stays so in every split.
    const found = overfittingOf(noise(20, 80, 3, (row) => (row === 7 ? 0.03 : 0)))
    expect(found).toMatchObject({ chance: 0, splits: 70, trials: 20, why: null })
  })

  it('[backtest.study.overfitting-least] is not told of fewer than ten tries or of few days', () => {
    expect(overfittingOf(noise(9, 80, 1))).toMatchObject({ chance: null, why: '9 tries are fewer than 10' }) // prettier-ignore
    expect(overfittingOf(noise(10, 15, 1)).why).toBe('15 days are fewer than 16')
    expect(overfittingOf(noise(10, 16, 1)).chance).not.toBeNull()
    expect(overfittingOf([]).chance).toBeNull()
  })

  it('always falls where the best of one half is the worst of the other', () => {
    // A trial that gains in one stretch of time alone loses in all others.
    const rows = Array.from({ length: 16 }, (_, row) =>
      Array.from({ length: 80 }, (_day, day) => (Math.floor(day / 10) === row % 8 ? 0.05 : -0.01) + (day % 3) / 1_000)) // prettier-ignore
    expect(overfittingOf(rows).chance).toBe(1)
  })

  it('has the mean correlation of all pairs, as one by one', () => {
    const rows = noise(6, 40, 9).map((row, i) => row.map((r, day) => r + Math.sin(day) * (i / 100)))
    const pairs: number[] = []
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < i; j++) pairs.push(correlationOf(rows[i] ?? [], rows[j] ?? []) ?? NaN)
    }
    expect(meanCorrelation(rows)).toBeCloseTo(meanOf(pairs) ?? NaN, 10)
    expect(meanCorrelation([[0, 0, 0]])).toBeNull()
  })

  it('[backtest.study.luck] deflates by independent tries, given-up ones among them', () => {
    const whole = noise(10, 60, 5)
    const best = whole[0] ?? []
    const sharpes = [0.1, -0.05, 0.2, 0, 0.1]
    const few = luckOf(best, { whole, sharpes, count: 10 })
    const many = luckOf(best, { whole, sharpes, count: 400 })
    expect(many.luckySharpe).toBeGreaterThan(few.luckySharpe)
    expect(many.deflated ?? 1).toBeLessThan(few.deflated ?? 0)
    const twins = luckOf(best, {
      whole: Array.from({ length: 10 }, () => best),
      sharpes,
      count: 10,
    })
    expect(twins.effectiveTrials).toBeCloseTo(1, 6)
    const alone = luckOf(best, { whole: [best], sharpes: [], count: 1 })
    expect(alone).toMatchObject({ luckySharpe: 0, trials: 1 })
    expect(luckOf([0, 0, 0], { whole: [], sharpes: [], count: 3 })).toMatchObject({ deflated: null, isDistinguishable: false }) // prettier-ignore
  })
})
