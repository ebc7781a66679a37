import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Attribution } from '../../../contract/orders/attribution.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

let service: TradingService
beforeAll(async () => {
  service = await startTradingService()
  await service.quote({ bid: 40, ask: 41, bidSize: 50, askSize: 50 })
  await service.intend()
  await service.quote({ bid: 50, ask: 51, bidSize: 50, askSize: 50 })
  await service.intend({ action: 'sell', targetQuantity: 4, maxPrice: 50 })
})
afterAll(() => service.stop())

const read = async (path: string) =>
  (await service.send<Attribution>('GET', `/api/portfolio/attribution/${path}`))[1]

it('[portfolio.attribution.daily] shows days and markets, which add up to the ledger and the positions', async () => {
  const daily = await read('daily')
  expect(daily).toMatchObject({ to: '2026-11-20', timeZone: 'UTC', groupBy: [] })
  expect(daily.rows.map(({ date, fills, keys }) => [date, fills, keys])).toEqual([
    ['2026-11-20', 2, {}],
  ])
  const grouped = await read('grouped')
  expect(grouped.rows).toMatchObject([
    { keys: { marketId: TICKER }, label: 'Will the test pass?', positionDelta: 6, fills: 2 },
  ])
  expect(grouped.totals).toEqual(daily.totals)
  const ledger = await service.ledger()
  const cash = ledger.reduce((sum, { exact }) => sum + Number(exact.cashDelta), 0)
  expect(grouped.totals.cashDeltaCents).toBe(Math.round(cash * 100))
  expect(grouped.totals.entries).toBe(ledger.length)
  const [position] = await service.positions()
  expect(grouped.totals).toMatchObject({
    realizedPnlCents: position?.realizedPnlCents,
    unrealizedPnlDeltaCents: position?.unrealizedPnlCents,
  })
  expect(await read('grouped?groupBy=day,venue')).toMatchObject({
    groupBy: ['day', 'venue'],
    rows: [{ date: '2026-11-20', keys: { venue: 'venue_a' } }],
    totals: daily.totals,
  })
})

it('[portfolio.attribution.daily] refuses keys and days that do not exist', async () => {
  const refused = async (path: string) => {
    const [status, body] = await service.send<{ error: string }>(
      ...(['GET', `/api/portfolio/attribution/${path}`] as const),
    )
    return [status, body.error]
  }
  expect(await refused('daily?groupBy=colour')).toEqual([
    400,
    expect.stringContaining('groupBy must be source, venue'),
  ])
  expect((await refused('daily?groupBy=day'))[0]).toBe(400)
  expect(await refused('grouped?groupBy=day,venue,market,thesis')).toEqual([
    400,
    'groupBy must have at most 3 keys',
  ])
  expect(await refused('daily?from=2026-02-30')).toEqual([400, 'from must be a date YYYY-MM-DD'])
  expect((await refused('daily?from=2026-11-20T00:00:00Z'))[0]).toBe(400)
})

it('[portfolio.attribution.daily] leaves a paper account out once it is reset', async () => {
  await service.send('POST', '/api/portfolio/paper/reset', { confirm: true })
  expect(await read('grouped')).toMatchObject({ rows: [], totals: { entries: 0 } })
})
