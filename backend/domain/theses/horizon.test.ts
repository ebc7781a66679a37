import { expect, it } from 'vitest'
import { horizonOf } from './horizon.ts'

it.each([
  ['Oil rises by 2026-12-05', '2026-12-05'],
  ['Oil rises by 2026-02-30', '2026-12-31'],
  ['Oil rises by the 5th of December 2026', '2026-12-05'],
  ['Oil rises by Dec. 5, 2026', '2026-12-05'],
  ['Oil rises in Q1 2027', '2027-03-31'],
  ['Oil rises in Q4 2026', '2026-12-31'],
  ['Oil rises in February of 2028', '2028-02-29'],
  ['Oil rises in 2026', '2026-12-31'],
  ['Oil rises before May 2027', '2027-04-30'],
  ['Oil rises before 2027', '2026-12-31'],
  ['Oil rises before January 1, 2027', '2026-12-31'],
  ['Oil rises in 2025 and falls in March 2027', '2027-03-31'],
  ['Oil rises in March 2027, not in 2025', '2027-03-31'],
  ['Oil rises after May 2026 and before 2026-08-02', '2026-08-01'],
  ['Oil rises', null],
])('%s: ends %s', (claim, horizon) => {
  expect(horizonOf(claim)).toBe(horizon)
})
