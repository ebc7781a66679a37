import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { ChangeRing } from './change-ring.ts'
import { MAX_STORED_CHANGES, RETENTION } from './limits.ts'
import type { Change } from './topics/topic-model.ts'

const changeAt = (seq: number, keptAt: number): Change => ({ seq, keptAt, data: { seq } }) as Change

describe('recent changes of a topic', () => {
  it('are those of a minute, a thousand at most', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 3_000 })
    fc.assert(
      fc.property(pauses, (spans) => {
        const ring = new ChangeRing()
        const times: number[] = []
        let now = 0
        for (const span of spans) {
          now += span
          times.push(now)
          ring.push(changeAt(times.length, now))
        }
        const expected = times
          .filter((at) => now - at <= RETENTION)
          .slice(-MAX_STORED_CHANGES).length
        const newest = times.length
        expect(ring.changesAfter(newest - expected, newest)?.length).toBe(expected)
        expect(ring.changesAfter(newest - expected - 1, newest)).toBeNull()
      }),
      { numRuns: 30 },
    )
  })

  it('take at most twice the memory of the stored changes, however long a quiet topic lives', () => {
    const ring = new ChangeRing()
    for (let second = 0; second < 5_000; second++) {
      ring.push(changeAt(second, second * 1_000))
      expect(ring.size).toBeLessThanOrEqual(2 * (RETENTION / 1_000 + 1) + 1)
    }
  })

  it('expire by time', () => {
    const ring = new ChangeRing()
    for (let seq = 1; seq <= 100; seq++) ring.push(changeAt(seq, 0))
    ring.dropExpired(RETENTION + 1)
    expect(ring.size).toBe(0)
    expect(ring.changesAfter(100, 100)).toEqual([])
  })
})
