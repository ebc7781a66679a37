import { describe, expect, it } from 'vitest'
import {
  decimalsOf,
  directionOf,
  formatAge,
  formatCents,
  formatClock,
  formatCount,
  formatDays,
  formatDelta,
  formatFixed,
  formatFixedPercent,
  formatMoment,
  formatNumber,
  formatPercent,
  formatUsd,
  formatUtc,
  formatUtcClock,
  formatVolume,
  isoOf,
  shortTicker,
  toTenth,
} from './format.ts'

describe('prices', () => {
  it.each([
    [63.5, '63.5¢'],
    [63, '63.0¢'],
    [0.25, '0.25¢'],
    [100, '100.0¢'],
    [0, '0.0¢'],
    [null, '–'],
    [undefined, '–'],
  ])('formats %s as %s', (cents, text) => expect(formatCents(cents)).toBe(text))

  it.each([
    [2.1, '+2.1¢'],
    [-0.5, '−0.5¢'],
    [0, '0.0¢'],
    [0.001, '0.0¢'],
    [-12.25, '−12.25¢'],
    [null, '–'],
  ])('formats the change %s as %s', (cents, text) => expect(formatDelta(cents)).toBe(text))

  it.each([
    [null, 0],
    [undefined, 0],
    [40, 1],
    [40.5, 1],
    [40.25, 2],
    [-0.25, 2],
    [0.001, 1],
  ])('%s needs %d decimals', (cents, decimals) => expect(decimalsOf(cents)).toBe(decimals))

  it('has the decimals of its column, or more when it needs them', () => {
    expect([formatCents(40, 2), formatCents(40.25, 1), formatDelta(2, 2)]).toEqual([
      '40.00¢',
      '40.25¢',
      '+2.00¢',
    ])
    expect([toTenth(40.26), toTenth(null), toTenth(undefined)]).toEqual([40.3, null, undefined])
  })

  it('is flat when the change rounds to zero', () => {
    expect(directionOf(0.004)).toBe('flat')
    expect([directionOf(0.005), directionOf(-0.006)]).toEqual(['up', 'down'])
    expect(directionOf(undefined)).toBe('flat')
    expect(directionOf(0.01)).toBe('up')
    expect(directionOf(-1)).toBe('down')
    expect(directionOf(null)).toBe('flat')
  })
})

describe('counts and money', () => {
  it.each([
    [0, '0'],
    [842, '842'],
    [12.5, '12.5'],
    [1200, '1.2k'],
    [999_950, '1.0M'],
    [3_400_000, '3.4M'],
    [2_100_000_000, '2.1B'],
    [-1500, '−1.5k'],
    [null, '–'],
  ])('formats %s as %s', (value, text) => expect(formatCount(value)).toBe(text))

  it('writes dollars with cents and groups', () => {
    expect(formatUsd(1240.5)).toBe('$1,240.50')
    expect(formatUsd(-3)).toBe('−$3.00')
    expect(formatUsd(null)).toBe('–')
  })

  it.each([
    [999, '999'],
    [999.949, '999.9'],
    [999.95, '1.0k'],
    [999_949, '999.9k'],
    [999_950_000, '1.0B'],
    [-12.5, '−12.5'],
  ])('%s is counted as %s', (value, text) => expect(formatCount(value)).toBe(text))

  it('rounds volumes below a thousand to whole numbers', () => {
    expect([
      formatVolume(12.5),
      formatVolume(999.6),
      formatVolume(-12.4),
      formatVolume(1_000),
    ]).toEqual(['13', '1.0k', '−12', '1.0k'])
    expect([formatVolume(undefined), formatVolume(0, 'usd')]).toEqual(['–', '$0'])
  })

  it('has numbers of a column with all their decimals', () => {
    expect([formatFixed(1_204.5), formatFixed(-1), formatFixed(2, 0), formatFixed(null)]).toEqual([
      '1,204.50',
      '−1.00',
      '2',
      '–',
    ])
    expect([formatFixedPercent(12), formatFixedPercent(undefined)]).toEqual(['12.0%', '–'])
    expect([formatNumber(null), formatNumber(1.25, 1), formatPercent(null)]).toEqual([
      '–',
      '1.3',
      '–',
    ])
  })

  it('marks a dollar volume and shows a missing one without a sign', () => {
    expect(formatVolume(1200, 'usd')).toBe('$1.2k')
    expect(formatVolume(1200)).toBe('1.2k')
    expect(formatVolume(null, 'usd')).toBe('–')
  })

  it('drops trailing zeros of plain numbers', () => {
    expect(formatNumber(1.5)).toBe('1.5')
    expect(formatNumber(-2)).toBe('−2')
    expect(formatNumber(-0.001)).toBe('0')
    expect(formatPercent(12.44)).toBe('12.4%')
  })
})

describe('time', () => {
  const style = { timeZone: 'UTC' }
  it.each([
    [0, '0s'],
    [-500, '0s'],
    [999, '0s'],
    [1_000, '1s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [3_599_999, '59m'],
    [3_600_000, '1h'],
    [172_799_999, '47h'],
    [172_800_000, '2d'],
    [12_000, '12s'],
    [240_000, '4m'],
    [3 * 3_600_000, '3h'],
    [12 * 86_400_000, '12d'],
    [null, '–'],
  ])('formats an age of %s ms as %s', (age, text) => expect(formatAge(age)).toBe(text))

  it('shows the year only when it differs', () => {
    const now = Date.parse('2026-11-20T00:00:00Z')
    expect(formatMoment('2026-12-12T14:03:20.000Z', now, style)).toBe('12 Dec 14:03')
    expect(formatMoment('2027-01-02T04:05:00.000Z', now, style)).toBe('2 Jan 2027 04:05')
    expect(formatMoment(null, now, style)).toBe('–')
    expect(formatMoment('soon', now, style)).toBe('–')
  })

  it('returns UTC for tooltips and the status line', () => {
    expect(formatUtc('2026-12-12T14:03:20.123Z')).toBe('2026-12-12 14:03:20 UTC')
    expect(formatUtcClock(Date.parse('2026-12-12T14:03:20.123Z'))).toBe('14:03:20 UTC')
    expect(formatClock(Date.parse('2026-12-12T14:03:20.123Z'), style)).toBe('14:03:20')
  })

  it.each([
    [0.5, '12h'],
    [-1, '0h'],
    [0.99, '23h'],
    [1, '1.0d'],
    [9.96, '10.0d'],
    [10, '10d'],
    [3, '3.0d'],
    [14.2, '14d'],
    [0, '0h'],
    [null, '–'],
  ])('formats %s days as %s', (days, text) => expect(formatDays(days)).toBe(text))
})

it('writes instants in UTC', () => {
  expect(isoOf(0)).toBe('1970-01-01T00:00:00.000Z')
  expect([formatUtc(null), formatUtc('soon')]).toEqual(['–', '–'])
})

it('shortens condition ids only', () => {
  expect(shortTicker(`0x1a2b3c${'0'.repeat(54)}9f8e`)).toBe('0x1a2b3c…9f8e')
  expect(shortTicker('KXFED-26DEC')).toBe('KXFED-26DEC')
})
