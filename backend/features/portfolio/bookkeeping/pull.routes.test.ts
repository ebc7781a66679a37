import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerPulled } from '../../../contract/orders/imports.ts'
import type { ServedTick } from '../../../contract/orders/ticks.ts'
import type { CredentialKey } from '../../../contract/orders/credentials.ts'
import { envelopeBody } from '../../../testing/credentials.ts'
import { simulatedCredentials } from '../../../testing/trading-credentials.ts'
import {
  startTradingService,
  TRADING_FROM,
  type TradingService,
} from '../../../testing/trading-service.ts'
import { startTrading, tradableMarket } from '../../../testing/trading-accounts.ts'
import type { PriceE4, SizeE6 } from '../../../domain/units.ts'
import { VenueFailure } from '../../../venues/connector.ts'
import type { AccountHistory, VenueACredentials } from '../../../venues/trading.ts'

const PATH = '/api/portfolio/ledger/import/venue_a/pull'
const TIME = Date.parse(TRADING_FROM)
const HOUR = 3_600_000
const iso = (hoursBefore: number): string => new Date(TIME - hoursBefore * HOUR).toISOString()
/** A fill as the venue's API returns it. */
const fill = (id: number, hoursBefore: number) => ({
  fill_id: `fill-${id}`,
  ticker: 'KXOLD-26NOV01-A',
  action: 'buy',
  side: 'yes',
  count_fp: '10.00',
  yes_price_dollars: '0.4000',
  fee_cost: '0.1700',
  is_taker: true,
  created_time: iso(hoursBefore),
})
const SETTLED = {
  ticker: 'KXOLD-26NOV01-A',
  market_result: 'yes',
  yes_count_fp: '10.00',
  no_count_fp: '0.00',
  revenue: 1_000,
  settled_time: iso(2),
}

let fills: object[] = []
let failure: Error | null = null
let opened: VenueACredentials | null = null
/** Pages of 200 rows, newest first, as the venue's. */
const pageOf = (rows: readonly object[], cursor: string | null) => {
  if (failure !== null) return Promise.reject(failure)
  const from = Number(cursor ?? 0)
  const next = from + 200 < rows.length ? String(from + 200) : null
  return Promise.resolve({ rows: rows.slice(from, from + 200), next })
}
const PAGES: AccountHistory = {
  fills: (_, cursor) => pageOf(fills, cursor),
  settlements: (_, cursor) => pageOf([SETTLED], cursor),
}
let history = PAGES

let service: TradingService
const pull = <T = LedgerPulled>(body: object = {}) => service.send<T>('POST', PATH, body)
const reconciles = async () =>
  (await service.send<ServedTick[]>('GET', '/api/portfolio/ticks?trigger=reconcile'))[1]

beforeAll(async () => {
  service = await startTradingService(null, {}, (credentials) => {
    opened = credentials
    return history
  })
})
afterAll(() => service.stop())

describe('POST /api/portfolio/ledger/import/venue_a/pull', () => {
  it('[portfolio.pull.credentials] needs stored credentials', async () => {
    expect(await pull<object>()).toEqual([409, { error: 'no secrets found', code: 'CONFLICT' }])
  })

  it('[portfolio.pull.books] books what the account traded once, oldest first, and erases the key', async () => {
    const { keyId, privateKeyPem } = simulatedCredentials().venue_a
    const secrets = '/api/portfolio/secrets'
    const [, issued] = await service.send<CredentialKey>('POST', `${secrets}/key`, {
      venue: 'venue_a',
    })
    const fields = { keyId, privateKeyPem: privateKeyPem.toString() }
    await service.send('POST', secrets, await envelopeBody(issued, fields))
    fills = [fill(3, 1), fill(2, 3), fill(1, 4)]
    const [, checked] = await pull({ dryRun: true })
    expect(checked).toMatchObject({ dryRun: true, inserted: { fills: 3, settlements: 1 } })
    expect(await service.ledger()).toEqual([])
    const [status, booked] = await pull()
    expect([status, booked.errors]).toEqual([200, []])
    expect(booked).toMatchObject({
      source: 'import_venue_a',
      fetched: { fills: 3, settlements: 1 },
      inserted: { fills: 3, settlements: 1 },
      truncated: false,
    })
    expect((await service.ledger()).map(({ key, mode }) => `${mode} ${key}`)).toEqual([
      'live a:fill:fill-1',
      'live a:fill:fill-2',
      expect.stringContaining('live a:settle:KXOLD-26NOV01-A'),
      'live a:fill:fill-3',
    ])
    const [, again] = await pull()
    expect(again).toMatchObject({
      inserted: { fills: 0, settlements: 0 },
      duplicates: { fills: 3, settlements: 1 },
    })
    expect(opened?.keyId).toBe(keyId)
    expect(opened?.privateKeyPem.every((byte) => byte === 0)).toBe(true)
  })

  it('[portfolio.pull.tick] is recorded as a tick with trigger reconcile', async () => {
    const [newest] = await reconciles()
    expect(newest).toMatchObject({
      status: 'completed',
      mode: 'live',
      decisions: [],
      handoffNote:
        'Booked 0 fills and 0 settlements of Kalshi; 3 fills and 1 settlement were booked before',
    })
    expect(await service.send('GET', '/api/portfolio/ticks')).toEqual([200, []])
  })

  it('reads a part of the time, and the oldest 2000 rows of a kind', async () => {
    fills = [fill(9, 1), fill(8, 30), fill(7, 40)]
    const [, part] = await pull({ since: '5d', until: iso(24) })
    expect(part).toMatchObject({ fetched: { fills: 2, settlements: 0 }, inserted: { fills: 2 } })
    fills = Array.from({ length: 2_050 }, (_, index) => fill(5_000 - index, 100 + index / 100))
    const [, first] = await pull()
    expect(first).toMatchObject({ truncated: true, fetched: { fills: 2_050 } })
    expect(first.inserted.fills).toBe(2_000)
    const keys = new Set((await service.ledger('?limit=500')).map(({ key }) => key))
    expect(keys.has('a:fill:fill-5000')).toBe(false)
    // The next pull continues after the booked rows.
    const [, second] = await pull()
    expect(second).toMatchObject({ truncated: false, inserted: { fills: 50 } })
    expect(second.duplicates.fills).toBe(2_000)
  })

  it('[portfolio.pull.wire] books the fills as the exchange returns them', async () => {
    const { sim, openA } = await startTrading(service.clock)
    const client = openA()
    const market = tradableMarket(sim, 'venue_a')
    const signal = AbortSignal.timeout(60_000)
    const order = {
      clientOrderId: 'pulled-1',
      ticker: market.id,
      action: 'buy',
      direction: 'yes',
      size: 1_000_000 as SizeE6,
      limit: 9_900 as PriceE4,
      timeInForce: 'ioc',
    } as const
    await client.placeOrder(await client.prepareOrder(order), signal)
    history = client.account
    const [, pulled] = await pull()
    history = PAGES
    expect(pulled).toMatchObject({ fetched: { fills: 1 }, inserted: { fills: 1 }, errors: [] })
    const [entry] = await service.ledger(`?marketId=${market.id}`)
    const [fill] = sim.exchanges.venue_a.orders.flatMap(({ filled, paid, fees }) =>
      filled === 0 ? [] : [{ price: paid / filled, fee: fees }],
    )
    expect(entry).toMatchObject({
      action: 'buy',
      direction: 'yes',
      quantity: 1,
      priceCents: (fill?.price ?? 0) * 100,
      exact: { fee: ((fill?.fee ?? 0) / 1e6).toFixed(6) },
    })
  })

  it('stores nothing when the venue fails, and reports no text of it', async () => {
    failure = new VenueFailure('venue_a', 'BEGIN PRIVATE KEY', { status: 401, retryable: false })
    const [status, answer] = await pull<object>()
    failure = null
    expect(status).toBe(502)
    expect(JSON.stringify(answer)).not.toContain('PRIVATE')
    expect((await reconciles())[0]).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Kalshi refused the credentials \(401\)/),
    })
  })

  it.each([
    [{ since: 'soon' }, /^since must be/],
    [{ since: '1d', until: '2026-11-01T00:00:00Z' }, /^until must not be before since/],
    [{ dryRun: 'yes' }, /^dryRun must be/],
  ])('refuses %j', async (body, message) => {
    const [status, { error }] = await pull<{ error: string }>(body)
    expect([status, error]).toEqual([400, expect.stringMatching(message)])
  })
})
