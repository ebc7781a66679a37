import { describe, expect, it } from 'vitest'
import { embeddedListOf, epochOf, scaledOf, timeOf } from './fields.ts'

describe('fields', () => {
  it.each([
    ['0.5600', 4, 5_600],
    ['0.12345', 4, 1_235],
    [0.1, 4, 1_000],
    [0.29, 4, 2_900],
    [1e-7, 6, 0],
    [9.999997, 6, 9_999_997],
    ['192817.4904490008', 6, 192_817_490_449],
    [Infinity, 4, null],
    [Number.NaN, 4, null],
    ['', 4, null],
    ['1e3', 4, null],
    [1e300, 4, null],
    ['99999999999999999999', 4, null],
    [true, 4, null],
  ])('%j at %i places is %j', (value, places, expected) => {
    expect(scaledOf(value, places)).toBe(expected)
  })

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.897212345Z', '2026-01-02T03:04:05.897Z'],
    ['2026-01-02T03:04:05-0500', '2026-01-02T08:04:05.000Z'],
    ['2026-01-02 03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(timeOf(text)).toBe(Date.parse(iso))
  })

  it.each(['0001-01-01T00:00:00Z', '', 'tomorrow', '2026-13-45T00:00:00Z', 1_753_000_000, null])(
    '%j is not a time',
    (value) => {
      expect(timeOf(value)).toBeNull()
    },
  )

  it('reads epochs as number or text and refuses nonsense', () => {
    expect(epochOf('1728799418260', 'milliseconds')).toBe(1_728_799_418_260)
    expect(epochOf(1_753_000_000, 'seconds')).toBe(1_753_000_000_000)
    for (const value of [0, -5, 'x', 1e300, null]) expect(epochOf(value, 'seconds')).toBeNull()
  })

  it('reads lists sent as text and handles invalid ones', () => {
    expect(embeddedListOf('["a","b"]')).toEqual(['a', 'b'])
    expect(embeddedListOf(['a'])).toEqual(['a'])
    for (const value of ['', '{', '{"a":1}', null, 7]) expect(embeddedListOf(value)).toEqual([])
  })
})
