import { expect, it } from 'vitest'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { Millis, MoneyE6 } from '../../units.ts'
import { resultOf, type EndedAccount } from './run-result.ts'

const columns = (value: object) => ({ columns: () => value })
const lot = (tag: number, price: number, size: number, fee: number) => ({ tag, price, size, fee })

/** A run that traded markets 2 and 0, and ends with a position in market 2. */
function resultWith(net: number, lots: readonly object[], value: number) {
  const broker = {
    orderCount: 5,
    tags: ['', 'fade'],
    books: { value: () => value },
    net: () => net,
    status: (market: number) => (market === 2 ? 'active' : null),
    facts: (market: number) => marketFacts({ ticker: `KX${market}` }),
    positions: { realised: 0, closedLots: () => ({}), openMarkets: () => [2], lots: () => lots },
  } as unknown as EndedAccount
  const log = {
    fills: columns({ market: Float64Array.of(2, 0, 2) }),
    decisions: columns({}),
    samples: columns({}),
    settlements: columns({}),
    notes: [],
    ends: new Map([
      ['expired', 1],
      ['cancelled', 2],
    ]),
  } as unknown as Parameters<typeof resultOf>[0]['log']
  return resultOf({
    broker,
    log,
    from: 0 as Millis,
    to: 9 as Millis,
    markets: [1, 2, 3, 4],
    events: 12,
    unlisted: 3,
    unpaid: 1,
    seed: 7,
    startCash: 1 as MoneyE6,
  })
}

it('sums the lots of an open position by tag, and divides its value by their sizes', () => {
  const lots = [lot(0, 4_000, 1e6, 10_000), lot(1, 5_000, 2e6, 20_000), lot(0, 6_000, 3e6, 40_000)]
  const { open } = resultWith(6e6, lots, 2_000_001)
  const fields = { market: 2, side: 'yes', status: 'active' }
  expect(open).toEqual([
    { ...fields, tag: 0, size: 4e6, cost: 2_200_000, fees: 50_000, value: 1_333_334 },
    { ...fields, tag: 1, size: 2e6, cost: 1_000_000, fees: 20_000, value: 666_667 },
  ])
})

it('names the side of a position that is held in NO', () => {
  const { open } = resultWith(-1e6, [lot(0, 4_000, 1e6, 0)], 300_000)
  expect(open).toMatchObject([{ side: 'no', size: 1e6, cost: 400_000, value: 300_000 }])
})

it('lists the markets with fills once, ascending, and the ends of orders by name', () => {
  const result = resultWith(0, [], 0)
  expect(result.traded.map(({ market, ticker }) => [market, ticker])).toEqual([
    [0, 'KX0'],
    [2, 'KX2'],
  ])
  expect(Object.entries(result.orderEnds)).toEqual([
    ['cancelled', 2],
    ['expired', 1],
  ])
  expect(result).toMatchObject({
    markets: 4,
    events: 12,
    unlistedEvents: 3,
    unpaidSettlements: 1,
    orders: 5,
    seed: 7,
  })
})
