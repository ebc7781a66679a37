import { describe, expect, it } from 'vitest'
import { roundsOf, survivors } from './halving.ts'
import { axesOf, gridOf, paramsAt } from './param-space.ts'
import { areNear, bestPoint, judgedPoints } from './selection.ts'

const axes = axesOf({ a: { from: 1, to: 5, step: 1 }, b: { from: 1, to: 5, step: 1 } })
const points = gridOf(axes)
const chosenOf = (scoreOf: (a: number, b: number) => number | null) => {
  const tried = points.map((point) => {
    const { a, b } = paramsAt(axes, point, {}) as { a: number; b: number }
    return { point, score: scoreOf(a, b) }
  })
  const best = bestPoint(judgedPoints(axes, tried))
  return { ...paramsAt(axes, points[best?.index ?? 0] ?? [], {}), neighbours: best?.neighbours }
}

describe('selection of a sweep', () => {
  it('[backtest.sweep.neighbours] prefers a plateau to a peak between bad neighbours', () => {
    const plateau = (a: number, b: number): number => (a >= 3 && b >= 3 ? 0.5 : -0.2)
    const peaked = (a: number, b: number): number => (a === 1 && b === 1 ? 9 : plateau(a, b))
    expect(chosenOf(peaked)).toMatchObject({ a: 4, b: 4, neighbours: 8 })
    // Without the plateau the neighbours of the peak are no better than others.
    expect(chosenOf((a, b) => (a === 3 && b === 3 ? 9 : -1))).not.toMatchObject({ a: 3, b: 3 })
  })

  it('counts a point with zero variance as 0', () => {
    expect(chosenOf((a) => (a >= 4 ? null : -0.1))).toMatchObject({ a: 5 })
    expect(chosenOf(() => null)).toMatchObject({ neighbours: 8 })
    expect(bestPoint([])).toBeNull()
  })

  it('has no neighbours along texts, and selects an isolated point only when all are', () => {
    const mixed = axesOf({ a: { from: 1, to: 3, step: 1 }, side: { values: ['yes', 'no'] } })
    expect(areNear(mixed, [0, 0], [1, 0])).toBe(true)
    expect(areNear(mixed, [0, 0], [1, 1])).toBe(false)
    expect(areNear(mixed, [0, 0], [2, 0])).toBe(false)
    const tried = [
      [0, 0],
      [1, 0],
      [2, 1],
    ].map((point, i) => ({ point, score: [1, 1, 9][i] ?? 0 }))
    expect(bestPoint(judgedPoints(mixed, tried))?.index).toBe(0)
    expect(bestPoint(judgedPoints(mixed, tried.slice(1)))?.index).toBe(1)
  })
})

describe('successive halving', () => {
  it('[backtest.sweep.halving] drops half of the points each time the range doubles', () => {
    expect(roundsOf(40)).toEqual([
      { trials: 40, share: 1 / 8 },
      { trials: 20, share: 1 / 4 },
      { trials: 10, share: 1 / 2 },
      { trials: 5, share: 1 },
    ])
    expect(roundsOf(100).map(({ trials }) => trials)).toEqual([100, 50, 25, 13])
    expect(roundsOf(8).map(({ trials }) => trials)).toEqual([8, 4])
    expect(roundsOf(5)).toEqual([{ trials: 5, share: 1 }])
    expect(roundsOf(1)).toEqual([{ trials: 1, share: 1 }])
    for (let trials = 1; trials <= 500; trials++) expect(roundsOf(trials).at(-1)?.share).toBe(1)
  })

  it('keeps the best, ties by order', () => {
    expect(survivors([0.1, null, 0.3, -1, 0.3], 3)).toEqual([0, 2, 4])
    expect(survivors([null, null, null], 2)).toEqual([0, 1])
  })
})
