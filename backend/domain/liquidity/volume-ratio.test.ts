import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, roundTo } from '../units.ts'
import type { Millis } from '../units.ts'
import { dailyVolumes, daysToEvent, volumeRatio, volumeSurprise } from './volume-ratio.ts'

const now = (100 * DAY) as Millis
const inDays = (days: number) => (now + days * DAY) as Millis
const ratio = (current: number | null, ...baseline: (number | null)[]) =>
  volumeRatio({ current, baseline })

describe('A9: volume ratio', () => {
  it('has the worked example', () => {
    const vr = ratio(4200, 1000, 1200, 900, 1100, 1500, 800, 1000)
    const surprise = volumeSurprise(vr, 4)
    expect(roundTo(surprise.vr ?? NaN, 3)).toBe(2.659)
    expect(roundTo(surprise.expectedVr ?? NaN, 3)).toBe(0.819)
    expect(roundTo(surprise.residualVr ?? NaN, 3)).toBe(1.841)
  })
  it('has the recorded difference at about 22.9 days', () => {
    expect(roundTo(volumeSurprise(3.607, 22.85).residualVr ?? NaN, 3)).toBe(3.288)
  })
  it('leaves unknown days out and is unknown without any', () => {
    expect(ratio(4200, 1000, null, 1200)).toBe(ratio(4200, 1000, 1200))
    expect(ratio(4200, null)).toBeNull()
    expect(ratio(4200)).toBeNull()
    expect(ratio(null, 1000)).toBeNull()
  })
  it('uses only the prior for a single day', () => {
    expect(ratio(1000, 100)).toBeCloseTo(Math.log(1001 / 101) / Math.sqrt((5 * 0.64) / 6), 12)
  })
  it('is 0 for a usual day, even a silent one, and negative for a quieter one', () => {
    expect(ratio(0, 0, 0, 0)).toBe(0)
    expect(ratio(50, 100, 100)).toBeLessThan(0)
  })
  const dollars = fc.double({ min: 0, max: 1e9, noNaN: true })
  it('grows with the volume and does not depend on the order of days', () => {
    fc.assert(
      fc.property(
        fc.array(dollars, { minLength: 1, maxLength: 14 }),
        dollars,
        dollars,
        (b, x, y) => {
          expect(ratio(Math.max(x, y), ...b)).toBeGreaterThanOrEqual(
            ratio(Math.min(x, y), ...b) ?? NaN,
          )
          const reversed = ratio(x, ...b.toReversed()) ?? NaN
          expect(reversed).toBeCloseTo(ratio(x, ...b) ?? NaN, 6)
        },
      ),
    )
  })
})

describe('A9: daily volumes', () => {
  const trades = (...list: [hoursAgo: number, usd: number][]) => {
    const sorted = list.toSorted(([a], [b]) => b - a)
    const ts = Float64Array.from(sorted, ([hours]) => now - hours * HOUR)
    return [ts, Float64Array.from(sorted, ([, usd]) => usd)] as const
  }
  it('are half-open windows back from now', () => {
    const [ts, usd] = trades([0, 1], [23.9, 2], [24, 4], [47, 8], [48, 16], [71, 32], [80, 64])
    const volumes = dailyVolumes(ts, usd, now, (now - 3 * DAY) as Millis)
    expect(volumes.current).toBe(3)
    expect(volumes.baseline.slice(0, 3)).toEqual([12, 48, null])
    expect(volumes.baseline).toHaveLength(14)
  })
  it('need 48 hours of observation for a ratio', () => {
    const [ts, usd] = trades([1, 100], [30, 50])
    const ratioSince = (hours: number) =>
      volumeRatio(dailyVolumes(ts, usd, now, (now - hours * HOUR) as Millis))
    expect(ratioSince(47)).toBeNull()
    expect(ratioSince(48)).toBeGreaterThan(0)
  })
  it('count a day without trades as 0 and ignore the future', () => {
    const [ts, usd] = trades([-1, 100])
    expect(dailyVolumes(ts, usd, now, inDays(-2)).current).toBe(0)
  })
})

describe('A9: days to event', () => {
  const known = (days: number, knownDays = -1) => ({ at: inDays(days), knownAt: inDays(knownDays) })
  it('count to the nearest known catalyst, before the expected resolution', () => {
    expect(daysToEvent([known(9), known(4.5)], inDays(2), now)).toBe(4.5)
    expect(daysToEvent([], inDays(0.25), now)).toBe(0.25)
  })
  it('ignore past events and those not known yet', () => {
    expect(daysToEvent([known(-1), known(0), known(3, 1), known(6)], null, now)).toBe(6)
    expect(daysToEvent([known(-1)], inDays(5), now)).toBe(5)
    expect(daysToEvent([], inDays(-1), now)).toBeNull()
    expect(daysToEvent([], null, now)).toBeNull()
  })
  it('leave the residual unknown when there is none', () => {
    expect(volumeSurprise(2, null)).toEqual({ vr: 2, expectedVr: null, residualVr: null })
  })
  it('explain a share from 0 to 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 5_000, noNaN: true }), (days) => {
        const { expectedVr, residualVr } = volumeSurprise(1, days)
        expect(expectedVr).toBeGreaterThanOrEqual(0)
        expect(residualVr).toBeLessThanOrEqual(1)
        expect(residualVr).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
