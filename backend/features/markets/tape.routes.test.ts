import { describe, expect, it } from 'vitest'
import type { QuoteBarRow, TradeRow } from '../../history/market-rows.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { HOUR, priceOfCents, sizeOfContracts } from '../../domain/units.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

const price = (cents: number) => priceOfCents(cents as Cents)
const bodyOf = async (response: Response) => (await response.json()) as Record<string, unknown>
const hoursAgo = (hours: number): Millis => (NOON - hours * HOUR) as Millis
const views = [marketView({ facts: { ticker: 'KXTAPE' } })]

const quotes = (start: Millis, bid: number | null, ask: number | null): QuoteBarRow => {
  const mid = bid === null || ask === null ? null : price((bid + ask) / 2)
  return {
    start,
    bid: bid === null ? null : price(bid),
    ask: ask === null ? null : price(ask),
    open: mid,
    high: mid,
    low: mid,
    close: mid,
  }
}

describe('/depth', () => {
  const level = (cents: number, contracts: number) => ({
    price: price(cents),
    size: sizeOfContracts(contracts),
  })
  const bookBars = [
    { start: hoursAgo(5), book: { bids: [level(40, 10), level(39, 20)], asks: [level(44, 5)] } },
    { start: hoursAgo(1), book: { bids: [], asks: [level(45, 7)] } },
  ]
  const path = '/api/public/market/kxtape/depth'

  it('serves the book of each bar with the gaps of the feed [markets.depth.bars]', async () => {
    const gap = { state: 'gap', from: hoursAgo(4), to: hoursAgo(2), reason: null } as const
    const { get } = testApp({ views, bookBars, coverage: { quotes: [gap] } })
    const body = await bodyOf(await get(`${path}?timeframe=1h`))
    expect(body).toMatchObject({ ticker: 'KXTAPE', timeframe: '1h', count: 2 })
    expect(body['bars']).toMatchObject([
      {
        t: hoursAgo(5) / 1_000,
        bids: [
          { price: 40, size: 10 },
          { price: 39, size: 20 },
        ],
        asks: [{ price: 44, size: 5 }],
      },
      { bids: [], asks: [{ price: 45, size: 7 }] },
    ])
    expect(body['gaps']).toEqual([
      { from: new Date(gap.from).toISOString(), to: new Date(gap.to).toISOString() },
    ])
    expect((await bodyOf(await get(`${path}?limit=1`)))['count']).toBe(1)
    const past = new Date(hoursAgo(3)).toISOString()
    expect((await bodyOf(await get(`${path}?asOf=${past}`)))['count']).toBe(1)
    expect((await get(`${path}?timeframe=2h`)).status).toBe(400)
  })

  it('has no bars without a stored book', async () => {
    const body = await bodyOf(await testApp({ views }).get(path))
    expect([body['bars'], body['gaps'], body['timeframe']]).toEqual([[], [], '15m'])
  })
})

describe('/quotes', () => {
  const quoteBars = [
    quotes(hoursAgo(5), 40, 44),
    quotes(hoursAgo(3), null, 44),
    quotes(hoursAgo(1), 41, 44),
  ]
  const path = '/api/public/market/kxtape/quotes'

  // [markets.quotes.bars]
  it('serves bids, asks and midpoints with the gaps of the feed', async () => {
    const gap = { state: 'gap', from: hoursAgo(4), to: hoursAgo(2), reason: null } as const
    const repaired = { ...gap, state: 'repaired', from: hoursAgo(2), to: hoursAgo(1) } as const
    const { get } = testApp({ views, quoteBars, coverage: { quotes: [gap, repaired] } })
    const body = await bodyOf(await get(`${path}?timeframe=1h`))
    expect(body).toMatchObject({ ticker: 'KXTAPE', timeframe: '1h', count: 3, nextBefore: null })
    expect(body['bars']).toMatchObject([
      { bid: 40, ask: 44, o: 42, h: 42, l: 42, c: 42 },
      { bid: null, ask: 44, o: null, c: null },
      { bid: 41, ask: 44, c: 42.5 },
    ])
    expect(body['gaps']).toEqual([
      { from: new Date(hoursAgo(4)).toISOString(), to: new Date(hoursAgo(2)).toISOString() },
    ])
  })

  // [markets.quotes.paged]
  it('pages to older bars without overlap', async () => {
    const { get } = testApp({ views, quoteBars })
    const newest = await bodyOf(await get(`${path}?timeframe=1h&limit=2`))
    const before = String(newest['nextBefore'])
    expect(before).toBe(new Date(hoursAgo(3)).toISOString())
    const older = await bodyOf(await get(`${path}?timeframe=1h&limit=2&before=${before}`))
    expect(older).toMatchObject({ count: 1, nextBefore: null, bars: [{ bid: 40 }] })
  })

  it('answers 404 for an unknown ticker', async () => {
    expect((await testApp({ views }).get('/api/public/market/NOPE/quotes')).status).toBe(404)
  })
})

describe('/trades', () => {
  const trade = (hours: number, side: TradeRow['takerSide'], isBlock = false): TradeRow => ({
    tradeId: `t-${hours}`,
    ts: hoursAgo(hours),
    price: price(50 - hours),
    size: sizeOfContracts(hours),
    takerSide: side,
    isBlock,
  })
  const trades = [trade(3, 'yes', true), trade(2, null), trade(1, 'no')]
  const { get } = testApp({ views, trades })
  const path = '/api/public/market/kxtape/trades'

  // [markets.trades.tape]
  it('serves trades newest first, in cents and contracts', async () => {
    const body = await bodyOf(await get(path))
    expect(body['trades']).toEqual([
      { id: 't-1', at: new Date(hoursAgo(1)).toISOString(), price: 49, size: 1, side: 'no' },
      { id: 't-2', at: new Date(hoursAgo(2)).toISOString(), price: 48, size: 2, side: null },
      {
        id: 't-3',
        at: new Date(hoursAgo(3)).toISOString(),
        price: 47,
        size: 3,
        side: 'yes',
        block: true,
      },
    ])
  })

  // [markets.trades.paged]
  it('pages to older trades', async () => {
    const newest = await bodyOf(await get(`${path}?limit=2`))
    const older = await bodyOf(await get(`${path}?before=${String(newest['nextBefore'])}`))
    expect(older).toMatchObject({ count: 1, nextBefore: null, trades: [{ id: 't-3' }] })
  })

  it('does not split the trades of one instant over two pages', async () => {
    const burst = [trade(3, 'yes'), trade(2, 'yes'), { ...trade(2, 'yes'), tradeId: 't-2b' }]
    const app = testApp({ views, trades: [...burst, trade(1, 'no')] })
    const newest = await bodyOf(await app.get(`${path}?limit=2`))
    expect(newest).toMatchObject({ count: 1 })
    const older = await bodyOf(await app.get(`${path}?before=${String(newest['nextBefore'])}`))
    expect((older['trades'] as { id: string }[]).map(({ id }) => id)).toEqual([
      't-2b',
      't-2',
      't-3',
    ])
  })

  it('serves a sweep of many trades in one instant whole, beyond the limit of the page', async () => {
    const sweep = ['t-2', 't-2b', 't-2c'].map((tradeId) => ({ ...trade(2, 'yes'), tradeId }))
    const app = testApp({ views, trades: [trade(3, 'yes'), ...sweep] })
    const newest = await bodyOf(await app.get(`${path}?limit=2`))
    expect(newest).toMatchObject({ count: 3 })
    const older = await bodyOf(await app.get(`${path}?before=${String(newest['nextBefore'])}`))
    expect(older).toMatchObject({ trades: [{ id: 't-3' }], nextBefore: null })
  })
})
