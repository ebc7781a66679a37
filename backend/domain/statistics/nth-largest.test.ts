import fc from '../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import { nthLargest } from './nth-largest.ts'

it('is the nth of the sorted ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 }),
      fc.nat(),
      (values, seed) => {
        const n = 1 + (seed % values.length)
        const sorted = values.toSorted((a, b) => b - a)
        expect(nthLargest(Float64Array.from(values), n)).toBe(sorted[n - 1])
      },
    ),
  )
})
