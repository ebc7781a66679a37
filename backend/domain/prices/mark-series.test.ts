import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { markAt, newestIndex } from './mark-series.ts'
import type { MarkSeries } from './mark-series.ts'
import { volatilityPerRootHour } from './mark-volatility.ts'
import { DAY, HOUR } from '../units.ts'
import type { Millis } from '../units.ts'

const at = (hours: number) => (hours * HOUR) as Millis
const seriesOf = (...points: [hours: number, mark: number | null][]): MarkSeries => ({
  ts: Float64Array.from(points, ([hours]) => at(hours)),
  marks: Float64Array.from(points, ([, mark]) => mark ?? NaN),
})

describe('marks over time', () => {
  const series = seriesOf([1, 40], [5, 44], [6, null])
  it('are valid until the next', () => {
    expect([0, 1, 4.9, 5, 6, 9].map((hours) => markAt(series, at(hours)))).toEqual([
      null,
      40,
      40,
      44,
      null,
      null,
    ])
  })
  it('are unknown when too old', () => {
    expect(markAt(series, at(4), 3 * HOUR)).toBe(40)
    expect(markAt(series, at(4.1), 3 * HOUR)).toBeNull()
  })
  it('are found like a linear search does', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(60), (instants, requested) => {
        const ts = Float64Array.from(instants).sort()
        expect(newestIndex(ts, requested)).toBe(ts.findLastIndex((instant) => instant <= requested))
      }),
    )
  })
})

describe('A8: volC', () => {
  it('is the root of squared changes per hour', () => {
    const series = seriesOf([0, 40], [1, 41], [2, 40], [3, 42], [4, 42], [4.5, 41])
    expect(volatilityPerRootHour(series, at(0), at(5))).toBeCloseTo(Math.sqrt(7 / 5), 12)
  })
  it('measures the first change from the mark before, and skips unknown ones', () => {
    const series = seriesOf([0, 40], [12, null], [13, 43])
    expect(volatilityPerRootHour(series, at(10), at(19))).toBe(1)
  })
  it('is measured over the time for which marks are known', () => {
    expect(volatilityPerRootHour(seriesOf([20, 40], [22, 44]), at(0), at(24))).toBe(2)
  })
  it('is 0 when nothing moved and null without data', () => {
    expect(volatilityPerRootHour(seriesOf([0, 40]), at(1), at(25))).toBe(0)
    expect(volatilityPerRootHour(seriesOf(), at(0), at(24))).toBeNull()
    expect(volatilityPerRootHour(seriesOf([0, null]), at(0), at(24))).toBeNull()
    expect(volatilityPerRootHour(seriesOf([23.5, 40]), at(0), at(24))).toBeNull()
    expect(volatilityPerRootHour(seriesOf([30, 40]), at(0), at(24))).toBeNull()
  })
  const points = fc.array(fc.tuple(fc.nat(48), fc.nat(100)), { minLength: 1 })
  const sorted = (list: [number, number][]) => seriesOf(...list.sort(([a], [b]) => a - b))
  it('ignores the future, and is the same for NO', () => {
    fc.assert(
      fc.property(points, points, (before, after) => {
        const sortedMarks = before.toSorted(([a], [b]) => a - b)
        const later = after.map(([hours, mark]): [number, number] => [hours + 48.1, mark])
        const whole = seriesOf(...sortedMarks, ...later.sort(([a], [b]) => a - b))
        const alone = volatilityPerRootHour(sorted(before), at(0), at(48))
        expect(volatilityPerRootHour(whole, at(0), at(48))).toBe(alone)
        const mirrored = seriesOf(...sortedMarks.map(([h, m]): [number, number] => [h, 100 - m]))
        expect(volatilityPerRootHour(mirrored, at(0), at(48))).toBe(alone)
      }),
    )
  })
  it('a day equals 24 hours', () => {
    expect(volatilityPerRootHour(seriesOf([0, 10], [24, 34]), at(0), DAY)).toBeCloseTo(
      Math.sqrt(24),
      12,
    )
  })
})
