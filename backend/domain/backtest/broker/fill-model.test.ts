import fc from '../../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import type { PriceE4, SizeE6 } from '../../units.ts'
import { FULL_FILLS, moneyOf, otherSide, PAPER_FILLS } from './fill-model.ts'

it('K: takes five levels, rests with a quarter or half of a trade, and meets the next book', () => {
  expect(FULL_FILLS).toMatchObject({
    latencyMs: 250,
    takerDelayMs: 0,
    waitsForNextBook: true,
    levels: 5,
    rests: true,
    longestQuoteAgeMs: null,
    assumedLevelContracts: 25,
    protectionCents: 10,
    noBookCents: 2,
    noBookShare: 0.25,
    unknownTakerShare: 0.5,
    leastContracts: 1,
  })
})

it('K: the paper broker takes the touch of a quote of the last minute at once, and rests nothing', () => {
  expect(PAPER_FILLS).toMatchObject({
    latencyMs: 0,
    waitsForNextBook: false,
    levels: 1,
    rests: false,
    longestQuoteAgeMs: 60_000,
  })
})

it('values a size exactly, half a millionth away from zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 1e15 }),
      (price, size) => {
        const exact = (BigInt(price) * BigInt(size) + 5_000n) / 10_000n
        expect(BigInt(moneyOf(price, size as SizeE6))).toBe(exact)
      },
    ),
  )
})

it('prices NO at the rest of a dollar', () => {
  expect([1, 4_200, 9_999].map((price) => otherSide(price as PriceE4))).toEqual([9_999, 5_800, 1])
})
