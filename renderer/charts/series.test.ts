import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Candle } from '../../backend/contract/market-history.ts'
import { decimate } from './decimate.ts'
import { gapBands, joinCandles, slotsOf, sparkPath, tailToUpdate } from './series.ts'

const candle = (t: number, c = 50): Candle => ({ t, at: '', o: c, h: c, l: c, c, v: 1 })

describe('slotsOf', () => {
  it('leaves a gap without trades', () => {
    const slots = slotsOf([candle(0), candle(180)], 60, 100)
    expect(slots.map(({ time, candle: bar }) => [time, bar === null])).toEqual([
      [0, false],
      [60, true],
      [120, true],
      [180, false],
    ])
  })

  it('keeps the newest slots, however long the gap', () => {
    const slots = slotsOf([candle(0), candle(60 * 1_000_000)], 60, 10)
    expect(slots).toHaveLength(1)
    expect(slotsOf([], 60, 10)).toEqual([])
  })

  it('is an even axis for any candles', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 40 })
    fc.assert(
      fc.property(times, (starts) => {
        const candles = starts.sort((a, b) => a - b).map((start) => candle(start * 60))
        const slots = slotsOf(candles, 60, 200)
        expect(slots.length).toBeLessThanOrEqual(200)
        slots.slice(1).forEach((slot, index) => {
          expect(slot.time - (slots[index]?.time ?? 0)).toBe(60)
        })
      }),
    )
  })
})

describe('joinCandles', () => {
  it('prefers the newer run where both overlap', () => {
    const joined = joinCandles([candle(0, 1), candle(60, 1)], [candle(60, 2), candle(120, 2)], 10)
    expect(joined.map(({ t, c }) => [t, c])).toEqual([
      [0, 1],
      [60, 2],
      [120, 2],
    ])
    expect(joinCandles([candle(0)], [candle(60), candle(120)], 2)).toHaveLength(2)
  })
})

describe('tailToUpdate', () => {
  const drawn = slotsOf([candle(0), candle(60)], 60, 100)

  it('is the open bar and the bars after it', () => {
    const next = slotsOf([candle(0), candle(60, 51), candle(120)], 60, 100)
    expect(tailToUpdate(drawn, next)?.map(({ time }) => time)).toEqual([60, 120])
  })

  it.each([
    ['another market', [candle(5), candle(65)]],
    ['an older page', [candle(-60), candle(0), candle(60)]],
    ['a repaired bar', [candle(0, 49), candle(60)]],
    ['a bar marked as crossing a gap', [{ ...candle(0), gap: true as const }, candle(60)]],
  ])('replaces all data for %s', (_, candles) => {
    expect(tailToUpdate(drawn, slotsOf(candles, 60, 100))).toBeNull()
  })
})

describe('gapBands', () => {
  const cross = (t: number): Candle => ({ ...candle(t), gap: true })

  it('joins bars that cross a gap with the time without trades between them [terminal.live.gaps]', () => {
    const slots = slotsOf(
      [candle(0), cross(60), cross(240), candle(300), candle(360), cross(420)],
      60,
      100,
    )
    expect(gapBands(slots)).toEqual([
      { from: 60, to: 240 },
      { from: 420, to: 420 },
    ])
  })

  it('has none without a gap, however long there were no trades', () => {
    expect(gapBands(slotsOf([candle(0), candle(600)], 60, 100))).toEqual([])
  })
})

describe('decimate', () => {
  it('keeps ends, lowest and highest of any series, within the limit', () => {
    const values = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 500 })
    fc.assert(
      fc.property(values, fc.integer({ min: 4, max: 60 }), (series, limit) => {
        const thin = decimate(series, limit)
        expect(thin.length).toBeLessThanOrEqual(Math.max(limit, 4))
        expect([thin[0], thin.at(-1)]).toEqual([series[0], series.at(-1)])
        expect(Math.max(...thin)).toBe(Math.max(...series))
        expect(Math.min(...thin)).toBe(Math.min(...series))
      }),
    )
  })
})

it('draws a line from left to right inside its box', () => {
  expect(sparkPath([1, 2, 3], 300, 40)).toBe('M0.0 38.0L150.0 20.0L300.0 2.0')
  expect(sparkPath([], 300, 40)).toBe('')
})
