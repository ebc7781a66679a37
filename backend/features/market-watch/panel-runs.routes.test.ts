import { afterEach, describe, expect, it } from 'vitest'
import { SECOND } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import {
  BOARD,
  gate,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type Gate,
  type MarketWatchGiven,
  type MarketWatchService,
} from '../../testing/market-watch-service.ts'
import { createPanelMemory, type PanelCache } from './panel-memory.ts'
import type { IndexPoint } from '../../contract/panels/panel-payloads.ts'

const POINT: IndexPoint = {
  at: '2026-11-20T14:00:00.000Z',
  value: 12,
  disagreement: null,
  geoRisk: null,
  breadth: null,
  activity: null,
}

let service: MarketWatchService
afterEach(() => service.close())

/** A service whose index panel is computed when the gate opens, with numbered readings. */
async function gated(
  options: Omit<MarketWatchGiven, 'sources'> = {},
): Promise<Gate<readonly IndexPoint[]>> {
  let readings = 0
  const readIndex = gate((): readonly IndexPoint[] => [{ ...POINT, value: (readings += 1) }])
  service = await marketWatchService({
    ...options,
    sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => readIndex.pass() } }),
  })
  return readIndex
}

const INDEX = presetSpec('sf_index_24h')
const run = (id: string): string => `${PANELS}/${id}/run`
const valueIn = (payload: unknown): number | null =>
  (payload as { series: IndexPoint[] } | null)?.series[0]?.value ?? null

describe('a manual run', () => {
  // [market-watch.run.fresh]
  it('computes a result again and replaces the previous one', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('institutional')
    const id = await ann.add(INDEX)
    await service.settle()
    const [before] = await ann.panels()
    expect(valueIn(before?.payload)).toBe(1)
    const { status, headers, body } = await ann.send('POST', run(id))
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      panelId: id,
      status: 'success-miss',
      payload: { kind: 'sf_index_24h', current: null, series: [{ ...POINT, value: 2 }] },
      sourceClock: { source: 'index_snapshots', asOf: null, ageSeconds: null, stale: false },
      generatedAt: '2026-11-20T14:00:00.000Z',
      runId: expect.stringMatching(/^run_[0-9a-z]{20}$/) as string,
    })
    const [after] = await ann.panels()
    expect(after).toMatchObject({ cacheState: 'fresh', executionStatus: 'success-fresh' })
    expect(valueIn(after?.payload)).toBe(2)
    // The body is ignored, but it must be valid.
    await service.clock.advance(5_000)
    expect((await ann.send('POST', run(id), { asOf: '2020-01-01' })).status).toBe(200)
    for (const text of ['{', '[]', '7']) {
      const broken = await ann.send('POST', run(id), text)
      expect([broken.status, broken.body['reason']]).toEqual([400, 'invalid_json_body'])
    }
  })

  // [market-watch.run.cooldown]
  it.each([
    ['free', 300],
    ['institutional', 5],
  ] as const)('within the cooldown is refused: %s, %i s', async (tier, seconds) => {
    const index = await gated()
    index.setAside()
    const ann = await service.user(tier)
    const id = await ann.add(INDEX)
    expect((await ann.send('POST', run(id))).status).toBe(200)
    await service.clock.advance(1_500)
    const { status, headers, body } = await ann.send('POST', run(id))
    const left = seconds - 1
    expect([status, headers['retry-after'], headers['x-svc-block-reason']]).toEqual([
      429,
      String(left),
      'panel_refresh_cooldown',
    ])
    expect(body).toEqual({
      reason: 'panel_refresh_cooldown',
      error: `This panel was run a moment ago. Run it again in ${left} s`,
      retryAfterSeconds: left,
      upgrade: { url: `${service.url}/#settings/tier` },
    })
    const until = new Date(Date.parse(POINT.at) + seconds * SECOND).toISOString()
    expect((await ann.panels())[0]).toMatchObject({ cooldownUntil: until })
    await service.clock.advance(seconds * SECOND - 1_501)
    const last = await ann.send('POST', run(id))
    expect([last.status, last.body['retryAfterSeconds']]).toEqual([429, 1])
    await service.clock.advance(1)
    expect((await ann.panels())[0]).toMatchObject({ cooldownUntil: null })
    expect((await ann.send('POST', run(id))).status).toBe(200)
  })

  // [market-watch.run.cooldown]
  it('has the cooldown of the current tier, per panel and user', async () => {
    const index = await gated()
    index.setAside()
    const [ann, ben] = [await service.user('free'), await service.user('free')]
    const ids = [await ann.add(INDEX), await ann.add(INDEX)]
    for (const id of ids) expect((await ann.send('POST', run(id))).status).toBe(200)
    expect((await ben.send('POST', run(await ben.add(INDEX)))).status).toBe(200)
    await service.clock.advance(20_000)
    expect((await ann.send('POST', run(ids[0] ?? ''))).status).toBe(429)
    await service.setTier(ann, 'pro')
    expect((await ann.send('POST', run(ids[0] ?? ''))).status).toBe(200)
    // A new spec does not end a cooldown.
    await ann.send('PATCH', `${PANELS}/${ids[0]}`, { spec: presetSpec() })
    expect((await ann.send('POST', run(ids[0] ?? ''))).status).toBe(429)
  })

  // [market-watch.run.one-at-once]
  it('of two concurrent ones is executed once', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('pro')
    for (let round = 0; round < 5; round += 1) {
      const id = await ann.add(INDEX)
      const answers = await Promise.all(Array.from({ length: 6 }, () => ann.send('POST', run(id))))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429])
    }
  })

  // [market-watch.run.cooldown-survives] [market-watch.panel.last-run]
  it('keeps its cooldown over a restart', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('free')
    const id = await ann.add(INDEX)
    await service.clock.advance(1_000)
    expect((await ann.send('POST', run(id))).status).toBe(200)
    service = await service.again()
    const again = service.reader(ann.id, ann.cookie)
    const refused = await again.send('POST', run(id))
    expect([refused.status, refused.body['retryAfterSeconds']]).toEqual([429, 300])
    index.setAside(new Error('no reading'))
    const [panel] = await again.panels()
    expect(panel).toMatchObject({ lastError: { reason: 'panel_execution_failed' }, payload: null })
  })

  // [market-watch.run.clocks]
  it('has its cooldown in real time while data time differs', async () => {
    const dataClock = new FakeClock('2020-03-01T12:00:00.000Z')
    const index = await gated({ dataClock: () => dataClock })
    index.setAside()
    const ann = await service.user('hobby')
    const id = await ann.add(INDEX)
    const first = await ann.send('POST', `${run(id)}?asOf=2019-01-01T00:00:00.000Z`)
    expect(first.body['generatedAt']).toBe('2020-03-01T12:00:00.000Z')
    // An hour of data time passes at once, which does not shorten the cooldown.
    await dataClock.advance(3_600_000)
    const soon = await ann.send('POST', run(id))
    expect([soon.status, soon.body['retryAfterSeconds']]).toEqual([429, 60])
    const { body } = await ann.get(`${BOARD}?asOf=2019-01-01T00:00:00.000Z`)
    expect(body['generatedAt']).toBe('2020-03-01T13:00:00.000Z')
    expect((body['panels'] as object[])[0]).toMatchObject({
      createdAt: '2020-03-01T12:00:00.000Z',
      lastRunAt: '2020-03-01T12:00:00.000Z',
      cooldownUntil: '2026-11-20T14:01:00.000Z',
      cacheState: 'stale',
    })
    await service.clock.advance(60_000)
    expect((await ann.send('POST', run(id))).status).toBe(200)
  })

  // [market-watch.run.failed] [market-watch.panel.states]
  it('that fails keeps the previous result, and reports the failure', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('institutional')
    const id = await ann.add(INDEX)
    await service.settle()
    index.setAside(new Error('secret words of the user'))
    await service.clock.advance(1_000)
    const { status, headers, body } = await ann.send('POST', run(id))
    expect([status, headers['cache-control']]).toEqual([500, 'no-store'])
    expect(body).toEqual({
      reason: 'panel_execution_failed',
      error: 'The panel could not be computed',
      runId: expect.stringMatching(/^run_/) as string,
    })
    const [panel] = await ann.panels()
    expect(panel).toMatchObject({
      cacheState: 'stale',
      executionStatus: 'error-stale',
      lastRunAt: '2026-11-20T14:00:01.000Z',
      lastError: {
        at: '2026-11-20T14:00:01.000Z',
        reason: 'panel_execution_failed',
        message: 'The panel could not be computed',
      },
    })
    expect(valueIn(panel?.payload)).toBe(1)
    // The claim is kept for any result.
    expect((await ann.send('POST', run(id))).status).toBe(429)
    index.setAside(new StoreFailed('the path of a file'))
    await service.clock.advance(5_000)
    const store = await ann.send('POST', run(id))
    expect([store.status, store.body['error']]).toEqual([500, 'The store does not respond now'])
    index.setAside()
    await service.clock.advance(5_000)
    expect((await ann.send('POST', run(id))).status).toBe(200)
    expect((await ann.panels())[0]).toMatchObject({ lastError: null, cacheState: 'fresh' })
  })

  // [market-watch.run.timeout]
  it('times out after fifteen seconds', async () => {
    const index = await gated()
    const ann = await service.user('institutional')
    const id = await ann.add(screenSpec())
    await ann.send('PATCH', `${PANELS}/${id}`, { spec: INDEX })
    await service.settle()
    const requested = ann.send('POST', run(id))
    await service.settle()
    await service.clock.advance(14_999)
    expect(index.waiting).toBe(1)
    await service.clock.advance(1)
    const { status, body } = await requested
    expect([status, body]).toEqual([
      503,
      {
        reason: 'panel_execution_timeout',
        error: 'The panel was not computed within 15 s',
        runId: expect.stringMatching(/^run_/) as string,
      },
    ])
    index.setAside()
    await service.clock.advance(5_000)
    expect((await ann.send('POST', run(id))).status).toBe(200)
  })

  // [market-watch.run.busy] [market-watch.execution.four]
  it('without a free permit is refused and starts no cooldown', async () => {
    const board = gate(() => undefined)
    service = await marketWatchService({
      sources: (quiet) => ({
        board: {
          ready: true,
          at: async (asOf) => {
            await board.pass()
            return quiet.board.at(asOf)
          },
          markets: (names, asOf) => quiet.board.markets(names, asOf),
        },
      }),
    })
    const ann = await service.user('institutional')
    const windows = ['1h', '6h', '24h', '7d', '30d']
    const ids: string[] = []
    for (const window of windows) {
      ids.push(await ann.add(screenSpec('latest_market_prices', { filters: { window } })))
    }
    const late = await ann.add(presetSpec('sf_index_24h'))
    await service.settle()
    expect([board.waiting, board.max]).toEqual([4, 4])
    const requested = ann.send('POST', run(late))
    await service.settle()
    await service.clock.advance(10_000)
    const { status, headers, body } = await requested
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '5',
      {
        reason: 'panel_execution_busy',
        error: 'All runs are in use. Run it again in a moment',
      },
    ])
    board.setAside()
    await service.settle()
    // The claim was released.
    expect((await ann.send('POST', run(late))).status).toBe(200)
    expect(board.max).toBe(4)
  })

  // [market-watch.remove.gone]
  it('of a panel that is removed meanwhile is discarded', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('institutional')
    const id = await ann.add(INDEX)
    await service.settle()
    index.shut()
    const requested = ann.send('POST', run(id))
    await service.settle()
    expect((await ann.send('DELETE', `${PANELS}/${id}`)).status).toBe(200)
    index.fail(new Error('no reading'))
    const { status, body } = await requested
    expect([status, body['reason']]).toEqual([404, 'panel_not_found_or_not_owned'])
    await service.clock.advance(10_000)
    for (const table of ['panel_outcome', 'panel_run_error'] as const) {
      expect(await service.state.selectFrom(table).select('panel_id').execute()).toEqual([])
    }
  })

  // [market-watch.run.rate]
  it('has a rate limit class of its own', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('free')
    const id = await ann.add(INDEX)
    const first = await ann.send('POST', run(id))
    expect(first.headers['x-ratelimit-limit']).toBe('60')
    for (let i = 1; i < 60; i += 1) await ann.send('POST', run(id))
    const { status, headers, body } = await ann.send('POST', run(id))
    expect([status, headers['x-svc-block-reason'], body]).toEqual([
      429,
      'rate_limited',
      {
        ok: false,
        error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
      },
    ])
    expect((await ann.get(BOARD)).status).toBe(200)
  })
})

describe('without a dependency', () => {
  const failing = (memory: PanelCache, isUnavailable: () => boolean): PanelCache => ({
    get: (key) =>
      isUnavailable() ? Promise.reject(new Error('the cache is unavailable')) : memory.get(key),
    put: (key, entry) =>
      isUnavailable()
        ? Promise.reject(new Error('the cache is unavailable'))
        : memory.put(key, entry),
    clear: () => memory.clear(),
  })

  // [market-watch.run.bypass] [market-watch.panel.states]
  it('a panel runs inline: the cache', async () => {
    let isUnavailable = true
    const cache = failing(createPanelMemory(new FakeClock()), () => isUnavailable)
    const index = await gated({ cache })
    index.setAside()
    const ann = await service.user('institutional')
    const id = await ann.add(INDEX)
    await service.settle()
    const [panel] = await ann.panels()
    expect(panel).toMatchObject({ cacheState: 'bypass', executionStatus: 'success-bypass' })
    expect(valueIn(panel?.payload)).toBeGreaterThan(0)
    const { status, body } = await ann.send('POST', run(id))
    expect([status, body['status']]).toEqual([200, 'success-bypass'])
    isUnavailable = false
    await service.clock.advance(5_000)
    expect((await ann.send('POST', run(id))).body['status']).toBe('success-miss')
  })

  // [market-watch.run.bypass]
  it('a panel runs inline: the store of claims', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('free')
    const id = await ann.add(INDEX)
    await service.settle()
    // A full disk still serves reads.
    await service.writable(false)
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await ann.send('POST', run(id))
      expect([status, body['status']]).toEqual([200, 'success-bypass'])
    }
    await service.writable(true)
    expect((await ann.send('POST', run(id))).body['status']).toBe('success-miss')
    expect((await ann.send('POST', run(id))).status).toBe(429)
  })
})
