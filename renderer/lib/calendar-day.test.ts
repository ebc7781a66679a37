import { expect, it } from 'vitest'
import { isCalendarDay } from './calendar-day.ts'

it.each([
  ['2026-12-01', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['soon', false],
])('%s is a day: %s', (text, isDay) => {
  expect(isCalendarDay(text)).toBe(isDay)
})
