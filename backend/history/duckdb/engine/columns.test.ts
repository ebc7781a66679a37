import { expect, it } from 'vitest'
import { orNull, priceOrNull } from './columns.ts'

it('reads NaN and an absent value as unknown, and 0 as a number', () => {
  expect([Number.NaN, undefined, 0, -1].map(orNull)).toEqual([null, null, 0, -1])
})

it('reads a negative and an absent price as unknown, and 0 as a price', () => {
  expect([-1, undefined, 0, 5_000].map(priceOrNull)).toEqual([null, null, 0, 5_000])
})
