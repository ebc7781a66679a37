import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { dailyTrend } from './daily-trend.ts'
import { impliedYieldYes } from '../prices/indicators.ts'
import { DAY, HOUR } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

const start = Date.UTC(2026, 10, 14)
const at = (days: number) => (start + days * DAY) as Millis
type Point = readonly [day: number, value: number]
const prices = (...points: Point[]) => ({
  ts: Float64Array.from(points, ([days]) => at(days)),
  price: Float64Array.from(points, ([, price]) => price),
})
const trades = (...points: Point[]) => ({
  ts: Float64Array.from(points, ([days]) => at(days)),
  volume: Float64Array.from(points, ([, volume]) => volume),
})
const close = at(30)
const trend = (
  points: Point[],
  now = at(6.5),
  volumes: Point[] | null = [],
  closeTime: Millis | null = close,
) => dailyTrend(prices(...points), volumes && trades(...volumes), now, () => closeTime)

describe('M: trend7d', () => {
  it('has a row per UTC day with its last price, extremes, volume and ratios', () => {
    const rows = trend(
      [
        [0, 40],
        [0.5, 44],
        [0.9, 42],
        [6.2, 50],
      ],
      at(6.5),
      [
        [0, 5],
        [0.99, 7],
        [1, 9],
      ],
    )
    expect(rows.map(({ date }) => date)).toEqual(['2026-11-14', '2026-11-20'])
    expect(rows[0]).toEqual({
      date: '2026-11-14',
      price: 42,
      high: 44,
      low: 40,
      volume: 12,
      iy: impliedYieldYes(42 as Cents, 29.1),
      cri: 1.381,
    })
    expect(rows[1]).toMatchObject({ price: 50, volume: 0 })
  })
  it('reaches back six days before today and not beyond now', () => {
    const points = Array.from({ length: 10 }, (_, i): Point => [i + 0.6, 30 + i])
    const dates = trend(points, at(8.5)).map(({ date }) => date.slice(8))
    expect(dates).toEqual(['16', '17', '18', '19', '20', '21'])
    expect(trend(points, at(8.6)).at(-1)?.date).toBe('2026-11-22')
  })
  it('is null for unknown values', () => {
    expect(trend([])).toEqual([])
    expect(trend([[6, NaN]])).toEqual([])
    expect(trend([[6, 40]], at(6.5), null)[0]?.volume).toBeNull()
    expect(trend([[6, 40]], at(6.5), [], null)[0]).toMatchObject({ iy: null, cri: 1.5 })
    expect(trend([[6, 40]], at(6.5), [], at(6))[0]?.iy).toBeNull()
    expect(trend([[6, 100]])[0]).toMatchObject({ price: 100, iy: null, cri: null })
  })
  it('does not change with what comes later, and keeps prices between extremes', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.nat(100)))
    fc.assert(
      fc.property(points, fc.integer({ min: 0, max: 200 }), (list, cut) => {
        const sorted = list
          .map(([hours, value]): Point => [hours / 24, value])
          .sort(([a], [b]) => a - b)
        const now = (start + cut * HOUR) as Millis
        const known = sorted.filter(([days]) => at(days) <= now)
        const rows = trend(sorted, now, sorted)
        expect(rows).toEqual(trend(known, now, known))
        expect(rows.length).toBeLessThanOrEqual(7)
        for (const { price, high, low } of rows) {
          expect(low).toBeLessThanOrEqual(price)
          expect(high).toBeGreaterThanOrEqual(price)
        }
      }),
    )
  })
})
