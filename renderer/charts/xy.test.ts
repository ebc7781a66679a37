import { expect, it } from 'vitest'
import { linearScale, paddedRange, ticksIn } from './xy.ts'

it('maps values to px, also downwards', () => {
  const place = linearScale({ from: 0, to: 100 }, { from: 200, to: 0 })
  expect([0, 50, 100].map(place)).toEqual([200, 100, 0])
  expect(linearScale({ from: 5, to: 5 }, { from: 0, to: 10 })(5)).toBe(5)
})

it('finds round ticks inside a span', () => {
  expect(ticksIn({ from: 0, to: 100 }, 5)).toEqual([0, 20, 40, 60, 80, 100])
  expect(ticksIn({ from: 0.13, to: 0.31 }, 4)).toEqual([0.15, 0.2, 0.25, 0.3])
  expect(ticksIn({ from: 7, to: 7 }, 4)).toEqual([7])
})

it('adds a margin around values, inside the limits', () => {
  expect(paddedRange([20, 40], { from: 0, to: 100 })).toEqual({ from: 18, to: 42 })
  expect(paddedRange([0, 100], { from: 0, to: 100 })).toEqual({ from: 0, to: 100 })
  expect(paddedRange([50], { from: 0, to: 100 })).toEqual({ from: 49, to: 51 })
})
