import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { IMPORTED, NOW, ofType, payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import { parseCandlesticks, parseOrderbook, parseTradesPage } from './parse-tape.ts'

const DAY = 86_400_000 as Millis
const fixture = payloadsOf('venue-a')

describe('venue_a tape', () => {
  it('trap 2: reads current trades and those of the cent years', () => {
    const parsed = parseTradesPage(fixture('trades'), IMPORTED)
    const at = Date.parse('2026-07-25T05:51:39.544Z')
    expect(parsed.events[0]).toEqual({
      type: 'trade_printed',
      venue: 'venue_a',
      ticker: 'KXETH15M-26JUL250200-00',
      at,
      receivedAt: at + 1_000,
      origin: 'imported',
      tradeId: 'c174ce46-46d8-705a-6f03-2e1037bd1dd1',
      price: 3_800,
      size: 12_610_000,
      takerSide: 'yes',
      isBlock: false,
    })
    expect(parsed.events[2]).toMatchObject({ price: 600, size: 1_000_000, takerSide: 'no' })
    expect(parsed.skipped).toEqual({})
  })

  it.each([
    [
      'a NO taker trades at the YES price',
      { yes_price_dollars: '0.7000', no_price_dollars: '0.3000', taker_outcome_side: 'no' },
      { price: 7_000, takerSide: 'no' },
    ],
    [
      'the new side wins over the old',
      { taker_outcome_side: 'yes', taker_side: 'no' },
      { takerSide: 'yes' },
    ],
    ['an unknown side is unknown', { taker_outcome_side: 'maybe' }, { takerSide: null }],
    ['a block trade is marked', { is_block_trade: true }, { isBlock: true }],
    [
      'the socket states milliseconds',
      { created_time: null, ts_ms: 1_753_000_000_123 },
      { at: 1_753_000_000_123 },
    ],
  ])('%s', (_, changes, expected) => {
    const row = {
      trade_id: 'x',
      ticker: 'KXTEST-26-A',
      count_fp: '1.00',
      yes_price_dollars: '0.5000',
      created_time: '2026-07-25T05:00:00Z',
      ...changes,
    }
    expect(parseTradesPage({ trades: [row] }, POLLED).events[0]).toMatchObject(expected)
  })

  it('never dates a trade as known before it happened, and ignores a clock far ahead', () => {
    const trade = (time: string) => ({
      trades: [
        { trade_id: 'x', ticker: 'A', count_fp: '1', yes_price_dollars: '0.5', created_time: time },
      ],
    })
    const ahead = parseTradesPage(trade('2026-08-01T00:00:02Z'), POLLED).events[0]
    expect(ahead).toMatchObject({ at: NOW + 2_000, receivedAt: NOW + 2_000 })
    expect(parseTradesPage(trade('2026-08-01T01:00:00Z'), POLLED).skipped).toEqual({
      'trade without a time': 1,
    })
  })

  it('mirrors NO bids into YES asks and sorts both sides', () => {
    const body = {
      orderbook_fp: {
        yes_dollars: [
          ['0.4100', '5.00'],
          ['0.4200', '13.00'],
        ],
        no_dollars: [
          ['0.5600', '20.00'],
          ['0.5700', '7.00'],
        ],
      },
    }
    const parsed = parseOrderbook(body, POLLED, 'kxtest-26-a')
    expect(ofType(parsed, 'book_changed')[0]).toMatchObject({
      ticker: 'KXTEST-26-A',
      bids: [
        { price: 4_200, size: 13_000_000 },
        { price: 4_100, size: 5_000_000 },
      ],
      asks: [
        { price: 4_300, size: 7_000_000 },
        { price: 4_400, size: 20_000_000 },
      ],
    })
    expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({
      bid: 4_200,
      ask: 4_300,
      askSize: 7_000_000,
    })
  })

  it('reads a one-sided book, an empty one, cents, and refuses a crossed one', () => {
    const [oneSided] = ofType(parseOrderbook(fixture('orderbook'), POLLED), 'book_changed')
    expect(oneSided?.bids).toEqual([])
    expect(oneSided?.asks).toHaveLength(10)
    expect(oneSided?.asks[0]).toEqual({ price: 100, size: 73_469_000_000 })
    const empty = parseOrderbook({ orderbook: { yes: null, no: null } }, POLLED, 'A')
    expect(ofType(empty, 'book_changed')[0]).toMatchObject({ bids: [], asks: [] })
    const cents = parseOrderbook({ orderbook: { yes: [[5, 100]], no: [[86, 100]] } }, POLLED, 'A')
    expect(ofType(cents, 'quote_changed')[0]).toMatchObject({ bid: 500, ask: 1_400 })
    const crossed = parseOrderbook(
      { orderbook_fp: { yes_dollars: [['0.5000', '1']], no_dollars: [['0.5000', '1']] } },
      POLLED,
      'A',
    )
    expect(crossed).toMatchObject({ events: [], skipped: { 'crossed book': 1 } })
  })

  it('trap 3: reads candles; a period without a trade has no prices', () => {
    const [quiet, busy] = ofType(
      parseCandlesticks(fixture('candlesticks'), IMPORTED, DAY),
      'candle_published',
    )
    expect(quiet).toMatchObject({
      open: null,
      close: null,
      volume: 0,
      bidClose: 800,
      askClose: 1_100,
    })
    expect(busy).toMatchObject({
      open: 1_100,
      high: 1_100,
      low: 800,
      close: 800,
      volume: 28_000_000,
    })
    expect(busy?.start).toBe(busy!.at - DAY)
    expect(busy?.receivedAt).toBe(busy!.at + 1_000)
  })

  it('reads the unsuffixed strings of the historical candles', () => {
    const bar = {
      end_period_ts: 1_753_000_000,
      price: { open: '0.41', high: '0.43', low: '0.40', close: '0.42' },
      volume: '10.50',
    }
    const [candle] = ofType(
      parseCandlesticks({ candlesticks: [bar] }, IMPORTED, DAY, 'A'),
      'candle_published',
    )
    expect(candle).toMatchObject({
      open: 4_100,
      high: 4_300,
      low: 4_000,
      close: 4_200,
      volume: 10_500_000,
    })
  })
})
