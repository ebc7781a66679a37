import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../../domain/market.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../domain/units.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { candleColumns, quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { WholeHistory } from '../../history.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T00:00:00Z')
const at = (hours: number): Millis => (T0 + hours * HOUR) as Millis

let history: WholeHistory
beforeEach(async () => {
  history = await openHistory({ path: ':memory:', threads: 1, logger: silentLogger })
  await history.marketIds([
    { venue: 'venue_a', ticker: 'KXA' },
    { venue: 'venue_b', ticker: '0xb' },
    { venue: 'venue_a', ticker: 'KXC' },
  ])
})
afterEach(() => history.close())

const version = (market: number, hours: number, facts: Partial<MarketFacts> = {}) => ({
  market,
  knownAt: at(hours),
  facts: marketFacts({ ...history.keyOf(market), ...facts }),
})
const settled = { status: 'settled', result: 'yes', settlementPrice: 10_000 as PriceE4 } as const

describe('settlements', () => {
  beforeEach(() =>
    history.append({
      facts: [
        version(0, 0, { title: 'As listed', category: 'weather', closeTime: at(90), tags: ['x'] }),
        version(0, 1, { title: 'Renamed', category: 'sports', closeTime: at(80) }),
        version(0, 78, { title: 'Renamed', result: 'no', status: 'resolving', closeTime: at(80) }),
        version(0, 81, { ...settled, title: 'Renamed', closeTime: at(80) }),
        version(0, 82, { ...settled, title: 'Renamed', result: 'no', closeTime: at(79) }),
        version(1, 0, { closeTime: null }),
        version(1, 60, { ...settled, closeTime: null }),
        version(2, 0),
      ],
    }),
  )
  const requested = async (from: number, to: number, venue: 'venue_a' | 'venue_b' | null = null) =>
    history.settlements({ from: at(from), to: at(to), venue })

  it('contain a market as it was listed and as it ended', async () => {
    const [first, second] = await requested(0, 100)
    expect(first).toMatchObject({
      market: 0,
      listing: {
        title: 'As listed',
        category: 'weather',
        tags: ['x'],
        closeTime: at(90),
        firstSeenAt: at(0),
      },
      result: 'no',
      closeTime: at(79),
      settledKnownAt: at(81),
      resultKnownAt: at(78),
    })
    expect(second).toMatchObject({ market: 1, closeTime: null, settledKnownAt: at(60) })
  })

  it('return only what was known, within the period, of the venue', async () => {
    const marketsOf = async (...query: Parameters<typeof requested>) =>
      (await requested(...query)).map(({ market }) => market)
    expect(await marketsOf(0, 59)).toEqual([])
    expect(await marketsOf(0, 60)).toEqual([1])
    expect(await marketsOf(60, 100)).toEqual([0])
    expect(await marketsOf(81, 100)).toEqual([])
    expect(await marketsOf(0, 100, 'venue_b')).toEqual([1])
    expect((await requested(0, 81))[0]?.result).toBe('yes')
  })
})

describe('latest prices', () => {
  const pricesOf = async (
    places: readonly { market: number; at: Millis; knownBy?: Millis }[],
    asOf: Millis = at(1_000),
  ) =>
    history.pricesAt({
      markets: places.map(({ market }) => market),
      instants: places.map((place) => place.at),
      knownBy: places.map((place) => place.knownBy ?? asOf),
      reach: DAY,
      asOf,
    })

  it('are the newest trade, quote and bar in range, row by row', async () => {
    await history.append({
      trades: tradeColumns([
        { market: 0, ts: at(10), tradeId: 'a', price: 3_000 },
        { market: 0, ts: at(12), tradeId: 'c', price: 5_000 },
        { market: 0, ts: at(12), tradeId: 'b', price: 4_000 },
        { market: 0, ts: at(13), tradeId: 'd', price: 9_000, isBlock: true },
        { market: 1, ts: at(10), tradeId: 'e', price: 1_000 },
      ]),
      quotes: quoteColumns([
        { market: 0, ts: at(11), bid: 2_000, ask: null },
        { market: 0, ts: at(14), bid: 2_500, ask: 2_600 },
      ]),
      candles: candleColumns([
        { market: 1, start: at(10), width: HOUR, prices: [1_000, 2_000, 900, 1_500], volume: null },
        { market: 1, start: at(11), width: HOUR, prices: null, volume: null },
      ]),
    })
    const none = { last: null, quote: null }
    expect(
      await pricesOf([
        { market: 0, at: at(13) },
        { market: 0, at: at(34) },
        { market: 1, at: at(10) },
        { market: 1, at: at(12) },
        { market: 2, at: at(12) },
        { market: 0, at: at(9) },
        { market: 0, at: at(100) },
      ]),
    ).toEqual([
      { last: { price: 5_000, ts: at(12) }, quote: { bid: 2_000, ask: null, ts: at(11) } },
      { last: { price: 5_000, ts: at(12) }, quote: { bid: 2_500, ask: 2_600, ts: at(14) } },
      { last: { price: 1_000, ts: at(10) }, quote: null },
      { last: { price: 1_500, ts: at(11) }, quote: null },
      none,
      none,
      none,
    ])
    expect(await pricesOf([])).toEqual([])
  })

  it('contain only what was known by then, with corrected values', async () => {
    const late = { market: 0, ts: at(10), lag: 5 * MINUTE, tradeId: 'late', price: 3_000 }
    await history.append({
      trades: tradeColumns([late, { market: 2, ts: at(9), tradeId: 'wrong', price: 9_000 }]),
      corrections: [
        {
          market: 2,
          tradeId: 'wrong',
          knownAt: (at(9) + SECOND) as Millis,
          corrected: {
            ts: at(9),
            price: 900 as PriceE4,
            size: 1_000_000 as SizeE6,
            takerSide: null,
            isBlock: false,
          },
        },
      ],
    })
    const [early, later, mended] = await pricesOf([
      { market: 0, at: at(10), knownBy: at(10) },
      { market: 0, at: at(10) },
      { market: 2, at: at(10), knownBy: at(10) },
    ])
    expect(early?.last).toBeNull()
    expect(later?.last?.price).toBe(3_000)
    expect(mended?.last?.price).toBe(900)
  })
})
