import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { format, resolveConfig } from 'prettier'
import type { Example, OpenApiDocument, Operation } from '../backend/http/routes/openapi.ts'
import type { CredentialKey } from '../backend/contract/orders/credentials.ts'
import { accessService } from '../backend/testing/access-service.ts'
import { envelopeBody, newPem } from '../backend/testing/credentials.ts'
import { startHttpsReceiver } from '../backend/testing/https-receiver.ts'
import { identityProvider, providerKey, tokenOf } from '../backend/testing/identity-provider.ts'
import { startReplayOf } from '../backend/testing/replayed-folder.ts'
import { startTradingService } from '../backend/testing/trading-service.ts'
import { startWholeService, type WholeService } from '../backend/testing/whole-service.ts'

/**
 * Records one request and answer of each operation of the OpenAPI document against a demo, and
 * writes them to `backend/contract/examples.json`, shortened so that lists keep their first entry and
 * long texts their beginning. Secrets and folders of this machine are replaced.
 * Usage: node scripts/openapi-examples.ts
 */
const FILE = join(import.meta.dirname, '..', 'backend', 'contract', 'examples.json')
const MAX_TEXT_LENGTH = 240
const MARKETS = 120
const AUDIENCE = 'augury-desk'

interface Request {
  /** Values of the parameters in path and query. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly request?: object
  /** Headers of the credential; by default one that the operation accepts. */
  readonly headers?: Readonly<Record<string, string>>
}
type Body = Readonly<Record<string, unknown>>
interface Sent {
  readonly status: number
  readonly text: string
}
type Send = (
  path: string,
  sending: { method: string; headers: Readonly<Record<string, string>>; body?: string },
) => Promise<Sent>

const recorded = new Map<string, Example>()
const replaced: [hidden: string | RegExp, shown: string][] = [
  [/svct?_live_[\w-]{20,}/g, 'svc_live_0000000000000000000000000000000000000000000'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://login.example.com'],
]

/** An answer as an example. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const shown = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), value)
    return shown.length <= MAX_TEXT_LENGTH ? shown : `${shown.slice(0, MAX_TEXT_LENGTH - 1)}…`
  }
  if (Array.isArray(value)) {
    const isTuple = value.every((one) => typeof one === 'number')
    return value.slice(0, isTuple ? 2 : 1).map(shortened)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Body).map(([name, part]) => [name, shortened(part)]),
  )
}

/** Sends requests by the id of their operation, and records them. */
function recorder(document: OpenApiDocument, send: Send, credentials: Credentials) {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { path, method: method.toUpperCase(), operation },
      ]),
    ),
  )
  /** @throws Error for an answer that is no success */
  return async function record(
    operationId: string,
    { parameters = {}, request, headers }: Request = {},
  ): Promise<Body> {
    const found = operations.get(operationId)
    if (found === undefined) throw new Error(`no operation ${operationId}`)
    const { path, method, operation } = found
    const query = new URLSearchParams(
      Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`)),
    )
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = parameters[name] ?? ''
      return name === 'path' ? value : encodeURIComponent(value)
    })
    const answer = await send(query.size === 0 ? filled : `${filled}?${query.toString()}`, {
      method,
      headers: headers ?? credentialFor(operation, credentials),
      ...(request !== undefined && { body: JSON.stringify(request) }),
    })
    if (answer.status >= 300) {
      throw new Error(`${method} ${filled}: ${answer.status} ${answer.text.slice(0, 300)}`)
    }
    const isJson = /^\s*[[{n]/.test(answer.text) && operationId !== 'openapi.read'
    const body = isJson ? (JSON.parse(answer.text) as Body) : {}
    recorded.set(operationId, {
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(request !== undefined && { request: shortened(request) }),
      ...(isJson && { response: shortened(body) }),
    })
    return body
  }
}

interface Credentials {
  readonly launch: Readonly<Record<string, string>>
  readonly cookie: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
}

function credentialFor({ security }: Operation, credentials: Credentials) {
  const accepted = JSON.stringify(security)
  if (accepted.includes('launchSecret')) return credentials.launch
  if (accepted.includes('dataKey')) return credentials.data
  const isOptional = accepted.includes('{}')
  return accepted.includes('"session"') && !isOptional ? credentials.cookie : {}
}

const firstOf = (body: Body, list: string): Body => {
  const [first] = body[list] as Body[]
  if (first === undefined) throw new Error(`${list} is empty: the demo lacks an example`)
  return first
}

const demo = await startWholeService(MARKETS)
const folder = demo.dataDir
replaced.push([folder, '/home/ann/augury'], [/\/tmp\/augury-[\w-]+/g, '/home/ann/augury'])
await recordDemo(demo)
await recordReplay(demo)
await demo.close()
await recordIdentityProvider(demo.document)
await recordPull(demo.document)
const sorted = Object.fromEntries([...recorded].sort(([a], [b]) => (a < b ? -1 : 1)))
const style = { ...(await resolveConfig(FILE)), filepath: FILE }
writeFileSync(FILE, await format(JSON.stringify(sorted), style))
process.exit(0)

/** Theses with their work and publication. */
async function recordTheses(record: ReturnType<typeof recorder>, ticker: string): Promise<void> {
  const claim = 'The Fed will cut rates by 25 basis points in December 2026'
  const { id } = await record('thesis.create', {
    parameters: { sync: 'true' },
    request: { rawThesis: claim },
  })
  const ofThesis = { parameters: { id: String(id) } }
  await record('thesis.nodes.update', {
    ...ofThesis,
    request: {
      updates: [{ nodeId: 'n1', probability: 0.8 }],
      reason: 'the labour market weakens',
    },
  })
  await record('thesis.nodes.change', {
    ...ofThesis,
    request: { updates: [{ nodeId: 'n1', locked: false }] },
  })
  await record('thesis.whatif', { ...ofThesis, request: { overrides: { n1: 0.4 } } })
  await record('thesis.signal', {
    ...ofThesis,
    request: { type: 'news', source: 'wire', content: 'A governor confirms the December cut' },
  })
  await record('thesis.evaluate', { ...ofThesis, request: {} })
  await record('thesis.evaluations', ofThesis)
  await record('thesis.context', ofThesis)
  await record('thesis.changes', ofThesis)
  await record('thesis.prompt', ofThesis)
  await record('thesis.heartbeat', ofThesis)
  await record('thesis.heartbeat.change', { ...ofThesis, request: { newsIntervalMin: 120 } })
  await record('thesis.backtest', { parameters: { id: String(id), window: '1d' } })
  await record('thesis.feed')
  await record('thesis.augment', { ...ofThesis, request: { depth: 1 } })
  const { id: position } = await record('thesis.positions.add', {
    ...ofThesis,
    request: {
      venue: 'venue_a',
      externalMarketId: ticker,
      marketTitle: 'A cut in December',
      direction: 'yes',
      entryPrice: 62,
      size: 50,
    },
  })
  const ofPosition = { parameters: { id: String(id), positionId: String(position) } }
  await record('thesis.positions.change', { ...ofPosition, request: { size: 40 } })
  await record('thesis.positions.exit', { ...ofPosition, request: { exitPrice: 70 } })
  const { id: strategy } = await record('thesis.strategies.add', {
    ...ofThesis,
    request: { marketId: ticker, direction: 'yes', entryBelow: 60, takeProfit: 75 },
  })
  await record('thesis.strategies', ofThesis)
  const ofStrategy = { parameters: { id: String(id), strategyId: String(strategy) } }
  await record('thesis.strategies.change', { ...ofStrategy, request: { priority: 80 } })
  await record('thesis.strategies.remove', ofStrategy)
  await record('thesis.by-ticker', { parameters: { ticker } })
  const { id: copy } = await record('thesis.fork', {
    ...ofThesis,
    request: { reason: 'another view' },
  })
  const { slug } = await record('thesis.publish', {
    ...ofThesis,
    request: { slug: 'december-cut' },
  })
  await record('thesis.public', { parameters: { slug: String(slug) } })
  await record('theses.public')
  await record('thesis.get', ofThesis)
  await record('thesis.list')
  await record('thesis.change', { ...ofThesis, request: { status: 'paused' } })
  await record('thesis.unpublish.post', { ...ofThesis, request: {} })
  await record('thesis.unpublish', ofThesis)
  // The answer of the first documented status: an own thesis that is formed under another claim.
  const { id: evolved } = await record('thesis.fork', {
    parameters: { id: String(id), sync: 'true' },
    request: { newRawThesis: 'The Fed will cut rates by 50 basis points in December 2026' },
  })
  await record('thesis.remove', ofThesis)
  await record('thesis.remove', { parameters: { id: String(copy) } })
  await record('thesis.remove', { parameters: { id: String(evolved) } })
}

/** Watched objects and alerts. */
async function recordWatch(record: ReturnType<typeof recorder>, ticker: string): Promise<void> {
  await record('watch.identify', { request: { text: 'rate cut' } })
  const { id: object } = await record('watch.create', {
    request: { ticker, note: 'Before the December decision' },
  })
  const ofObject = { parameters: { id: String(object) } }
  const { id: rule } = await record('alert.create', {
    request: { ticker, condition: 'price_above', threshold: 70 },
  })
  const ofRule = { parameters: { id: String(rule) } }
  await record('alerts.get', ofRule)
  await record('alerts.change', { ...ofRule, request: { threshold: 75 } })
  await record('alerts.test', ofRule)
  await record('alerts.deliveries')
  await record('alerts.list')
  await record('watch.list')
  await record('watch.get', ofObject)
  await record('watch.change', { ...ofObject, request: { label: 'December decision' } })
  await record('watch.refresh', ofObject)
  await record('alerts.remove', ofRule)
  await record('watch.remove', ofObject)
}

/** Webhook endpoints with a receiver on this machine. */
async function recordWebhooks(record: ReturnType<typeof recorder>): Promise<void> {
  const receiver = await startHttpsReceiver()
  setDefaultCACertificates([...getCACertificates('default'), receiver.certificate])
  replaced.push([receiver.url, 'https://hooks.example.com/augury'])
  replaced.push([/whsec_[\w-]{43}/g, `whsec_${'0'.repeat(43)}`])
  const { id } = await record('webhooks.create', {
    request: { url: receiver.url, label: 'Trading desk', events: ['alert.fired'] },
  })
  const ofEndpoint = { parameters: { id: String(id) } }
  const { deliveryId } = await record('webhooks.test', { ...ofEndpoint, request: {} })
  const ofDelivery = { parameters: { id: String(id), deliveryId: String(deliveryId) } }
  await record('webhooks.deliveries', ofEndpoint)
  await record('webhooks.delivery', ofDelivery)
  await record('webhooks.delivery.replay', { ...ofDelivery, request: {} })
  await record('webhooks.replay', { ...ofEndpoint, request: { since: '24h' } })
  await record('webhooks.rotate', { ...ofEndpoint, request: { graceSeconds: 3_600 } })
  await record('webhooks.change', { ...ofEndpoint, request: { events: ['alert.fired'] } })
  await record('webhooks.resume', { ...ofEndpoint, request: {} })
  await record('webhooks.get', ofEndpoint)
  await record('webhooks.list')
  await record('webhooks.remove', ofEndpoint)
  await receiver.close()
}

/** Channels, subscriptions and messages of the forum. */
async function recordTicks(record: ReturnType<typeof recorder>, ticker: string): Promise<void> {
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

async function recordForum(record: ReturnType<typeof recorder>, ticker: string): Promise<void> {
  await record('forum.channel.create', {
    request: { id: 'fed-talk', name: 'Fed talk', description: 'Rate decisions' },
  })
  await record('forum.subscribe', { request: { channels: ['signals'] } })
  await record('forum.post', {
    request: {
      channel: 'signals',
      type: 'signal',
      content: 'The cut is priced in at 63.5¢, up 4¢ within an hour.',
      payload: { ticker, price: 63.5, delta: 4 },
      tickers: [ticker],
      agentName: 'Rate watcher',
    },
  })
  await record('forum.channels')
  await record('forum.messages', { parameters: { channel: 'signals' } })
  await record('forum.inbox')
  await record('forum.agents')
  await record('forum.unsubscribe', { request: { channels: ['signals'] } })
  await record('forum.channel.remove', { parameters: { id: 'fed-talk' } })
}

async function recordDemo(service: WholeService): Promise<void> {
  const { owner, document } = service
  const launch = { authorization: `Launch ${service.secret}` }
  const cookieOf = (cookie: string) => ({ cookie, origin: 'http://augury.test' })
  const cookie = cookieOf(owner.cookie)
  const data = { authorization: `Bearer ${owner.dataKey.key}` }
  const record = recorder(
    document,
    async (path, sending) => {
      // A ticket lives for a minute only.
      if (path !== '/api/auth/exchange') service.nextMinute()
      return service.ask(path, sending)
    },
    { launch, cookie, data },
  )
  const finished = async (operation: string, id: unknown): Promise<void> => {
    for (;;) {
      const { state } = await record(operation, { parameters: { id: String(id) } })
      if (state !== 'queued' && state !== 'running') return
      await wait(50)
    }
  }

  // Markets and the context around them.
  const pair = firstOf(await record('crossvenue.pairs'), 'pairs')
  const ticker = String((pair['a'] as Body)['ticker'])
  const market = { parameters: { ticker } }
  for (const operation of ['market.get', 'market.candles', 'market.history']) {
    await record(operation, market)
  }
  for (const operation of [
    'market.depth',
    'market.quotes',
    'market.trades',
    'market.microstructure',
  ]) {
    await record(operation, market)
  }
  await record('market.inspect', market)
  for (const operation of ['data.market', 'data.orderbook', 'data.candles', 'data.trades']) {
    await record(operation, market)
  }
  await record('markets.screen-by-tickers', { parameters: { tickers: ticker } })
  for (const operation of ['search.site', 'markets.search', 'query.ask', 'data.search']) {
    await record(operation, { parameters: { q: 'rate cut' } })
  }
  await record('guide.find', { parameters: { q: 'find mispriced markets' } })
  await record('world.delta', { parameters: { since: '1h', format: 'json' } })
  await record('world.read', { parameters: { format: 'json' } })
  await record('world.region', { parameters: { path: 'politics', format: 'json' } })
  await record('topic.feed', { parameters: { topic: 'politics', format: 'json' } })
  const slugOf = async (list: string, key: string) =>
    String(firstOf(await record(list), key)['slug'])
  const bySlug = async (operation: string, slug: string) =>
    record(operation, { parameters: { slug } })
  await bySlug('glossary.get', await slugOf('glossary.list', 'terms'))
  await bySlug('skills.get', await slugOf('skills.public', 'skills'))
  await bySlug('technicals.get', await slugOf('technicals.list', 'technicals'))
  await bySlug('opinions.get', await slugOf('opinions.list', 'opinions'))
  await bySlug('topics.get', 'politics')
  await bySlug('answers.get', await slugOf('odds.read', 'odds'))
  const idea = firstOf(await record('ideas.list'), 'ideas')
  await record('ideas.one', { parameters: { id: String(idea['id']) } })
  const curve = firstOf(await record('yieldcurves.read'), 'curves')
  await record('curves.one', { parameters: { event: String(curve['eventBase']) } })
  await record('query.discuss', { request: { question: 'Will the Fed cut rates?', ticker } })
  await record('content.enrich', {
    request: { content: 'The Fed signalled a rate cut in December.', topics: ['rates'] },
  })
  await record('sql.ask', { request: { sql: 'select ticker, title from markets limit 1' } })

  // Accounts.
  const account = { email: 'mary@example.com', password: 'correct horse battery' }
  await record('auth.signup', { request: account })
  await record('auth.signin', { request: account })
  const session = await service.ask('/api/auth/signin', {
    method: 'POST',
    body: JSON.stringify(account),
  })
  const mary = cookieOf((session.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '')
  await record('auth.changeMe', { request: { name: 'Mary' }, headers: mary })
  const { ticket } = await record('auth.local', { headers: launch })
  await record('auth.exchange', { request: { ticket: String(ticket) }, headers: {} })
  const sessions = (await record('auth.sessions', { headers: mary }))['sessions'] as Body[]
  const other = sessions.find(({ current }) => current === false)
  await record('auth.endSession', { parameters: { id: String(other?.['id']) }, headers: mary })
  const users = (await record('users.list'))['data'] as Body[]
  const user = users.find(({ email }) => email === account.email)
  await record('users.change', {
    parameters: { id: String(user?.['id']) },
    request: { tier: 'pro' },
  })
  const sessionToken = '4b1d0c9f8a7e6d5c4b3a29180f7e6d5c'
  await record('auth.cli.begin', { request: { sessionToken } })
  await record('auth.cli.complete', { request: { sessionToken }, headers: mary })
  await record('auth.cli.poll', { parameters: { token: sessionToken } })
  for (const space of ['keys', 'dataKeys']) {
    const { id } = await record(`${space}.create`, { request: { name: 'agent' } })
    await record(`${space}.revoke`, { parameters: { id: String(id) } })
    await record(`${space}.list`)
  }
  const provider = { parameters: { name: 'llm' } }
  await record('providers.put', {
    ...provider,
    request: { url: 'https://models.example.com/v1', models: { cheap: 'small' } },
  })
  await record('providers.get', provider)
  await record('providers.delete', provider)

  // Panels, intents and the portfolio.
  const { panel } = await record('marketWatch.create', {
    request: {
      spec: { kind: 'preset', preset: { id: 'sf_index_24h' }, display: { visualization: 'gauge' } },
    },
    headers: cookie,
  })
  const panelId = String((panel as Body)['id'])
  const ofPanel = { parameters: { id: panelId }, headers: cookie }
  await record('marketWatch.change', { ...ofPanel, request: { title: 'Mood' } })
  await record('marketWatch.reorder', {
    request: { order: [{ id: panelId, sortIdx: 0 }] },
    headers: cookie,
  })
  await record('marketWatch.run', { ...ofPanel, request: {} })
  await record('marketWatch.remove', ofPanel)
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
  await recordWatch(record, ticker)
  await recordWebhooks(record)
  await recordForum(record, ticker)
  await recordTheses(record, ticker)
  await record('chart.replaceDrawings', {
    request: { ticker, drawings: [{ id: 'level-60', kind: 'level', price: 60 }] },
  })
  await record('chart.drawings')
  await record('terminal.replaceSettings', {
    request: { settings: { theme: 'light', density: 'compact', scale: 1.25 } },
  })
  await record('terminal.settings')
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
  await recordTicks(record, ticker)

  // Jobs.
  const { id: exported } = await record('exports.start', {
    request: { out: 'trades', kind: 'trades', format: 'csv' },
  })
  await finished('exports.get', exported)
  const { id: imported } = await record('imports.start', {
    request: { paths: [join(folder, 'exports', 'trades')], dryRun: true },
  })
  await finished('imports.get', imported)
  const backups = mkdtempSync(join(tmpdir(), 'augury-backups-'))
  const { id: backup } = await record('backups.start', {
    request: { out: join(backups, 'monday') },
  })
  await finished('backups.get', backup)
  const strategies = await record('backtests.strategies')
  const [strategy = ''] = strategies['strategies'] as string[]
  await record('backtests.strategy', { parameters: { name: strategy } })
  const run = {
    strategy,
    from: '2026-11-19T00:00:00.000Z',
    to: '2026-11-20T00:00:00.000Z',
    markets: [ticker],
  }
  const { id: backtest } = await record('backtests.start', { request: run })
  await finished('backtests.get', backtest)
  await record('backtests.trades', { parameters: { id: String(backtest) } })
  const cancelled: [string, object][] = [
    ['exports', { out: 'again', kind: 'trades', format: 'csv' }],
    ['imports', { paths: [join(folder, 'exports', 'trades')], dryRun: true }],
    ['backups', { out: join(backups, 'again') }],
    ['backtests', run],
  ]
  for (const [jobs, request] of cancelled) {
    const started = recorded.get(`${jobs}.start`)
    const { id } = await record(`${jobs}.start`, { request })
    await record(`${jobs}.cancel`, { parameters: { id: String(id) } })
    if (started !== undefined) recorded.set(`${jobs}.start`, started)
  }

  rmSync(backups, { recursive: true, force: true })

  // Whatever needs no parameter.
  for (const [path, methods] of Object.entries(document.paths)) {
    const operation = methods['get']
    const isReplay = path.startsWith('/api/replay')
    if (operation === undefined || recorded.has(operation.operationId) || isReplay) continue
    if (operation.parameters.some(({ required }) => required)) continue
    const hasForms = operation.parameters.some(({ name }) => name === 'format')
    await record(operation.operationId, hasForms ? { parameters: { format: 'json' } } : {})
  }
  await record('auth.signout', { request: { all: true }, headers: mary })
  const again = await service.ask('/api/auth/signin', {
    method: 'POST',
    body: JSON.stringify(account),
  })
  const last = cookieOf((again.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '')
  await record('auth.deleteMe', { request: { confirm: 'delete my account' }, headers: last })
}

/** A replay of the demo's own history. */
async function recordReplay({ dataDir, document }: WholeService): Promise<void> {
  const replay = await startReplayOf(dataDir, {
    from: Date.parse('2026-11-20T12:00:00.000Z'),
    to: Date.parse('2026-11-20T13:30:00.000Z'),
  })
  const launch = { authorization: `Launch ${replay.secret}` }
  const record = recorder(
    document,
    async (path, sending) => {
      const headers = { ...sending.headers, 'content-type': 'application/json' }
      const response = await fetch(`${replay.url}${path}`, { ...sending, headers })
      return { status: response.status, text: await response.text() }
    },
    { launch, cookie: launch, data: launch },
  )
  await record('replay.get')
  await record('replay.step', { request: { n: 900 } })
  await record('replay.speed', { request: { speed: 60 } })
  await record('replay.pause')
  await record('replay.resume')
  await record('replay.seek', { request: { to: '2026-11-20T13:00:00.000Z' } })
  await record('replay.report')
  await replay.stop()
}

/** Sign-in with a token of an identity provider. */
async function recordIdentityProvider(document: OpenApiDocument): Promise<void> {
  const provider = await identityProvider()
  const key = await providerKey('EdDSA', 'ed-1')
  provider.list(key)
  const { issuer, jwksUrl } = provider
  const service = await accessService({ provider: { issuer, audience: AUDIENCE, jwksUrl } })
  const record = recorder(
    document,
    async (path, { method, headers, body }) => {
      const sent = body === undefined ? {} : { body: JSON.parse(body) as unknown }
      const answer = await service.ask(path, { method, headers, ...sent })
      return { status: answer.status, text: JSON.stringify(answer.body) }
    },
    { launch: {}, cookie: {}, data: {} },
  )
  const token = await tokenOf(
    key,
    JSON.stringify({
      iss: issuer,
      aud: AUDIENCE,
      sub: 'u-1',
      exp: Math.floor(service.clock.now() / 1_000) + 3_600,
      email: 'mary@example.com',
      name: 'Mary',
    }),
  )
  await record('auth.provider')
  await record('auth.external', { request: { token } })
  await service.close()
  await provider.close()
}

/** Accounts of an exchange are read with live data only: this one has a single fill. */
async function recordPull(document: OpenApiDocument): Promise<void> {
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
