import { expect, it } from 'vitest'
import { dayLabel, rangeLabel } from './run-labels.ts'

it.each([
  ['2026-11-20T00:00:00.000Z', '2026-11-20'],
  ['2026-11-20T09:05:00.000Z', '2026-11-20 09:05'],
])('an instant %s is shown as %s', (at, label) => {
  expect(dayLabel(Date.parse(at))).toBe(label)
})

it('a range names its zone once', () => {
  expect(rangeLabel(Date.parse('2026-11-01'), Date.parse('2026-11-20T12:00:00Z'))).toBe(
    '2026-11-01 to 2026-11-20 12:00 UTC',
  )
})
