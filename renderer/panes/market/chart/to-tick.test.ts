import { expect, it } from 'vitest'
import { toTick } from './to-tick.ts'

it.each([
  [43.27, 0.1, 43.3],
  [43.27, 1, 43],
  [0.2, 1, 1],
  [99.8, 1, 99],
  [99.97, 0.1, 99.9],
  [12.34, 0.25, 12.25],
])('%d¢ is traded in steps of %d¢ at %d¢', (price, tick, traded) => {
  expect(toTick(price, tick)).toBe(traded)
})
