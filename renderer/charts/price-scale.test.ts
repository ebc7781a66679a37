import { expect, it } from 'vitest'
import type { ChartBar } from './chart-bars.ts'
import type { Scale } from './chart-types.ts'
import { axisRange, axisText, fromScale, toScale, topMargin } from './price-scale.ts'

const bar = (
  price: number | null,
  bid: number | null = null,
  ask: number | null = null,
): ChartBar => ({
  time: 0,
  candle: null,
  mid: null,
  bid,
  ask,
  price,
  source: 'mid',
  isOld: false,
})

it('log-odds and back are the same price, and the ends stay finite [terminal.chart.scales]', () => {
  for (const cents of [1, 12.5, 50, 99]) {
    expect(fromScale('log-odds', toScale('log-odds', cents))).toBeCloseTo(cents, 9)
  }
  expect(toScale('log-odds', 50)).toBe(0)
  expect(Number.isFinite(toScale('log-odds', 0))).toBe(true)
  expect(Number.isFinite(toScale('log-odds', 100))).toBe(true)
})

const on = (scale: Scale) => ({ scale, isComparing: false })

it('an automatic axis fits the bars in view', () => {
  expect(axisRange(on('auto'), [bar(40), bar(60, 58, 62)])).toEqual({ minValue: 40, maxValue: 62 })
  expect(axisRange(on('fixed'), [bar(40)])).toEqual({ minValue: 0, maxValue: 100 })
  expect(axisRange(on('auto'), [bar(null)])).toBeNull()
})

it('a constant price has a readable range within 0 and 100', () => {
  expect(axisRange(on('auto'), [bar(40)])).toEqual({ minValue: 38, maxValue: 42 })
  expect(axisRange(on('auto'), [bar(0.1)])).toEqual({ minValue: 0, maxValue: 4 })
  expect(axisRange(on('auto'), [bar(100)])).toEqual({ minValue: 96, maxValue: 100 })
})

it('an empty book does not flatten the price', () => {
  expect(axisRange(on('auto'), [bar(50, 1, 99), bar(56)])).toEqual({ minValue: 50, maxValue: 56 })
})

it('marks of the axis are cents, and none is outside 0 and 100', () => {
  expect(axisText('auto', 63.54)).toBe('63.5¢')
  expect(axisText('log-odds', 0)).toBe('50.0¢')
  expect(axisText('auto', 104)).toBe('')
})

it('a compared market widens the axis, and marks are percent [terminal.chart.compare]', () => {
  const others = [{ low: 10, high: 70 }]
  expect(axisRange(on('auto'), [bar(40)], others)).toEqual({ minValue: 10, maxValue: 70 })
  const style = { scale: 'auto', isComparing: true } as const
  expect(axisRange(style, [bar(40, 30, 45), bar(60)])).toEqual({ minValue: 40, maxValue: 60 })
  expect(axisText('auto', 63.54, true)).toBe('63.5%')
})

it('prices begin below the list of compared markets and studies, and keep most of the height', () => {
  expect(topMargin(0, 240)).toBe(0.12)
  expect(topMargin(36, 240)).toBeCloseTo(0.3)
  expect(topMargin(36, 900)).toBe(0.12)
  expect(topMargin(200, 240)).toBe(0.42)
})
