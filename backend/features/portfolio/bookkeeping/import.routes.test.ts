import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Attribution } from '../../../contract/orders/attribution.ts'
import type { LedgerImported } from '../../../contract/orders/imports.ts'
import type { ServedRisk } from '../../../contract/portfolio.ts'
import {
  startTradingService,
  TICKER,
  type TradingService,
} from '../../../testing/trading-service.ts'

const PATH = '/api/portfolio/ledger/import/venue_a'
const FILL = {
  fillId: 'fill-1',
  ticker: TICKER,
  action: 'buy',
  side: 'yes',
  quantity: 100,
  priceCents: 30,
  feeCents: 147,
  createdAt: '2026-11-20T09:00:00Z',
}
const SALE = {
  ...FILL,
  fillId: 'fill-2',
  action: 'sell',
  quantity: 60,
  priceCents: 50,
  feeCents: 105,
  createdAt: '2026-11-20T10:00:00Z',
}

let service: TradingService
beforeAll(async () => {
  service = await startTradingService()
  await service.quote({ bid: 40, ask: 41, bidSize: 50, askSize: 50 })
})
afterAll(() => service.stop())

const importRows = async (body: object): Promise<LedgerImported> =>
  (await service.send<LedgerImported>('POST', PATH, body))[1]

it('[portfolio.import.folded] shows imported trades in ledger, positions, risk and attribution', async () => {
  await service.intend({ direction: 'no', maxPrice: 65 })
  expect((await importRows({ fills: [SALE] })).inserted.fills).toBe(1)
  const [early] = await service.ledger('?mode=live')
  // Without an earlier purchase, the sale opens NO contracts at 50 cents.
  expect(early).toMatchObject({ realizedPnlCents: null, cashDeltaCents: 2_895, seq: 3 })
  expect(await service.positions('?mode=live')).toMatchObject([{ direction: 'no', quantity: 60 }])

  expect((await importRows({ fills: [FILL] })).inserted.fills).toBe(1)
  const [sale, purchase] = await service.ledger('?mode=live')
  // 60 contracts from 30 to 50 cents, less the fee of the sale and 60 % of that of the purchase.
  expect(sale).toEqual({
    ...early,
    realizedPnlCents: 1_007,
    exact: { ...early?.exact, realizedPnl: '10.068000' },
  })
  expect(purchase).toMatchObject({
    source: 'import_venue_a',
    key: 'a:fill:fill-1',
    venueTradeId: 'fill-1',
    marketTitle: 'Will the test pass?',
    confidence: 'unknown',
  })
  expect((await service.ledger('?source=import_venue_a')).length).toBe(2)

  // Paper holds NO and live holds YES of the same market: they do not net.
  const positions = await service.positions()
  expect(positions.map(({ mode, direction, quantity }) => [mode, direction, quantity])).toEqual([
    ['live', 'yes', 40],
    ['paper', 'no', 10],
  ])
  const [, { unknown, totals }] = await service.send<Attribution>(
    ...(['GET', '/api/portfolio/attribution/grouped?mode=live'] as const),
  )
  expect(unknown).toEqual(totals)
  expect(totals).toMatchObject({ realizedPnlCents: 1_007, unrealizedPnlDeltaCents: 400 })
  const [, risk] = await service.send<ServedRisk>('GET', '/api/portfolio/risk')
  expect(risk).toMatchObject({ mode: 'paper', unknownPnlCents: 1_407, positions: { used: 1 } })
})

it('[portfolio.import.owner] books into the account of the caller only', async () => {
  const other = await service.signUp()
  const sent = await service.ask('POST', PATH, { fills: [FILL], userId: 'usr_x' }, other)
  // The same key in another ledger is no duplicate.
  expect(JSON.parse(sent.text)).toMatchObject({ inserted: { fills: 1 } })
  const foreign = await service.ask('GET', '/api/portfolio/ledger', undefined, other)
  expect((JSON.parse(foreign.text) as { data: unknown[] }).data).toHaveLength(1)
  expect((await service.ledger('?mode=live')).length).toBe(2)
})

it('[portfolio.import.refused] takes bodies of up to 4 MB', async () => {
  const fills = Array.from({ length: 2_000 }, (_, n) => ({
    ...FILL,
    fillId: `big-${n}-${'x'.repeat(100)}`,
    note: 'y'.repeat(600),
  }))
  expect((await importRows({ fills, dryRun: true })).inserted.fills).toBe(2_000)
  const over = fills.map((fill) => ({ ...fill, note: 'y'.repeat(2_000) }))
  const { status } = await service.ask('POST', PATH, { fills: over })
  expect(status).toBe(413)
})
