import { describe, expect, it } from 'vitest'
import { isoOf } from '../../../lib/clock.ts'
import type { Millis } from '../../../domain/units.ts'
import { cronProblem, slotsAfter, slotsUntil } from './schedule.ts'

const at = (iso: string): Millis => Date.parse(iso) as Millis
const next = (cron: string, from: string, max: number): string[] =>
  slotsAfter(cron, at(from), max).map((slot) => isoOf(slot).slice(0, 16))

describe('a cron expression', () => {
  it.each([
    ['0 7,19 * * *', null],
    ['*/5 * * * *', null],
    ['58 23 * * 1', null],
    ['0,58 0,23 * * 1', null],
    ['daily', 'must have five fields'],
    ['0 0 * * MON', 'must have numbers, not names, in its fields'],
    ['60 * * * *', 'has a field out of range'],
    ['0 0 30 2 *', 'never runs'],
    ['* * * * *', 'must leave at least 5 minutes between runs'],
    ['0,4 * * * *', 'must leave at least 5 minutes between runs'],
    ['0,57 * * * *', 'must leave at least 5 minutes between runs'],
    ['0,58 0,23 * * *', 'must leave at least 5 minutes between runs'],
  ])('[portfolio.schedule.cron] %s: %s', (cron, fault) => {
    expect(cronProblem(cron)).toBe(fault)
  })

  it('[portfolio.schedule.cron] runs once after the gap of spring and once in the hour that repeats', () => {
    expect(next('0 7,19 * * *', '2026-11-20T12:00:00Z', 3)).toEqual([
      '2026-11-20T15:00',
      '2026-11-21T03:00',
      '2026-11-21T15:00',
    ])
    // 2:30 does not exist on March 8: the run is at 3:00 PDT.
    expect(next('30 2 * * *', '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T10:00',
      '2026-03-09T09:30',
    ])
    // 1:00 to 2:00 repeats on November 1.
    expect(next('30 1 * * *', '2026-11-01T00:00:00Z', 2)).toEqual([
      '2026-11-01T08:30',
      '2026-11-02T09:30',
    ])
    expect(next('0 * * * *', '2026-11-01T06:30:00Z', 4)).toEqual([
      '2026-11-01T07:00',
      '2026-11-01T08:00',
      '2026-11-01T10:00',
      '2026-11-01T11:00',
    ])
  })

  it('counts the times that a stopped service missed', () => {
    const [from, until] = [at('2026-11-10T00:00:00Z'), at('2026-11-20T15:00:00Z')]
    expect(slotsUntil('*/5 * * * *', from, until)).toEqual({ count: 3_060, newest: until })
    expect(slotsUntil('0 7 * * *', until, until)).toEqual({ count: 0, newest: null })
  })
})
