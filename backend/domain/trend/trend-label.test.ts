import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { efficiencyRatio, netChange, trendLabel } from './trend-label.ts'
import type { TrendReading } from './trend-label.ts'
import type { Cents } from '../units.ts'

const marks = (...values: (number | null)[]) => values as (Cents | null)[]
const rising = marks(40, 42, 41, 44, 46, 47, 46, 50)
const reading = (more: Partial<TrendReading> = {}): TrendReading => ({
  isLive: true,
  hoursSinceFirstSeen: 500,
  trades7d: 100,
  twoSided: true,
  mark1hAgo: (more.dailyMarks ?? rising).at(-1) ?? null,
  dailyMarks: rising,
  spread: 2 as Cents,
  medianSpread7d: 2 as Cents,
  ...more,
})
const label = (more: Partial<TrendReading> = {}) => trendLabel(reading(more))

describe('A12: trend label', () => {
  it('has the worked example', () => {
    expect(netChange(rising)).toBe(10)
    expect(efficiencyRatio(rising)?.toFixed(3)).toBe('0.714')
    expect(label()).toBe('bull')
  })
  it.each<[string, Partial<TrendReading>, string]>([
    ['frontier', { hoursSinceFirstSeen: 71.9 }, 'young'],
    ['frontier', { trades7d: 9 }, 'hardly traded'],
    ['frontier', { trades7d: null }, 'of unknown trades'],
    ['frontier', { twoSided: false }, 'one-sided'],
    ['frontier', { twoSided: false, mark1hAgo: 10 as Cents }, 'one-sided and moving'],
    ['panic', { mark1hAgo: 35 as Cents }, 'up 15 in an hour'],
    ['bull', { mark1hAgo: 35.5 as Cents }, 'up less in an hour'],
    ['panic', { dailyMarks: marks(40, 40, 40, 40, 40, 40, 65, 40) }, 'down 25 in a day'],
    ['panic', { dailyMarks: marks(4, 4, 4, 4, 4, 4, 4, 14), spread: 6 as Cents }, 'wide'],
    ['bull', { dailyMarks: marks(4, 4, 4, 4, 4, 4, 4, 14), spread: 5 as Cents }, 'not so wide'],
    ['bear', { dailyMarks: rising.toReversed() }, 'falling'],
    ['range', { dailyMarks: marks(40, 42, 41, 44, 41, 43, 41, 44) }, 'going nowhere'],
    ['range', { dailyMarks: marks(40, 60, 40, 60, 40, 60, 40, 47) }, 'to and fro'],
    ['range', { dailyMarks: marks(40, 40, 40, 40, 40, 40, 40, 40) }, 'still'],
    ['range', { dailyMarks: marks(null, 42, 41, 44, 46, 47, 46, 50) }, 'not known for a week'],
    ['range', { dailyMarks: marks(null, null, null, null, null, null, null, null) }, 'unmarked'],
  ])('is %s: %#, %s', (expected, more) => {
    expect(label(more)).toBe(expected)
  })
  it('is null for a market that is not live', () => {
    expect(label({ isLive: false })).toBeNull()
  })
  it('needs a path for an efficiency', () => {
    expect(efficiencyRatio([])).toBeNull()
    expect(efficiencyRatio([3])).toBeNull()
    expect(efficiencyRatio([3, 3])).toBeNull()
    expect(efficiencyRatio([3, null, 5])).toBeNull()
    expect(netChange(marks(3))).toBeNull()
  })
  it('is mirrored on the NO scale', () => {
    const week = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(week, fc.integer({ min: 0, max: 100 }), (values, hourAgo) => {
        const own = label({ dailyMarks: marks(...values), mark1hAgo: hourAgo as Cents })
        const other = label({
          dailyMarks: marks(...values.map((value) => 100 - value)),
          mark1hAgo: (100 - hourAgo) as Cents,
        })
        const mirror = { bull: 'bear', bear: 'bull' } as Record<string, string>
        expect(other).toBe(mirror[own ?? ''] ?? own)
        expect(efficiencyRatio(values) ?? 0).toBeLessThanOrEqual(1)
      }),
    )
  })
})
