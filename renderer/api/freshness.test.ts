import { describe, expect, it } from 'vitest'
import { freshnessOf, venueFreshness, worstOf } from './freshness.ts'
import type { ComponentStatus, ServiceStatus } from './types.ts'

const status = (venueA: ComponentStatus): ServiceStatus => ({
  status: venueA,
  components: [
    { name: 'venue_a', status: venueA, lastOkAt: null, dataAgeSeconds: null, message: null },
  ],
  updatedAt: '2026-11-20T10:00:00.000Z',
})

describe('freshness', () => {
  it.each([
    [0, 'fresh'],
    [60_000, 'fresh'],
    [60_001, 'late'],
    [180_000, 'late'],
    [180_001, 'stale'],
    [null, 'stale'],
  ])('of an age of %s ms at a cadence of a minute is %s', (age, freshness) => {
    expect(freshnessOf(age, 60_000)).toBe(freshness)
  })

  it.each([
    ['operational', 'fresh'],
    ['degraded', 'late'],
    ['outage', 'stale'],
  ] as const)('of a venue that is %s is %s', (component, freshness) => {
    expect(venueFreshness(status(component), 'venue_a')).toBe(freshness)
    expect(venueFreshness(status(component), 'venue_b')).toBe('fresh')
  })

  it('is that of the worst part', () => {
    expect(worstOf(['fresh', 'stale', 'late'])).toBe('stale')
    expect(worstOf([])).toBe('fresh')
  })
})
