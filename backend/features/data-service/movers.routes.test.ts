import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { testDataService } from '../../testing/data-service.ts'

const moving = (ticker: string, last: number, more: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...more, facts: { ticker, ...more.facts }, last, price: last })

const up = moving('UP', 60)
const down = moving('DOWN', 20, { facts: { venue: 'venue_b' }, volume24h: 5_000 })
const still = moving('STILL', 50)
const tied = moving('ALSO-UP', 60)
const unknown = moving('UNKNOWN', 50)
const young = moving('YOUNG', 90, { firstSeenAt: at('2026-11-20T13:30:00.000Z') })
const ended = moving('ENDED', 90, { facts: { status: 'closed' } })
const views = [still, down, up, unknown, tied, young, ended]
const unpriced = marketView({ facts: { ticker: 'UNPRICED' }, last: null, price: null })

/** All had a last price of 50 before, except those without a price. */
const lastThen = (market: number) => (market === unknown.market ? null : 50)
const app = () => testDataService({ views: [...views, unpriced], lastThen })
const moved = async (query: string) => {
  const { status, body } = await app().get(`/v1/movers?${query}`)
  expect(status).toBe(200)
  expect(body.count).toBe(body.movers.length)
  return body.movers.map(({ ticker, change, changeAbs }) => [ticker, change, changeAbs])
}

describe('/v1/movers', () => {
  it('returns changes of the last price, the largest first [data-service.movers.rows]', async () => {
    const { body } = await app().get('/v1/movers')
    expect(body).toMatchObject({ window: '1h', count: 3, generated_at: NOON / 1_000 })
    expect(body.movers[0]).toEqual({
      ticker: 'DOWN',
      venue: 'venue_b',
      title: down.facts.title,
      lastPrice: 0.2,
      volume24h: 5_000,
      closeTime: at('2026-11-30T14:00:00.000Z') / 1_000,
      bestBid: 0.41,
      bestAsk: 0.43,
      change: -0.3,
      changeAbs: 0.3,
      window: '1h',
    })
    expect(body.movers.map(({ ticker }) => ticker)).toEqual(['DOWN', 'ALSO-UP', 'UP'])
  })

  it.each([
    ['1m', MINUTE],
    ['5m', 5 * MINUTE],
    ['15m', 15 * MINUTE],
    ['1h', HOUR],
    ['4h', 4 * HOUR],
    ['24h', DAY],
    ['1d', DAY],
    ['1D', DAY],
  ])('looks back over %s [data-service.movers.windows]', async (window, span) => {
    const instants: number[] = []
    const service = testDataService({
      views,
      lastThen: (_market, instant) => {
        instants.push(instant)
        return 50
      },
    })
    const { body } = await service.get(`/v1/movers?window=${window}`)
    expect(new Set(instants)).toEqual(new Set([NOON - span]))
    expect(body.window).toBe(span === DAY ? '24h' : window)
    expect(body.movers.map((mover) => mover.window)).not.toContain('1d')
  })

  it('leaves out markets without a price at the start of the window', async () => {
    const tickers = async (window: string) =>
      (await moved(`window=${window}`)).map(([name]) => name)
    expect(await tickers('15m')).toContain('YOUNG')
    expect(await tickers('1h')).not.toContain('YOUNG')
  })

  it('filters by direction, venue and dollars [data-service.movers.filtered]', async () => {
    expect(await moved('dir=UP')).toEqual([
      ['ALSO-UP', 0.1, 0.1],
      ['UP', 0.1, 0.1],
    ])
    expect(await moved('dir=down')).toEqual([['DOWN', -0.3, 0.3]])
    expect(await moved('venue=venue_b')).toEqual([['DOWN', -0.3, 0.3]])
    expect(await moved('minVol=1000.5')).toEqual([['DOWN', -0.3, 0.3]])
    expect(await moved('minVol=0')).toHaveLength(3)
  })

  it('returns n of them, clamped [data-service.movers.n-clamped]', async () => {
    const many = Array.from({ length: 250 }, () => marketView({ last: 60, price: 60 }))
    const service = testDataService({ views: many, lastThen: () => 50 })
    const countOf = async (query: string) => (await service.get(`/v1/movers?${query}`)).body.count
    expect(await countOf('')).toBe(20)
    expect(await countOf('n=1')).toBe(10)
    expect(await countOf('n=201')).toBe(200)
  })

  it('computes changes once in five seconds [data-service.movers.cadence]', async () => {
    const service = app()
    for (const dir of ['up', 'down', 'both']) await service.get(`/v1/movers?dir=${dir}`)
    await service.clock.advance(4_999)
    await service.get('/v1/movers')
    expect(service.requested.lastPrices).toBe(1)
    await service.clock.advance(1)
    await service.get('/v1/movers')
    expect(service.requested.lastPrices).toBe(2)
    await service.get('/v1/movers?window=5m')
    expect(service.requested.lastPrices).toBe(3)
  })
})
