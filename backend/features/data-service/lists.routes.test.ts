import { describe, expect, it } from 'vitest'
import { SAMPLE_TAG } from '../../domain/market.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { testDataService } from '../../testing/data-service.ts'

const NOW = NOON / 1_000
const CONDITION = `0x${'ab'.repeat(32)}`

const alpha = marketView({
  facts: { ticker: 'ALPHA', title: 'Will alpha rise in May?', subtitle: 'Rise', exclusive: true },
  price: 42.5,
  bid: 42.25,
  ask: 43,
  volume24h: 100,
})
const beta = marketView({
  facts: {
    ticker: CONDITION,
    venue: 'venue_b',
    title: 'Will beta fall in May?',
    volumeUnit: 'usd',
    aliases: ['777'],
    tags: [SAMPLE_TAG],
  },
  volume24h: 5_000,
})
const silent = marketView({
  facts: { ticker: 'SILENT', title: 'Will alpha sleep?', closeTime: null },
  price: null,
  bid: null,
  ask: null,
  volume24hUsd: null,
})
const closed = marketView({ facts: { ticker: 'CLOSED', status: 'closed' }, volume24h: 9_999 })
const views = [silent, alpha, closed, beta]

const tickersOf = ({ markets }: { markets: { ticker: string }[] }) =>
  markets.map(({ ticker }) => ticker)

describe('/v1/heartbeat', () => {
  it('returns size, age and connections [data-service.heartbeat.fields]', async () => {
    const app = testDataService({ views })
    app.state.wsClients = 3
    await app.clock.advance(61_500)
    expect(await app.get('/v1/heartbeat')).toEqual({
      status: 200,
      body: {
        generated_at: NOW + 61,
        markets_tracked: 3,
        top_volume_market: CONDITION,
        uptime_s: 61,
        ws_clients: 3,
      },
    })
  })

  it('responds before the first load, and lists no market without volume', async () => {
    const app = testDataService({ views: [silent] })
    expect((await app.get('/v1/heartbeat')).body).toMatchObject({
      markets_tracked: 1,
      top_volume_market: null,
    })
    app.board.ready = false
    expect((await app.get('/v1/heartbeat')).body).toMatchObject({
      markets_tracked: 0,
      top_volume_market: null,
    })
  })
})

describe('/v1/markets', () => {
  it('returns active markets in probabilities, most dollars first [data-service.markets.rows]', async () => {
    const { status, body } = await testDataService({ views }).get('/v1/markets')
    expect(status).toBe(200)
    expect(tickersOf(body)).toEqual([CONDITION, 'ALPHA', 'SILENT'])
    expect(body).toMatchObject({ count: 3, total: 3, generated_at: NOW })
    expect(body.markets[1]).toEqual({
      ticker: 'ALPHA',
      venue: 'venue_a',
      title: 'Will alpha rise in May?',
      lastPrice: 0.425,
      volume24h: 100,
      closeTime: at('2026-11-30T14:00:00.000Z') / 1_000,
      bestBid: 0.4225,
      bestAsk: 0.43,
    })
  })

  it('returns null for unknown values and marks sample data [data-service.format.null]', async () => {
    const { body } = await testDataService({ views }).get('/v1/markets')
    expect(body.markets[2]).toMatchObject({
      lastPrice: null,
      bestBid: null,
      bestAsk: null,
      closeTime: null,
    })
    expect(body.markets.map(({ sample }) => sample)).toEqual([true, undefined, undefined])
  })

  it('filters by words and venue [data-service.markets.filtered]', async () => {
    const app = testDataService({ views })
    const requested = async (query: string) =>
      tickersOf((await app.get(`/v1/markets?${query}`)).body)
    expect(await requested('q=may')).toEqual([CONDITION, 'ALPHA'])
    expect(await requested('q=ALPHA%20will')).toEqual(['ALPHA', 'SILENT'])
    expect(await requested('q=alpha&venue=VENUE_A')).toEqual(['ALPHA', 'SILENT'])
    expect(await requested('venue=venue_b')).toEqual([CONDITION])
    expect(await requested('q=nothing')).toEqual([])
  })

  it('applies limit and offset, clamped [data-service.markets.limit-clamped]', async () => {
    const many = Array.from({ length: 5_100 }, (_, index) =>
      marketView({ facts: { ticker: `M${String(index).padStart(4, '0')}` } }),
    )
    const app = testDataService({ views: many })
    const requested = async (query: string) => {
      const { markets, count, total } = (await app.get(`/v1/markets?${query}`)).body
      expect(count).toBe(markets.length)
      expect(total).toBe(5_100)
      return [markets[0]?.ticker, count]
    }
    expect(await requested('')).toEqual(['M0000', 500])
    expect(await requested('limit=9999')).toEqual(['M0000', 5_000])
    expect(await requested('limit=0')).toEqual(['M0000', 1])
    expect(await requested('limit=2&offset=3')).toEqual(['M0003', 2])
    expect(await requested('offset=-4&limit=1')).toEqual(['M0000', 1])
    expect(await requested('offset=5099')).toEqual(['M5099', 1])
    expect(await requested('offset=99999999999')).toEqual([undefined, 0])
  })

  it('ignores asOf [data-service.format.as-of-not-read]', async () => {
    const app = testDataService({ views })
    for (const asOf of ['2099-01-01T00:00:00Z', 'noon', '2001-01-01T00:00:00Z']) {
      const { status, body } = await app.get(`/v1/markets?asOf=${asOf}`)
      expect([status, body.count]).toEqual([200, 3])
    }
  })
})

describe('/v1/markets/featured', () => {
  const marks = new Map([
    [alpha.market, 32.5],
    [beta.market, 42],
  ])
  it('ranks by heat, which is never null [data-service.featured.heat]', async () => {
    const app = testDataService({ views, markThen: (market) => marks.get(market) ?? null })
    const { body } = await app.get('/v1/markets/featured')
    // Half of the volumes are at most 100 dollars; a change of ten cents adds half of 30.
    expect(body.markets.map(({ ticker, heat }) => [ticker, heat])).toEqual([
      ['ALPHA', 25],
      [CONDITION, 20],
      ['SILENT', 0],
    ])
    expect(body).toMatchObject({ count: 3, total: 3, generated_at: NOW })
  })

  it('returns n of them, clamped [data-service.featured.n-clamped]', async () => {
    const many = Array.from({ length: 210 }, () => marketView())
    const app = testDataService({ views: many })
    const countOf = async (query: string) => {
      const { count, total } = (await app.get(`/v1/markets/featured${query}`)).body
      expect(total).toBe(210)
      return count
    }
    expect(await countOf('')).toBe(50)
    expect(await countOf('?n=0')).toBe(1)
    expect(await countOf('?n=1000')).toBe(200)
  })
})

describe('/v1/markets/{ticker}', () => {
  it('returns one market in any state [data-service.market.fields]', async () => {
    const app = testDataService({ views })
    const { status, body } = await app.get('/v1/markets/alpha')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ticker: 'ALPHA',
      subtitle: 'Rise',
      status: 'active',
      openInterest: 500,
      ts: NOON,
      generated_at: NOW,
      lastPrice: 0.425,
    })
    const ended = await app.get('/v1/markets/CLOSED')
    expect(ended.body.status).toBe('closed')
  })

  it.each([CONDITION.toUpperCase().replace('0X', '0x'), `pm:${CONDITION}`, '777'])(
    'returns %s with the plain condition id [data-service.format.tickers]',
    async (name) => {
      const { body } = await testDataService({ views }).get(`/v1/markets/${name}`)
      expect(body.ticker).toBe(CONDITION)
    },
  )
})

describe('/v1/search', () => {
  it('returns hits by score with their outcome [data-service.search.results]', async () => {
    const app = testDataService({ views })
    const { body } = await app.get('/v1/search?q=alpha rise')
    expect(body.query).toBe('alpha rise')
    expect(body.results).toEqual([
      {
        ticker: 'ALPHA',
        venue: 'venue_a',
        title: 'Will alpha rise in May?',
        subtitle: 'Rise',
        outcome: 'Rise',
        lastPrice: 0.425,
        volume24h: 100,
        score: 1,
      },
      expect.objectContaining({ ticker: 'SILENT', outcome: null, score: 0.5 }),
    ])
  })

  it('returns only hits with all words when strict [data-service.search.strict]', async () => {
    const app = testDataService({ views })
    const found = async (strict: string) => {
      const { body } = await app.get(`/v1/search?q=alpha rise&strict=${strict}`)
      return body.results.map(({ ticker }) => ticker)
    }
    expect(await found('1')).toEqual(['ALPHA'])
    expect(await found('true')).toEqual(['ALPHA'])
    expect(await found('0')).toEqual(['ALPHA', 'SILENT'])
  })

  it('applies venue and limit, clamped [data-service.search.limit-clamped]', async () => {
    const many = Array.from({ length: 60 }, () => marketView({ facts: { title: 'Will it?' } }))
    const app = testDataService({ views: [...views, ...many] })
    const countOf = async (query: string) =>
      (await app.get(`/v1/search?q=will&${query}`)).body.results.length
    expect(await countOf('')).toBe(20)
    expect(await countOf('limit=99')).toBe(50)
    expect(await countOf('limit=-1')).toBe(1)
    expect(await countOf('venue=venue_b')).toBe(1)
  })
})

describe('/v1/snapshot', () => {
  const oneSided = marketView({
    facts: { ticker: 'ASKED' },
    bid: null,
    ask: 7,
    last: null,
    price: 7,
  })
  it('returns quoted active markets by ticker [data-service.snapshot.rows]', async () => {
    const app = testDataService({ views: [...views, oneSided] })
    const { body } = await app.get('/v1/snapshot')
    expect(body).toEqual({
      generated_at: NOW,
      count: 3,
      markets: [
        { ticker: CONDITION, venue: 'venue_b', last: 0.42, bid: 0.41, ask: 0.43, vol24h: 5_000 },
        { ticker: 'ALPHA', venue: 'venue_a', last: 0.425, bid: 0.4225, ask: 0.43, vol24h: 100 },
        { ticker: 'ASKED', venue: 'venue_a', last: null, bid: null, ask: 0.07, vol24h: 1_000 },
      ],
    })
    const ofB = await app.get('/v1/snapshot?venue=venue_b')
    expect(tickersOf(ofB.body)).toEqual([CONDITION])
  })

  it('serves six decimals at most [data-service.format.probabilities]', async () => {
    const third = marketView({ last: 100 / 3, price: 33.3333, bid: 33.3333, ask: 33.34 })
    const { body } = await testDataService({ views: [third] }).get('/v1/snapshot')
    expect(body.markets[0]).toMatchObject({ last: 0.333333, bid: 0.333333, ask: 0.3334 })
  })
})
