import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { priceLevels, turningCloses } from '../prices/price-levels.ts'
import { technicalRow } from './technical-row.ts'
import type { TechnicalReading } from './technical-row.ts'
import {
  bollingerBands,
  dailySlope,
  exponentialMean,
  filledForward,
  rangeOf,
  relativeStrength,
  simpleMean,
} from './technicals.ts'
import { efficiencyRatio } from './trend-label.ts'
import type { Cents } from '../units.ts'

const closes = [40, 41, 43, 42, 44, 46, 45, 47, 48, 50, 49, 51, 53, 52, 54]

describe('A13: technicals', () => {
  it('have the worked example', () => {
    expect(relativeStrength(closes, 14)?.toFixed(2)).toBe('81.82')
    expect(efficiencyRatio(closes)?.toFixed(3)).toBe('0.636')
    expect(exponentialMean(closes, 12)?.toFixed(3)).toBe('48.988')
  })
  it('need one more close than they average', () => {
    const short = closes.slice(0, 14)
    expect(relativeStrength(short, 14)).toBeNull()
    expect(simpleMean(short, 14)).toBeNull()
    expect(exponentialMean(short, 14)).toBeNull()
    expect(bollingerBands(short, 14, 2)).toBeNull()
    expect(simpleMean([], 0)).toBeNull()
    expect(simpleMean([1, 2, 3], 2)).toBe(2.5)
  })
  it('read strength without losses as 100, without changes as 50', () => {
    expect(relativeStrength([1, 2, 3], 2)).toBe(100)
    expect(relativeStrength([3, 2, 1], 2)).toBe(0)
    expect(relativeStrength([2, 2, 2], 2)).toBe(50)
  })
  it('smooth strength as Wilder does after the first averages', () => {
    // Gains 2, 0 then 1; losses 0, 1 then 0: averages 1 and .5, then 1 and .25.
    expect(relativeStrength([10, 12, 11, 12], 2)).toBe(80)
  })
  it('draw bands with the population deviation, inside 0 to 100', () => {
    expect(bollingerBands([0, 40, 44], 2, 2)).toEqual({ lower: 38, middle: 42, upper: 46 })
    expect(bollingerBands([0, 97, 99], 2, 3)?.upper).toBe(100)
    expect(bollingerBands([0, 1, 3], 2, 3)?.lower).toBe(0)
  })
  it('place the price in its range', () => {
    expect(rangeOf([40, 50], 45)).toEqual({ high: 50, low: 40, position: 0.5 })
    expect(rangeOf([40, 50], 60)?.position).toBe(1)
    expect(rangeOf([40], 40)?.position).toBeNull()
    expect(rangeOf([40, 50], null)?.position).toBeNull()
    expect(rangeOf([], 40)).toBeNull()
  })
  it('slope in cents a day', () => {
    expect(dailySlope([0, 1, 2, 3], 4, 24)).toBe(24)
    expect(dailySlope([9, 1, 2], 2)).toBe(1)
    expect(dailySlope([1], 2)).toBeNull()
  })
  it('fill gaps forward, never backward', () => {
    expect(filledForward([null, 3, null, 5, null])).toEqual([3, 3, 5, 5])
    expect(filledForward([null])).toEqual([])
  })
  const prices = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 16, maxLength: 60 })
  it('stay in bounds and are mirrored on the NO scale', () => {
    fc.assert(
      fc.property(prices, (values) => {
        const other = values.map((value) => 100 - value)
        const rsi = relativeStrength(values, 14) ?? NaN
        expect(rsi).toBeGreaterThanOrEqual(0)
        expect(rsi).toBeLessThanOrEqual(100)
        expect(relativeStrength(other, 14)).toBeCloseTo(100 - rsi, 9)
        expect(exponentialMean(other, 12)).toBeCloseTo(
          100 - (exponentialMean(values, 12) ?? NaN),
          9,
        )
        const bands = bollingerBands(values, 15, 2)
        const mirrored = bollingerBands(other, 15, 2)
        expect(mirrored?.upper).toBeCloseTo(100 - (bands?.lower ?? NaN), 9)
      }),
    )
  })
})

describe('A13: levels', () => {
  /** Hours at 45 with turns to the given prices, far enough apart. */
  const turnsAt = (...turns: number[]) => [
    ...Array<number>(13).fill(45),
    ...turns.flatMap((turn) => [turn, ...Array<number>(25).fill(45)]),
  ]
  const level = (price: number, kind: string, touches: number) => ({ price, kind, touches })
  it('groups turns up to two cents apart', () => {
    const found = priceLevels(turnsAt(50, 52, 40, 40, 41, 60), 45.5 as Cents)
    // The constant 45 between two turns to the same side is itself the other extreme.
    const far = found.filter(({ price }) => price !== 45)
    expect(far).toEqual([level(51, 'resistance', 2), level(40.33, 'support', 3)])
  })
  it('do not chain: all touches of a level are within that distance', () => {
    const found = priceLevels(turnsAt(50, 52, 54), 45 as Cents)
    expect(found.filter(({ kind }) => kind === 'resistance')).toEqual([level(51, 'resistance', 2)])
  })
  it('need twelve hours on both sides, and a price that moves', () => {
    expect(
      turningCloses([...Array<number>(11).fill(45), 50, ...Array<number>(12).fill(45)], 12),
    ).toEqual([])
    expect(
      turningCloses([...Array<number>(12).fill(45), 50, ...Array<number>(12).fill(45)], 12),
    ).toEqual([50])
    expect(turningCloses(Array<number>(100).fill(45), 12)).toEqual([])
  })
  it('count an unchanged price once', () => {
    const closes = [...Array<number>(13).fill(45), 50, 50, 50, ...Array<number>(13).fill(45)]
    expect(turningCloses(closes, 12).filter((turn) => turn === 50)).toEqual([50])
  })
  it('are empty without a price or closes, and at most six', () => {
    expect(priceLevels(turnsAt(50, 50), null)).toEqual([])
    expect(priceLevels([], 45 as Cents)).toEqual([])
    const many = [50, 55, 60, 65, 70, 75, 80].flatMap((turn) => [turn, turn])
    const found = priceLevels(turnsAt(...many), 20 as Cents)
    expect(found).toHaveLength(6)
    expect(found.map(({ price }) => price)).toEqual(
      [...found.map(({ price }) => price)].sort().reverse(),
    )
  })
  it('lie on their side of the price', () => {
    const walk = fc.array(fc.integer({ min: 30, max: 60 }), { minLength: 40, maxLength: 200 })
    fc.assert(
      fc.property(walk, fc.integer({ min: 0, max: 100 }), (values, price) => {
        for (const found of priceLevels(values, price as Cents)) {
          expect(found.kind).toBe(found.price < price ? 'support' : 'resistance')
          expect(found.price).not.toBe(price)
          expect(found.touches).toBeGreaterThanOrEqual(2)
        }
      }),
    )
  })
})

describe('A13: served row', () => {
  const week = [40, 42, 41, 44, 46, 47, 46, 50] as Cents[]
  const reading = (more: Partial<TechnicalReading> = {}): TechnicalReading => ({
    price: 54 as Cents,
    dailyCloses: week,
    hourlyCloses: closes,
    vr: 2,
    ...more,
  })
  it('has the worked example', () => {
    const row = technicalRow(reading())
    expect(row).toMatchObject({ trend: 'up', strength: 0.5357, breakout: null })
    expect(row.momentum?.toFixed(2)).toBe('1.31')
    expect(row.summary).toBe('RSI 82, 100% of the 30 d range')
  })
  it('describes the state', () => {
    const hourly = [...Array<number>(20).fill(40), ...closes]
    expect(technicalRow(reading({ hourlyCloses: hourly })).summary).toMatch(/^above 20 h mean, RSI/)
    expect(technicalRow(reading({ hourlyCloses: [] })).summary).toBe('not enough history')
  })
  it('breaks out of at least eight earlier closes, excluding today', () => {
    const nine = [39, ...week] as Cents[]
    const breakout = (price: number | null, dailyCloses = nine) =>
      technicalRow(reading({ price: price as Cents | null, dailyCloses })).breakout
    expect(breakout(47.5)).toBe('up')
    expect(breakout(47)).toBeNull()
    expect(breakout(38)).toBe('down')
    expect(breakout(null)).toBeNull()
    expect(breakout(60, week)).toBeNull()
    expect(breakout(60, [99 as Cents, ...Array<Cents>(20).fill(50 as Cents), 60 as Cents])).toBe(
      'up',
    )
  })
  it.each([
    [43, 'up'],
    [42.9, 'flat'],
    [37, 'down'],
  ])('trends by three cents in the week: 40 to %s is %s', (last, trend) => {
    const dailyCloses = [...Array<Cents>(7).fill(40 as Cents), last as Cents]
    expect(technicalRow(reading({ dailyCloses })).trend).toBe(trend)
  })
  it('counts unknown parts as 0', () => {
    const nothing = technicalRow(reading({ dailyCloses: [null, 40 as Cents], vr: null }))
    expect(nothing).toMatchObject({ trend: 'flat', momentum: null, breakout: null, strength: 0 })
    const young = [null, ...week.slice(1)]
    expect(technicalRow(reading({ dailyCloses: young, vr: 2 })).strength).toBe(0.1)
  })
  it('is never stronger than one', () => {
    const values = fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { maxLength: 30 })
    fc.assert(
      fc.property(values, fc.option(fc.double({ min: -5, max: 1e6, noNaN: true })), (days, vr) => {
        const row = technicalRow(reading({ dailyCloses: days as (Cents | null)[], vr }))
        expect(row.strength).toBeGreaterThanOrEqual(0)
        expect(row.strength).toBeLessThanOrEqual(1)
        expect(row.summary).not.toMatch(/buy|sell|should/)
      }),
    )
  })
})
