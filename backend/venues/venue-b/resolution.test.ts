import { describe, expect, it } from 'vitest'
import type { MarketFacts, OrderBook } from '../../domain/market.ts'
import type { PriceE4 } from '../../domain/units.ts'
import { level } from '../../testing/builders.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { ParseResult } from '../parsed.ts'
import { AssetIndex } from './asset-index.ts'
import { categoryText, parseEventContext, parseTags } from './event-context.ts'
import { factsOfMessage } from './message-facts.ts'
import { isFarFrom, parseMidpoints } from './midpoints.ts'
import {
  outcomeOf,
  parseClobWinner,
  parseResolutions,
  statusOf,
  type Outcome,
} from './resolution.ts'

const CONDITION = `0x${'ab'.repeat(32)}`
const YES: Outcome = { result: 'yes', settlementPrice: 10_000 as PriceE4 }
const NO: Outcome = { result: 'no', settlementPrice: 0 as PriceE4 }
const EVEN: Outcome = { result: 'scalar', settlementPrice: 5_000 as PriceE4 }
const OPEN: Outcome = { result: null, settlementPrice: null }

describe('the outcome of a row of the catalogue', () => {
  it.each([
    [['1', '0'], {}, YES],
    [['0', '1'], {}, NO],
    [['0.999999', '0'], {}, OPEN],
    [['1', '1'], {}, OPEN],
    [['0', '0'], {}, OPEN],
    [['1'], {}, OPEN],
    [['1', '0', '0'], {}, OPEN],
    [['1', 'x'], {}, OPEN],
    [['0.5', '0.5'], {}, OPEN],
    [['0.5', '0.5'], { umaResolutionStatus: 'Resolved' }, EVEN],
    [['0.5', '0.5'], { uma_resolution_status: 'settled' }, EVEN],
    [['0.5', '0.5'], { umaResolutionStatus: 'proposed' }, OPEN],
    [['0.5', '0.4'], { umaResolutionStatus: 'resolved' }, OPEN],
    [['1', '0'], { closed: false }, OPEN],
  ])('of the prices %j with %j is %j', (prices, more, outcome) => {
    expect(outcomeOf({ closed: true, outcomePrices: prices, ...more })).toEqual(outcome)
    const texts = { outcomePrices: undefined, outcome_prices: JSON.stringify(prices) }
    expect(outcomeOf({ closed: true, ...texts, ...more })).toEqual(outcome)
  })
})

describe('the state of a row of the catalogue', () => {
  it.each([
    [{}, OPEN, 'active'],
    [{ closed: true }, OPEN, 'resolving'],
    [{ closed: true }, YES, 'settled'],
    [{ active: false }, OPEN, 'upcoming'],
    [{ pendingDeployment: true }, OPEN, 'upcoming'],
    [{ enableOrderBook: false }, OPEN, 'upcoming'],
    [{ enable_order_book: false }, OPEN, 'upcoming'],
    [{ acceptingOrders: true, umaResolutionStatus: 'proposed' }, OPEN, 'active'],
    [{ acceptingOrders: false }, OPEN, 'paused'],
    [{ accepting_orders: false, umaResolutionStatus: 'unknown' }, OPEN, 'paused'],
    [{ acceptingOrders: false, umaResolutionStatus: 'proposed' }, OPEN, 'resolving'],
    [{ acceptingOrders: false, umaResolutionStatus: 'RESOLVED' }, OPEN, 'resolving'],
  ])('%j with %j is %s', (wire, outcome, status) => {
    expect(statusOf(wire, outcome)).toBe(status)
  })
})

describe('payouts', () => {
  const row = (payouts: unknown, more: object = {}) => ({
    condition_id: '0xAB',
    status: 'resolved',
    payouts,
    ...more,
  })

  it.each([
    [row(['1000000', '0']), YES],
    [row(['0', '1000000']), NO],
    [row(['500000', '500000']), EVEN],
    [row([250_049, 749_951]), { result: 'scalar', settlementPrice: 2_500 }],
    [row([250_050, 749_950]), { result: 'scalar', settlementPrice: 2_501 }],
    [row(['1000000', '1']), undefined],
    [row(['-1', '1000001']), undefined],
    [row(['1000000']), undefined],
    [row(null), undefined],
    [row(['1000000', '0'], { status: 'proposed' }), undefined],
    [row(['1000000', '0'], { condition_id: undefined }), undefined],
    [row(['1000000', '0'], { condition_id: undefined, condition: '0xab' }), YES],
  ])('%j pay %j', (wire, outcome) => {
    expect(parseResolutions({ data: [wire] }).get('0xab')).toEqual(outcome)
    expect(parseResolutions([null, wire]).get('0xab')).toEqual(outcome)
    expect(parseResolutions(wire).get('0xab')).toEqual(outcome)
  })

  it.each([
    [[true, false], YES],
    [[false, true], NO],
    [[false, false], OPEN],
    [[true, true], OPEN],
    [[true], OPEN],
    [[true, false, false], OPEN],
  ])('are known from the winners %j as %j', (winners, outcome) => {
    expect(parseClobWinner({ tokens: winners.map((winner) => ({ winner })) })).toEqual(outcome)
  })
})

describe('midpoints', () => {
  it('are read of single and of several assets, within the range of prices', () => {
    expect(parseMidpoints({ a: '0.41', b: { mid: '0.5' }, c: '1.1', d: null })).toEqual(
      new Map([
        ['a', 4_100],
        ['b', 5_000],
      ]),
    )
    expect(parseMidpoints(null)).toEqual(new Map())
  })

  it.each([
    [40, 44, 4_700, false],
    [40, 44, 4_701, true],
    [40, 44, 3_700, false],
    [40, 44, 3_699, true],
    [40, 44, undefined, false],
  ])('a book of %i to %i cents is far from %j: %s', (bid, ask, mid, isFar) => {
    const book: OrderBook = { bids: [level(bid, 1)], asks: [level(ask, 1)] }
    expect(isFarFrom(book, mid as PriceE4 | undefined)).toBe(isFar)
    expect(isFarFrom({ ...book, asks: [] }, mid as PriceE4 | undefined)).toBe(false)
    expect(isFarFrom({ ...book, bids: [] }, mid as PriceE4 | undefined)).toBe(false)
  })
})

describe('the event of a market', () => {
  it('has the fields that its markets take', () => {
    const event = {
      id: 5,
      title: ' Rain ',
      series: [{ id: '7', title: 'Weather' }, { id: '8' }],
      category: 'Other',
      tags: [{ label: 'Paris', slug: 'paris' }, { label: 'Climate & Science' }, 'Sports', {}],
      negRisk: true,
      openInterest: '2.5',
      markets: [1, 2],
    }
    const context = parseEventContext(event)
    expect(context).toEqual({
      eventId: '5',
      title: 'Rain',
      seriesId: '7',
      seriesTitle: 'Weather',
      category: 'Other',
      tags: [
        { label: 'Paris', slug: 'paris' },
        { label: 'Climate & Science', slug: 'climate-science' },
        { label: 'Sports', slug: 'sports' },
      ],
      exclusive: true,
      openInterest: 2_500_000,
      marketCount: 2,
    })
    expect(categoryText(context?.tags ?? [], 'Other')).toBe('Sports')
    expect(categoryText(parseTags(['Paris']), 'Other')).toBe('Other')
    expect(categoryText([], null)).toBeNull()
  })

  it('is none without an id, and knows no open interest of 0', () => {
    expect(parseEventContext({ title: 'Rain' })).toBeNull()
    expect(parseEventContext(null)).toBeNull()
    expect(parseEventContext({ id: '5', openInterest: 0, neg_risk: 'true' })).toMatchObject({
      openInterest: null,
      exclusive: false,
      seriesId: null,
      marketCount: 0,
    })
  })
})

describe('the facts of a market after a message', () => {
  const facts: MarketFacts = marketFacts({
    venue: 'venue_b',
    ticker: CONDITION,
    assetIds: ['1', '2'],
  })
  const after = (message: object, known: MarketFacts = facts): MarketFacts | null => {
    const index = new AssetIndex()
    index.add(known)
    return factsOfMessage(
      new ParseResult(),
      { market: `0x${'AB'.repeat(32)}`, ...message },
      index,
      () => null,
    )
  }

  it.each([
    [
      { event_type: 'market_resolved', winning_asset_id: '1' },
      { ...facts, status: 'settled', ...YES },
    ],
    [
      { event_type: 'market_resolved', winning_asset_id: '2' },
      { ...facts, status: 'settled', ...NO },
    ],
    [{ event_type: 'market_resolved', winning_asset_id: '3' }, null],
    [{ event_type: 'market_resolved' }, null],
    [{ event_type: 'price_change' }, null],
    [{ event_type: 'tick_size_change', new_tick_size: '0.01' }, null],
    [{ event_type: 'tick_size_change', new_tick_size: 'finer' }, null],
    [{ event_type: 'tick_size_change' }, null],
    [{ event_type: 'best_bid_ask', market: '0xcd' }, null],
  ])('of the message %j', (message, expected) => {
    expect(after(message)).toEqual(expected)
  })

  it('have the new step of prices, and the result of an earlier message', () => {
    const finer = after({ event_type: 'tick_size_change', new_tick_size: '0.001' })
    expect(finer?.priceRanges.map(({ step }) => step)).toEqual([10])
    expect(finer).toMatchObject({ title: facts.title, status: 'active' })
    const over = { ...facts, status: 'settled', result: 'no' } as const
    expect(after({ event_type: 'market_resolved', winning_asset_id: '1' }, over)).toBeNull()
  })

  it('are found by the assets of the market alone', () => {
    const index = new AssetIndex()
    index.add({ ...facts, assetIds: ['1', '2', '3'] })
    expect([index.yesAsset(CONDITION), index.yesAsset('0xcd')]).toEqual(['1', null])
    expect(['1', '2', '3', '4'].map((asset) => index.indexOf(asset))).toEqual([0, 1, null, null])
    expect(index.outcomeOf(CONDITION, '2')).toBe(1)
    expect(index.outcomeOf('0xcd', '2')).toBeNull()
    expect([index.facts(CONDITION)?.ticker, index.facts('0xcd')]).toEqual([CONDITION, null])
  })
})
