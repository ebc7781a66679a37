import { TickMarkType, type UTCTimestamp } from 'lightweight-charts'
import { afterEach, expect, it } from 'vitest'
import { formatTimesIn } from '../lib/format.ts'
import { fitsAxis, tickMark, TimeAxis, timeLabel } from './time-axis.ts'

afterEach(() => formatTimesIn(() => 'local'))

const time = (Date.parse('2026-11-20T05:00:00') / 1_000) as UTCTimestamp

it('marks are a year, a month, a day or a time of day', () => {
  expect(tickMark(time, TickMarkType.Year)).toBe('2026')
  expect(tickMark(time, TickMarkType.Month)).toBe('Nov')
  expect(tickMark(time, TickMarkType.DayOfMonth)).toBe('20 Nov')
  expect(tickMark(time, TickMarkType.Time)).toBe('05:00')
  expect(timeLabel(time)).toBe('20 Nov, 05:00')
})

it.each([
  ['UTC', '1 Dec', '03:30', '1 Dec, 03:30'],
  ['America/New_York', '30 Nov', '22:30', '30 Nov, 22:30'],
] as const)('marks are in the chosen zone: %s', (zone, day, clock, moment) => {
  formatTimesIn(() => zone)
  const at = (Date.parse('2026-12-01T03:30:00Z') / 1_000) as UTCTimestamp
  expect(tickMark(at, TickMarkType.DayOfMonth)).toBe(day)
  expect(tickMark(at, TickMarkType.Time)).toBe(clock)
  expect(timeLabel(at)).toBe(moment)
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
