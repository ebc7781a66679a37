import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../domain/units.ts'
import type { Clock } from './clock.ts'
import { momentOf, timeSince } from './moment.ts'

const clockAt = (now: number, monotonic: number): Clock => ({
  now: () => now as Millis,
  monotonic: () => monotonic,
  sleep: () => Promise.resolve(),
})

describe('the time since a moment', () => {
  const moment = momentOf(clockAt(10 * HOUR, 7))

  it.each([
    ['is what both clocks say', 10 * HOUR + MINUTE, 7 + MINUTE, MINUTE],
    ['grows on while the wall clock is set back', 9 * HOUR, 7 + MINUTE, MINUTE],
    ['has the hours that a machine slept', 12 * HOUR, 7 + MINUTE, 2 * HOUR],
  ])('%s', (_case, now, monotonic, span) => {
    expect(timeSince(moment, clockAt(now, monotonic))).toBe(span)
  })
})
