import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  every,
  gate,
  HEALTH,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type Gate,
  type MarketWatchService,
  type Reader,
} from '../../testing/market-watch-service.ts'
import { PRESET_IDS } from '../../contract/panels/panel-names.ts'

let service: MarketWatchService
let ann: Reader
let index: Gate<readonly never[]>

beforeEach(async () => {
  index = gate(() => [])
  index.setAside()
  service = await marketWatchService({
    sources: ({ reads }) => ({ reads: { ...reads, indexOfDay: () => index.pass() } }),
  })
  ann = await service.user('institutional')
})
afterEach(() => service.close())

const DAY = 86_400_000
const nothing = (status: string) => ['preset', 'screen'].map((kind) => ({ status, kind, count: 0 }))

describe('health of market watch', () => {
  // [market-watch.health.body]
  it('lists everything, also when there is nothing', async () => {
    const { status, headers, body } = await service.owner.get(HEALTH)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      panels_by_status_kind: [...nothing('active'), ...nothing('paused')],
      presets_active: PRESET_IDS.map((id) => ({ id, count: 0 })),
      runs_last_24h: {
        total: 0,
        success: 0,
        error: 0,
        manual: 0,
        scheduled: 0,
        p50_ms: null,
        p95_ms: null,
      },
      recent_errors: [],
      generatedAt: '2026-11-20T14:00:00.000Z',
    })
  })

  // [market-watch.health.body]
  it('counts panels, runs and errors of all users over a day', async () => {
    const ben = await service.user('pro')
    const id = await ann.add(presetSpec('sf_index_24h'))
    const paused = await ben.add(presetSpec('sf_index_24h', every(3_600)))
    await ben.send('PATCH', `${PANELS}/${paused}`, { status: 'paused' })
    await ben.add(screenSpec('alert_rules'))
    await ann.add(screenSpec('liquidity_by_theme'))
    await ann.add(presetSpec('liquidity_by_theme'))
    await service.settle()
    await service.clock.advance(5_000)
    await ann.send('POST', `${PANELS}/${id}/run`)
    index.setAside(new Error('what the user asked for'))
    await service.clock.advance(5_000)
    const failed = await ann.send('POST', `${PANELS}/${id}/run`)
    const { body } = await service.owner.get(HEALTH)
    expect(body['panels_by_status_kind']).toEqual([
      { status: 'active', kind: 'preset', count: 2 },
      { status: 'active', kind: 'screen', count: 2 },
      { status: 'paused', kind: 'preset', count: 1 },
      { status: 'paused', kind: 'screen', count: 0 },
    ])
    expect(body['presets_active']).toEqual(
      PRESET_IDS.map((preset) => ({
        id: preset,
        count: preset === 'sf_index_24h' || preset === 'liquidity_by_theme' ? 1 : 0,
      })),
    )
    const runs = body['runs_last_24h'] as Record<string, number>
    // The second index panel used the result of the first one.
    expect(runs).toMatchObject({ total: 6, success: 5, error: 1, manual: 2, scheduled: 4 })
    expect(runs['p50_ms']).toBeLessThanOrEqual(runs['p95_ms'] ?? 0)
    expect(body['recent_errors']).toEqual([
      {
        at: '2026-11-20T14:00:10.000Z',
        panel_id: id,
        run_id: failed.body['runId'],
        kind: 'sf_index_24h',
        reason: 'panel_execution_failed',
        message: 'The panel could not be computed',
      },
    ])
  })

  // [market-watch.health.body]
  it('drops entries after a day, keeps twenty errors, and survives a restart', async () => {
    index.setAside(new Error('no reading'))
    await ann.add(presetSpec('sf_index_24h', every(3_600)))
    await service.clock.advance(23 * 3_600_000)
    const errorsIn = async () => {
      const { body } = await service.owner.get(HEALTH)
      const errors = body['recent_errors'] as { at: string }[]
      const { error } = body['runs_last_24h'] as { error: number }
      return { error, ats: errors.map(({ at }) => at) }
    }
    const before = await errorsIn()
    expect(before.error).toBe(24)
    expect(before.ats).toHaveLength(20)
    expect(before.ats).toEqual(before.ats.toSorted().reverse())
    service = await service.again()
    expect(await errorsIn()).toEqual(before)
    index.setAside()
    await service.clock.advance(DAY + 60_000)
    const { body } = await service.owner.get(HEALTH)
    expect(body['runs_last_24h']).toMatchObject({ error: 0, total: 24 })
    expect(body['recent_errors']).toEqual([])
    // Rows are kept for seven days.
    const { state } = service
    const rows = () => state.selectFrom('panel_run_error').select('run_id').execute()
    expect(await rows()).toHaveLength(24)
    await service.clock.advance(7 * DAY)
    await service.owner.get(HEALTH)
    expect(await rows()).toEqual([])
  })

  // [market-watch.health.admins-only]
  it('is for administrators with a cookie only', async () => {
    const other = await ann.get(HEALTH)
    expect([other.status, other.body]).toEqual([
      403,
      {
        reason: 'not_admin',
        error: 'Administrator access is required',
        code: 'AUTH_FORBIDDEN',
      },
    ])
    const nobody = await service.ask(HEALTH)
    expect([nobody.status, nobody.body]).toEqual([
      401,
      {
        reason: 'not_authenticated',
        error: 'Authentication required',
        code: 'AUTH_REQUIRED',
      },
    ])
    const token = service.owner.cookie.slice(service.owner.cookie.indexOf('=') + 1)
    const bearer = await service.ask(HEALTH, { headers: { authorization: `Bearer ${token}` } })
    expect(bearer.status).toBe(401)
    await service.owner.send('PATCH', `/api/admin/users/${ann.id}`, { isAdmin: true })
    expect((await ann.get(HEALTH)).status).toBe(200)
  })
})
