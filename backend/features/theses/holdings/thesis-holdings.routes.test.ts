import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowCreated, StrategyPage, ThesisPosition } from '../../../contract/theses/holdings.ts'
import type { ServedThesis, ThesisFormed } from '../../../contract/theses/thesis.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

let service: TradingService
let id: string
beforeAll(async () => {
  service = await startTradingService(null)
  await service.describe({ title: 'Will the senate pass the shutdown bill by December 31, 2026?' })
  await service.quote({ bid: 59, ask: 61, bidSize: 500, askSize: 500 })
  const [, created] = await service.send<ThesisFormed>('POST', '/api/thesis/create?sync=true', {
    rawThesis: 'The senate will pass the shutdown bill by December 31, 2026',
  })
  ;({ id } = created)
})
afterAll(() => service.stop())

const read = async <T>(path: string): Promise<T> => (await service.send<T>('GET', path))[1]
const errorOf = async (method: string, path: string, body?: object): Promise<string> => {
  const [status, { code, error }] = await service.send<{ code: string; error: string }>(
    method,
    path,
    body,
  )
  return `${status} ${code}: ${error}`
}
const POSITION = {
  venue: 'venue_a',
  externalMarketId: TICKER,
  marketTitle: 'Shutdown bill',
  direction: 'no',
  entryPrice: 35,
  size: 20,
}

describe('positions of a thesis', () => {
  it('[theses.positions.noted] are noted, valued on their side and exited once', async () => {
    const path = `/api/thesis/${id}/positions`
    const [status, { id: positionId }] = await service.send<RowCreated>('POST', path, POSITION)
    expect(status).toBe(201)
    expect(positionId).toMatch(/^pos_/)
    const { positions, openPositionCount } = await read<ServedThesis>(`/api/thesis/${id}`)
    expect(openPositionCount).toBe(1)
    // The mark of YES is 60, so NO is worth 40 and 20 contracts gained 5 cents each.
    expect(positions).toMatchObject([
      { status: 'open', currentPrice: 40, unrealizedPnlCents: 100, realizedPnlCents: null },
    ])
    const own = `${path}/${positionId}`
    const [, closed] = await service.send<ThesisPosition>('PATCH', own, {
      status: 'closed',
      exitPrice: 45,
      exitReason: 'take_profit',
    })
    expect(closed).toMatchObject({
      status: 'closed',
      exitPrice: 45,
      realizedPnlCents: 200,
      unrealizedPnlCents: null,
    })
    const [, reopened] = await service.send<ThesisPosition>('PATCH', own, { status: 'open' })
    expect(reopened).toMatchObject({ exitedAt: null, exitPrice: null, exitReason: null })
    const [, exited] = await service.send<object>('DELETE', own)
    expect(await service.send<object>('DELETE', own, { exitPrice: 1 })).toEqual([200, exited])
    expect((await read<ServedThesis>(`/api/thesis/${id}`)).positions).toMatchObject([
      { exitPrice: 40, exitReason: 'manual' },
    ])
  })

  it('are closed at the price of the market that the same change names', async () => {
    const path = `/api/thesis/${id}/positions`
    const unknown = { ...POSITION, externalMarketId: 'KXELSEWHERE' }
    const [, created] = await service.send<RowCreated>('POST', path, unknown)
    const [, closed] = await service.send<ThesisPosition>('PATCH', `${path}/${created.id}`, {
      externalMarketId: TICKER,
      status: 'closed',
    })
    expect(closed).toMatchObject({ status: 'closed', exitPrice: 40, realizedPnlCents: 100 })
  })

  it('[theses.positions.refused] need a market, a side and a price that can be paid', async () => {
    const path = `/api/thesis/${id}/positions`
    expect(await errorOf('POST', path, { ...POSITION, marketTitle: null })).toBe(
      '400 VALIDATION_ERROR: venue, externalMarketId, marketTitle, direction and entryPrice are required',
    )
    expect(await errorOf('POST', path, { ...POSITION, entryPrice: 100 })).toContain('entryPrice')
    expect(await errorOf('POST', path, { ...POSITION, entryPrice: '35' })).toContain('entryPrice')
    expect(
      await errorOf('POST', path, { ...POSITION, openedAt: '2030-01-01T00:00:00.000Z' }),
    ).toContain('openedAt must not be in the future')
    expect(await errorOf('PATCH', `${path}/pos_none`, { size: 1 })).toBe(
      '404 NOT_FOUND: Position not found',
    )
  })
})

describe('strategies of a thesis', () => {
  it('[theses.strategies.kept] are listed by priority, changed until they are final', async () => {
    const path = `/api/thesis/${id}/strategies`
    const add = async (body: object) =>
      (
        await service.send<RowCreated>('POST', path, {
          marketId: TICKER,
          direction: 'yes',
          entryBelow: 55,
          ...body,
        })
      )[1].id
    const [low, high] = [await add({}), await add({ priority: 90, exit: 80, sizing: 10 })]
    const page = await read<StrategyPage>(`${path}?limit=1`)
    expect(page.data).toMatchObject([
      {
        id: high,
        market: expect.stringContaining('shutdown'),
        takeProfit: 80,
        perOrderQuantity: 10,
      },
    ])
    const next = `${path}?limit=1&cursor=${page.pageInfo.nextCursor ?? ''}`
    const rest = await read<StrategyPage>(next)
    expect(rest.strategies).toMatchObject([{ id: low, maxQuantity: 500, status: 'active' }])
    // The row before the page is gone, and one of the same priority and one above it are newer.
    await service.send('DELETE', `${path}/${high}`)
    const [same, above] = [await add({ priority: 90 }), await add({ priority: 95 })]
    const later = await read<StrategyPage>(next.replace('limit=1', 'limit=9'))
    expect(later.data.map((one) => one.id)).toEqual([same, low])
    for (const one of [same, above]) await service.send('DELETE', `${path}/${one}`)
    await service.send('PATCH', `${path}/${low}`, { status: 'cancelled' })
    expect(await errorOf('PATCH', `${path}/${low}`, { priority: 1 })).toBe(
      '409 INVALID_TRANSITION: the strategy is cancelled',
    )
    expect((await read<StrategyPage>(`${path}?status=cancelled`)).data).toHaveLength(1)
    expect((await service.send('DELETE', `${path}/${low}`))[1]).toEqual({ ok: true })
    expect(await errorOf('DELETE', `${path}/${low}`)).toBe('404 NOT_FOUND: Strategy not found')
  })

  it('[theses.strategies.refused] need an entry, and prices in order', async () => {
    const path = `/api/thesis/${id}/strategies`
    const base = { marketId: TICKER, direction: 'yes' }
    expect(await errorOf('POST', path, base)).toContain('entryBelow or entryAbove is required')
    expect(await errorOf('POST', path, { ...base, entryBelow: 40, stopLoss: 40 })).toContain(
      'stopLoss must be below entryBelow',
    )
    expect(await errorOf('POST', path, { ...base, entryBelow: 40, takeProfit: 30 })).toContain(
      'takeProfit must be above entryBelow',
    )
    expect(await errorOf('POST', path, { ...base, marketId: 'KXNONE', entryBelow: 4 })).toBe(
      '404 NOT_FOUND: Market not found',
    )
  })
})

describe('an idempotency key', () => {
  it('[theses.writes.repeated] repeats the answer of the first write with the same body', async () => {
    const send = async (body: object) => {
      const response = await fetch(`${service.url}/api/thesis/${id}/positions`, {
        method: 'POST',
        headers: {
          authorization: service.authorization,
          'content-type': 'application/json',
          'idempotency-key': 'position-1',
        },
        body: JSON.stringify(body),
      })
      return [response.status, await response.json()] as [number, RowCreated & { code?: string }]
    }
    const first = await send(POSITION)
    expect(await send(POSITION)).toEqual(first)
    const [status, { code }] = await send({ ...POSITION, size: 21 })
    expect([status, code]).toEqual([409, 'IDEMPOTENCY_MISMATCH'])
  })
})
