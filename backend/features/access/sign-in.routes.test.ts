import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import { accessService, countedHash, type AccessService } from '../../testing/access-service.ts'
import {
  accountRequests,
  ANN,
  bearer,
  cookieOf,
  PASSWORD,
  statusAndError,
} from '../../testing/account-requests.ts'
import { argon2 } from './keys/key-hash.ts'

let service: AccessService
let hash: ReturnType<typeof countedHash>
beforeEach(async () => {
  hash = countedHash()
  service = await accessService({ keyHash: hash })
})
afterEach(() => service.close())

const { post, signUp, signIn, me, change } = accountRequests(() => service)

describe('passwords', () => {
  // [auth.password.hashed]
  it('are stored as Argon2id only', async () => {
    await service.close()
    service = await accessService({ keyHash: argon2 })
    await signUp({ ...ANN, password: 'ｐａｓｓｗｏｒｄ one two' })
    const rows = await service.state.selectFrom('account').selectAll().execute()
    expect(rows[1]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn({ ...ANN, password: 'password one two' })).status).toBe(200)
    expect((await signIn({ ...ANN, password: 'password one twO' })).status).toBe(401)
  })

  // [auth.signin.unknown-alike]
  it('of unknown emails and of accounts without one cost the same hash to refuse', async () => {
    await service.close()
    const checked: string[] = []
    service = await accessService({
      keyHash: {
        hash: (text) => argon2.hash(text),
        matches(hashed, text) {
          checked.push(hashed)
          return argon2.matches(hashed, text)
        },
      },
    })
    await signUp()
    await change(await service.signIn(), { email: 'owner@example.test' })
    for (const email of [ANN.email, 'nobody@example.test', 'owner@example.test']) {
      for (const password of ['wrong password', 'short']) {
        const answer = await signIn({ email, password })
        expect(statusAndError(answer)).toEqual([401, 'AUTH_INVALID', 'Wrong email or password'])
      }
    }
    expect(checked).toHaveLength(6)
    // The time depends on the cost and the lengths of salt and hash.
    const shapes = checked.map((hashed) => [hashed.slice(0, 31), hashed.length])
    expect(new Set(shapes.map(String))).toEqual(new Set(['$argon2id$v=19$m=19456,t=2,p=1$,97']))
  })

  it('are verified two at a time, separately from keys, for five seconds at most', async () => {
    await signUp()
    const { key } = await service.makeKey('agent', '/api/keys')
    const real = hash.matches.bind(hash)
    const stuck: (() => void)[] = []
    hash.matches = (hashed, text) =>
      text.startsWith('svc_')
        ? real(hashed, text)
        : new Promise((resolve) => stuck.push(() => resolve(false)))
    const requested = [1, 2, 3].map((i) => signIn({ email: `u${i}@b`, password: PASSWORD }))
    await expect.poll(() => stuck.length).toBe(2)
    expect((await me(bearer(key))).status).toBe(200)
    const late = Promise.race(requested)
    const answered = new AbortController()
    void late.then(() => answered.abort())
    while (!answered.signal.aborted) await service.clock.advance(1_000)
    expect(statusAndError(await late).slice(0, 2)).toEqual([503, 'NOT_READY'])
    expect((await late).headers['retry-after']).toBe('5')
    for (const go of stuck) go()
    const others = await Promise.all(requested)
    expect(others.map(({ status }) => status).toSorted()).toEqual([401, 401, 503])
  })
})

describe('signing in', () => {
  // [auth.signin.password]
  it('issues a session for email and password', async () => {
    const created = await signUp()
    const answer = await signIn({ email: 'ANN@example.test', password: PASSWORD })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      user: created.body['user'],
      session: {
        id: expect.stringMatching(/^ses_/) as string,
        expiresAt: '2026-11-27T14:00:00.000Z',
        accessToken: cookieOf(answer).split('=')[1],
      },
    })
    const { sessions } = (
      await service.ask('/api/auth/sessions', { headers: { cookie: cookieOf(answer) } })
    ).body as { sessions: { method: string }[] }
    expect(sessions.map(({ method }) => method)).toEqual(['password', 'password'])
  })

  it.each([
    ['nothing', undefined, 400, 'email must be an address'],
    ['no JSON', '{', 400, 'Invalid JSON'],
    ['no password', { email: ANN.email }, 400, 'password must be 10 to 256 characters'],
    ['a short password', { ...ANN, password: 'x' }, 401, 'Wrong email or password'],
    ['a megabyte', { ...ANN, password: 'x'.repeat(900_000) }, 401, 'Wrong email or password'],
    ['another password', { ...ANN, password: `${PASSWORD}!` }, 401, 'Wrong email or password'],
    ['an unknown email', { ...ANN, email: 'x@b' }, 401, 'Wrong email or password'],
  ])('is refused with %s', async (_what, body, status, error) => {
    await signUp()
    const answer = await post('/api/auth/signin', body)
    expect([answer.status, answer.body['error']]).toEqual([status, error])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  // [auth.signin.lock]
  it('is locked for an email after ten failures, with the right password too', async () => {
    await signUp()
    const wrong = { ...ANN, password: 'wrong password' }
    for (let i = 0; i < 10; i += 1) {
      expect((await signIn(wrong)).status).toBe(401)
      await service.clock.advance(MINUTE)
    }
    const locked = await signIn()
    expect([locked.status, locked.body]).toEqual([
      429,
      { ok: false, error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' } },
    ])
    expect(locked.headers['retry-after']).toBe('300')
    expect((await signIn({ ...ANN, email: 'other@example.test' })).status).toBe(401)
    await service.clock.advance(5 * MINUTE)
    expect((await signIn()).status).toBe(200)
  })

  // [auth.signin.lock]
  it('counts concurrent attempts like sequential ones', async () => {
    await signUp()
    const wrong = { ...ANN, password: 'wrong password' }
    const answers = await Promise.all(Array.from({ length: 15 }, () => signIn(wrong)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  it('fails if the password changes while it is verified', async () => {
    const cookie = cookieOf(await signUp())
    let finish: (() => void) | null = null
    const real = hash.matches.bind(hash)
    hash.matches = (...args) =>
      new Promise((resolve) => (finish = () => void real(...args).then(resolve)))
    const requested = signIn()
    await expect.poll(() => finish).not.toBeNull()
    hash.matches = real
    const body = { password: 'another password', currentPassword: PASSWORD }
    expect((await change(cookie, body)).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect((await requested).status).toBe(401)
  })
})
