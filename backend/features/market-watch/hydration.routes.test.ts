import { afterEach, describe, expect, it } from 'vitest'
import type { Tier } from '../../domain/tiers.ts'
import { NotReady } from '../../lib/errors.ts'
import {
  BOARD,
  every,
  gate,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type Gate,
  type MarketWatchService,
} from '../../testing/market-watch-service.ts'
import type { IndexPoint } from '../../contract/panels/panel-payloads.ts'

let service: MarketWatchService
afterEach(() => service.close())

/** A service whose index panel is computed when the gate opens. */
async function gated(): Promise<Gate<readonly IndexPoint[]>> {
  const readIndex = gate((): readonly IndexPoint[] => [])
  service = await marketWatchService({
    sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => readIndex.pass() } }),
  })
  return readIndex
}

const INDEX = presetSpec('sf_index_24h')

describe('a board', () => {
  // [market-watch.hydration.dashboard]
  it('exists from the first read, one per user, without panels', async () => {
    service = await marketWatchService()
    const [ann, ben] = [await service.user('free'), await service.user('free')]
    const boards = [await ann.get(BOARD), await ann.get(BOARD), await ben.get(BOARD)]
    const ids = boards.map(({ body }) => (body['dashboard'] as { id: string }).id)
    expect(ids[0]).toMatch(/^dsh_[0-9a-z]{20}$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(boards[0]?.body['dashboard']).toEqual({
      id: ids[0],
      name: 'Market watch',
      isDefault: true,
      layout: { columns: 12, items: [] },
    })
    expect(boards[0]?.body['panels']).toEqual([])
  })

  // [market-watch.hydration.dashboard]
  it('places three panels per row, in their order', async () => {
    service = await marketWatchService()
    const ann = await service.user('pro')
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) ids.push(await ann.add(presetSpec()))
    const order = ids.map((id, i) => ({ id, sortIdx: 10 - i }))
    await ann.send('POST', `${PANELS}/reorder`, { order })
    const { body } = await ann.get(BOARD)
    const { layout } = body['dashboard'] as { layout: { items: unknown[] } }
    const [e, d, c, b, a] = ids
    expect(layout.items).toEqual([
      { panelId: a, x: 0, y: 0, w: 4, h: 4 },
      { panelId: b, x: 4, y: 0, w: 4, h: 4 },
      { panelId: c, x: 8, y: 0, w: 4, h: 4 },
      { panelId: d, x: 0, y: 4, w: 4, h: 4 },
      { panelId: e, x: 4, y: 4, w: 4, h: 4 },
    ])
    expect((body['panels'] as { id: string }[]).map(({ id }) => id)).toEqual([a, b, c, d, e])
  })

  // [market-watch.panel.fields]
  it('returns all of its panels', async () => {
    service = await marketWatchService()
    const ann = await service.user('institutional')
    const id = await ann.add(presetSpec('calendar_catalysts', every(60)), 'Dates')
    await service.clock.advance(30_000)
    const [panel] = await ann.panels()
    expect(panel).toEqual({
      id,
      title: 'Dates',
      kind: 'preset',
      status: 'active',
      sortIdx: 0,
      refreshFloorSeconds: 5,
      spec: presetSpec('calendar_catalysts', every(60)),
      createdAt: '2026-11-20T14:00:00.000Z',
      updatedAt: '2026-11-20T14:00:00.000Z',
      lastRunAt: '2026-11-20T14:00:00.000Z',
      lastError: null,
      nextRunAt: '2026-11-20T14:01:00.000Z',
      cooldownUntil: null,
      payload: {
        kind: 'calendar_catalysts',
        from: '2026-11-20T14:00:00.000Z',
        to: '2026-11-27T14:00:00.000Z',
        events: [],
      },
      sourceClock: {
        source: 'calendar',
        asOf: '2026-11-20T14:00:00.000Z',
        ageSeconds: 30,
        stale: false,
      },
      cacheState: 'fresh',
      executionStatus: 'success-fresh',
    })
  })

  // [market-watch.hydration.headers]
  it('may be cached privately for a minute', async () => {
    service = await marketWatchService()
    const ann = await service.user('free')
    await ann.add(presetSpec())
    const first = await ann.get(BOARD)
    expect(first.headers['cache-control']).toBe('private, max-age=60, stale-while-revalidate=300')
    expect(first.headers.vary).toContain('Cookie')
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^W\//)
    const headers = { cookie: ann.cookie, 'if-none-match': etag }
    await service.clock.advance(1_000)
    const same = await service.ask(BOARD, { headers })
    expect([same.status, same.text, same.headers['cache-control']]).toEqual([
      304,
      '',
      'private, max-age=60, stale-while-revalidate=300',
    ])
    await ann.add(presetSpec())
    expect((await service.ask(BOARD, { headers })).status).toBe(200)
  })

  // [market-watch.hydration.at-once]
  it('includes its own changes in the next response', async () => {
    service = await marketWatchService()
    const ann = await service.user('pro')
    for (let i = 1; i <= 3; i += 1) {
      await ann.add(presetSpec())
      expect(await ann.panels()).toHaveLength(i)
    }
  })
})

describe('the states of a panel', () => {
  // [market-watch.panel.states] [market-watch.create.first-run] [market-watch.change.spec-whole]
  it('follow its computation', async () => {
    const index = await gated()
    index.setAside()
    const ann = await service.user('institutional')
    const path = `${PANELS}/${await ann.add(INDEX)}`
    const states = async () => {
      const [panel] = await ann.panels()
      return [panel?.['cacheState'], panel?.['executionStatus'], panel?.payload !== null]
    }
    await service.settle()
    // It was computed without a request when it was created.
    expect(index.requested).toBe(1)
    expect(await states()).toEqual(['fresh', 'success-fresh', true])
    await service.clock.advance(4_999)
    expect(await states()).toEqual(['fresh', 'success-fresh', true])
    await service.clock.advance(1)
    expect(await states()).toEqual(['stale', 'success-stale', true])
    // A day later the cached result is dropped, and the response computes it again.
    await service.clock.advance(86_400_000)
    expect(await states()).toEqual(['miss', 'success-miss', true])
    index.setAside(new Error('no reading'))
    await ann.send('POST', `${path}/run`)
    expect(await states()).toEqual(['stale', 'error-stale', true])
    // A new spec starts over: results of the old one are no longer returned.
    await ann.send('PATCH', path, { spec: presetSpec() })
    await service.settle()
    const [changed] = await ann.panels()
    expect(changed).toMatchObject({ lastError: null, executionStatus: 'success-fresh' })
    expect(changed?.payload).toMatchObject({ kind: 'data_health' })
    await ann.send('PATCH', path, { status: 'paused' })
    expect(await states()).toEqual(['fresh', 'success-fresh', true])
  })

  // [market-watch.panel.states]
  it('report a failed first computation', async () => {
    const index = await gated()
    index.setAside(new Error('no reading'))
    const ann = await service.user('institutional')
    await ann.add(INDEX)
    const [panel] = await ann.panels()
    expect(panel).toMatchObject({
      cacheState: 'miss',
      executionStatus: 'error-miss',
      payload: null,
      sourceClock: null,
      lastError: { reason: 'panel_execution_failed' },
    })
    index.setAside()
    expect((await ann.panels())[0]).toMatchObject({
      cacheState: 'miss',
      executionStatus: 'success-miss',
      lastError: null,
    })
  })

  // [market-watch.hydration.in-time] [market-watch.change.spec-whole]
  it('are pending while a computation exceeds the time of a response', async () => {
    const index = await gated()
    const ann = await service.user('institutional')
    await ann.add(INDEX)
    const quick = await ann.add(presetSpec())
    const requested = ann.panels()
    await service.settle()
    await service.clock.advance(2_000)
    const panels = await requested
    expect(panels[0]).toMatchObject({
      cacheState: 'miss',
      executionStatus: 'pending',
      payload: null,
      sourceClock: null,
      lastError: null,
      lastRunAt: null,
    })
    expect(panels[1]).toMatchObject({ id: quick, payload: { kind: 'data_health' } })
    // It continues after the response.
    expect(index.requested).toBe(1)
    index.setAside()
    await service.settle()
    expect((await ann.panels())[0]).toMatchObject({ executionStatus: 'success-fresh' })
    expect(index.requested).toBe(1)
  })

  // [market-watch.hydration.in-time]
  it('are pending while no value can be known', async () => {
    const index = await gated()
    index.setAside(new NotReady('The first context snapshot is being computed'))
    const ann = await service.user('institutional')
    const id = await ann.add(INDEX)
    expect((await ann.panels())[0]).toMatchObject({ executionStatus: 'pending', lastError: null })
    const { status, headers, body } = await ann.send('POST', `${PANELS}/${id}/run`)
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '5',
      {
        reason: 'not_ready',
        code: 'NOT_READY',
        error: 'The first context snapshot is being computed',
      },
    ])
    index.setAside()
    expect((await ann.send('POST', `${PANELS}/${id}/run`)).status).toBe(200)
  })

  // [market-watch.execution.shared]
  it('are shared by all panels with the same spec', async () => {
    const index = await gated()
    const users = await Promise.all(
      (['pro', 'institutional'] as Tier[]).map((tier) => service.user(tier)),
    )
    const ids = await Promise.all(users.map((user) => user.add(INDEX)))
    await service.settle()
    expect([index.requested, index.waiting]).toEqual([1, 1])
    index.setAside()
    await service.settle()
    for (const user of users) {
      expect((await user.panels())[0]).toMatchObject({ executionStatus: 'success-fresh' })
    }
    expect(index.requested).toBe(1)
    await users[0]?.send('POST', `${PANELS}/${ids[0]}/run`)
    await service.clock.advance(4_000)
    expect((await users[1]?.panels())?.[0]).toMatchObject({ executionStatus: 'success-fresh' })
  })
})

describe('screens', () => {
  // [market-watch.screens.unread]
  it.each([
    'market_regime_snapshots',
    'sf_index_snapshots',
    'liquidity_by_theme',
    'contagion_bundles',
    'watched_objects',
    'alert_rules',
    'public_query',
    'public_context',
  ])('of a source without data are empty: %s', async (source) => {
    service = await marketWatchService()
    const ann = await service.user('institutional')
    const filters = { window: '6h', tickers: ['kx-1'] }
    const id = await ann.add(screenSpec(source, { filters }))
    const { status, body } = await ann.send('POST', `${PANELS}/${id}/run`)
    expect([status, body['status']]).toEqual([200, 'success-miss'])
    expect(body['payload']).toEqual({
      kind: source,
      rows: [],
      count: 0,
      total: 0,
      missing: [],
      filters: { window: '6h', tickers: ['KX-1'] },
      emptyReason: 'source_not_executed',
    })
    expect(body['sourceClock']).toEqual({ source, asOf: null, ageSeconds: null, stale: false })
    expect((await ann.panels())[0]).toMatchObject({ executionStatus: 'success-fresh' })
  })
})
