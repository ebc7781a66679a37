import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESPONSE_BODIES } from '../contract/routes.ts'
import { attachCaller } from '../http/auth/auth.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { demoFeeds, type Feeds } from '../ingest/collect/feeds.ts'
import { silentLogger } from '../lib/logger.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { openState } from '../state/open.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import type { VenueConnector } from '../venues/connector.ts'
import { readConfig } from './config.ts'
import { createService, type Service } from './service.ts'

const START = '2026-11-20T14:02:00.000Z'
/** Routes about users, their own things and the service; they read no market data. */
const WITHOUT_HISTORY =
  /^GET \/(?:\.well-known|asyncapi|docs|healthz|llms|openapi|readyz|robots|sitemap|status|api\/(?:account|admin|auth|backups|data-keys|doctor|drawings|feed|forum|health|imports|keys|messages|notifications|portfolio\/config|providers|replay|usage|webhooks?|webhook-\w+)\b)/

/** The source with every page of trades held back until `released`. */
const heldBack = (feeds: Feeds, released: Promise<void>): Feeds => ({
  ...feeds,
  connectors: feeds.connectors.map((connector): VenueConnector => ({
    ...connector,
    async *trades(query, signal) {
      await released
      yield* connector.trades(query, signal)
    },
  })),
})

// [conventions.errors.first-load]
describe('a service whose first start still reads the past', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-first-load-'))
  const release = Promise.withResolvers<void>()
  let simulator: Simulator
  let service: Service
  const request = (path: string): Promise<Response> =>
    Promise.resolve(service.app.handle(new Request(`http://augury.test${path}`)))

  beforeAll(async () => {
    const clock = new FakeClock(START)
    simulator = await createSimulator({ seed: 11, markets: 40, clock })
    const deps = { clock, random: () => 0.5, logger: silentLogger }
    const history = await openHistory({ path: ':memory:', logger: silentLogger })
    const state = await openState(':memory:')
    service = createService({
      config: readConfig(['--source', 'demo', '--data', dataDir], { AUGURY_FAIR_USE: 'off' }),
      stores: {
        history,
        state,
        async close() {
          await state.destroy()
          await history.close()
        },
      },
      boundUrl: 'http://augury.test',
      loadsHistory: false,
      clock,
      random: deps.random,
      log: silentLogger,
      openSource: () => Promise.resolve(heldBack(demoFeeds(simulator, deps), release.promise)),
    })
    await service.start()
  })
  afterAll(async () => {
    release.resolve()
    await service.stop()
    await simulator.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('[portfolio.config.halt-at-start] takes a halt, and no other change of the configuration', async () => {
    const send = async (method: string, path: string, body: object, userId?: string) => {
      const sent = new Request(`http://augury.test${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const credential = { kind: 'session', id: null } as const
      if (userId !== undefined) {
        attachCaller(sent, { id: userId, userId, isAdmin: false, tier: 'free', credential })
      }
      const response = await service.app.handle(sent)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const person = { email: 'ann@example.test', password: 'correct horse battery' }
    const { body: created } = await send('POST', '/api/signup', person)
    const { id } = created['user'] as { id: string }
    const put = (change: object) => send('PUT', '/api/portfolio/config', change, id)
    expect(await put({ maxPositions: 3 })).toMatchObject({
      status: 503,
      body: { code: 'NOT_READY' },
    })
    expect(await put({ executionMode: 'halted' })).toMatchObject({
      status: 200,
      body: { executionMode: 'halted', haltReason: 'user' },
    })
  })

  it('refuses every read of market data, of now and of a past instant, until it is complete', async () => {
    const asOf = `asOf=${new Date(Date.parse(START) - 3_600_000).toISOString()}`
    const paths = Object.keys(RESPONSE_BODIES)
      .filter((route) => route.startsWith('GET ') && !WITHOUT_HISTORY.test(route))
      .map((route) => route.slice(4).replace(/:\w+|\*/g, 'crypto'))
    expect(paths.length).toBeGreaterThan(80)
    const answered: string[] = []
    for (const path of paths.flatMap((path) => [path, `${path}?${asOf}`])) {
      const response = await request(path)
      const isRefused = [400, 401, 503].includes(response.status)
      if (!isRefused) answered.push(`${response.status} ${path}`)
      if (response.status === 503) expect(response.headers.get('retry-after')).toBe('5')
    }
    expect(answered).toEqual([])
    const markets = await request('/api/public/markets')
    expect(await markets.json()).toMatchObject({ code: 'NOT_READY' })
    expect((await request('/readyz')).status).toBe(503)
    expect((await request('/api/health')).status).toBe(200)

    release.resolve()
    await service.data.firstAnswer
    expect((await request('/api/public/markets')).status).toBe(200)
    expect((await request('/readyz')).status).toBe(200)
  })
})
