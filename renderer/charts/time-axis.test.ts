import { TickMarkType, type UTCTimestamp } from 'lightweight-charts'
import { expect, it } from 'vitest'
import { fitsAxis, tickMark, TimeAxis, timeLabel } from './time-axis.ts'

const time = (Date.parse('2026-11-20T05:00:00') / 1_000) as UTCTimestamp

it('marks are a year, a month, a day or a time of day', () => {
  expect(tickMark(time, TickMarkType.Year)).toBe('2026')
  expect(tickMark(time, TickMarkType.Month)).toBe('Nov')
  expect(tickMark(time, TickMarkType.DayOfMonth)).toBe('20 Nov')
  expect(tickMark(time, TickMarkType.Time)).toBe('05:00')
  expect(timeLabel(time)).toBe('20 Nov, 05:00')
})

it('a label fits unless an end of the axis cuts it', () => {
  expect(fitsAxis('05:00', 200, 400)).toBe(true)
  expect(fitsAxis('05:00', 390, 400)).toBe(false)
  expect(fitsAxis('05:00', 4, 400)).toBe(false)
})

it('no label is cached, because it depends on its place', () => {
  const axis = new TimeAxis()
  expect(axis.cacheKey()).not.toBe(axis.cacheKey())
})
