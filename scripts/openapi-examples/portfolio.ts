import type { CredentialKey } from '../../backend/contract/orders/credentials.ts'
import type { OpenApiDocument } from '../../backend/http/routes/openapi.ts'
import { envelopeBody, newPem } from '../../backend/testing/credentials.ts'
import { startTradingService } from '../../backend/testing/trading-service.ts'
import { recorder, type Body, type RecordExample } from './recorder.ts'

/** Intents. */
export async function recordIntents(record: RecordExample, ticker: string): Promise<void> {
  const { id: intent } = await record('intent.create', {
    request: { marketId: ticker, action: 'buy', direction: 'yes', targetQuantity: 10 },
  })
  const ofIntent = { parameters: { id: String(intent) } }
  await record('intents.get', ofIntent)
  await record('intents.change', {
    ...ofIntent,
    request: { fill: { orderId: 'order-1', fillQuantity: 4, fillPrice: 40 } },
  })
  await record('intents.list')
  await record('intents.cancel', ofIntent)
}

/** Views, strategies, credentials, imports and attribution. */
export async function recordPortfolio(record: RecordExample, ticker: string): Promise<void> {
  const { id: view } = await record('portfolio.addView', {
    request: { title: 'Cuts come late', tickers: [ticker], direction: 'no', conviction: 7 },
  })
  await record('portfolio.changeView', { request: { id: view, horizon: '2026-12-31' } })
  await record('portfolio.views')
  await record('portfolio.removeView', { request: { id: view } })
  const { id: strategyText } = await record('portfolio.addStrategy', {
    request: { name: 'Liquid markets', text: 'Trade only markets with a spread below 3 cents.' },
  })
  await record('portfolio.changeStrategy', { request: { id: strategyText, priority: 10 } })
  await record('portfolio.strategies')
  await record('portfolio.removeStrategy', { request: { id: strategyText } })
  const issued = (await record('portfolio.credentialKey', {
    request: { venue: 'venue_a' },
  })) as unknown as CredentialKey
  await record('portfolio.storeCredentials', {
    request: {
      ...(await envelopeBody(issued, { keyId: 'key-1', privateKeyPem: newPem() })),
      label: 'Desk',
    },
  })
  await record('portfolio.removeCredentials', { request: { venue: 'venue_a' } })
  await record('portfolio.importVenueA', {
    request: {
      fills: [
        {
          fillId: 'fill-1',
          ticker,
          action: 'buy',
          side: 'yes',
          quantity: 10,
          priceCents: 40,
          feeCents: 17,
          createdAt: '2026-11-19T12:00:00.000Z',
        },
      ],
    },
  })
  await record('portfolio.importVenueB', {
    request: {
      fills: [
        {
          conditionId: `0x${'ab'.repeat(32)}`,
          outcomeIndex: 0,
          side: 'BUY',
          size: 12.5,
          price: 0.41,
          timestamp: 1_795_000_000,
          transactionHash: `0x${'cd'.repeat(32)}`,
        },
      ],
      dryRun: true,
    },
  })
  await record('portfolio.attributionDaily')
  await record('portfolio.attributionGrouped', { parameters: { groupBy: 'day,venue' } })
  await record('portfolio.resetPaper', { request: { confirm: true } })
}

/** The configuration, ticks and trades of the autopilot. */
export async function recordTicks(record: RecordExample, ticker: string): Promise<void> {
  await record('portfolio.configure', { request: { maxPositions: 10, enabled: true } })
  await record('portfolio.report', {
    request: { handoffNote: 'Own rules ran', openPositionCount: 2 },
  })
  await record('portfolio.addTick', {
    request: { status: 'completed', handoffNote: 'Ran on another machine', decisions: [] },
  })
  const { tick } = await record('portfolio.trigger', { parameters: { sync: 'true' }, request: {} })
  await record('portfolio.tick', { parameters: { id: String((tick as Body)['id']) } })
  await record('portfolio.ticks')
  await record('portfolio.addTrade', {
    request: {
      venue: 'venue_a',
      marketId: ticker,
      direction: 'buy_yes',
      quantity: 10,
      entryPriceCents: 40,
    },
  })
  const rows = (await record('portfolio.trades')) as unknown as readonly Body[]
  await record('portfolio.trade', { parameters: { id: String(rows[0]?.['id']) } })
}

/** Accounts of an exchange are read with live data only: this one has a single fill. */
export async function recordPull(document: OpenApiDocument): Promise<void> {
  const fill = {
    fill_id: 'fill-1',
    ticker: 'KXCPIYOY-26DEC12-T2.70',
    action: 'buy',
    side: 'yes',
    count_fp: '10.00',
    yes_price_dollars: '0.4000',
    fee_cost: '0.1700',
    created_time: '2026-11-19T12:00:00Z',
  }
  const page = (rows: readonly unknown[]) => Promise.resolve({ rows, next: null })
  const service = await startTradingService(null, {}, () => ({
    fills: () => page([fill]),
    settlements: () => page([]),
  }))
  const secrets = '/api/portfolio/secrets'
  const [, key] = await service.send<CredentialKey>('POST', `${secrets}/key`, { venue: 'venue_a' })
  const credentials = { keyId: 'key-1', privateKeyPem: newPem() }
  await service.send('POST', secrets, await envelopeBody(key, credentials))
  const record = recorder(
    document,
    (path, { method, body }) =>
      service.ask(method, path, body === undefined ? undefined : (JSON.parse(body) as object)),
    { launch: {}, cookie: {}, data: {} },
  )
  await record('portfolio.pullVenueA', { request: { since: '30d' } })
  await service.stop()
}
