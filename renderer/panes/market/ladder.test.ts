import { describe, expect, it } from 'vitest'
import { ladderRows, midOf } from './ladder.ts'

const bids = [
  { price: 41, size: 100 },
  { price: 40, size: 50 },
  { price: 38.5, size: 10 },
]
const asks = [
  { price: 43, size: 30 },
  { price: 44, size: 70 },
]

describe('ladderRows', () => {
  it('puts each level in its row and sums from the best price outwards', () => {
    const rows = ladderRows(bids, asks, 1, 42, 9)
    expect(rows.map(({ price }) => price)).toEqual([46, 45, 44, 43, 42, 41, 40, 39, 38])
    expect(rows.find(({ price }) => price === 44)).toMatchObject({ ask: 70, askTotal: 100 })
    expect(rows.find(({ price }) => price === 42)).toMatchObject({ bid: null, bidTotal: null })
    expect(rows.find(({ price }) => price === 40)).toMatchObject({ bid: 50, bidTotal: 150 })
  })

  it('is unknown beyond the last level', () => {
    const rows = ladderRows(bids, asks, 1, 42, 11)
    expect(rows.find(({ price }) => price === 45)).toMatchObject({ ask: null, askTotal: null })
    expect(rows.find(({ price }) => price === 37)).toMatchObject({ bid: null, bidTotal: null })
    expect(rows.find(({ price }) => price === 39)).toMatchObject({ bid: null, bidTotal: 150 })
  })

  it('never shows a grouped price better than it is', () => {
    const rows = ladderRows(bids, asks, 5, 42, 5)
    expect(rows.find(({ price }) => price === 40)).toMatchObject({ bid: 150 })
    expect(rows.find(({ price }) => price === 35)).toMatchObject({ bid: 10, bidTotal: 160 })
    expect(rows.find(({ price }) => price === 45)).toMatchObject({ ask: 100 })
  })

  it('puts half cents into the worse row of 1¢ groups', () => {
    expect(ladderRows(bids, [], 1, 39, 5).find(({ price }) => price === 38)?.bid).toBe(10)
  })

  it('shows both sides of a spread that is wider than its rows', () => {
    const low = [67, 66, 65].map((price) => ({ price, size: 1 }))
    const high = [92, 93].map((price) => ({ price, size: 1 }))
    const rows = ladderRows(low, high, 1, 79.5, 9)
    expect(rows.map(({ price }) => price)).toEqual([96, 95, 94, 93, 92, 67, 66, 65, 64])
    expect(rows.map(({ skippedRows }) => skippedRows)).toEqual([0, 0, 0, 0, 0, 24, 0, 0, 0])
    // At the ends of the scale, and where two levels of each side fit.
    expect(ladderRows([{ price: 1, size: 1 }], [{ price: 99, size: 1 }], 1, 50, 6)).toHaveLength(4)
    expect(ladderRows(low, [{ price: 73, size: 1 }], 1, 70, 9).map(({ price }) => price)).toEqual([
      74, 73, 72, 71, 70, 69, 68, 67, 66,
    ])
  })

  it.each([
    [0.5, [4, 3, 2, 1, 0]],
    [99.5, [100, 99, 98, 97, 96]],
  ])('stays on the scale around %s', (centre, prices) => {
    expect(ladderRows([], [], 1, centre, 5).map(({ price }) => price)).toEqual(prices)
  })
})

it('has a middle for a book with one side or none', () => {
  expect(midOf(bids, asks)).toBe(42)
  expect(midOf([], asks)).toBe(43)
  expect(midOf([], [])).toBeNull()
})
