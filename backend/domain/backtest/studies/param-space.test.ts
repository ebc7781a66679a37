import { describe, expect, it } from 'vitest'
import {
  axesFor,
  axesOf,
  gridOf,
  paramsAt,
  randomPoints,
  sizeOf,
  type ParamRange,
} from './param-space.ts'

const range = (from: number, to: number, step: number): ParamRange => ({ from, to, step })
const refusal = (ranges: Record<string, ParamRange>): string => {
  try {
    gridOf(axesOf(ranges))
    return 'taken'
  } catch (error) {
    return error instanceof RangeError ? error.message : 'another error'
  }
}

describe('points of a sweep', () => {
  it('[backtest.sweep.grid] are all values of all parameters, without rounding errors', () => {
    const axes = axesOf({ edge: range(0.1, 0.5, 0.1), side: { values: ['yes', 'no'] } })
    expect(axes[0]?.values).toEqual([0.1, 0.2, 0.3, 0.4, 0.5])
    expect(axes.map(({ isOrdered }) => isOrdered)).toEqual([true, false])
    const places = gridOf(axes)
    expect(places).toHaveLength(10)
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(10)
    expect(paramsAt(axes, places[3] ?? [], { hours: 6 })).toEqual({
      hours: 6,
      edge: 0.2,
      side: 'no',
    })
    expect(axesOf({ a: { values: [5, 1, 3] } })[0]?.values).toEqual([1, 3, 5])
    expect(axesOf({ a: range(1, 10, 4) })[0]?.values).toEqual([1, 5, 9])
  })

  it('[backtest.sweep.refused] are refused when too many, empty or not numeric', () => {
    expect(refusal({ a: range(1, 100, 1), b: range(1, 100, 1) })).toBe(
      'sweep: the grid has 10000 points, at most 500 are tried; widen the steps, or use the method random',
    )
    expect(refusal({ a: range(1, 500, 1) })).toBe('taken')
    expect(refusal({ a: range(1, 501, 1) })).toContain('the grid has 501 points')
    expect(refusal({ a: range(0, 1e12, 1) })).toBe('sweep: a has more than 1000 values')
    expect(refusal({ a: range(5, 1, 1) })).toBe('sweep: a runs from 5 to 1, which is below')
    expect(refusal({ a: range(1, 5, 0) })).toContain('the step of a must be above 0, was 0')
    expect(refusal({ a: range(1, 5, -1) })).toContain('must be above 0')
    expect(refusal({ a: range(NaN, 5, 1) })).toContain('needs from, to and step as numbers')
    expect(refusal({ a: { values: [1, 1] } })).toBe('sweep: a names a value twice')
    expect(refusal({ a: { values: [] } })).toBe('sweep: a has no values')
    expect(refusal({})).toBe('sweep: names no parameter')
  })

  it('[backtest.sweep.random] are selected by the seed without repetition', () => {
    const axes = axesOf({ a: range(1, 100, 1), b: range(1, 100, 1) })
    const places = randomPoints(axes, 200, 3)
    expect(places).toEqual(randomPoints(axes, 200, 3))
    expect(places).not.toEqual(randomPoints(axes, 200, 4))
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(200)
    for (const place of places) expect(place.every((at) => at >= 0 && at < 100)).toBe(true)
    // Every corner of the grid can be reached.
    expect(
      Math.max(...places.map(([a = 0]) => a)) - Math.min(...places.map(([a = 0]) => a)),
    ).toBeGreaterThan(90)
    const small = axesOf({ a: range(1, 3, 1) })
    expect(randomPoints(small, 50, 1)).toEqual(gridOf(small))
    expect(sizeOf(axes)).toBe(10_000)
  })

  it('accept only parameters of the strategy', () => {
    const axes = axesOf({ edge: { values: ['1', '2'] } })
    expect(axesFor({ edge: 3 }, axes, {})).toMatchObject([{ values: [1, 2], isOrdered: true }])
    expect(() => axesFor({ size: 3 }, axes, {})).toThrow('unknown parameter edge: it has size')
    expect(() => axesFor({ edge: 3 }, axes, { edge: 1 })).toThrow(
      'edge is given a value and a range',
    )
    expect(() => axesFor({ edge: 3 }, axesOf({ edge: { values: ['much'] } }), {})).toThrow(
      'parameter edge must be a number, was much',
    )
    expect(() => axesFor({ edge: 3 }, axes, { size: 1 })).toThrow('unknown parameter size')
  })
})
