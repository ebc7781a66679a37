import { describe, expect, it } from 'vitest'
import { venueFreshness, worstOf } from './freshness.ts'
import type { ComponentStatus, Status } from '../../backend/contract/operations.ts'

const status = (venueA: ComponentStatus): Status => ({
  status: venueA,
  components: [
    { name: 'venue_a', status: venueA, lastOkAt: null, dataAgeSeconds: null, message: null },
  ],
  incidents: [],
  updatedAt: '2026-11-20T10:00:00.000Z',
})

describe('freshness', () => {
  it.each([
    ['operational', 'fresh'],
    ['degraded', 'late'],
    ['outage', 'stale'],
  ] as const)('of a venue that is %s is %s', (component, freshness) => {
    expect(venueFreshness(status(component), 'venue_a')).toBe(freshness)
    expect(venueFreshness(status(component), 'venue_b')).toBe('fresh')
  })

  it('is that of the worst component', () => {
    expect(worstOf(['fresh', 'stale', 'late'])).toBe('stale')
    expect(worstOf([])).toBe('fresh')
  })
})
