import { statSync, readFileSync, rmSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/units.ts'
import {
  accessService,
  LAUNCH_SECRET,
  type AccessService,
  type Requested,
} from '../../../testing/access-service.ts'

const OWNER = { authorization: `Launch ${LAUNCH_SECRET}` }

let service: AccessService
beforeEach(async () => {
  service = await accessService()
})
afterEach(() => service.close())

const local = (headers: Record<string, string> = OWNER) =>
  service.ask('/api/auth/local', { method: 'POST', headers })
const exchange = (ticket: unknown, headers: Record<string, string> = {}) =>
  service.ask('/api/auth/exchange', { method: 'POST', headers, body: { ticket } })
const ticket = async () => String((await local()).body['ticket'])
const me = (cookie: string) => service.ask('/api/auth/me', { headers: { cookie } })
const signOut = (cookie: string, body?: unknown) =>
  service.ask('/api/auth/signout', {
    method: 'POST',
    headers: { cookie, origin: service.url },
    ...(body === undefined ? {} : { body }),
  })
const cookieOf = ({ headers }: Pick<Requested, 'headers'>): string =>
  headers['set-cookie']?.[0] ?? ''
const keyFile = () => join(service.dataDir, 'secrets', 'session.jwk')

describe('tickets', () => {
  // [auth.ticket.once]
  it('open the page for holders of the launch secret', async () => {
    const answer = await local()
    expect(answer.body).toEqual({
      ticket: expect.stringMatching(/^[\w-]{43}$/) as string,
      url: `${service.url}/#ticket=${String(answer.body['ticket'])}`,
      expiresAt: '2026-11-20T14:01:00.000Z',
    })
    expect(answer.headers['x-ratelimit-limit']).toBe('20')
  })

  it.each([
    ['a wrong secret', { authorization: 'Launch wrong' }, 401, 'AUTH_INVALID'],
    ['no secret', {}, 401, 'AUTH_REQUIRED'],
    ['a browser', { ...OWNER, 'sec-fetch-site': 'same-origin' }, 403, 'ORIGIN_REFUSED'],
    ['a page of ours', { ...OWNER, origin: 'own' }, 403, 'ORIGIN_REFUSED'],
  ])('are refused to %s', async (_who, headers: Record<string, string>, status, code) => {
    const own = headers['origin'] === 'own' ? { origin: service.url } : {}
    const answer = await local({ ...headers, ...own })
    expect([answer.status, answer.body['code']]).toEqual([status, code])
  })

  // [auth.ticket.once]
  it('are single-use: of concurrent exchanges one succeeds', async () => {
    const one = await ticket()
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(one)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(410)])
    const lost = answers.find(({ status }) => status === 410)
    expect(lost?.body).toEqual({ error: 'Ticket expired or already used', code: 'EXPIRED' })
    expect((await exchange('never-issued')).body).toEqual(lost?.body)
  })

  it('last sixty seconds', async () => {
    const [early, late] = [await ticket(), await ticket()]
    await service.clock.advance(59_999)
    expect((await exchange(early)).status).toBe(200)
    await service.clock.advance(1)
    expect((await exchange(late)).status).toBe(410)
  })

  it('do not survive the process', async () => {
    const one = await ticket()
    service = await service.restart()
    expect((await exchange(one)).status).toBe(410)
  })

  it('are at most eight: a ninth drops the oldest', async () => {
    const issued: string[] = []
    while (issued.length < 9) issued.push(await ticket())
    const statuses: number[] = []
    for (const one of [issued[0], issued[1], issued[8]]) {
      statuses.push((await exchange(one)).status)
    }
    expect(statuses).toEqual([410, 200, 200])
  })

  it.each([[undefined], [''], [null], [5], [['x']]])('must be text, not %j', async (value) => {
    const answer = await exchange(value)
    expect([answer.status, answer.body['error']]).toEqual([400, 'ticket required'])
  })

  it('are accepted from programs and from our pages only', async () => {
    const from = async (headers: Record<string, string>) =>
      (await exchange(await ticket(), headers)).status
    expect(await from({ origin: service.url, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(403)
    expect(await from({ 'sec-fetch-dest': 'empty' })).toBe(403)
    expect(await from({ 'sec-fetch-mode': 'cors' })).toBe(200)
    expect(await from({ origin: 'null' })).toBe(403)
    expect(await from({ origin: 'http://localhost:1' })).toBe(403)
  })

  it('cannot be guessed quickly: twenty calls a minute from an address', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 21; i += 1) statuses.push((await exchange('guess')).status)
    expect(statuses.slice(19)).toEqual([410, 429])
    expect((await local({ authorization: 'Launch guess' })).status).toBe(429)
  })
})

describe('the session of the terminal', () => {
  // [auth.session.cookie]
  it('comes as a cookie that scripts and other sites cannot use', async () => {
    const answer = await exchange(await ticket())
    expect(answer.body).toEqual({
      user: {
        id: expect.stringMatching(/^usr_[0-9a-z]{20}$/) as string,
        email: null,
        name: 'Owner',
        tier: 'institutional',
        isOwner: true,
        isAdmin: true,
        provider: 'local',
        hasPassword: false,
        createdAt: '2026-11-20T14:00:00.000Z',
      },
      session: {
        id: expect.stringMatching(/^ses_[0-9a-z]{20}$/) as string,
        expiresAt: '2026-11-27T14:00:00.000Z',
      },
    })
    expect(cookieOf(answer)).toMatch(
      new RegExp(
        String.raw`^augury_session_${service.port}=[\w-]+\.[\w-]+\.[\w-]+; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800$`,
      ),
    )
    expect(answer.text).not.toContain(cookieOf(answer).slice(30, 80))
  })

  it('identifies the caller', async () => {
    const { body, headers } = await me(await service.signIn())
    expect(body).toMatchObject({
      user: { name: 'Owner' },
      auth: { kind: 'session', keyId: null, expiresAt: '2026-11-27T14:00:00.000Z' },
      tier: { tier: 'institutional', requestsPerMinute: 60_000, panelCap: 200 },
    })
    expect(headers['cache-control']).toContain('no-store')
  })

  it('is that of one owner, also after a restart', async () => {
    const cookie = await service.signIn()
    const before = (await me(cookie)).body
    service = await service.restart()
    expect((await me(cookie)).body).toEqual(before)
    expect(await service.state.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  // [auth.session.csrf]
  it('authorizes writes of our pages only', async () => {
    const cookie = await service.signIn()
    const write = async (headers: Record<string, string>) => {
      const answer = await service.ask('/written', { method: 'POST', headers })
      return [answer.status, answer.body['code']]
    }
    expect(await write({ cookie, origin: service.url })).toEqual([200, undefined])
    expect(await write({ cookie })).toEqual([403, 'ORIGIN_REFUSED'])
    expect(await write({ cookie, origin: 'null' })).toEqual([403, 'ORIGIN_REFUSED'])
    expect(await write({ cookie, origin: 'http://evil.test' })).toEqual([403, 'ORIGIN_REFUSED'])
    expect(await write({ cookie, origin: service.url, 'content-type': 'text/plain' })).toEqual([
      200,
      undefined,
    ])
    const form = await service.ask('/written', {
      method: 'POST',
      body: 'a=1',
      headers: { cookie, origin: service.url, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
    const token = cookie.slice(cookie.indexOf('=') + 1)
    expect(await write({ authorization: `Bearer ${token}` })).toEqual([200, undefined])
  })

  it('refuses a write without Origin before its body is read', async () => {
    const cookie = await service.signIn()
    const headers = { cookie, 'content-type': 'application/json', 'x-http-method-override': 'GET' }
    const answer = await service.ask('/api/data-keys', { method: 'POST', headers, body: '{' })
    expect([answer.status, answer.body['code']]).toEqual([403, 'ORIGIN_REFUSED'])
  })

  it('ends with its open connections when its user signs out', async () => {
    const [cookie, other] = [await service.signIn(), await service.signIn()]
    const { user, auth } = (await me(cookie)).body as { user: { id: string }; auth: object }
    const ended: unknown[] = []
    service.access.dataAccess.onEnded((...ids) => ended.push(ids))
    const answer = await signOut(cookie)
    expect(answer.body).toEqual({ ok: true, ended: 1 })
    expect(cookieOf(answer)).toMatch(/=; .*Max-Age=0$/)
    expect(ended).toEqual([[user.id, (auth as { sessionId: string }).sessionId]])
    expect((await me(cookie)).body['code']).toBe('AUTH_REQUIRED')
    expect((await me(other)).status).toBe(200)
    const again = await signOut(cookie)
    expect([again.status, again.body]).toEqual([200, { ok: true, ended: 0 }])
    expect((await signOut('')).body).toEqual({ ok: true, ended: 0 })
    expect((await signOut(other, { all: 'yes' })).status).toBe(400)
    expect((await signOut(other, [])).status).toBe(400)
  })

  // [auth.signout.never]
  it.each([
    ['a token that is none', { authorization: 'Bearer a.b.c' }],
    [
      'a key that does not sign anybody in',
      { authorization: `Bearer svct_live_${'a'.repeat(43)}` },
    ],
    ['another scheme', { authorization: 'Basic Zm9v' }],
    ['an empty header', { authorization: '' }],
  ])('can be signed out without an error by a caller with %s', async (_what, headers) => {
    const body = { all: 'yes' }
    const answer = await service.ask('/api/auth/signout', { method: 'POST', headers, body })
    expect([answer.status, answer.body]).toEqual([200, { ok: true, ended: 0 }])
    expect(cookieOf(answer)).toMatch(/=; .*Max-Age=0$/)
  })

  it('is not ended if a header identifies another user, or none', async () => {
    const cookie = await service.signIn()
    const headers = { cookie, origin: service.url, authorization: 'Bearer a.b.c' }
    const answer = await service.ask('/api/auth/signout', { method: 'POST', headers })
    expect(answer.body).toEqual({ ok: true, ended: 0 })
    expect((await me(cookie)).status).toBe(200)
  })

  it('ends everywhere on request', async () => {
    const cookies = [await service.signIn(), await service.signIn(), await service.signIn()]
    expect((await signOut(cookies[0] ?? '', { all: true })).body).toEqual({ ok: true, ended: 3 })
    for (const cookie of cookies) expect((await me(cookie)).status).toBe(401)
    service = await service.restart()
    for (const cookie of cookies) expect((await me(cookie)).status).toBe(401)
  })

  it('is one of twenty: the least recently seen ends', async () => {
    const cookies: string[] = []
    while (cookies.length < 20) {
      cookies.push(await service.signIn())
      await service.clock.advance(MINUTE)
    }
    await me(cookies[0] ?? '')
    cookies.push(await service.signIn())
    const statuses = []
    for (const index of [0, 1, 2, 20]) statuses.push((await me(cookies[index] ?? '')).status)
    expect(statuses).toEqual([200, 401, 200, 200])
  })

  // [auth.session.renewal]
  it('is renewed after a day, for a month at most', async () => {
    let cookie = await service.signIn()
    await service.clock.advance(DAY)
    expect(cookieOf(await me(cookie))).toBe('')
    const day = async () => {
      await service.clock.advance(DAY)
      const renewed = cookieOf(await me(cookie))
      if (renewed !== '') cookie = renewed.split(';')[0] ?? ''
      return renewed !== ''
    }
    const { sessionId } = (await me(cookie)).body['auth'] as { sessionId: string }
    expect(await day()).toBe(true)
    expect((await me(cookie)).body['auth']).toEqual({
      kind: 'session',
      sessionId,
      keyId: null,
      expiresAt: '2026-11-29T14:00:00.000Z',
    })
    let days = 2
    while ((await me(cookie)).status === 200 && days < 60) {
      await day()
      days += 1
    }
    expect(days).toBe(30)
  })

  it('is renewed once for concurrent requests', async () => {
    const cookie = await service.signIn()
    await service.clock.advance(DAY + HOUR)
    const answers = await Promise.all([me(cookie), me(cookie), me(cookie)])
    expect(new Set(answers.map(cookieOf)).size).toBe(1)
    expect(cookieOf(answers[0])).not.toBe('')
  })

  // [auth.session.cookie]
  it('is found beside invalid cookies of its name, and is rejected beside another’s', async () => {
    const cookie = await service.signIn()
    const name = cookie.slice(0, cookie.indexOf('='))
    for (const sent of [`${name}=garbage; ${cookie}`, `${cookie}; ${name}=a.b.c`]) {
      expect((await me(sent)).status).toBe(200)
    }
    const body = { email: 'eve@example.test', password: 'a password of twelve' }
    const other = cookieOf(await service.ask('/api/signup', { method: 'POST', body }))
    const planted = `${other.split(';')[0] ?? ''}; ${cookie}`
    expect((await me(planted)).status).toBe(401)
  })

  it('is not renewed when its token is sent in a header', async () => {
    const cookie = await service.signIn()
    await service.clock.advance(DAY + HOUR)
    const authorization = `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}`
    const answer = await service.ask('/api/auth/me', { headers: { authorization } })
    expect([answer.status, cookieOf(answer)]).toEqual([200, ''])
  })

  it('is deleted a month after it expired', async () => {
    const rows = async () =>
      (await service.state.selectFrom('session').select('id').execute()).length
    await service.signIn()
    await service.clock.advance(37 * DAY)
    await service.signIn()
    expect(await rows()).toBe(2)
    await service.clock.advance(MINUTE)
    await service.signIn()
    expect(await rows()).toBe(2)
  })

  it('expires after a week', async () => {
    const cookie = await service.signIn()
    await service.clock.advance(7 * DAY)
    expect((await me(cookie)).status).toBe(401)
    expect(cookieOf(await service.ask('/policy/optional', { headers: { cookie } }))).toMatch(
      /Max-Age=0$/,
    )
  })
})

describe('the key that signs sessions', () => {
  it('is readable by its owner only', async () => {
    await service.signIn()
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    expect(statSync(join(keyFile(), '..')).mode & 0o777).toBe(0o700)
    chmodSync(keyFile(), 0o644)
    service = await service.restart()
    await service.access.opened
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['deleted', () => rmSync(keyFile())],
    ['damaged', () => writeFileSync(keyFile(), '{"kty":"OKP"')],
  ])('ends all sessions when it is %s', async (_how, damage) => {
    const cookie = await service.signIn()
    const before = readFileSync(keyFile(), 'utf8')
    damage()
    service = await service.restart()
    expect((await me(cookie)).status).toBe(401)
    expect(readFileSync(keyFile(), 'utf8')).not.toBe(before)
    expect((await me(await service.signIn())).status).toBe(200)
  })
})
