import { describe, expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { namedTime, utcDay, yearOfDay } from './deadline.ts'

const CLOSE = Date.parse('2026-12-31T12:00:00Z') as Millis
const iso = (at: Millis | null): string | null =>
  at === null ? null : new Date(at).toISOString().slice(0, 10)

describe('a day of the calendar', () => {
  it.each([
    [1970, 0, 1],
    [1999, 11, 31],
    [2000, 1, 29],
    [2000, 2, 1],
    [2024, 1, 29],
    [2024, 11, 31],
    [2026, 1, 28],
    [2026, 11, 31],
    [2028, 11, 31],
    [2100, 1, 28],
    [2100, 2, 1],
    [1600, 0, 1],
  ])('%i, month %i, day %i', (year, month, day) => {
    expect(utcDay(year, month, day)).toBe(Date.UTC(year, month, day))
    expect(yearOfDay(utcDay(year, month, day))).toBe(year)
  })

  it('may be unknown', () => {
    expect(yearOfDay(null)).toBeNull()
  })
})

describe('the time that a title names', () => {
  it.each([
    ['will it rain', null, null, [], []],
    ['before jan 1, 2027', '2026-12-31', 'by', [2026, 2027], []],
    ['before january 1 2027', '2026-12-31', 'by', [2026, 2027], []],
    ['before january 1, 2029', '2028-12-31', 'by', [2028, 2029], []],
    ['on dec 31, 2028', '2028-12-31', 'on', [2028], []],
    ['by jan 1, 2027', '2027-01-01', 'by', [2027], []],
    ['prior to jul 4, 2026', '2026-07-03', 'by', [2026], []],
    ['until jul 4, 2026', '2026-07-04', 'by', [2026], []],
    ['through jul 4th, 2026', '2026-07-04', 'by', [2026], []],
    ['no later than jul 4, 2026', '2026-07-04', 'by', [2026], []],
    ['on jul 4, 2026', '2026-07-04', 'on', [2026], []],
    ['in july 2026', '2026-07-31', 'on', [2026], ['jul']],
    ['in feb 2024', '2024-02-29', 'on', [2024], ['feb']],
    ['by end of december 2026', '2026-12-31', 'by', [2026], []],
    ['in dec 2026', '2026-12-31', 'on', [2026], ['dec']],
    ['before may', '2026-04-30', 'by', [], []],
    ['may it rain', null, null, [], []],
    ['in may', '2026-05-31', 'on', [], ['may']],
    ['on may 5', '2026-05-05', 'on', [], []],
    ['may 2026', '2026-05-31', 'on', [2026], ['may']],
    ['on 2026-07-04', '2026-07-04', 'on', [2026], []],
    ['on 2026-13-04', null, null, [2026], []],
    ['by end of 2026', '2026-12-31', 'by', [2026], []],
    ['in 2026', '2026-12-31', 'by', [2026], []],
    ['before 2027', '2026-12-31', 'by', [2026], []],
    ['by the end of 2026', '2026-12-31', 'by', [2026], []],
    ['the 2026 final', null, null, [2026], []],
    ['from jun 2026 to jul 2026', '2026-07-31', 'on', [2026], ['jun', 'jul']],
    ['on jul 4 2026 at jul 4 8 pm', '2026-07-04', 'on', [2026], []],
  ])('“%s” ends on %j (%s), years %j, months %j', (text, day, bound, years, periodMonths) => {
    const found = namedTime(text, CLOSE)
    expect({ ...found, day: iso(found.day) }).toEqual({ day, bound, years, periodMonths })
  })

  it.each([
    ['2026-12-31T12:00:00Z', '2026-07-04'],
    ['2026-07-02T00:00:00Z', '2026-07-04'],
    ['2026-07-01T23:59:59Z', '2025-07-04'],
    ['2027-01-01T00:00:00Z', '2026-07-04'],
  ])('without a year is the last before the close at %s, give or take two days', (close, day) => {
    expect(iso(namedTime('on jul 4', Date.parse(close) as Millis).day)).toBe(day)
  })

  it('without a year has the year that the title names, and no day without a close', () => {
    expect(iso(namedTime('2028 final on jul 4', CLOSE).day)).toBe('2028-07-04')
    expect(namedTime('on jul 4', null)).toMatchObject({ day: null, bound: 'on' })
  })
})
