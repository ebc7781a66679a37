import { describe, expect, it } from 'vitest'
import { marketRow } from '../testing/rows.ts'
import { currentPrice, midPrice, statedPrice } from './market-price.ts'

describe('the prices of a market', () => {
  const priced = { price: 19, bestBid: 19, bestAsk: 21, lastPrice: 18 }

  it.each([
    // Quote and headline price; what a chart shows, what a list shows, and the midpoint.
    [priced, { price: 20, source: 'mid' }, { price: 19, source: 'clamped' }, 20],
    [
      { ...priced, price: 20, lastPrice: 20 },
      { price: 20, source: 'mid' },
      { price: 20, source: 'last' },
      20,
    ],
    [
      { price: 30, bestBid: 19, bestAsk: 40, lastPrice: 30 },
      { price: 30, source: 'last' },
      { price: 30, source: 'last' },
      null,
    ],
    [
      { price: 20, bestBid: null, bestAsk: 20, lastPrice: 25 },
      { price: 20, source: 'clamped' },
      { price: 20, source: 'clamped' },
      null,
    ],
    [
      { price: null, bestBid: 10, bestAsk: 60, lastPrice: null },
      { price: null, source: null },
      { price: null, source: null },
      null,
    ],
    [
      { ...priced, price: 100, status: 'settled' as const },
      { price: 100, source: 'settled' },
      { price: 100, source: 'settled' },
      null,
    ],
    [
      { ...priced, price: null, status: 'settled' as const },
      { price: null, source: null },
      { price: null, source: null },
      null,
    ],
  ])('name their source: %j', (quote, charted, listed, mid) => {
    const market = marketRow(quote)
    expect(currentPrice(market)).toEqual(charted)
    expect(statedPrice(market)).toEqual(listed)
    expect(midPrice(market)).toBe(mid)
  })
})
