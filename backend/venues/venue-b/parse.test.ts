import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { hasRecordings, recording, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import type { VenueEvent } from '../connector.ts'
import { Harvest, type ParseContext, type Parsed } from '../parsed.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './parse.ts'
import {
  parseClobBooks,
  parseDataTradesPage,
  parseLastTrade,
  parsePricesHistory,
} from './parse-tape.ts'
import { parseClobWinner, parseResolutions } from './resolution.ts'

const NOW = Date.parse('2026-08-01T00:00:00Z') as Millis
const POLLED: ParseContext = { origin: 'polled', receivedAt: NOW }
const IMPORTED: ParseContext = { origin: 'imported', receivedAt: NOW }
const CONDITION = `0x${'ab'.repeat(32)}`
const HOUR = 3_600_000 as Millis

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))

const ofType = <T extends VenueEvent['type']>(parsed: Parsed, type: T) =>
  parsed.events.filter((event): event is Extract<VenueEvent, { type: T }> => event.type === type)

const factsOf = (parsed: Parsed) => ofType(parsed, 'market_described').map(({ facts }) => facts)

const market = (changes: object = {}) => ({
  id: '7',
  conditionId: CONDITION.toUpperCase().replace('0X', '0x'),
  question: 'Will it rain?',
  slug: 'will-it-rain',
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.4", "0.6"]',
  clobTokenIds: '["11", "22"]',
  active: true,
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
  ...changes,
})
const page = (changes: object) => parseGammaMarketsPage([market(changes)], POLLED)
const oneFacts = (changes: object) => factsOf(page(changes))[0]

describe('venue_b catalogue', () => {
  it('describes markets from their event and own fields', () => {
    const parsed = parseGammaEventsPage(fixture('events'), POLLED)
    expect(factsOf(parsed)[0]).toMatchObject({
      venue: 'venue_b',
      ticker: '0xc8f1cf5d4f26e0fd9c8fe89f2a7b3263b902cf14fde7bfccef525753bb492e47',
      title: 'Will Stephen A. Smith win the 2028 Democratic presidential nomination?',
      subtitle: 'Stephen A. Smith',
      eventId: '30829',
      eventTitle: 'Democratic Presidential Nominee 2028',
      category: 'politics',
      status: 'active',
      exclusive: true,
      priceRanges: [{ start: 0, end: 10_000, step: 10 }],
      volumeUnit: 'usd',
      aliases: [
        '559657',
        'will-stephen-a-smith-win-the-2028-democratic-presidential-nomination-914',
      ],
    })
    expect(factsOf(parsed)[0]?.assetIds[0]).toMatch(/^\d{77}$/)
    expect(parsed.skipped).toEqual({})
  })

  it('trap 28: reads a closed market: winner, and a closing time that is not ISO', () => {
    const [facts] = factsOf(parseGammaMarketsPage(fixture('market-closed'), POLLED))
    expect(facts).toMatchObject({
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000,
      closeTime: Date.parse('2026-05-09T02:07:01Z'),
    })
    expect(parseClobWinner(fixture('clob-market'))).toEqual({
      result: 'yes',
      settlementPrice: 10_000,
    })
  })

  it('leaves the outcome open where prices prove nothing', () => {
    const [legacy] = factsOf(parseGammaMarketsPage(fixture('market-legacy'), POLLED))
    expect(legacy).toMatchObject({
      status: 'resolving',
      result: null,
      settlementPrice: null,
      category: 'crypto',
    })
  })

  it.each([
    ['trading', {}, 'active', null],
    ['its end date has passed but it trades', { endDate: '2026-01-01T00:00:00Z' }, 'active', null],
    ['not taking orders', { acceptingOrders: false }, 'paused', null],
    ['not yet active', { active: false }, 'upcoming', null],
    ['without a book', { enableOrderBook: false }, 'upcoming', null],
    ['disputed but tradable', { umaResolutionStatus: 'disputed' }, 'active', null],
    [
      'proposed and not tradable',
      { umaResolutionStatus: 'proposed', acceptingOrders: false },
      'resolving',
      null,
    ],
    [
      'closed, still near one',
      { closed: true, outcomePrices: '["0.9995","0.0005"]' },
      'resolving',
      null,
    ],
    [
      'closed with both at nothing',
      { closed: true, outcomePrices: '["0","0"]' },
      'resolving',
      null,
    ],
    ['closed, second outcome won', { closed: true, outcomePrices: '["0","1"]' }, 'settled', 'no'],
    [
      'split evenly and confirmed',
      { closed: true, outcomePrices: '["0.5","0.5"]', umaResolutionStatus: 'resolved' },
      'settled',
      'scalar',
    ],
    [
      'split evenly, unconfirmed',
      { closed: true, outcomePrices: '["0.5","0.5"]' },
      'resolving',
      null,
    ],
  ])('%s', (_, changes, status, result) => {
    expect(oneFacts(changes)).toMatchObject({ status, result })
  })

  it.each([
    ['more than two outcomes', { outcomes: '["A","B","C"]' }, 'market without two outcomes'],
    ['outcomes that are no JSON', { outcomes: '[' }, 'market without two outcomes'],
    ['no condition id', { conditionId: '' }, 'market without a condition id'],
    ['an unnamed seat', { active: false, groupItemTitle: 'Person B' }, 'placeholder outcome'],
  ])('refuses %s', (_, changes, reason) => {
    expect(page(changes)).toMatchObject({ events: [], skipped: { [reason]: 1 } })
  })

  it('trap 18: takes a real array, other labels, and numbers as text', () => {
    const parsed = page({
      outcomes: ['Up', 'Down'],
      clobTokenIds: ['11', '22'],
      volumeNum: '10.5',
      bestBid: '0.505',
      bestAsk: 0.51,
    })
    expect(factsOf(parsed)[0]).toMatchObject({ ticker: CONDITION, assetIds: ['11', '22'] })
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 10_500_000,
      volume24h: null,
      openInterest: null,
    })
    expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 5_050, ask: 5_100 })
  })

  it('trap 18: refuses token ids that were sent as numbers, since their digits are lost', () => {
    expect(
      oneFacts({ clobTokenIds: '[2976372528075585353, 36321425691780366613]' })?.assetIds,
    ).toEqual([])
  })

  it('reads payouts', () => {
    const body = {
      data: [
        { condition_id: 'A', status: 'resolved', payouts: ['1000000', '0'] },
        { condition_id: 'B', status: 'resolved', payouts: [500_000, 500_000] },
        { condition_id: 'C', status: 'proposed', payouts: [1_000_000, 0] },
        { condition_id: 'D', status: 'resolved', payouts: [69, 69] },
      ],
    }
    expect([...parseResolutions(body)]).toEqual([
      ['a', { result: 'yes', settlementPrice: 10_000 }],
      ['b', { result: 'scalar', settlementPrice: 5_000 }],
    ])
  })
})

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

  it('trap 22: names equal rows apart, and the same rows alike in every walk', () => {
    const ids = (parsed: Parsed) => ofType(parsed, 'trade_printed').map(({ tradeId }) => tradeId)
    const first = ids(read(row(), row(), row({ size: 13 })))
    expect(new Set(first).size).toBe(3)
    expect(ids(read(row(), row(), row({ size: 13 })))).toEqual(first)
  })

  it('trap 22: gives a print of the socket the name of its row in the tape', () => {
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
      new Harvest(),
      message,
      { origin: 'live', receivedAt: NOW },
      () => 0,
      new Map(),
    )
    const [taped] = ofType(read(row()), 'trade_printed')
    expect(live?.tradeId).toBe(taped?.tradeId)
    expect(live?.at).toBe(1_753_000_000_450)
  })

  it('leaves a print without its transaction to the tape', () => {
    const harvest = new Harvest()
    const wire = fixture('ws-last-trade-price') as Record<string, unknown>
    expect(parseLastTrade(harvest, wire, POLLED, () => 0, new Map())).toBeNull()
    expect(harvest.skipped).toEqual({ 'trade without a transaction': 1 })
  })

  it('asks the index where the row does not tell the outcome', () => {
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

  it('trap 19: takes a ghost book as it stands and refuses a crossed one and the NO book', () => {
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

  it('makes price-only bars of the price history', () => {
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
})

describe('venue_b parsers on hostile input', () => {
  it('never throw', () => {
    const seeds = ['events', 'market-closed', 'trades-v1', 'book'].map(fixture)
    const mutated = fc.tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat({ max: 400 }), fc.jsonValue()), { maxLength: 12 }),
    )
    fc.assert(
      fc.property(mutated, ([seed, changes]) => {
        const chosen = new Map(changes)
        let position = 0
        const walk = (value: unknown): unknown => {
          position += 1
          if (chosen.has(position)) return chosen.get(position)
          if (Array.isArray(value)) return value.map(walk)
          if (typeof value !== 'object' || value === null) return value
          return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
        }
        const body = walk(seed)
        for (const parsed of [
          parseGammaEventsPage(body, POLLED),
          parseGammaMarketsPage(body, POLLED),
          parseDataTradesPage(body, POLLED),
          parseClobBooks(body, POLLED),
          parsePricesHistory(body, POLLED, CONDITION, HOUR),
        ]) {
          for (const event of parsed.events)
            expect(event.receivedAt).toBeGreaterThanOrEqual(event.at)
        }
        parseResolutions(body)
        parseClobWinner(body)
      }),
      { numRuns: 300 },
    )
  })
})

describe.skipIf(!hasRecordings)(
  `venue_b recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    const count = (parsed: Parsed) => factsOf(parsed).length

    it('reads 239 of 242 markets of the Iran dump; three were never deployed', () => {
      const parsed = parseGammaEventsPage(
        recording('venue_b/polymarket_iran_raw_2026-03.json'),
        IMPORTED,
      )
      expect(count(parsed)).toBe(239)
      expect(parsed.skipped).toEqual({ 'market without a condition id': 3 })
      expect(factsOf(parsed).filter(({ result }) => result === 'yes')).toHaveLength(47)
      expect(factsOf(parsed)[0]).toMatchObject({
        title: 'US strikes Iran by February 5, 2026?',
        seriesTitle: 'US strikes iran',
        category: 'geopolitics',
        result: 'no',
      })
    })

    it('trap 30: reads the reduced Gamma dump; 570 of 1,761 are seats without a name', () => {
      const parsed = parseGammaEventsPage(
        recording('venue_b/polymarket_gamma_events_2026-03-01.json'),
        IMPORTED,
      )
      expect(count(parsed)).toBe(1_191)
      expect(parsed.skipped).toEqual({ 'placeholder outcome': 570 })
      expect(factsOf(parsed)[0]).toMatchObject({
        title: 'MicroStrategy sells any Bitcoin in 2025?',
        category: 'finance',
        status: 'settled',
        result: 'no',
      })
      expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 1_200, ask: 1_400 })
    })

    it('reads the API recordings', () => {
      const at = (name: string) => recording(`venue_b/api_recordings/${name}.json`)
      expect(count(parseGammaEventsPage(at('pmvl_polymarket_events'), IMPORTED))).toBe(7)
      expect(count(parseGammaEventsPage(at('nt_gamma_event'), IMPORTED))).toBe(2)
      expect(count(parseGammaEventsPage(at('nt_search_response'), IMPORTED))).toBe(1)
      expect(count(parseGammaMarketsPage(at('pmvl_polymarket_markets'), IMPORTED))).toBe(3)
      expect(count(parseGammaMarketsPage(at('nt_gamma_market'), IMPORTED))).toBe(1)
      expect(
        count(parseGammaMarketsPage(at('nt_gamma_market_sports_market_money_line'), IMPORTED)),
      ).toBe(1)
      for (const name of ['nt_event', 'nt_events_list']) {
        expect(parseGammaEventsPage(at(name), IMPORTED)).toMatchObject({
          events: [],
          skipped: { 'market without two outcomes': 3 },
        })
      }
      for (const name of ['nt_market', 'nt_market_slug', 'nt_markets_list', 'nt_markets']) {
        expect(parseGammaMarketsPage(at(name), IMPORTED).events).toEqual([])
      }
      const best = (name: string) => {
        const [quote] = ofType(parseClobBooks(at(name), IMPORTED), 'quote_changed')
        return [quote?.bid, quote?.ask]
      }
      expect(best('nt_book')).toEqual([1_000, 1_400])
      expect(best('nt_clob_book_response')).toEqual([5_000, 5_100])
      expect(best('nt_ws_book')).toEqual([5_110, 5_140])
      expect(best('pmvl_polymarket_book')).toEqual([10, 40])
      expect(parseDataTradesPage(at('nt_trades'), IMPORTED).events).toHaveLength(4)
      expect(parseDataTradesPage(at('nt_data_api_trades_response'), IMPORTED).skipped).toEqual({
        'trade of an unknown outcome': 3,
      })
    })
  },
)
