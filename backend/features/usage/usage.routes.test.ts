import { Elysia, t } from 'elysia'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../domain/units.ts'
import { adapter } from '../../http/adapter.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { accessService, type AccessService, type Requested } from '../../testing/access-service.ts'
import { histogramOf } from '../../lib/latency-histogram.ts'
import type { Usage } from '../../contract/accounts.ts'

/** Routes that take a second, fail, or have a path parameter. */
const routes = () =>
  new Elysia({ adapter })
    .use(routePolicies)
    .get('/thing/:id', ({ params }) => params, { params: t.Object({ id: t.String() }) })
    .post('/thing/:id', () => ({ ok: true }))
    .get('/broken', (): object => {
      throw new TypeError('a bug')
    })
    .get(
      '/slow',
      async () => {
        await service.clock.advance(SECOND)
        return { ok: true }
      },
      { auth: 'optional' },
    )
    .get('/special', () => ({ ok: true }), { auth: 'optional', rate: 'discuss' })

let service: AccessService
let cookie: string
beforeEach(async () => {
  service = await accessService({ routes: routes() })
  cookie = await service.signIn()
})
afterEach(() => service.close())

const get = (path: string, headers: Record<string, string> = { cookie }): Promise<Requested> =>
  service.ask(path, { headers })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const usage = async (period = '30d'): Promise<Usage> => {
  // Cached bytes expire after five seconds.
  await service.clock.advance(5 * SECOND)
  const { body, status } = await get(`/api/dashboard/usage?period=${period}`)
  expect(status).toBe(200)
  return body as unknown as Usage
}
const routesOf = ({ byRoute }: Usage) =>
  Object.fromEntries(byRoute.map(({ route, requests }) => [route, requests]))
const rows = () => service.state.selectFrom('usage_day').selectAll().execute()

describe('usage', () => {
  // [usage.dashboard.routes]
  it('is counted by the pattern of a route, not its address', async () => {
    await get('/thing/1')
    await get('/thing/secret-2?token=x')
    await get('/THING/3')
    await get('/th%69ng/4/')
    await service.ask('/thing/5', { method: 'HEAD', headers: { cookie } })
    await service.ask('/thing/6', { method: 'POST', headers: { cookie, origin: service.url } })
    const served = await usage()
    expect(routesOf(served)).toEqual({ 'GET /thing/{id}': 4, 'POST /thing/{id}': 1 })
    expect(JSON.stringify(await rows())).not.toContain('secret')
  })

  // [usage.dashboard.keys]
  it('is listed by key, revoked ones by their name too, and for sessions together', async () => {
    const { id, key } = await service.makeKey('bot', '/api/keys')
    const feed = await service.makeKey('feed')
    for (let requested = 0; requested < 3; requested += 1) await get('/thing/1', bearer(key))
    await get('/policy/data', bearer(feed.key))
    await get('/thing/1')
    await service.ask(`/api/keys/${id}`, {
      method: 'DELETE',
      headers: { cookie, origin: service.url },
    })
    expect((await get('/thing/1', bearer(key))).status).toBe(401)
    const { byKey, totals } = await usage()
    expect(byKey).toEqual([
      { keyId: id, name: 'bot', requests: 3 },
      { keyId: null, name: 'Sessions', requests: 2 },
      { keyId: feed.id, name: 'feed', requests: 1 },
    ])
    expect(totals.requests).toBe(6)
  })

  // [usage.dashboard.counted]
  it('counts failures and refusals, without anonymous callers', async () => {
    await get('/broken')
    for (let requested = 0; requested < 7; requested += 1) await get('/special')
    await get('/policy/admin')
    await get('/thing/1', {})
    await get('/thing/1', { authorization: 'Bearer svc_live_x' })
    await get('/policy/required', {})
    await get('/nowhere')
    const { totals, byDay, byRoute } = await usage('2d')
    expect(totals).toEqual({
      requests: 9,
      errors: 1,
      rateLimited: 2,
      llmCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
    })
    expect(byDay).toEqual([
      { date: '2026-11-19', requests: 0, errors: 0, costUsd: 0 },
      { date: '2026-11-20', requests: 9, errors: 1, costUsd: 0 },
    ])
    expect(byRoute.map(({ route }) => route)).toEqual([
      'GET /special',
      'GET /broken',
      'GET /policy/admin',
    ])
  })

  // [usage.dashboard.latency]
  it('records how long a route took', async () => {
    await get('/slow')
    const slow = (await usage()).byRoute.find(({ route }) => route === 'GET /slow')
    expect(Math.abs((slow?.p50Ms ?? 0) - 1_000)).toBeLessThanOrEqual(50)
    expect(slow?.p95Ms).toBe(slow?.p50Ms)
  })

  // [usage.dashboard.period]
  it.each([
    ['', 30],
    ['?period=7d', 7],
    ['?period=0d', 1],
    ['?period=9999d', 365],
    ['?period=1D', 1],
  ])('of the days of %j', async (query, days) => {
    const { body, headers } = await get(`/api/dashboard/usage${query}`)
    const { period, from, to, byDay } = body as unknown as Usage
    expect(headers['cache-control']).toBe('private, max-age=30')
    expect([period, byDay.length, to]).toEqual([`${days}d`, days, '2026-11-20T14:00:00.000Z'])
    expect(Date.parse(from)).toBe(Date.parse('2026-11-20') - (days - 1) * DAY)
    expect(byDay.at(-1)?.date).toBe('2026-11-20')
  })

  // [usage.dashboard.period]
  it.each(['30', 'd', '-1d', '1.5d', '1w', '30d%20x', ''])('of no period %j', async (period) => {
    const { status, body } = await get(`/api/dashboard/usage?period=${period}`)
    expect([status, body]).toEqual([
      400,
      { error: 'period must be days, such as 30d', code: 'VALIDATION_ERROR' },
    ])
  })

  // [usage.dashboard.auth]
  it('is shown to its user only', async () => {
    const anonymous = await get('/api/dashboard/usage', {})
    expect([anonymous.status, anonymous.body['code']]).toEqual([401, 'AUTH_REQUIRED'])
    await service.state
      .insertInto('account')
      .values({
        id: 'usr_other',
        email: null,
        name: 'Other',
        tier: 'free',
        is_owner: 0,
        is_admin: 0,
        provider: 'password',
        password_hash: null,
        created_at: 0,
        issuer: null,
        subject: null,
      })
      .execute()
    const { id, key } = await service.makeKey('theirs', '/api/keys')
    await service.state.updateTable('access_key').set({ user_id: 'usr_other' }).execute()
    await get('/thing/1', bearer(key))
    expect(routesOf(await usage())['GET /thing/{id}']).toBeUndefined()
    const keyUsage = await get('/api/dashboard/usage', bearer(key))
    expect(keyUsage.body).toMatchObject({
      byKey: [{ keyId: id, name: 'theirs', requests: 1 }],
      limits: [{ class: 'general', limit: 600, used: 2 }],
    })
  })

  // [usage.dashboard.limits]
  it('lists the open windows, general first', async () => {
    const { key } = await service.makeKey('bot', '/api/keys')
    const feed = await service.makeKey('feed')
    await get('/policy/data', bearer(feed.key))
    await get('/special')
    await get('/special', bearer(key))
    await get('/special', bearer(key))
    await service.clock.advance(20 * SECOND)
    const { limits } = await usage()
    const resetAt = '2026-11-20T14:01:00.000Z'
    expect(limits).toEqual([
      { class: 'general', limit: 60_000, used: 3, resetAt },
      { class: 'data-240', limit: 240, used: 1, resetAt },
      { class: 'discuss', limit: 5, used: 2, resetAt },
    ])
    await service.clock.advance(MINUTE)
    expect((await usage()).limits).toEqual([
      { class: 'general', limit: 60_000, used: 1, resetAt: '2026-11-20T14:02:30.000Z' },
    ])
  })

  // [usage.dashboard.block-reason]
  it('states the reason of a refusal', async () => {
    await service.close()
    service = await accessService({ routes: routes(), fairUse: 2 })
    cookie = await service.signIn()
    await get('/thing/1')
    await get('/thing/1')
    const [refused, other] = [await get('/api/dashboard/usage'), await get('/thing/1')]
    expect([refused.status, refused.headers['x-svc-block-reason']]).toEqual([429, 'rate_limited'])
    expect([other.status, other.headers['x-svc-block-reason']]).toEqual([429, undefined])
  })
})

describe('the usage log', () => {
  // [usage.dashboard.kept]
  it('is written within ten seconds, and when the service stops', async () => {
    await get('/thing/1')
    await get('/thing/1')
    expect(await rows()).toEqual([])
    await service.clock.advance(10 * SECOND)
    await expect.poll(async () => (await rows()).map((row) => row.requests)).toEqual([2])
    await get('/thing/1')
    service = await service.restart()
    const [row] = await rows()
    expect(row?.requests).toBe(3)
    expect(histogramOf(row?.latencies ?? '').reduce((sum, count) => sum + count)).toBe(3)
    expect(routesOf(await usage())).toEqual({ 'GET /thing/{id}': 3 })
  })

  it('is queued while it cannot be written', async () => {
    await get('/thing/1')
    await service.state.schema.alterTable('usage_day').renameTo('elsewhere').execute()
    await service.clock.advance(10 * SECOND)
    await get('/thing/1')
    expect((await get('/api/dashboard/usage')).status).toBe(500)
    await service.state.schema.alterTable('elsewhere').renameTo('usage_day').execute()
    const later = async () => {
      await service.clock.advance(10 * SECOND)
      return Object.fromEntries((await rows()).map(({ route, requests }) => [route, requests]))
    }
    await expect.poll(later).toEqual({ 'GET /api/dashboard/usage': 1, 'GET /thing/{id}': 2 })
  })

  it('is by UTC day', async () => {
    await service.clock.advance(10 * 60 * MINUTE - 1)
    await get('/thing/1')
    await service.clock.advance(1)
    await get('/thing/1')
    const { byDay } = await usage('2d')
    expect(byDay.map(({ date, requests }) => [date, requests])).toEqual([
      ['2026-11-20', 1],
      ['2026-11-21', 1],
    ])
  })

  // [usage.dashboard.kept]
  it('is kept for 400 days', async () => {
    await get('/thing/1')
    const { user_id } = await service.state
      .selectFrom('account')
      .select('id as user_id')
      .executeTakeFirstOrThrow()
    const midnight = Date.parse('2026-11-20')
    await usage()
    await service.state.deleteFrom('usage_day').execute()
    const usageDays = [399, 400, 401].map((age) => ({
      user_id,
      key_id: '',
      route: 'GET /old',
      day: midnight + DAY - age * DAY,
      requests: 1,
      errors: 0,
      rate_limited: 0,
      model_calls: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
      latencies: '{}',
    }))
    await service.state.insertInto('usage_day').values(usageDays).execute()
    await service.clock.advance(DAY)
    cookie = await service.signIn()
    await usage()
    const days = (await rows()).filter(({ route }) => route === 'GET /old').map(({ day }) => day)
    expect(days.toSorted()).toEqual([midnight - 399 * DAY, midnight - 398 * DAY].toSorted())
  })

  it('of a deleted user is left out, and blocks no other', async () => {
    await service.state
      .insertInto('account')
      .values({
        id: 'usr_gone',
        email: null,
        name: 'Gone',
        tier: 'free',
        is_owner: 0,
        is_admin: 0,
        provider: 'password',
        password_hash: null,
        created_at: 0,
        issuer: null,
        subject: null,
      })
      .execute()
    const { key } = await service.makeKey('theirs', '/api/keys')
    await service.state.updateTable('access_key').set({ user_id: 'usr_gone' }).execute()
    await get('/thing/1', bearer(key))
    await get('/thing/1')
    await service.state.deleteFrom('account').where('id', '=', 'usr_gone').execute()
    expect(routesOf(await usage())).toMatchObject({ 'GET /thing/{id}': 1 })
  })
})
