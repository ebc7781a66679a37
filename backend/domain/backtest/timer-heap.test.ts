import fc from '../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { TimerHeap, type Timer } from './timer-heap.ts'

const small = fc.integer({ min: 0, max: 4 })
const timers = fc.array(fc.record({ at: small, priority: small, rank: small }), { maxLength: 60 })

it('returns timers by instant, priority, rank and insertion, however puts and pops alternate', () => {
  fc.assert(
    fc.property(timers, fc.infiniteStream(fc.boolean()), (drawn, pops) => {
      const heap = new TimerHeap<number>()
      const waiting: Timer<number>[] = []
      const check = (): void => {
        waiting.sort(
          (a, b) => a.at - b.at || a.priority - b.priority || a.rank - b.rank || a.value - b.value,
        )
        const first = waiting.shift() ?? null
        expect(heap.next?.value).toBe(first?.value)
        expect(heap.pop()?.value).toBe(first?.value)
        expect(heap.size).toBe(waiting.length)
      }
      for (const [value, { at, priority, rank }] of drawn.entries()) {
        const timer = { at: at as Millis, priority, rank, value }
        heap.put(timer)
        waiting.push(timer)
        if (pops.next().value) check()
      }
      while (waiting.length > 0) check()
      check()
    }),
  )
})
