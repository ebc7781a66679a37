import { describe, expect, it } from 'vitest'
import { alignedGauge, alignedPrices, differences } from './align.ts'

const bars = [0, 60, 120, 180].map((time) => ({ time }))

describe('a compared market [terminal.chart.compare]', () => {
  it('has a price in each bar of the chart that it knows', () => {
    const other = [
      { time: 60, price: 30 },
      { time: 120, price: null },
      { time: 180, price: 40 },
      { time: 240, price: 41 },
    ]
    expect(alignedPrices(bars, other, false)).toEqual([null, 30, null, 40])
    expect(alignedPrices(bars, other, true)).toEqual([null, 70, null, 60])
  })

  it('has a spread where both are priced', () => {
    expect(differences([50, null, 40], [45, 45, null])).toEqual([5, null, null])
  })
})

const point = (seconds: number, value: number | null) => ({
  at: new Date(seconds * 1000).toISOString(),
  value,
  disagreement: value,
  geoRisk: value,
  breadth: value === null ? null : value / 100,
  activity: value,
  uncertainty: null,
  geopolitical: null,
  momentum: null,
})

it('a gauge holds until its next point, and not across a gap [terminal.chart.compare]', () => {
  const history = { stepSeconds: 20, points: [point(10, 20), point(70, 50)] }
  expect(alignedGauge(bars, 60, history, 'value')).toEqual([20, 50, 50, null])
  expect(alignedGauge(bars, 60, history, 'breadth').slice(0, 2)).toEqual([60, 75])
  const unknown = { stepSeconds: 20, points: [point(10, 20), point(70, null)] }
  expect(alignedGauge(bars, 60, unknown, 'value')).toEqual([20, null, null, null])
})
