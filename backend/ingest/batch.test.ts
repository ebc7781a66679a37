import { NO_PRICE } from '../history/history-batch.ts'
import { describe, expect, it } from 'vitest'
import { HOUR, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { level } from '../testing/builders.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { activityAt, barAt, bookAt, quoted, traded } from '../testing/venue-events.ts'
import { PendingRows } from './batch.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const price = (value: number) => value as PriceE4
const size = (value: number) => value as SizeE6
/** Columns as plain arrays, so that they compare by their rows. */
const plain = (columns: object | undefined) =>
  Object.fromEntries(
    Object.entries(columns ?? {}).map(([name, values]) => [name, Array.from(values as number[])]),
  )
const stamp = { market: [7], ts: [NOW], lag: [200], origin: [0] }

const columnsOf = (event: Parameters<PendingRows['add']>[1]) => {
  const rows = new PendingRows()
  rows.add(7, event)
  return rows.take()
}

describe('columns of one row', () => {
  it('of a trade', () => {
    const trade = { tradeId: 't', price: price(5_550), size: size(2_500_000), isBlock: true }
    expect(plain(columnsOf(traded(NOW, { ...trade, takerSide: 'no' })).trades)).toEqual({
      ...stamp,
      tradeId: ['t'],
      price: [5_550],
      size: [2_500_000],
      taker: [2],
      isBlock: [1],
    })
  })

  it.each([
    ['yes', 1],
    ['no', 2],
    [null, 0],
  ] as const)('of a trade taken by %s', (takerSide, code) => {
    expect(plain(columnsOf(traded(NOW, { takerSide })).trades)['taker']).toEqual([code])
  })

  it('of a quote with an empty side and unknown sizes', () => {
    const { quotes } = columnsOf(quoted(NOW, { ask: null, bidSize: size(3) }))
    expect(plain(quotes)).toEqual({
      ...stamp,
      bid: [4_000],
      ask: [-1],
      bidSize: [3],
      askSize: [NaN],
    })
  })

  it('of a book: five levels a side, the rest absent', () => {
    const bids = [41, 40, 39, 38, 37, 36].map((cents) => level(cents, cents))
    const { books } = columnsOf(bookAt(NOW, { bids, asks: [level(43, 2)] }))
    expect(plain(books)).toEqual({
      ...stamp,
      bidPrice: [4_100, 4_000, 3_900, 3_800, 3_700],
      bidSize: [41e6, 40e6, 39e6, 38e6, 37e6],
      askPrice: [4_300, -1, -1, -1, -1],
      askSize: [2e6, NaN, NaN, NaN, NaN],
    })
  })

  it('of a bar without a trade', () => {
    const { candles } = columnsOf(barAt(NOW, HOUR, { bidClose: price(4_000) }))
    expect(plain(candles)).toEqual({
      ...stamp,
      start: [NOW - HOUR],
      width: [HOUR],
      volume: [NaN],
      bidClose: [4_000],
      askClose: [-1],
      open: [-1],
      high: [-1],
      low: [-1],
      close: [-1],
    })
  })

  it('of counters that the venue did not report', () => {
    const { activity } = columnsOf(activityAt(NOW, { volume24h: size(0) }))
    expect(plain(activity)).toEqual({
      ...stamp,
      volume: [NaN],
      volume24h: [0],
      openInterest: [NaN],
      lastPrice: [NO_PRICE],
    })
  })

  it.each([
    ['live', 0],
    ['polled', 1],
    ['backfilled', 2],
    ['imported', 3],
  ] as const)('stores that it was %s', (origin, code) => {
    expect(plain(columnsOf(quoted(NOW, { origin })).quotes)['origin']).toEqual([code])
  })

  it('is never known before it happened', () => {
    const { quotes } = columnsOf(quoted(NOW, { receivedAt: (NOW - 5) as Millis }))
    expect(plain(quotes)['lag']).toEqual([0])
  })
})

describe('pending rows', () => {
  it('are returned once, in order, with the columns of their kinds only', () => {
    const rows = new PendingRows()
    rows.add(1, traded(NOW, { tradeId: 'a' }))
    rows.add(2, traded(NOW + 1, { tradeId: 'b' }))
    rows.addFacts([{ market: 1, knownAt: NOW, facts: marketFacts() }])
    expect(rows.count).toBe(3)
    const batch = rows.take()
    expect(Object.keys(batch)).toEqual(['trades', 'facts'])
    expect(plain(batch.trades)).toMatchObject({ market: [1, 2], tradeId: ['a', 'b'] })
    expect(rows.count).toBe(0)
    expect(rows.take()).toEqual({})
  })

  it('return the earliest instant from which they are known', () => {
    const rows = new PendingRows()
    expect(rows.knownFrom).toBe(Infinity)
    rows.add(1, traded(NOW))
    expect(rows.knownFrom).toBe(NOW + 200)
    rows.addFacts([{ market: 1, knownAt: (NOW - HOUR) as Millis, facts: marketFacts() }])
    rows.add(1, quoted(NOW + HOUR))
    expect(rows.knownFrom).toBe(NOW - HOUR)
    rows.take()
    expect(rows.knownFrom).toBe(Infinity)
  })
})
