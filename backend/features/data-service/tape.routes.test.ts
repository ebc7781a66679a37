import { describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/units.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { CandleRow, TradeRow } from '../../history/market-rows.ts'
import { level, marketView, NOON } from '../../testing/builders.ts'
import { testDataService } from '../../testing/data-service.ts'

const market = marketView({ facts: { ticker: 'ALPHA' } })
const bar = (start: number, more: Partial<CandleRow> = {}): CandleRow => ({
  start: start as Millis,
  open: 4_000 as PriceE4,
  high: 4_205 as PriceE4,
  low: 3_999 as PriceE4,
  close: 4_100 as PriceE4,
  volume: 12_500_000 as SizeE6,
  source: 'trades',
  crossesGap: false,
  ...more,
})
const print = (ago: number, more: Partial<TradeRow> = {}): TradeRow => ({
  tradeId: `t${String(1e12 - ago)}`,
  ts: (NOON - ago) as Millis,
  price: 4_250 as PriceE4,
  size: 3_000_000 as SizeE6,
  takerSide: 'yes',
  isBlock: false,
  ...more,
})

describe('/v1/orderbook/{ticker}', () => {
  const deep = () => {
    const app = testDataService({ views: [market] })
    app.board.books.set('ALPHA', {
      at: (NOON - SECOND) as Millis,
      book: {
        bids: Array.from({ length: 250 }, (_, i) => level(41 - i * 0.1, 100 + i)),
        asks: Array.from({ length: 3 }, (_, i) => level(43 + i, 5.5)),
      },
    })
    return app
  }
  const bookOf = async (app: ReturnType<typeof deep>, query = '') =>
    (await app.get(`/v1/orderbook/ALPHA${query}`)).body

  it('returns levels best first, its time and whether it is valid [data-service.orderbook.levels]', async () => {
    const book = await bookOf(deep(), '?depth=2')
    expect(book).toEqual({
      ticker: 'ALPHA',
      bids: [
        [0.41, 100],
        [0.409, 101],
      ],
      asks: [
        [0.43, 5.5],
        [0.44, 5.5],
      ],
      ts: NOON - SECOND,
      stale: false,
    })
  })

  it('of a trading market reads nothing of its past', async () => {
    const app = deep()
    const alone = vi.spyOn(app.board, 'market')
    expect((await bookOf(app)).bids).toHaveLength(50)
    expect(alone).not.toHaveBeenCalled()
  })

  it('returns up to 200 levels, clamped [data-service.orderbook.depth-clamped]', async () => {
    expect((await bookOf(deep())).bids).toHaveLength(50)
    expect((await bookOf(deep(), '?depth=1000')).bids).toHaveLength(200)
    expect((await bookOf(deep(), '?depth=0')).bids).toHaveLength(1)
  })

  it('is stale without a recent confirmation [data-service.orderbook.stale]', async () => {
    const staleAs = async (change: (app: ReturnType<typeof deep>) => void) => {
      const app = deep()
      change(app)
      return (await bookOf(app)).stale
    }
    expect(await staleAs(() => {})).toBe(false)
    expect(await staleAs((app) => app.stale.add(market.market))).toBe(true)
    const seenAs = (view: Partial<typeof market>) => (app: ReturnType<typeof deep>) => {
      app.board.views = [{ ...market, ...view }]
    }
    expect(await staleAs(seenAs({ status: 'paused' }))).toBe(true)
    expect(await staleAs(seenAs({ quotedAt: null }))).toBe(true)
    expect(await staleAs(seenAs({ quotedAt: (NOON - 15 * MINUTE) as Millis }))).toBe(false)
    expect(await staleAs(seenAs({ quotedAt: (NOON - 15 * MINUTE - 1) as Millis }))).toBe(true)
  })

  it('is empty and stale without a known book', async () => {
    const { body } = await testDataService({ views: [market] }).get('/v1/orderbook/alpha')
    expect(body).toEqual({ ticker: 'ALPHA', bids: [], asks: [], ts: null, stale: true })
  })
})

describe('/v1/candles/{ticker}', () => {
  const HOURS = [3, 2, 1].map((ago) => NOON - ago * HOUR)
  const rows = [
    bar(HOURS[0] ?? 0, { volume: null }),
    bar(HOURS[1] ?? 0, { crossesGap: true }),
    bar(HOURS[2] ?? 0),
    bar(NOON),
  ]
  const barsOf = async (query: string) =>
    (await testDataService({ views: [market], candles: rows }).get(`/v1/candles/ALPHA${query}`))
      .body

  it('returns bars in probabilities, oldest first [data-service.candles.bars]', async () => {
    const body = await barsOf('')
    expect(body).toMatchObject({ ticker: 'ALPHA', timeframe: '1h' })
    const plain = { o: 0.4, h: 0.4205, l: 0.3999, c: 0.41, v: 12.5 }
    expect(body.candles).toEqual([
      { ...plain, t: (NOON - 3 * HOUR) / 1_000, v: null },
      { ...plain, t: (NOON - 2 * HOUR) / 1_000, gap: true },
      { ...plain, t: (NOON - HOUR) / 1_000 },
      { ...plain, t: NOON / 1_000, partial: true },
    ])
  })

  it('returns older pages before a time, in seconds [data-service.candles.before]', async () => {
    const starts = (await barsOf(`?before=${(NOON - HOUR) / 1_000}`)).candles.map(({ t }) => t)
    expect(starts).toEqual([(NOON - 3 * HOUR) / 1_000, (NOON - 2 * HOUR) / 1_000])
  })

  it('returns the newest of limit, clamped [data-service.candles.limit-clamped]', async () => {
    expect((await barsOf('?limit=0')).candles.map(({ t }) => t)).toEqual([NOON / 1_000])
    const many = Array.from({ length: 2_100 }, (_, i) => bar(NOON - (2_099 - i) * MINUTE))
    const app = testDataService({ views: [market], candles: many })
    const countOf = async (query: string) =>
      (await app.get(`/v1/candles/ALPHA?tf=1m${query}`)).body.candles.length
    expect(await countOf('')).toBe(500)
    expect(await countOf('&limit=5000')).toBe(2_000)
  })

  it.each(['1m', '5m', '15m', '1h', '1d', '1D'])(
    'accepts the width %s [data-service.candles.timeframes]',
    async (tf) => {
      const widths: number[] = []
      const app = testDataService({ views: [market], candles: rows })
      app.spy.candles = ({ width }) => widths.push(width)
      const { body } = await app.get(`/v1/candles/ALPHA?tf=${tf}`)
      expect(body.timeframe).toBe(tf.toLowerCase())
      const expected = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '1d': DAY / MINUTE }
      expect(widths).toEqual([expected[body.timeframe] * MINUTE])
    },
  )
})

describe('/v1/trades/{ticker}', () => {
  const tradesOf = async (trades: readonly TradeRow[], query = '') =>
    (await testDataService({ views: [market], trades }).get(`/v1/trades/ALPHA${query}`)).body.trades

  it('returns prints newest first [data-service.trades.rows]', async () => {
    const rows = [
      print(3 * SECOND, { takerSide: null, isBlock: true }),
      print(2 * SECOND, { takerSide: 'no' }),
      print(0),
    ]
    const { body } = await testDataService({ views: [market], trades: rows }).get(
      '/v1/trades/ALPHA',
    )
    const plain = { ticker: 'ALPHA', venue: 'venue_a', price: 0.425, size: 3 }
    expect(body).toEqual({
      ticker: 'ALPHA',
      trades: [
        { ...plain, side: 'yes', ts: NOON, id: rows[2]?.tradeId },
        { ...plain, side: 'no', ts: NOON - 2 * SECOND, id: rows[1]?.tradeId },
        { ...plain, ts: NOON - 3 * SECOND, id: rows[0]?.tradeId, block: true },
      ],
    })
  })

  it('finds trades however far back, each once', async () => {
    const ages = [1, 16 * MINUTE, 4 * HOUR, 3 * DAY, 40 * DAY, 3_000 * DAY, NOON]
    const rows = ages.toReversed().map((ago) => print(ago))
    expect((await tradesOf(rows)).map(({ ts }) => NOON - ts)).toEqual(ages)
    expect((await tradesOf(rows, '?limit=3')).map(({ ts }) => NOON - ts)).toEqual(ages.slice(0, 3))
  })

  it('returns older pages before a time, in milliseconds [data-service.trades.before]', async () => {
    const rows = [print(2), print(1), print(0)]
    const older = await tradesOf(rows, `?before=${NOON - 1}`)
    expect(older.map(({ ts }) => ts)).toEqual([NOON - 2])
    expect(await tradesOf(rows, `?before=${NOON + DAY}`)).toHaveLength(3)
  })

  it('returns limit of them, clamped [data-service.trades.limit-clamped]', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => print(600 - i))
    expect(await tradesOf(rows)).toHaveLength(50)
    expect(await tradesOf(rows, '?limit=0')).toHaveLength(1)
    expect(await tradesOf(rows, '?limit=900')).toHaveLength(500)
  })
})
