import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessService, countedHash, type AccessService } from '../../testing/access-service.ts'
import {
  accountRequests,
  ANN,
  bearer,
  cookieOf,
  keyIn,
  PASSWORD,
  statusAndError,
  sessionIn,
  userIn,
} from '../../testing/account-requests.ts'

let service: AccessService
beforeEach(async () => {
  service = await accessService({ keyHash: countedHash() })
})
afterEach(() => service.close())

const { post, signUp, signIn, me } = accountRequests(() => service)

describe('signing up', () => {
  // [auth.signup.account]
  it('creates an account with a session and a first key', async () => {
    const created = await signUp({ ...ANN, email: ' Ann@Example.TEST ' })
    expect(created.status).toBe(201)
    const { accessToken = '', id: sessionId } = sessionIn(created)
    expect(created.body).toEqual({
      user: {
        id: expect.stringMatching(/^usr_[0-9a-z]{20}$/) as string,
        email: 'ann@example.test',
        name: 'ann',
        tier: 'free',
        isOwner: false,
        isAdmin: false,
        provider: 'password',
        hasPassword: true,
        createdAt: '2026-11-20T14:00:00.000Z',
      },
      session: {
        id: expect.stringMatching(/^ses_[0-9a-z]{20}$/) as string,
        expiresAt: '2026-11-27T14:00:00.000Z',
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      },
      key: {
        id: expect.stringMatching(/^key_[0-9a-z]{20}$/) as string,
        key: expect.stringMatching(/^svc_live_[\w-]{43}$/) as string,
        keyPrefix: keyIn(created)['key']?.slice(0, 12),
        name: 'Starter Key',
        message: 'Store this key now. It will not be shown again.',
      },
    })
    expect(created.headers['cache-control']).toContain('no-store')
    expect(created.headers['x-ratelimit-limit']).toBe('20')
    expect(cookieOf(created)).toBe(`augury_session_${service.port}=${accessToken}`)
    const bySession = { kind: 'session', sessionId, keyId: null }
    for (const headers of [{ cookie: cookieOf(created) }, bearer(accessToken)]) {
      const answer = await me(headers)
      expect(answer.body).toEqual({
        user: created.body['user'],
        auth: { ...bySession, expiresAt: '2026-11-27T14:00:00.000Z' },
        tier: {
          tier: 'free',
          panelCap: 3,
          screenPanelCap: 1,
          minRefreshSeconds: 300,
          manualRefreshCooldownSeconds: 300,
          requestsPerMinute: 600,
        },
      })
    }
    expect((await me(bearer(keyIn(created)['key']))).body['auth']).toEqual({
      kind: 'key',
      sessionId: null,
      keyId: keyIn(created)['id'],
      expiresAt: null,
    })
  })

  // [auth.signup.bodies]
  it.each([
    ['no body', undefined, 'email must be an address'],
    ['no JSON', '{', 'Invalid JSON'],
    ['a list', [], 'email must be an address'],
    ['no email', { password: PASSWORD }, 'email must be an address'],
    ['two at signs', { ...ANN, email: 'a@b@c' }, 'email must be an address'],
    ['no password', { email: ANN.email }, 'password must be 10 to 256 characters'],
    ['nine letters', { ...ANN, password: 'x'.repeat(9) }, 'password must be 10 to 256 characters'],
    ['a blank name', { ...ANN, name: ' ' }, 'name must be 1 to 60 characters'],
    ['a long name', { ...ANN, name: 'x'.repeat(61) }, 'name must be 1 to 60 characters'],
  ])('is refused with %s', async (_what, body, error) => {
    expect(statusAndError(await post('/api/signup', body))).toEqual([
      400,
      'VALIDATION_ERROR',
      error,
    ])
    expect(await service.state.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  it('reads only its own fields of the body', async () => {
    const more = { name: 'Ann', tier: 'pro', isAdmin: true, isOwner: true, id: 'usr_x' }
    const created = await signUp({ ...ANN, ...more, userId: 'usr_x' })
    expect(userIn(created)).toMatchObject({ name: 'Ann', tier: 'free', isAdmin: false })
    expect(userIn(created)['id']).not.toBe('usr_x')
  })

  // [auth.signup.one-transaction]
  it('succeeds completely for one of several concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp()))
    const lost = answers.filter(({ status }) => status !== 201)
    expect(lost.map(statusAndError)).toEqual(
      Array(5).fill([409, 'EMAIL_TAKEN', 'An account with this email exists']),
    )
    const rows = async (table: 'session' | 'access_key') =>
      (await service.state.selectFrom(table).select('id').execute()).length
    expect([await rows('session'), await rows('access_key')]).toEqual([1, 1])
    expect(lost.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true)
  })

  // [auth.signup.one-transaction]
  it('leaves nothing when its last step fails', async () => {
    // Access is open once it publishes its key: opening looks for sessions itself.
    await fetch(`${service.url}/.well-known/jwks.json`)
    await service.state.schema.alterTable('session').renameTo('elsewhere').execute()
    expect((await signUp()).status).toBe(500)
    await service.state.schema.alterTable('elsewhere').renameTo('session').execute()
    expect(await service.state.selectFrom('access_key').selectAll().execute()).toEqual([])
    expect((await signUp()).status).toBe(201)
  })

  it('is refused when it is closed, even for existing accounts', async () => {
    await signUp()
    await service.close()
    service = await accessService({ signup: 'closed' })
    expect(statusAndError(await signUp())).toEqual([403, 'SIGNUP_CLOSED', 'Signup is closed'])
    expect(statusAndError(await signUp({ ...ANN, email: 'x' }))[0]).toBe(400)
  })

  // [auth.session.csrf]
  it.each([['/api/signup'], ['/api/auth/signin'], ['/api/auth/external']])(
    'and signing in accept browser requests from our pages only: %s',
    async (path) => {
      const from = async (headers: Record<string, string>) =>
        (await post(path, '{', headers)).status
      expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(403)
      expect(await from({ origin: 'null' })).toBe(403)
      expect(await from({ origin: 'http://evil.test' })).toBe(403)
      expect(await from({ origin: service.url, 'sec-fetch-site': 'same-origin' })).toBe(400)
      expect(await from({})).toBe(400)
      const form = await post(path, 'email=a', { 'content-type': 'text/plain' })
      expect(form.status).toBe(415)
    },
  )

  it('and signing in are limited to twenty a minute from an address', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await signUp({})).status, (await signIn({})).status)
    }
    expect(statuses.slice(19)).toEqual([400, 429, 429])
  })
})
