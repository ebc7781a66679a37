import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BOARD,
  every,
  HEALTH,
  marketWatchService,
  PANELS,
  presetSpec,
  type MarketWatchService,
  type Reader,
} from '../../testing/market-watch-service.ts'

describe('panels', () => {
  let service: MarketWatchService
  let ann: Reader
  let ben: Reader

  beforeEach(async () => {
    service = await marketWatchService()
    ann = await service.user('pro')
    ben = await service.user('pro')
  })
  afterEach(() => service.close())

  // [market-watch.reorder.not-owned]
  it('of others are rejected in an order, by name and as a whole', async () => {
    const own = await ann.add(presetSpec())
    const foreign = await ben.add(presetSpec())
    const { status, body } = await ann.send('POST', `${PANELS}/reorder`, {
      order: [
        { id: 'nope', sortIdx: 5 },
        { id: own, sortIdx: 6 },
        { id: foreign, sortIdx: 7 },
      ],
    })
    expect(status).toBe(404)
    expect(body).toEqual({
      reason: 'panel_not_found_or_not_owned',
      error: 'You have no such panel',
      ids: ['nope', foreign],
    })
    expect(await ann.panels()).toMatchObject([{ id: own, sortIdx: 0 }])
    expect(await ben.panels()).toMatchObject([{ id: foreign, sortIdx: 0 }])
  })

  // [market-watch.owner.unknown-alike]
  it('of others respond like unknown ones, byte for byte', async () => {
    const foreign = await ben.add(presetSpec(), 'Mine')
    const asks = [
      ['PATCH', '', { title: 'Taken' }],
      ['PATCH', '', { status: 'gone' }],
      ['DELETE', '', undefined],
      ['POST', '/run', undefined],
    ] as const
    for (const [method, end, body] of asks) {
      const answer = await ann.send(method, `${PANELS}/${foreign}${end}`, body)
      const unknown = await ann.send(method, `${PANELS}/pnl_00000000000000000000${end}`, body)
      expect(answer.status).toBe(404)
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text])
    }
    expect(await ben.panels()).toMatchObject([{ id: foreign, title: 'Mine', cooldownUntil: null }])
  })

  // [market-watch.owner.deleted]
  it('of a deleted account are removed with it', async () => {
    await ann.add(presetSpec('data_health', every(60)))
    await ben.add(presetSpec())
    await ann.panels()
    await service.clock.advance(120_000)
    const deletion = await ann.send('DELETE', '/api/auth/me', { confirm: 'delete my account' })
    expect(deletion.status).toBe(200)
    await service.clock.advance(120_000)
    const { state } = service
    for (const table of ['panel', 'dashboard', 'panel_run_error'] as const) {
      const rows = await state.selectFrom(table).select('user_id').execute()
      expect(rows.filter(({ user_id: id }) => id === ann.id)).toEqual([])
    }
    const outcomes = await state.selectFrom('panel_outcome').select('panel_id').execute()
    expect(outcomes).toHaveLength(1)
    expect(await ben.panels()).toHaveLength(1)
  })

  // [market-watch.auth.cookie-only]
  it('accept the session cookie only, no header', async () => {
    const id = await ann.add(presetSpec())
    const token = ann.cookie.slice(ann.cookie.indexOf('=') + 1)
    const created = await ann.send('POST', '/api/keys', { name: 'agent' })
    const headers = [
      `Bearer ${String(created.body['key'])}`,
      `Bearer ${token}`,
      'Launch launch-secret_of-these-tests',
      'Bearer x',
    ]
    const routes = [
      ['GET', BOARD, undefined],
      ['POST', PANELS, { spec: presetSpec() }],
      ['PATCH', `${PANELS}/${id}`, { title: 'Taken' }],
      ['DELETE', `${PANELS}/${id}`, undefined],
      ['POST', `${PANELS}/reorder`, { order: [{ id, sortIdx: 3 }] }],
      ['POST', `${PANELS}/${id}/run`, undefined],
      ['GET', HEALTH, undefined],
    ] as const
    for (const [method, path, body] of routes) {
      for (const authorization of headers) {
        const answer = await service.ask(path, { method, body, headers: { authorization } })
        expect([path, authorization, answer.status, answer.body]).toEqual([
          path,
          authorization,
          401,
          {
            reason: 'not_authenticated',
            error: 'Authentication required',
            code: 'AUTH_REQUIRED',
          },
        ])
      }
    }
    // Headers are ignored beside a cookie.
    const beside = { cookie: ann.cookie, authorization: 'Bearer x' }
    expect((await service.ask(BOARD, { headers: beside })).status).toBe(200)
    expect(await ann.panels()).toMatchObject([{ id, title: 'Data health', sortIdx: 0 }])
  })
})
