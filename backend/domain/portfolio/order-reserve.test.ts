import { describe, expect, it } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../units.ts'
import { isEntryOrder, MARKET_PROTECTION, reserveOfOrder } from './order-reserve.ts'

const NOW = 1_760_000_000_000 as Millis
const order = (action: 'buy' | 'sell', contracts: number) => ({
  action,
  direction: 'yes' as const,
  size: (contracts * 1_000_000) as SizeE6,
})
const costOf = (action: 'buy' | 'sell', limit: number | null, touch: number | null): number =>
  reserveOfOrder(
    { ...order(action, 10), limit: limit as PriceE4 | null },
    touch as PriceE4 | null,
    'venue_a',
    NOW,
  ).cost / 10_000

describe('the money that an order reserves', () => {
  it.each([
    ['a limit, whatever the touch is', costOf('buy', 4_500, 4_000), 450],
    ['the touch and its protection for a buy at the market', costOf('buy', null, 4_000), 500],
    ['at most 99.99¢ a contract', costOf('buy', null, 9_800), 999.9],
    ['the largest price without a book', costOf('buy', null, null), 999.9],
    ['the touch for a sale at the market', costOf('sell', null, 4_000), 400],
    ['almost nothing for a sale without a book', costOf('sell', null, null), 0.1],
  ])('is %s', (_name, cost, expected) => {
    expect(cost).toBe(expected)
    expect(MARKET_PROTECTION).toBe(1_000)
  })
})

describe('an order enters a market', () => {
  const positionOf = (direction: 'yes' | 'no', contracts: number) => ({
    direction,
    size: (contracts * 1_000_000) as SizeE6,
  })
  it.each([
    [true, 'buy', null],
    [true, 'buy', positionOf('yes', 10)],
    [false, 'buy', positionOf('no', 10)],
    [true, 'buy', positionOf('no', 9)],
    [false, 'sell', positionOf('yes', 10)],
  ] as const)('%s: %s with %j', (enters, action, position) => {
    expect(isEntryOrder(order(action, 10), position)).toBe(enters)
  })
})
