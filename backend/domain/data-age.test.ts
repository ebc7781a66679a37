import { describe, expect, it } from 'vitest'
import { DATA_AGE_PARAMS, freshnessOf } from './data-age.ts'
import type { SourceCadence } from './data-age.ts'
import { MINUTE } from './units.ts'

describe('M: data age', () => {
  it.each<[SourceCadence, number, string]>([
    ['socket', 1, 'fresh'],
    ['socket', 1.01, 'late'],
    ['socket', 3, 'late'],
    ['socket', 3.01, 'stale'],
    ['polled', 5, 'fresh'],
    ['polled', 15, 'late'],
    ['polled', 15.1, 'stale'],
    ['computed', 15, 'fresh'],
    ['computed', 45.1, 'stale'],
  ])('of a %s source after %s minutes is %s', (cadence, minutes, freshness) => {
    expect(freshnessOf(minutes * MINUTE, DATA_AGE_PARAMS.cadence[cadence])).toBe(freshness)
  })
  it('is stale for a source that never delivered data', () => {
    expect(freshnessOf(null, MINUTE)).toBe('stale')
  })
})
