import { describe, expect, it } from 'vitest'
import type { LiveTicker } from '../../../backend/contract/markets.ts'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { Mover } from '../../api/socket/shapes.ts'
import { marketRow } from '../../testing/rows.ts'
import { marketColumns } from './market-columns.ts'
import { isListedMover, strongestMoves, mergeMovers, withQuote } from './market-rows.ts'

const row = (ticker: string, change24h: number | null = null): MarketRow =>
  ({ ticker, change24h, price: 40, updatedAt: '2026-11-20T10:00:00.000Z' }) as MarketRow
const quote = (updatedAt: string): LiveTicker =>
  ({ price: 41, bestBid: 40.5, bestAsk: 42, updatedAt }) as LiveTicker

describe('withQuote', () => {
  it('uses the newer price', () => {
    expect(withQuote(row('A'), quote('2026-11-20T10:00:05.000Z'))).toMatchObject({
      price: 41,
      spread: 1.5,
    })
    expect(withQuote(row('A'), quote('2026-11-20T09:59:00.000Z')).price).toBe(40)
    expect(withQuote(row('A'), undefined).price).toBe(40)
  })
})

it('sorts moves by size whatever their sign, without unchanged markets', () => {
  const moves = strongestMoves(
    [row('A', 5), row('B', 2), row('C', 0), row('D')],
    [row('E', -9), row('F', -2), row('B', 2)],
  )
  expect(moves.map(({ ticker }) => ticker)).toEqual(['E', 'A', 'B', 'F'])
})

it('uses prices of streamed movers, with the change of the price that is shown', () => {
  const mover = (ticker: string, change: number): Mover => ({
    ticker,
    change,
    changeAbs: Math.abs(change),
    window: '24h',
    venue: 'venue_a',
    title: '',
    lastPrice: 0.6,
    volume24h: null,
    closeTime: null,
    bestBid: null,
    bestAsk: null,
  })
  // A day ago their prices were 10, 20 and 65 cents.
  const rows = mergeMovers(
    [row('A', 30), row('B', 20), row('C', -25)],
    [mover('C', -0.335), mover('NEW', 0.31), mover('A', 0.1)],
  )
  expect(rows.map(({ ticker, change24h, price }) => [ticker, change24h, price])).toEqual([
    ['A', 50, 60],
    ['B', 20, 40],
    ['C', -5, 60],
  ])
})

it.each([
  ['venue_a', 0.5, 200, true],
  ['venue_a', 0.5, 199, false],
  ['venue_b', 0.5, 100, true],
  ['venue_b', 0.98, 9_000, false],
  ['venue_b', 0.02, 9_000, false],
  ['venue_b', 0.5, null, false],
  ['venue_b', null, 9_000, false],
] as const)(
  'of %s at %s with volume %s: listed among movers %s',
  (venue, lastPrice, volume24h, isListed) => {
    expect(isListedMover({ venue, lastPrice, volume24h } as Mover)).toBe(isListed)
  },
)

describe('the columns of a list of markets', () => {
  const settings = { volumeName: 'contracts' } as never
  const cell = (() => {}) as never
  const cells = {
    name: cell,
    venue: cell,
    price: cell,
    change: cell,
    bid: cell,
    ask: cell,
    spread: cell,
    volume: cell,
    interest: cell,
    last: cell,
  }
  const columns = (isNew: boolean, bySize = false) =>
    marketColumns(cells, { settings, isNew, bySize })

  it.each([
    [false, ['interest', 'spread', 'bid ask', 'venue', 'closes', 'volume']],
    [true, ['interest', 'spread', 'bid ask', 'venue', 'volume', 'seen']],
  ])('leave a narrow table in this order, new ones %s', (isNew, order) => {
    const groups = Map.groupBy(columns(isNew), ({ hidePriority }) => hidePriority ?? 0)
    const names = [...groups]
      .filter(([priority]) => priority > 0)
      .toSorted(([left], [right]) => right - left)
      .map(([, group]) => group.map(({ id }) => id).join(' '))
    expect(names).toEqual(order)
    expect(groups.get(0)?.map(({ id }) => id)).toEqual(['market', 'price', 'change'])
  })

  it('have figures on the right', () => {
    const figures = (isNew: boolean) =>
      columns(isNew).flatMap(({ id, numeric }) => (numeric === true ? [id] : []))
    expect(figures(false)).toEqual(['volume', 'interest', 'closes'])
    expect(figures(true)).toEqual(['volume', 'interest', 'seen'])
  })

  it.each([
    [false, -5, -5],
    [true, -5, 5],
    [true, null, null],
    [false, null, null],
  ])('sort changes by size %s: %s as %s', (bySize, change24h, value) => {
    const change = columns(false, bySize).find(({ id }) => id === 'change')
    expect(change?.sortValue?.(marketRow({ change24h }))).toBe(value)
  })
})
