import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { VenueEvent } from './connector.ts'
import type { ParseContext } from './parsed.ts'
import { parseExchangeStatus } from './venue-a/exchange-status.ts'
import { parseEventsPage, parseMarketsPage } from './venue-a/parse.ts'
import { parseOrderbook, parseTradesPage } from './venue-a/parse-tape.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './venue-b/parse.ts'
import { parseMidpoints } from './venue-b/midpoints.ts'
import { parseClobBooks, parseDataTradesPage } from './venue-b/parse-tape.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const POLLED: ParseContext = { origin: 'polled', receivedAt: NOW }
const CONDITION = `0x${'ab'.repeat(32)}`

const ofType = <T extends VenueEvent['type']>(events: readonly VenueEvent[], type: T) =>
  events.filter((event): event is Extract<VenueEvent, { type: T }> => event.type === type)
const factsOf = (events: readonly VenueEvent[]): readonly MarketFacts[] =>
  ofType(events, 'market_described').map(({ facts }) => facts)

const marketA = (changes: object = {}) => ({
  ticker: 'KXA-1-T3.00',
  event_ticker: 'KXA-1',
  status: 'active',
  volume_fp: '12.50',
  open_interest_fp: '4.00',
  yes_sub_title: 'Above 3',
  ...changes,
})
const marketB = (changes: object = {}) => ({
  conditionId: CONDITION,
  question: 'Will it?',
  outcomes: '["Yes","No"]',
  outcomePrices: '["0.4","0.6"]',
  active: true,
  closed: false,
  acceptingOrders: true,
  ...changes,
})

/** Traps of the venues' interfaces without another parser test. */
describe('traps of the venues', () => {
  it('trap 1: a NO level is a YES ask at one dollar minus its price', () => {
    const book = { orderbook_fp: { yes_dollars: [['0.42', '1']], no_dollars: [['0.56', '2']] } }
    const [quote] = ofType(parseOrderbook(book, POLLED, 'A').events, 'quote_changed')
    expect(quote).toMatchObject({ bid: 4_200, ask: 4_400, askSize: 2_000_000 })
    const mirrored = { orderbook_fp: { yes_dollars: [['0.42', '1']], no_dollars: [['0.60', '2']] } }
    expect(parseOrderbook(mirrored, POLLED, 'A')).toMatchObject({
      events: [],
      skipped: { 'crossed book': 1 },
    })
  })

  it('trap 8: markets of an event exclude each other only if the venue states that', () => {
    const event = (mutually_exclusive: unknown) => ({
      event_ticker: 'KXA-1',
      title: 'A',
      mutually_exclusive,
      markets: [marketA(), marketA({ ticker: 'KXA-1-T4.00' })],
    })
    const exclusive = (flag: unknown) =>
      factsOf(parseEventsPage({ events: [event(flag)] }, POLLED).events).map((f) => f.exclusive)
    expect([exclusive(true), exclusive(false), exclusive(undefined)]).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ])
  })

  it('traps 10 and 11: volume and open interest have the unit that each venue counts in', () => {
    const a = parseMarketsPage({ markets: [marketA()] }, POLLED).events
    const event = { id: '1', title: 'E', openInterest: 90.5, markets: [marketB({ volumeNum: 7 })] }
    const b = parseGammaEventsPage([event], POLLED).events
    expect(factsOf(a)[0]?.volumeUnit).toBe('contracts')
    expect(factsOf(b)[0]?.volumeUnit).toBe('usd')
    expect(ofType(a, 'activity_reported')[0]).toMatchObject({
      volume: 12_500_000,
      openInterest: 4_000_000,
    })
    expect(ofType(b, 'activity_reported')[0]).toMatchObject({
      volume: 7_000_000,
      openInterest: 90_500_000,
    })
  })

  it('trap 12: a block trade is marked', () => {
    const trade = {
      trade_id: 't',
      ticker: 'KXA-1-T3.00',
      count_fp: '5.00',
      yes_price_dollars: '0.0100',
      taker_outcome_side: 'yes',
      created_time: '2026-11-20T13:59:00Z',
    }
    const rows = [trade, { ...trade, trade_id: 'u', is_block_trade: true }]
    const trades = ofType(parseTradesPage({ trades: rows }, POLLED).events, 'trade_printed')
    expect(trades.map(({ isBlock }) => isBlock)).toEqual([false, true])
  })

  it('trap 15: an exchange is paused when it or its trading is, completely or in parts', () => {
    const status = (exchange_active: unknown, trading_active: unknown, shards: object[] = []) =>
      parseExchangeStatus({ exchange_active, trading_active, exchange_index_statuses: shards })
    const shard = (exchange_index: number, trading_active: boolean) => ({
      exchange_index,
      exchange_active: true,
      trading_active,
    })
    expect(status(true, true)).toEqual({ isTrading: true, pausedShards: new Set() })
    expect(status(true, false)).toMatchObject({ isTrading: false })
    expect(status(false, true)).toMatchObject({ isTrading: false })
    expect(status(true, true, [shard(0, true), shard(2, false)])).toEqual({
      isTrading: true,
      pausedShards: new Set([2]),
    })
    expect([status(true, null), status('yes', {}), parseExchangeStatus([])]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('trap 16: a ticker may contain dots, a price grid any ranges, and combos are left out', () => {
    const price_ranges = [
      { start: '0.9000', end: '1.0000', step: '0.0010' },
      { start: '0.0000', end: '0.9000', step: '0.0025' },
    ]
    const rows = [marketA({ price_ranges }), marketA({ ticker: 'KXMVE-X' })]
    const parsed = parseMarketsPage({ markets: rows }, POLLED)
    expect(factsOf(parsed.events)).toMatchObject([
      { ticker: 'KXA-1-T3.00', priceRanges: [{ step: 25 }, { step: 10 }] },
    ])
    expect(parsed.skipped).toEqual({ 'combo market': 1 })
  })

  it('trap 19: a book far from the midpoint of its market is unmaintained', () => {
    const book = (bid: string, ask: string) => ({
      market: CONDITION,
      asset_id: 'yes',
      bids: [
        { price: '0.001', size: '9' },
        { price: bid, size: '1' },
      ],
      asks: [{ price: ask, size: '1' }],
    })
    const read = (body: object, mids: unknown) =>
      parseClobBooks(body, POLLED, () => 0, parseMidpoints(mids))
    const ghost = read(book('0.01', '0.99'), { yes: '0.715' })
    expect(ghost).toMatchObject({ events: [], skipped: { 'book far from its midpoint': 1 } })
    expect(read(book('0.70', '0.73'), { yes: '0.715' }).events).toHaveLength(2)
    expect(read(book('0.01', '0.99'), { yes: { mid: '0.5' } }).events).toHaveLength(2)
    // Without a midpoint of the venue a book is accepted unchanged.
    for (const mids of [{}, { yes: null }, { other: '0.715' }, 'no'])
      expect(read(book('0.01', '0.99'), mids).events).toHaveLength(2)
  })

  it('trap 24: a trade of the other outcome is in terms of YES, whichever was bought', () => {
    const row = {
      condition_id: CONDITION,
      token_id: 'no',
      outcome_index: 1,
      side: 'BUY',
      price: 0.7,
      size: 3,
      timestamp: NOW / 1_000 - 60,
      transaction_hash: '0xaa',
    }
    const [trade] = ofType(parseDataTradesPage({ data: [row] }, POLLED).events, 'trade_printed')
    expect(trade).toMatchObject({ price: 3_000, takerSide: 'no', size: 3_000_000 })
  })

  it('trap 26: past its end, near a dollar and still open is active', () => {
    const late = marketB({ endDate: '2026-11-19T00:00:00Z', outcomePrices: '["0.99","0.01"]' })
    const [facts] = factsOf(parseGammaMarketsPage([late], POLLED).events)
    expect(facts).toMatchObject({ status: 'active', result: null })
    const closed = marketB({ closed: true, active: true, outcomePrices: '["0.99","0.01"]' })
    expect(factsOf(parseGammaMarketsPage([closed], POLLED).events)[0]).toMatchObject({
      status: 'resolving',
      result: null,
    })
  })

  it('trap 28: the close is the time of the end, not the date alone', () => {
    const dated = marketB({ endDate: '2026-12-01T17:30:00Z', endDateIso: '2026-12-01' })
    const [facts] = factsOf(parseGammaMarketsPage([dated], POLLED).events)
    expect(facts?.closeTime).toBe(Date.parse('2026-12-01T17:30:00Z'))
  })

  it('trap 30: a placeholder without a name that cannot be traded is no market', () => {
    const seat = marketB({ groupItemTitle: 'Person B', active: false })
    expect(parseGammaMarketsPage([seat], POLLED)).toMatchObject({
      events: [],
      skipped: { 'placeholder outcome': 1 },
    })
  })

  it('trap 32: a counter that is missing or null is unknown, one of 0 is 0', () => {
    const counters = (changes: object) =>
      ofType(parseGammaMarketsPage([marketB(changes)], POLLED).events, 'activity_reported')[0]
    expect(counters({ volumeNum: 5, volume24hr: null })).toMatchObject({ volume24h: null })
    expect(counters({ volumeNum: 5 })).toMatchObject({ volume24h: null, openInterest: null })
    expect(counters({ volumeNum: 5, volume24hr: 0 })).toMatchObject({ volume24h: 0 })
    expect(counters({})).toBeUndefined()
  })
})
