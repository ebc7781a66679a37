import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { IMPORTED, NOW, ofType, payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import { ParseResult, type ParsedEvents } from '../parsed.ts'
import {
  parseClobBooks,
  parseDataTradesPage,
  parseLastTrade,
  parsePricesHistory,
} from './parse-tape.ts'

const CONDITION = `0x${'ab'.repeat(32)}`
const HOUR = 3_600_000 as Millis
const fixture = payloadsOf('venue-b')

describe('venue_b tape', () => {
  const row = (changes: object = {}) => ({
    condition_id: CONDITION,
    token_id: '11',
    outcome_index: 0,
    side: 'BUY',
    price: 0.3,
    size: 12.5,
    timestamp: 1_753_000_000,
    transaction_hash: '0xaa',
    ...changes,
  })
  const read = (...rows: object[]) =>
    parseDataTradesPage(
      { data: rows, pagination: { next_cursor: 'n' } },
      { origin: 'backfilled', receivedAt: NOW },
    )

  it.each([
    ['BUY', 0, 3_000, 'yes'],
    ['SELL', 0, 3_000, 'no'],
    ['BUY', 1, 7_000, 'no'],
    ['SELL', 1, 7_000, 'yes'],
  ])('%s of outcome %i is a YES print at %i for %s', (side, outcome_index, price, takerSide) => {
    expect(read(row({ side, outcome_index })).events[0]).toMatchObject({
      price,
      takerSide,
      size: 12_500_000,
      at: 1_753_000_000_000,
      receivedAt: 1_753_000_005_000,
    })
  })

  it('trap 22: gives equal rows different ids, and the same rows equal ids in every walk', () => {
    const ids = (parsed: ParsedEvents) =>
      ofType(parsed, 'trade_printed').map(({ tradeId }) => tradeId)
    const first = ids(read(row(), row(), row({ size: 13 })))
    expect(new Set(first).size).toBe(3)
    expect(ids(read(row(), row(), row({ size: 13 })))).toEqual(first)
  })

  it('trap 22: gives a print of the socket the id of its row in the history', () => {
    const message = {
      market: CONDITION,
      asset_id: '11',
      price: '0.30',
      size: '12.5',
      side: 'BUY',
      timestamp: '1753000000450',
      transaction_hash: '0xaa',
    }
    const live = parseLastTrade(
      new ParseResult(),
      message,
      { origin: 'live', receivedAt: NOW },
      () => 0,
      new Map(),
    )
    const [taped] = ofType(read(row()), 'trade_printed')
    expect(live?.tradeId).toBe(taped?.tradeId)
    expect(live?.at).toBe(1_753_000_000_450)
  })

  it('leaves a print without its transaction to the trade history', () => {
    const parseResult = new ParseResult()
    const wire = fixture('ws-last-trade-price') as Record<string, unknown>
    expect(parseLastTrade(parseResult, wire, POLLED, () => 0, new Map())).toBeNull()
    expect(parseResult.skipped).toEqual({ 'trade without a transaction': 1 })
  })

  it('looks up the outcome by its token if the row does not state it', () => {
    const unknown = row({ outcome_index: 999, token_id: '22' })
    expect(read(unknown).skipped).toEqual({ 'trade of an unknown outcome': 1 })
    const parsed = parseDataTradesPage({ data: [unknown] }, POLLED, () => 1)
    expect(parsed.events[0]).toMatchObject({ price: 7_000, takerSide: 'no' })
  })

  it('reads version 1 rows', () => {
    const parsed = parseDataTradesPage(fixture('trades-v1'), IMPORTED)
    expect(parsed.skipped).toEqual({})
    expect(parsed.events[0]).toMatchObject({
      price: 9_980,
      size: 5_400_000,
      takerSide: 'no',
      at: 1_729_000_180_000,
    })
  })

  it('trap 19: sorts a book that is sent worst first, and keeps fine ticks', () => {
    const [book] = ofType(parseClobBooks(fixture('book'), IMPORTED), 'book_changed')
    expect(book?.bids[0]).toEqual({ price: 1_000, size: 125_000_000 })
    expect(book?.asks[0]).toEqual({ price: 1_400, size: 705_000_000 })
    expect(book?.asks.at(-1)?.price).toBe(9_800)
    expect(book).toMatchObject({ at: 1_728_799_418_260, receivedAt: 1_728_799_423_260 })
    const fine = {
      market: CONDITION,
      asset_id: '11',
      bids: [{ price: '0.0025', size: '1' }],
      asks: [{ price: '0.0001', size: '0' }],
    }
    expect(ofType(parseClobBooks(fine, POLLED), 'quote_changed')[0]).toMatchObject({
      bid: 25,
      ask: null,
    })
  })

  it('trap 19: accepts a ghost book unchanged and refuses a crossed one and the NO book', () => {
    const book = (bid: string, ask: string) => ({
      market: CONDITION,
      asset_id: '11',
      bids: [{ price: bid, size: '5' }],
      asks: [{ price: ask, size: '5' }],
    })
    expect(ofType(parseClobBooks(book('0.01', '0.99'), POLLED), 'quote_changed')[0]).toMatchObject({
      bid: 100,
      ask: 9_900,
      at: NOW,
    })
    expect(parseClobBooks(book('0.5', '0.5'), POLLED).skipped).toEqual({ 'crossed book': 1 })
    expect(parseClobBooks(book('0.4', '0.5'), POLLED, () => 1).skipped).toEqual({
      'book of another outcome': 1,
    })
  })

  it('builds price-only bars from the price history', () => {
    const start = Math.floor(1_753_000_000_000 / HOUR) * HOUR
    const t = (minutes: number) => start / 1_000 + minutes * 60
    const body = {
      history: [
        { t: t(0), p: 0.5 },
        { t: t(20), p: 0.6 },
        { t: t(40), p: 0.4 },
        { t: t(60), p: 0.45 },
        { t: 'x', p: 1 },
      ],
    }
    const parsed = parsePricesHistory(
      body,
      { origin: 'backfilled', receivedAt: NOW },
      CONDITION,
      HOUR,
    )
    expect(ofType(parsed, 'candle_published')[0]).toMatchObject({
      start,
      at: start + HOUR,
      open: 5_000,
      high: 6_000,
      low: 4_000,
      close: 4_000,
      volume: null,
    })
    expect(parsed.events).toHaveLength(2)
    expect(parsed.skipped).toEqual({ 'price point out of range': 1 })
  })

  it('opens and closes a bar by time, whatever the order of the points', () => {
    const start = Math.floor(NOW / HOUR) * HOUR
    const point = (after: number, p: number) => ({ t: start / 1_000 + after, p })
    const parsed = parsePricesHistory(
      { history: [point(120, 0.4), point(60, 0.6), point(0, 0.5)] },
      { origin: 'backfilled', receivedAt: (start + HOUR) as Millis },
      CONDITION,
      HOUR,
    )
    expect(ofType(parsed, 'candle_published')).toMatchObject([{ open: 5_000, close: 4_000 }])
  })
})
