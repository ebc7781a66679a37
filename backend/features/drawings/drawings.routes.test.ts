import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChartDrawings, MarketDrawings } from '../../contract/charts/drawings.ts'
import { startTradingService, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
/** Credentials of a second user. */
let other: string
beforeAll(async () => {
  service = await startTradingService(null)
  other = await service.signUp()
})
afterAll(() => service.stop())

const PATH = '/api/chart/drawings'
type Failed = { error: string; code: string }
const put = async (
  body: object,
  authorization = service.authorization,
): Promise<[number, MarketDrawings & Failed]> => {
  const { status, text } = await service.ask('PUT', PATH, body, authorization)
  return [status, JSON.parse(text) as MarketDrawings & Failed]
}
const drawn = async (authorization = service.authorization): Promise<ChartDrawings> => {
  const { text } = await service.ask('GET', PATH, undefined, authorization)
  return JSON.parse(text) as ChartDrawings
}
const level = { id: 'level-60', kind: 'level', price: 60 }
const [from, to] = [
  { time: 1_790_000_000, price: 20 },
  { time: 1_790_003_600, price: 40.5 },
]
const trend = { id: 'trend', kind: 'trend', from, to }
const note = { id: 'text', kind: 'text', at: from, text: 'news' }

it('[account.drawings.kept] drawings are replaced per market, and belong to one user', async () => {
  const [status, stored] = await put({ ticker: 'kxa', drawings: [level, trend, note] })
  expect([status, stored.ticker, stored.drawings]).toEqual([200, 'KXA', [level, trend, note]])
  await service.clock.advance(1_000)
  await put({ ticker: 'KXB', drawings: [level] })
  await put({ ticker: 'KXA', drawings: [trend] }, other)
  expect((await drawn()).markets.map(({ ticker }) => ticker)).toEqual(['KXB', 'KXA'])
  expect((await drawn(other)).markets.map(({ drawings }) => drawings)).toEqual([[trend]])
  await put({ ticker: 'KXA', drawings: [] })
  await put({ ticker: 'KXB', drawings: [note] })
  const { markets, count } = await drawn()
  expect([count, markets[0]?.drawings]).toEqual([1, [note]])
  expect((await drawn(other)).count).toBe(1)
  expect((await service.ask('GET', PATH, undefined, null)).status).toBe(401)
})

it.each([
  [{ drawings: [] }, 'ticker is required'],
  [{ ticker: 'KX' }, 'drawings must be a list of at most 50 drawings'],
  [
    { ticker: 'KX', drawings: Array.from({ length: 51 }, () => level) },
    'drawings must be a list of at most 50 drawings',
  ],
  [{ ticker: 'KX', drawings: [level, level] }, 'drawings must have unique ids'],
  [{ ticker: 'KX', drawings: [7] }, 'drawings[0] must be an object'],
  [
    { ticker: 'KX', drawings: [level, { ...level, id: 'b', price: 101 }] },
    'drawings[1].price must be a number from 0 to 100',
  ],
  [{ ticker: 'KX', drawings: [{ ...trend, to: null }] }, 'drawings[0].to must be an object'],
  [
    { ticker: 'KX', drawings: [{ ...note, text: '' }] },
    'drawings[0].text must be a string of 1 to',
  ],
  [{ ticker: 'KX', drawings: [{ ...level, kind: 'pie' }] }, 'drawings[0].kind must be level'],
])('[account.drawings.refused] %j is refused with its first fault', async (body, fault) => {
  const [status, { error, code }] = await put(body)
  expect([status, code, error]).toEqual([400, 'VALIDATION_ERROR', expect.stringContaining(fault)])
})

it('[account.drawings.limit] a user has drawings of at most 200 markets', async () => {
  const before = (await drawn(other)).count
  for (let place = before; place < 200; place += 1) {
    expect((await put({ ticker: `KXM-${place}`, drawings: [level] }, other))[0]).toBe(200)
  }
  const [status, { error }] = await put({ ticker: 'KXMORE', drawings: [level] }, other)
  expect([status, error]).toEqual([409, expect.stringContaining('at most 200 markets')])
  expect((await put({ ticker: 'KXM-199', drawings: [note] }, other))[0]).toBe(200)
  expect((await put({ ticker: 'KXM-199', drawings: [] }, other))[0]).toBe(200)
  expect((await put({ ticker: 'KXMORE', drawings: [level] }, other))[0]).toBe(200)
})
