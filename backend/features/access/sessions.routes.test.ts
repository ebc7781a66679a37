import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import { accessService, type AccessService, type Requested } from '../../testing/access-service.ts'

const PASSWORD = 'correct horse battery'
const ANN = { email: 'ann@example.test', password: PASSWORD }
const BOB = { email: 'bob@example.test', password: PASSWORD }

let service: AccessService
beforeEach(async () => {
  service = await accessService()
})
afterEach(() => service.close())

const cookieOf = ({ headers }: Requested) => (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
const begin = async (path: string, body: unknown, agent = 'browser') => {
  const headers = { 'user-agent': agent }
  const answer = await service.ask(path, { method: 'POST', headers, body })
  const { id } = answer.body['session'] as { id: string }
  return { id, cookie: cookieOf(answer), answer }
}
const signUp = (user: typeof ANN) => begin('/api/signup', user)
const signIn = (user: typeof ANN, agent?: string) => begin('/api/auth/signin', user, agent)
const write = (cookie: string, method: string, path: string, body?: unknown) =>
  service.ask(path, {
    method,
    headers: { cookie, origin: service.url },
    ...(body === undefined ? {} : { body }),
  })
const list = async (cookie: string) => {
  const { body } = await service.ask('/api/auth/sessions', { headers: { cookie } })
  return body['sessions'] as { id: string; current: boolean; lastSeenAt: string }[]
}
const statusOf = async (cookie: string) =>
  (await service.ask('/api/auth/me', { headers: { cookie } })).status

describe('the list of sessions', () => {
  // [auth.sessions.list]
  it('shows live ones, last seen first, and marks the current one', async () => {
    const first = await signUp(ANN)
    await service.clock.advance(HOUR)
    const second = await signIn(ANN, `desk ${'x'.repeat(300)}`)
    const signedOut = await signIn(ANN)
    await write(signedOut.cookie, 'POST', '/api/auth/signout')
    expect(await list(second.cookie)).toEqual([
      {
        id: second.id,
        method: 'password',
        current: true,
        userAgent: `desk ${'x'.repeat(251)}`,
        createdAt: '2026-11-20T15:00:00.000Z',
        lastSeenAt: '2026-11-20T15:00:00.000Z',
        expiresAt: '2026-11-27T15:00:00.000Z',
      },
      {
        id: first.id,
        method: 'password',
        current: false,
        userAgent: 'browser',
        createdAt: '2026-11-20T14:00:00.000Z',
        lastSeenAt: '2026-11-20T14:00:00.000Z',
        expiresAt: '2026-11-27T14:00:00.000Z',
      },
    ])
    await service.clock.advance(MINUTE)
    expect((await list(first.cookie)).map(({ id, current }) => [id, current])).toEqual([
      [first.id, true],
      [second.id, false],
    ])
  })

  it('is written at most once a minute', async () => {
    const { cookie } = await signUp(ANN)
    const seen = async () => (await list(cookie))[0]?.lastSeenAt
    await service.clock.advance(MINUTE - 1)
    expect(await seen()).toBe('2026-11-20T14:00:00.000Z')
    await service.clock.advance(1)
    expect(await seen()).toBe('2026-11-20T14:01:00.000Z')
  })

  it('is for sessions only', async () => {
    const { answer } = await signUp(ANN)
    const { key } = answer.body['key'] as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    expect((await service.ask('/api/auth/sessions', { headers })).body['code']).toBe('AUTH_INVALID')
    expect((await service.ask('/api/auth/sessions')).body['code']).toBe('AUTH_REQUIRED')
  })
})

describe('ending sessions', () => {
  interface Desk {
    /** The session under test. */
    readonly subject: Awaited<ReturnType<typeof signUp>>
    /** Another session of the same user. */
    readonly other: Awaited<ReturnType<typeof signUp>>
  }
  const change = (cookie: string, body: unknown) => write(cookie, 'PATCH', '/api/auth/me', body)
  const newPassword = { password: 'another password', currentPassword: PASSWORD }

  // [auth.session.states]
  it.each<[string, (desk: Desk) => Promise<unknown>, 'live' | 'ended' | 'expired']>([
    ['a request', ({ subject }) => statusOf(subject.cookie), 'live'],
    ['its sign-out', ({ subject }) => write(subject.cookie, 'POST', '/api/auth/signout'), 'ended'],
    ['another’s sign-out', ({ other }) => write(other.cookie, 'POST', '/api/auth/signout'), 'live'],
    [
      'another’s sign-out of all',
      ({ other }) => write(other.cookie, 'POST', '/api/auth/signout', { all: true }),
      'ended',
    ],
    [
      'its end by id',
      ({ subject, other }) => write(other.cookie, 'DELETE', `/api/auth/sessions/${subject.id}`),
      'ended',
    ],
    ['a password that it changes', ({ subject }) => change(subject.cookie, newPassword), 'live'],
    ['a password that another changes', ({ other }) => change(other.cookie, newPassword), 'ended'],
    ['another name', ({ other }) => change(other.cookie, { name: 'Ann Lee' }), 'live'],
    [
      'a deleted account',
      ({ other }) =>
        write(other.cookie, 'DELETE', '/api/auth/me', { confirm: 'delete my account' }),
      'ended',
    ],
    [
      'nineteen further sessions',
      async ({ other }) => {
        await service.clock.advance(2 * MINUTE)
        await statusOf(other.cookie)
        for (let i = 0; i < 19; i += 1) {
          await service.clock.advance(MINUTE)
          await signIn(ANN)
        }
      },
      'ended',
    ],
    [
      'eighteen further sessions',
      async ({ other }) => {
        await service.clock.advance(2 * MINUTE)
        await statusOf(other.cookie)
        for (let i = 0; i < 18; i += 1) {
          await service.clock.advance(MINUTE)
          await signIn(ANN)
        }
      },
      'live',
    ],
    ['a week less a second', () => service.clock.advance(7 * DAY - 1_000), 'live'],
    ['a week', () => service.clock.advance(7 * DAY), 'expired'],
    ['a restart', async () => void (service = await service.restart()), 'live'],
  ])('%s: it is then %s', async (_event, happen, state) => {
    const subject = await signUp(ANN)
    const other = await signIn(ANN)
    for (const { cookie } of [subject, other]) expect(await statusOf(cookie)).toBe(200)
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    await happen({ subject, other })
    const token = subject.cookie.slice(subject.cookie.indexOf('=') + 1)
    const byToken = { authorization: `Bearer ${token}` }
    const answer = await service.ask('/api/auth/me', { headers: byToken })
    expect([answer.status, await statusOf(subject.cookie)]).toEqual(
      state === 'live' ? [200, 200] : [401, 401],
    )
    expect(ended.includes(subject.id)).toBe(state === 'ended')
  })
})

describe('the sessions and keys of others', () => {
  // [auth.surfaces.others-unknown]
  it('respond byte for byte like unknown ones, whatever the caller claims', async () => {
    const ann = await signUp(ANN)
    const bob = await signUp(BOB)
    const key = (bob.answer.body['key'] as { id: string }).id
    const data = (await write(bob.cookie, 'POST', '/api/data-keys')).body['id']
    const user = (bob.answer.body['user'] as { id: string }).id
    const foreign = [
      ['/api/auth/sessions', bob.id, 'ses_00000000000000000000'],
      ['/api/keys', key, 'key_00000000000000000000'],
      ['/api/data-keys', String(data), 'dkey_00000000000000000000'],
    ] as const
    for (const [path, id, unknown] of foreign) {
      for (const tail of ['', `?userId=${user}`]) {
        const [found, none] = [
          await write(ann.cookie, 'DELETE', `${path}/${id}${tail}`, { userId: user }),
          await write(ann.cookie, 'DELETE', `${path}/${unknown}${tail}`, { userId: user }),
        ]
        expect([found.status, found.text]).toEqual([404, none.text])
        expect(found.headers['content-type']).toBe(none.headers['content-type'])
      }
      const headers = { cookie: ann.cookie, 'x-user-id': user }
      const answer = await service.ask(`${path}?userId=${user}`, { headers })
      for (const secret of [bob.id, key, String(data), user, BOB.email]) {
        expect(answer.text).not.toContain(secret)
      }
    }
    expect(await statusOf(bob.cookie)).toBe(200)
    expect((await write(bob.cookie, 'DELETE', `/api/keys/${key}`)).status).toBe(200)
    const unknown = await write(ann.cookie, 'DELETE', '/api/auth/sessions/x')
    expect(unknown.body).toEqual({ error: 'Session not found', code: 'NOT_FOUND' })
  })
})

describe('the public keys of sessions', () => {
  // [auth.session.public-keys]
  it('allow others to verify our tokens, and contain no secret', async () => {
    const { createLocalJWKSet, jwtVerify } = await import('jose')
    const answer = await service.ask('/.well-known/jwks.json')
    expect(answer.headers['cache-control']).toContain('max-age=300')
    const { keys } = answer.body as { keys: Record<string, string>[] }
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ])
    const { cookie } = await signUp(ANN)
    const token = cookie.slice(cookie.indexOf('=') + 1)
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys }), {
      issuer: service.url,
      audience: 'augury',
      currentDate: new Date(service.clock.now()),
    })
    expect(payload['amr']).toEqual(['pwd'])
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: keys[0]?.['kid'] })
  })
})
