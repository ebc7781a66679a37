import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { BookLevel, OrderBook } from '../market.ts'
import { executionOf, midOfBook, walk } from './orderbook.ts'
import { sizeOfContracts } from '../units.ts'
import type { Cents, PriceE4 } from '../units.ts'

const level = (cents: number, contracts: number): BookLevel => ({
  price: Math.round(cents * 100) as PriceE4,
  size: sizeOfContracts(contracts),
})
const book: OrderBook = {
  bids: [level(22, 50), level(21, 100), level(19.5, 10)],
  asks: [level(23, 120), level(24, 80)],
}
const unknown = { price: null, spread: null }

describe('walking a book', () => {
  it.each([
    [100, 23, 100],
    [200, 23.4, 200],
    [500, 23.4, 200],
    [120, 23, 120],
    [0, null, 0],
  ])('for %s contracts pays %s for %s', (contracts, price, filled) => {
    expect(walk(book.asks, contracts)).toEqual({ price, filled })
  })
  it('takes nothing from an empty side', () => {
    expect(walk([], 100)).toEqual({ price: null, filled: 0 })
  })
  it('never gets better with size, and stays within the levels', () => {
    const size = fc.integer({ min: 1, max: 400 })
    fc.assert(
      fc.property(size, size, (a, b) => {
        const [less, more] = [walk(book.asks, Math.min(a, b)), walk(book.asks, Math.max(a, b))]
        expect(more.price).toBeGreaterThanOrEqual(less.price ?? NaN)
        expect(more.filled).toBeLessThanOrEqual(200)
        expect(less.price).toBeGreaterThanOrEqual(23)
        expect(more.price).toBeLessThanOrEqual(24)
      }),
    )
  })
})

describe('execution', () => {
  it('has the worked slippages, mirrored for sells', () => {
    expect(midOfBook(book)).toBe(22.5)
    expect(executionOf('buy', 100, book, unknown).slippage).toBe(0.5)
    expect(executionOf('buy', 200, book, unknown).slippage).toBe(0.9)
    expect(executionOf('sell', 150, book, unknown)).toEqual({
      price: 64 / 3,
      filled: 150,
      slippage: 1.1667,
      estimated: false,
    })
  })
  it('has no slippage without a midpoint, and no price on an empty side', () => {
    const oneSided = { bids: [], asks: book.asks }
    expect(executionOf('buy', 10, oneSided, unknown)).toMatchObject({ price: 23, slippage: null })
    expect(executionOf('sell', 10, oneSided, unknown)).toMatchObject({ price: null, filled: 0 })
  })
  it.each([
    ['buy', 40, 6, 43, 3],
    ['sell', 40, 6, 37, 3],
    ['buy', 40, 1, 41, 1],
    ['buy', 40, null, 42, 2],
    ['sell', 1, null, 0, 2],
    ['buy', 99.5, null, 100, 2],
  ] as const)(
    'is estimated without a book: %s at %s, spread %s',
    (side, price, spread, expected, cost) => {
      const market = { price: price as Cents, spread: spread as Cents | null }
      expect(executionOf(side, 100, null, market)).toEqual({
        price: expected,
        filled: 100,
        slippage: cost,
        estimated: true,
      })
    },
  )
  it('is unknown without book and price', () => {
    expect(executionOf('buy', 100, null, unknown)).toMatchObject({ price: null, filled: 0 })
  })
})
