import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { hasRecordings, recording, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import type { MarketDescribed, VenueEvent } from '../connector.ts'
import type { ParseContext, Parsed } from '../parsed.ts'
import { parseEventContext, parseSeriesPage, RememberedCatalogue } from './catalogue.ts'
import { applyLifecycle } from './lifecycle.ts'
import { parseEventsPage, parseMarketsPage } from './parse.ts'
import { parseCandlesticks, parseOrderbook, parseTradesPage } from './parse-tape.ts'

const NOW = Date.parse('2026-08-01T00:00:00Z') as Millis
const POLLED: ParseContext = { origin: 'polled', receivedAt: NOW }
const IMPORTED: ParseContext = { origin: 'imported', receivedAt: NOW }
const DAY = 86_400_000 as Millis

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))

const ofType = <T extends VenueEvent['type']>(parsed: Parsed, type: T) =>
  parsed.events.filter((event): event is Extract<VenueEvent, { type: T }> => event.type === type)

const factsOf = (parsed: Parsed) => ofType(parsed, 'market_described').map(({ facts }) => facts)

/** One market as the venue sends it now, with some fields changed. */
const market = (changes: object = {}) => ({
  ticker: 'KXTEST-26-A',
  event_ticker: 'KXTEST-26',
  status: 'active',
  yes_sub_title: 'Above 3',
  title: 'Will it be above 3?',
  yes_bid_dollars: '0.4200',
  yes_ask_dollars: '0.4400',
  yes_bid_size_fp: '13.00',
  yes_ask_size_fp: '20.50',
  ...changes,
})
const quoteOf = (changes: object) =>
  ofType(parseMarketsPage({ markets: [market(changes)] }, POLLED), 'quote_changed')[0]

describe('venue_a catalogue', () => {
  it('describes markets from their event, series and own fields', () => {
    const catalogue = new RememberedCatalogue()
    catalogue.learnSeries([{ ...parseSeriesPage(fixture('series'))[0]!, seriesId: 'KXELONMARS' }])
    const parsed = parseEventsPage(fixture('events'), POLLED, catalogue)
    const [mars, secretary] = factsOf(parsed)
    expect(mars).toMatchObject({
      ticker: 'KXELONMARS-99',
      title: 'Will Elon Musk visit Mars in his lifetime?',
      subtitle: 'Mars',
      seriesTitle: 'Bitcoin price Above/below',
      category: 'crypto',
      tags: ['Hourly', 'BTC'],
      rulesUrl: 'https://assets.kalshi.com/contract_terms/BTC.pdf',
      status: 'active',
      result: null,
      exclusive: false,
      openTime: Date.parse('2025-08-28T20:45:00Z'),
      expirationTime: Date.parse('2099-08-01T15:00:00Z'),
      priceRanges: [{ start: 0, end: 10_000, step: 100 }],
      volumeUnit: 'contracts',
    })
    expect(secretary?.title).toBe(`${secretary?.eventTitle} - ${secretary?.subtitle}`)
    expect(secretary).toMatchObject({ category: 'politics', tags: [], exclusive: true })
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 114_461_590_000,
      volume24h: 45_250_000,
      openInterest: 40_009_970_000,
    })
    expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({
      bid: 1_200,
      ask: 1_300,
      askSize: 1_823_310_000,
      at: NOW,
      receivedAt: NOW,
    })
    expect(parsed.cursor).toMatch(/^CgYI/)
  })

  it('trap 9: reads how markets were settled: a scalar value, yes, no', () => {
    const parsed = parseMarketsPage(fixture('markets-settled'), POLLED)
    expect(
      factsOf(parsed).map(({ status, result, settlementPrice }) => [
        status,
        result,
        settlementPrice,
      ]),
    ).toEqual([
      ['settled', 'scalar', 2_900],
      ['settled', 'yes', 10_000],
      ['settled', 'no', 0],
    ])
    expect(ofType(parsed, 'quote_changed')).toEqual([])
    expect(parsed.cursor).toBeNull()
  })

  it.each([
    ['initialized', 'upcoming'],
    ['active', 'active'],
    ['inactive', 'paused'],
    ['closed', 'closed'],
    ['determined', 'resolving'],
    ['disputed', 'resolving'],
    ['amended', 'resolving'],
    ['finalized', 'settled'],
  ])('maps the state %s to %s', (status, expected) => {
    expect(factsOf(parseMarketsPage({ markets: [market({ status })] }, POLLED))[0]?.status).toBe(
      expected,
    )
  })

  it.each([
    ['a void returns cost', { status: 'finalized', result: 'void' }, 'void', null],
    ['no result before determination', { status: 'closed', result: 'yes' }, null, null],
    [
      'a stated value wins over the word',
      { status: 'determined', result: 'yes', settlement_value_dollars: '0.9500' },
      'yes',
      9_500,
    ],
    ['an empty result', { status: 'finalized', result: '' }, null, null],
  ])('%s', (_, changes, result, settlementPrice) => {
    const [facts] = factsOf(parseMarketsPage({ markets: [market(changes)] }, POLLED))
    expect(facts).toMatchObject({ result, settlementPrice })
  })

  it.each([
    ['an empty bid is shown as 0', { yes_bid_dollars: '0.0000' }, null, 4_400],
    ['an empty ask is shown as 1', { yes_ask_dollars: '1.0000' }, 4_200, null],
    ['tenths of a cent', { yes_bid_dollars: '0.9985', yes_ask_dollars: '0.9990' }, 9_985, 9_990],
    [
      'cents where only cents exist',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 42, yes_ask: 44 },
      4_200,
      4_400,
    ],
    [
      'one cent is told from one dollar by the other leg',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 0, yes_ask: 1, no_bid: 99 },
      null,
      100,
    ],
    [
      'dollars under the old names',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 0.1, yes_ask: 0.11, no_bid: 0.89 },
      1_000,
      1_100,
    ],
    [
      'dollar text under the old names',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: '0.42', yes_ask: '0.44' },
      4_200,
      4_400,
    ],
  ])('quotes: %s', (_, changes, bid, ask) => {
    expect(quoteOf(changes)).toMatchObject({ bid, ask })
  })

  it('makes no quote of nothing, and counts a crossed one', () => {
    expect(quoteOf({ yes_bid_dollars: null, yes_ask_dollars: null })).toBeUndefined()
    const crossed = parseMarketsPage({ markets: [market({ yes_bid_dollars: '0.4400' })] }, POLLED)
    expect(crossed.skipped).toEqual({ 'crossed quote': 1 })
    expect(factsOf(crossed)).toHaveLength(1)
  })

  it('keeps an unknown counter unknown', () => {
    const parsed = parseMarketsPage({ markets: [market({ volume_fp: '12.50' })] }, POLLED)
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 12_500_000,
      volume24h: null,
      openInterest: null,
    })
  })

  it('counts rows it cannot use and takes the others', () => {
    const rows = [
      null,
      { ...market(), ticker: '' },
      market({ status: 'liquidated' }),
      market({ ticker: 'KXMVESPORTS-S1-2' }),
      market({ mve_collection_ticker: 'KXMVE' }),
      market({ ticker: 'KXBTC-26-T3.00' }),
    ]
    const parsed = parseMarketsPage({ markets: rows, cursor: '' }, POLLED)
    expect(factsOf(parsed).map(({ ticker }) => ticker)).toEqual(['KXBTC-26-T3.00'])
    expect(parsed.skipped).toEqual({
      'market is no object': 1,
      'market without a ticker': 1,
      'unknown market status': 1,
      'combo market': 2,
    })
  })

  it('keeps the largest number of markets seen in an event, so that titles stay', () => {
    const catalogue = new RememberedCatalogue()
    const context = (markets: unknown[]) =>
      parseEventContext({ event_ticker: 'E', title: 'T', markets })!
    catalogue.learnEvent(context([1, 2]))
    expect(catalogue.learnEvent(context([1])).marketCount).toBe(2)
  })

  it('applies lifecycle messages to what is known', () => {
    const [facts] = factsOf(parseMarketsPage({ markets: [market()] }, POLLED))
    expect(
      applyLifecycle(facts!, { event_type: 'deactivated', is_deactivated: true })?.status,
    ).toBe('paused')
    expect(
      applyLifecycle(facts!, { event_type: 'close_date_updated', close_ts: 1_780_000_000 })
        ?.closeTime,
    ).toBe(1_780_000_000_000)
    expect(
      applyLifecycle(facts!, {
        event_type: 'determined',
        result: 'scalar',
        settlement_value: '0.2900',
      }),
    ).toMatchObject({ status: 'resolving', result: 'scalar', settlementPrice: 2_900 })
    expect(applyLifecycle({ ...facts!, result: 'yes' }, { event_type: 'settled' })).toMatchObject({
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000,
    })
    expect(applyLifecycle(facts!, { event_type: 'created' })).toBeNull()
  })
})

describe('venue_a tape', () => {
  it('trap 2: reads trades of now and of the cent years', () => {
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

  it('never knows a trade before it happened, nor believes a clock far ahead', () => {
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

describe('venue_a parsers on hostile input', () => {
  it('never throw and keep every price on the scale', () => {
    const seeds = ['events', 'markets-settled', 'trades', 'orderbook', 'candlesticks'].map(fixture)
    const mutated = fc.tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 12 }),
    )
    fc.assert(
      fc.property(mutated, ([seed, changes]) => {
        const body = mutate(seed, changes)
        for (const parsed of [
          parseMarketsPage(body, POLLED),
          parseEventsPage(body, POLLED),
          parseTradesPage(body, POLLED),
          parseOrderbook(body, POLLED, 'A'),
          parseCandlesticks(body, POLLED, DAY, 'A'),
        ]) {
          for (const event of parsed.events) expectSane(event)
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Replaces the n-th values met on a walk through the payload. */
function mutate(seed: unknown, changes: readonly (readonly [number, unknown])[]): unknown {
  const text = JSON.stringify(seed)
  const count = text.split(/[:,]/).length
  const chosen = new Map(changes.map(([at, value]) => [at % count, value]))
  let position = 0
  const walk = (value: unknown): unknown => {
    position += 1
    if (chosen.has(position)) return chosen.get(position)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(seed)
}

function expectSane(event: VenueEvent): void {
  expect(event.receivedAt).toBeGreaterThanOrEqual(event.at)
  const prices =
    event.type === 'trade_printed'
      ? [event.price]
      : event.type === 'quote_changed'
        ? [event.bid, event.ask]
        : event.type === 'book_changed'
          ? [...event.bids, ...event.asks].map(({ price }) => price)
          : []
  for (const price of prices) {
    if (price === null) continue
    expect(Number.isInteger(price) && price >= 0 && price <= 10_000).toBe(true)
  }
}

describe.skipIf(!hasRecordings)(
  `venue_a recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    const states = (parsed: Parsed) => {
      const counts: Record<string, number> = {}
      for (const { status, result } of factsOf(parsed)) {
        const key = result === null ? status : `${status} ${result}`
        counts[key] = (counts[key] ?? 0) + 1
      }
      return counts
    }

    it('reads all 763 markets of the Iran dump', () => {
      const parsed = parseEventsPage(recording('venue_a/kalshi_iran_raw_2026-03.json'), IMPORTED)
      expect(parsed.skipped).toEqual({})
      expect(states(parsed)).toEqual({
        active: 565,
        'settled no': 154,
        'settled scalar': 11,
        'settled yes': 33,
      })
      expect(ofType(parsed, 'quote_changed')).toHaveLength(565)
      const leader = parsed.events.find(
        (event): event is MarketDescribed => event.ticker === 'KXNEXTIRANLEADER-45JAN01-MARA',
      )
      expect(leader?.facts.title).toBe(
        'Who will be the next Supreme Leader of Iran? - Mohsen Araki',
      )
    })

    it('reads all 860 markets of the reduced dump, whose old names hold dollars', () => {
      const parsed = parseEventsPage(
        recording('venue_a/kalshi_events_nested_2026-03-01.json'),
        IMPORTED,
      )
      expect(parsed.skipped).toEqual({})
      expect(states(parsed)).toEqual({ active: 847, closed: 3, resolving: 1, settled: 9 })
      expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 1_000, ask: 1_100 })
    })

    it('reads the API recordings', () => {
      const at = (name: string) => recording(`venue_a/api_recordings/${name}.json`)
      expect(parseMarketsPage(at('markets_list'), IMPORTED).skipped).toEqual({ 'combo market': 5 })
      expect(parseMarketsPage(at('market_single'), IMPORTED).skipped).toEqual({ 'combo market': 1 })
      expect(factsOf(parseEventsPage(at('event_single'), IMPORTED))[0]?.ticker).toBe(
        'KXELONMARS-99',
      )
      expect(parseEventsPage(at('events_list'), IMPORTED)).toMatchObject({
        events: [],
        skipped: {},
      })
      expect(parseEventsPage(at('events_multivariate_list'), IMPORTED).events).toEqual([])
      expect(parseTradesPage(at('trades_list'), IMPORTED).events).toHaveLength(5)
      expect(parseTradesPage(at('pmvl_kalshi_trades'), IMPORTED).events).toHaveLength(3)
      expect(factsOf(parseMarketsPage(at('pmvl_kalshi_markets'), IMPORTED))).toHaveLength(3)
      expect(factsOf(parseEventsPage(at('pmvl_kalshi_events'), IMPORTED))).toHaveLength(9)
      expect(parseSeriesPage(at('series_list'))).toHaveLength(241)
      expect(parseSeriesPage(at('series_single'))[0]).toMatchObject({
        seriesId: 'CO2',
        category: 'Climate and Weather',
        tags: ['Climate change'],
      })
      const traded = (name: string) =>
        ofType(
          parseCandlesticks(at(name), IMPORTED, DAY, 'KXELONMARS-99'),
          'candle_published',
        ).filter(({ open }) => open !== null).length
      expect([
        traded('candlesticks_batch'),
        traded('series_candlesticks'),
        traded('event_candlesticks'),
      ]).toEqual([68, 68, 70])
    })
  },
)
