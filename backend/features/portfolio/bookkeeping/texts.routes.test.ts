import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  PortfolioStrategy,
  PortfolioStrategyPage,
  PortfolioView,
  PortfolioViewPage,
} from '../../../contract/orders/texts.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

let service: TradingService
/** Credentials of a second user. */
let other: string
beforeAll(async () => {
  service = await startTradingService(null)
  other = await service.signUp()
})
afterAll(() => service.stop())

const VIEWS = '/api/portfolio/views'
const STRATEGIES = '/api/portfolio/strategy'
type Failed = { error: string; code: string }

const send = async <T>(
  method: string,
  path: string,
  body?: object,
  authorization = service.authorization,
): Promise<[number, T & Failed]> => {
  const { status, text } = await service.ask(method, path, body, authorization)
  return [status, JSON.parse(text) as T & Failed]
}
const addView = async (body: object): Promise<PortfolioView> =>
  (await send<PortfolioView>('POST', VIEWS, body))[1]

describe('views', () => {
  it('[portfolio.texts.rows] are deleted by the id of the body or of the query', async () => {
    for (const body of [undefined, {}]) {
      const { id } = await addView({ title: 'Cuts come late' })
      expect(await send('DELETE', `${VIEWS}?id=${id}`, body)).toEqual([200, { ok: true }])
    }
    const missing = { error: 'id is required', code: 'VALIDATION_ERROR' }
    expect(await send('DELETE', VIEWS, {})).toEqual([400, missing])
  })

  it('[portfolio.texts.rows] are stored with defaults, changed and deleted', async () => {
    const created = await addView({ title: ' Cuts come late\u0007 ', tickers: ['kxfed', 'KXFED'] })
    expect(created).toMatchObject({
      title: 'Cuts come late',
      text: '',
      category: null,
      tickers: ['KXFED'],
      direction: null,
      conviction: 5,
      horizon: null,
      thesisId: null,
      active: true,
    })
    expect(created.id).toMatch(/^vw_/)
    await service.clock.advance(1_000)
    const change = { id: created.id, conviction: 9, direction: 'no', horizon: '2026-12-31' }
    const [status, changed] = await send<PortfolioView>('PUT', VIEWS, change)
    expect([status, changed]).toEqual([
      200,
      { ...created, ...change, updatedAt: expect.not.stringMatching(created.updatedAt) },
    ])
    expect((await send<PortfolioView>('PUT', VIEWS, { id: created.id, horizon: null }))[1]).toEqual(
      {
        ...changed,
        horizon: null,
      },
    )
    expect(await send('DELETE', VIEWS, { id: created.id })).toEqual([200, { ok: true }])
    expect(await send('DELETE', `${VIEWS}?id=${created.id}`)).toEqual([
      404,
      { error: 'not found', code: 'NOT_FOUND' },
    ])
  })

  it.each([
    ['POST', {}, 'title is required'],
    ['POST', { title: '' }, 'title must be a string of 1 to 200 characters'],
    ['POST', { title: null }, 'title must not be null'],
    ['POST', { title: 'x', conviction: 11 }, 'conviction must be an integer from 1 to 10'],
    ['POST', { title: 'x', conviction: '5' }, 'conviction must be an integer from 1 to 10'],
    ['POST', { title: 'x', direction: 'up' }, 'direction must be yes or no'],
    ['POST', { title: 'x', horizon: '2026-02-30' }, 'horizon must be a date YYYY-MM-DD'],
    ['POST', { title: 'x', tickers: [1] }, 'tickers must be at most 50 tickers'],
    ['POST', { title: 'x', active: 1 }, 'active must be boolean'],
    ['PUT', { conviction: 1 }, 'id is required'],
    ['PUT', { id: 'vw_x' }, 'No valid fields to update'],
    ['DELETE', {}, 'id is required'],
  ])('[portfolio.texts.rows] are refused: %s %j', async (method, body, error) => {
    expect(await send(method, VIEWS, body)).toEqual([400, { error, code: 'VALIDATION_ERROR' }])
  })

  it('[portfolio.texts.rows] name own theses only', async () => {
    const [status, { error }] = await send('POST', VIEWS, { title: 'x', thesisId: 'deadbeef' })
    expect([status, error]).toEqual([404, 'Thesis not found'])
  })

  it('[portfolio.texts.order] are listed by conviction, then age, page by page', async () => {
    const titles: [string, number][] = [
      ['a', 5],
      ['b', 9],
      ['c', 5],
      ['d', 1],
    ]
    for (const [title, conviction] of titles) await addView({ title, conviction })
    const [, first] = await send<PortfolioViewPage>('GET', `${VIEWS}?limit=2`)
    expect(first.views).toEqual(first.data)
    await addView({ title: 'inserted later', conviction: 10 })
    const cursor = first.pageInfo.nextCursor ?? ''
    const [, second] = await send<PortfolioViewPage>('GET', `${VIEWS}?limit=2&cursor=${cursor}`)
    expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(['b', 'a', 'c', 'd'])
    expect(second.pageInfo).toEqual({ limit: 2, nextCursor: null, hasMore: false })
    expect((await send('GET', `${STRATEGIES}?cursor=${cursor}`))[1].error).toBe('cursor is invalid')
  })
})

describe('strategies', () => {
  it('[portfolio.texts.order] are listed by priority and changed by their fields', async () => {
    const add = async (body: object) => (await send<PortfolioStrategy>('POST', STRATEGIES, body))[1]
    const first = await add({ name: 'First', text: 'Trade liquid markets.' })
    expect(first).toMatchObject({ priority: 100, enabled: true })
    const second = await add({ name: 'Second', text: 'Avoid sports.', priority: 0 })
    const [, { data, strategies }] = await send<PortfolioStrategyPage>('GET', STRATEGIES)
    expect(data.map(({ name }) => name)).toEqual(['Second', 'First'])
    expect(strategies).toEqual(data)
    const change = { id: second.id, priority: 1000, enabled: false }
    expect((await send<PortfolioStrategy>('PUT', STRATEGIES, change))[1]).toMatchObject(change)
    const [, after] = await send<PortfolioStrategyPage>('GET', STRATEGIES)
    expect(after.data.map(({ name }) => name)).toEqual(['First', 'Second'])
    expect((await send('POST', STRATEGIES, { name: 'x' }))[1].error).toBe('text is required')
    // A strategy is not a view.
    expect((await send('PUT', VIEWS, { id: second.id, title: 'x' }))[0]).toBe(404)
    expect((await send('DELETE', VIEWS, { id: second.id }))[0]).toBe(404)
  })
})

it('[portfolio.texts.owner] of another user are neither listed, changed nor deleted', async () => {
  const mine = await addView({ title: 'mine' })
  const [, { data }] = await send<PortfolioViewPage>('GET', VIEWS, undefined, other)
  expect(data).toEqual([])
  for (const [method, body] of [
    ['PUT', { id: mine.id, title: 'theirs' }],
    ['DELETE', { id: mine.id }],
  ] as const) {
    expect(await send(method, VIEWS, body, other)).toEqual([
      404,
      { error: 'not found', code: 'NOT_FOUND' },
    ])
  }
  const [, own] = await send<PortfolioViewPage>('GET', VIEWS)
  expect(own.data).toContainEqual(mine)
})
