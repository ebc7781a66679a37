import { expect, it } from 'vitest'
import { newestOf, newestPrices } from './slot-prices.ts'

const unknown = NaN

it('keeps the price of a book until the next trade or book, and not an older trade', () => {
  // Hourly books at 30 and 28 between trades at 36 and 31.
  const slots = {
    prices: Float64Array.of(36, 30, 36, 36, 36, 28, 31, 31),
    spreads: Float64Array.of(unknown, 2, unknown, unknown, unknown, 2, unknown, unknown),
    trades: Int32Array.of(0, 0, 0, 0, 0, 1, 0),
  }
  expect([...newestPrices(slots)]).toEqual([36, 30, 30, 30, 30, 28, 31, 31])
})

it('begins with the first known price', () => {
  const slots = {
    prices: Float64Array.of(unknown, 40, 40),
    spreads: Float64Array.of(unknown, unknown, unknown),
    trades: Int32Array.of(1, 0),
  }
  expect([...newestPrices(slots)]).toEqual([unknown, 40, 40])
})

it('does the same from prices and traded prices alone', () => {
  // Hourly books at 30 and 28 between trades at 36 and 31.
  const prices = Float64Array.of(36, 30, 36, 36, 36, 28, 31, 31)
  const lasts = Float64Array.of(36, 36, 36, 36, 36, 36, 31, 31)
  expect([...newestOf({ prices, lasts })]).toEqual([36, 30, 30, 30, 30, 28, 31, 31])
  const first = { prices: Float64Array.of(unknown, 40), lasts: Float64Array.of(unknown, 40) }
  expect([...newestOf(first)]).toEqual([unknown, 40])
})
