import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import {
  accessService,
  countedHash,
  LAUNCH_SECRET,
  type AccessService,
  type Asked,
} from '../../testing/access-service.ts'
import { argon2 } from './key-hash.ts'

const PASSWORD = 'correct horse battery'
const ANN = { email: 'ann@example.test', password: PASSWORD }

let service: AccessService
let hash: ReturnType<typeof countedHash>
beforeEach(async () => {
  hash = countedHash()
  service = await accessService({ keyHash: hash })
})
afterEach(() => service.close())

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.ask(path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
const signUp = (body: unknown = ANN, headers = {}) => post('/api/signup', body, headers)
const signIn = (body: unknown = ANN, headers = {}) => post('/api/auth/signin', body, headers)
const cookieOf = ({ headers }: Pick<Asked, 'headers'>): string =>
  (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
const me = (headers: Record<string, string>) => service.ask('/api/auth/me', { headers })
const write = (cookie: string, method: string, body?: unknown) =>
  service.ask('/api/auth/me', {
    ...{ method, headers: { cookie, origin: service.url } },
    ...(body === undefined ? {} : { body }),
  })
const change = (cookie: string, body: unknown) => write(cookie, 'PATCH', body)
const bearer = (key: unknown) => ({ authorization: `Bearer ${String(key)}` })
const userIn = ({ body }: Asked) => body['user'] as Record<string, unknown>
const sessionIn = ({ body }: Asked) => body['session'] as Record<string, string>
const keyIn = ({ body }: Asked) => body['key'] as Record<string, string>
const said = ({ status, body }: Asked) => [status, body['code'], body['error']]

describe('signing up', () => {
  // [auth.signup.account]
  it('makes an account with a session and a first key', async () => {
    const made = await signUp({ ...ANN, email: ' Ann@Example.TEST ' })
    expect(made.status).toBe(201)
    const { accessToken = '', id: sessionId } = sessionIn(made)
    expect(made.body).toEqual({
      user: {
        id: expect.stringMatching(/^usr_[0-9a-z]{20}$/) as string,
        ...{ email: 'ann@example.test', name: 'ann', tier: 'free', isOwner: false },
        ...{ isAdmin: false, provider: 'password', hasPassword: true },
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
        keyPrefix: keyIn(made)['key']?.slice(0, 12),
        name: 'Starter Key',
        message: 'Store this key now. It will not be shown again.',
      },
    })
    expect(made.headers['cache-control']).toContain('no-store')
    expect(made.headers['x-ratelimit-limit']).toBe('20')
    expect(cookieOf(made)).toBe(`augury_session_${service.port}=${accessToken}`)
    const bySession = { kind: 'session', sessionId, keyId: null }
    for (const headers of [{ cookie: cookieOf(made) }, bearer(accessToken)]) {
      const answer = await me(headers)
      expect(answer.body).toEqual({
        user: made.body['user'],
        auth: { ...bySession, expiresAt: '2026-11-27T14:00:00.000Z' },
        tier: {
          ...{ tier: 'free', panelCap: 3, screenPanelCap: 1, minRefreshSeconds: 300 },
          ...{ manualRefreshCooldownSeconds: 300, requestsPerMinute: 600 },
        },
      })
    }
    expect((await me(bearer(keyIn(made)['key']))).body['auth']).toEqual({
      ...{ kind: 'key', sessionId: null, keyId: keyIn(made)['id'], expiresAt: null },
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
    expect(said(await post('/api/signup', body))).toEqual([400, 'VALIDATION_ERROR', error])
    expect(await service.state.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  it('takes nothing from the body but what it asks for', async () => {
    const more = { name: 'Ann', tier: 'pro', isAdmin: true, isOwner: true, id: 'usr_x' }
    const made = await signUp({ ...ANN, ...more, userId: 'usr_x' })
    expect(userIn(made)).toMatchObject({ name: 'Ann', tier: 'free', isAdmin: false })
    expect(userIn(made)['id']).not.toBe('usr_x')
  })

  // [auth.signup.one-transaction]
  it('is had by one of those who ask at once, whole', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp()))
    const lost = answers.filter(({ status }) => status !== 201)
    expect(lost.map(said)).toEqual(
      Array(5).fill([409, 'EMAIL_TAKEN', 'An account with this email exists']),
    )
    const rows = async (table: 'session' | 'access_key') =>
      (await service.state.selectFrom(table).select('id').execute()).length
    expect([await rows('session'), await rows('access_key')]).toEqual([1, 1])
    expect(lost.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true)
  })

  // [auth.signup.one-transaction]
  it('leaves nothing when its last step fails', async () => {
    await service.state.schema.alterTable('session').renameTo('elsewhere').execute()
    expect((await signUp()).status).toBe(500)
    await service.state.schema.alterTable('elsewhere').renameTo('session').execute()
    expect(await service.state.selectFrom('access_key').selectAll().execute()).toEqual([])
    expect((await signUp()).status).toBe(201)
  })

  it('is closed where it is closed, whoever has an account', async () => {
    await signUp()
    await service.close()
    service = await accessService({ signup: 'closed' })
    expect(said(await signUp())).toEqual([403, 'SIGNUP_CLOSED', 'Signup is closed'])
    expect(said(await signUp({ ...ANN, email: 'x' }))[0]).toBe(400)
  })

  // [auth.session.csrf]
  it.each([['/api/signup'], ['/api/auth/signin'], ['/api/auth/external']])(
    'and signing in take a browser’s call from a page of ours alone: %s',
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

  it('and signing in are twenty a minute from an address', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await signUp({})).status, (await signIn({})).status)
    }
    expect(statuses.slice(19)).toEqual([400, 429, 429])
  })
})

describe('passwords', () => {
  // [auth.password.hashed]
  it('are kept as Argon2id alone', async () => {
    await service.close()
    service = await accessService({ keyHash: argon2 })
    await signUp({ ...ANN, password: 'ｐａｓｓｗｏｒｄ one two' })
    const rows = await service.state.selectFrom('account').selectAll().execute()
    expect(rows[1]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn({ ...ANN, password: 'password one two' })).status).toBe(200)
    expect((await signIn({ ...ANN, password: 'password one twO' })).status).toBe(401)
  })

  // [auth.signin.unknown-alike]
  it('of unknown emails and of accounts without one cost the same hash to be wrong', async () => {
    await service.close()
    const checked: string[] = []
    service = await accessService({
      keyHash: {
        of: (text) => argon2.of(text),
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
        expect(said(answer)).toEqual([401, 'AUTH_INVALID', 'Wrong email or password'])
      }
    }
    expect(checked).toHaveLength(6)
    // Cost and length of salt and hash are what the time depends on.
    const shapes = checked.map((hashed) => [hashed.slice(0, 31), hashed.length])
    expect(new Set(shapes.map(String))).toEqual(new Set(['$argon2id$v=19$m=19456,t=2,p=1$,97']))
  })

  it('are checked two at a time, apart from keys, and for five seconds at most', async () => {
    await signUp()
    const { key } = await service.makeKey('agent', '/api/keys')
    const real = hash.matches.bind(hash)
    const stuck: (() => void)[] = []
    hash.matches = (hashed, text) =>
      text.startsWith('svc_')
        ? real(hashed, text)
        : new Promise((resolve) => stuck.push(() => resolve(false)))
    const asked = [1, 2, 3].map((i) => signIn({ email: `u${i}@b`, password: PASSWORD }))
    await expect.poll(() => stuck.length).toBe(2)
    expect((await me(bearer(key))).status).toBe(200)
    const late = Promise.race(asked)
    const answered = new AbortController()
    void late.then(() => answered.abort())
    while (!answered.signal.aborted) await service.clock.advance(1_000)
    expect(said(await late).slice(0, 2)).toEqual([503, 'NOT_READY'])
    expect((await late).headers['retry-after']).toBe('5')
    for (const go of stuck) go()
    const others = await Promise.all(asked)
    expect(others.map(({ status }) => status).toSorted()).toEqual([401, 401, 503])
  })
})

describe('signing in', () => {
  // [auth.signin.password]
  it('gives a session for email and password', async () => {
    const made = await signUp()
    const answer = await signIn({ email: 'ANN@example.test', password: PASSWORD })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      user: made.body['user'],
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
  it('counts a burst as it counts one after the other', async () => {
    await signUp()
    const wrong = { ...ANN, password: 'wrong password' }
    const answers = await Promise.all(Array.from({ length: 15 }, () => signIn(wrong)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  })

  it('does not outlive a password that changes while it is checked', async () => {
    const cookie = cookieOf(await signUp())
    let finish: (() => void) | null = null
    const real = hash.matches.bind(hash)
    hash.matches = (...args) =>
      new Promise((resolve) => (finish = () => void real(...args).then(resolve)))
    const asked = signIn()
    await expect.poll(() => finish).not.toBeNull()
    hash.matches = real
    const body = { password: 'another password', currentPassword: PASSWORD }
    expect((await change(cookie, body)).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect((await asked).status).toBe(401)
  })
})

describe('one’s own account', () => {
  // [auth.me.changes]
  it('changes its name, email and password', async () => {
    const cookie = cookieOf(await signUp())
    const renamed = await change(cookie, { name: ' Ann Lee ' })
    expect([renamed.status, userIn(renamed)['name']]).toEqual([200, 'Ann Lee'])
    expect(userIn(await me({ cookie }))['name']).toBe('Ann Lee')
    const body = { email: 'Lee@b', password: 'another password', currentPassword: PASSWORD }
    expect(userIn(await change(cookie, body))['email']).toBe('lee@b')
    expect((await signIn()).status).toBe(401)
    expect((await signIn({ email: 'lee@b', password: 'another password' })).status).toBe(200)
    expect((await change(cookie, {})).status).toBe(200)
  })

  // [auth.me.changes]
  it.each([
    ['a list', [], 400, 'body must be an object'],
    ['nothing', undefined, 400, 'body must be an object'],
    ['no JSON', '{', 400, 'Invalid JSON'],
    ['a bad email', { email: 'x' }, 400, 'email must be an address'],
    ['no email', { email: null }, 400, 'email must be an address'],
    ['a short password', { password: 'x' }, 400, 'password must be 10 to 256 characters'],
    ['a blank name', { name: '' }, 400, 'name must be 1 to 60 characters'],
    ['an email without proof', { email: 'lee@b' }, 401, 'Wrong password'],
    ['a password without proof', { password: 'another password' }, 401, 'Wrong password'],
    ['a wrong proof', { email: 'lee@b', currentPassword: 'wrong password' }, 401, 'Wrong password'],
    ['a proof that is none', { email: 'lee@b', currentPassword: 5 }, 401, 'Wrong password'],
    [
      'an email that is taken',
      { email: 'bob@b', currentPassword: PASSWORD },
      409,
      'An account with this email exists',
    ],
  ])('stays as it is with %s', async (_what, body, status, error) => {
    const cookie = cookieOf(await signUp())
    await signUp({ email: 'bob@b', password: PASSWORD })
    const answer = await change(cookie, body)
    expect([answer.status, answer.body['error']]).toEqual([status, error])
    expect((await signIn()).status).toBe(200)
  })

  it('is not asked for its password where the email stays', async () => {
    const cookie = cookieOf(await signUp())
    expect((await change(cookie, { email: ANN.email, name: 'Ann' })).status).toBe(200)
  })

  it('cannot have its password guessed with a session in hand', async () => {
    const cookie = cookieOf(await signUp())
    const guess = { email: 'lee@b', currentPassword: 'wrong password' }
    for (let i = 0; i < 10; i += 1) expect((await change(cookie, guess)).status).toBe(401)
    expect((await change(cookie, guess)).status).toBe(429)
    // Whoever locks this does not lock the account's sign-in.
    expect((await signIn()).status).toBe(200)
  })

  // [auth.password.ends-others]
  it('ends every other session with a new password, open sockets too', async () => {
    const cookie = cookieOf(await signUp())
    const others = [cookieOf(await signIn()), cookieOf(await signIn())]
    const key = keyIn(await signUp({ email: 'bob@b', password: PASSWORD }))['key']
    for (const other of others) expect((await me({ cookie: other })).status).toBe(200)
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    await change(cookie, { password: 'another password', currentPassword: PASSWORD })
    expect(ended).toHaveLength(2)
    for (const other of others) expect((await me({ cookie: other })).status).toBe(401)
    expect((await me({ cookie })).status).toBe(200)
    expect((await me(bearer(key))).status).toBe(200)
  })

  // [auth.owner.password]
  it('of the owner may get email and password, and then signs in like others', async () => {
    const cookie = await service.signIn()
    const owner = { email: 'owner@example.test', password: PASSWORD }
    expect(userIn(await change(cookie, owner))).toMatchObject({
      ...{ email: owner.email, hasPassword: true, provider: 'local', isOwner: true },
    })
    const answer = await signIn(owner)
    expect(userIn(answer)).toMatchObject({ isOwner: true, tier: 'institutional' })
    expect((await change(cookie, { password: 'another password' })).status).toBe(401)
    // What the ticket opens shows the owner as they are now.
    const { body } = await service.ask('/api/auth/local', {
      ...{ method: 'POST', headers: { authorization: `Launch ${LAUNCH_SECRET}` } },
    })
    const exchanged = await post('/api/auth/exchange', { ticket: body['ticket'] })
    expect(userIn(exchanged)['email']).toBe(owner.email)
  })

  it('is shown to the launch secret as the owner’s, by no session', async () => {
    const answer = await me({ authorization: `Launch ${LAUNCH_SECRET}` })
    expect(userIn(answer)['isOwner']).toBe(true)
    expect(answer.body['auth']).toEqual({
      ...{ kind: 'session', sessionId: null, keyId: null, expiresAt: null },
    })
  })

  it('is changed by a session alone', async () => {
    const key = keyIn(await signUp())['key']
    for (const method of ['PATCH', 'DELETE']) {
      const headers = bearer(key)
      const answer = await service.ask('/api/auth/me', { method, headers, body: { name: 'x' } })
      expect(said(answer).slice(0, 2)).toEqual([401, 'AUTH_INVALID'])
    }
  })
})

describe('deleting an account', () => {
  const confirm = { confirm: 'delete my account' }

  // [auth.me.deletes]
  it('ends sessions, keys and open sockets, and leaves no row', async () => {
    const made = await signUp()
    const cookie = cookieOf(made)
    const key = keyIn(made)['key']
    const data = await service.ask('/api/data-keys', { method: 'POST', headers: bearer(key) })
    expect((await me(bearer(key))).status).toBe(200)
    expect((await service.ask('/word/data', { headers: bearer(data.body['key']) })).status).toBe(
      200,
    )
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    const answer = await write(cookie, 'DELETE', confirm)
    expect([answer.status, answer.body]).toEqual([200, { ok: true }])
    expect(answer.headers['set-cookie']?.[0]).toMatch(/=; .*Max-Age=0$/)
    expect(ended.toSorted()).toEqual(
      [sessionIn(made)['id'], keyIn(made)['id'], data.body['id']].map(String).toSorted(),
    )
    expect(said(await me({ cookie })).slice(0, 2)).toEqual([401, 'AUTH_REQUIRED'])
    for (const credential of [key, sessionIn(made)['accessToken']]) {
      expect(said(await me(bearer(credential))).slice(0, 2)).toEqual([401, 'AUTH_INVALID'])
    }
    expect((await service.ask('/word/data', { headers: bearer(data.body['key']) })).status).toBe(
      401,
    )
    const tables = ['session', 'access_key', 'usage_day'] as const
    for (const table of tables) {
      expect(await service.state.selectFrom(table).selectAll().execute()).toEqual([])
    }
    expect((await signIn()).status).toBe(401)
    expect((await signUp()).status).toBe(201)
  })

  it('is no fault of who makes a key at that moment', async () => {
    const made = await signUp()
    let finish: (() => void) | null = null
    const real = hash.of.bind(hash)
    hash.of = (text) => new Promise((resolve) => (finish = () => void real(text).then(resolve)))
    const asked = service.ask('/api/keys', { method: 'POST', headers: bearer(keyIn(made)['key']) })
    await expect.poll(() => finish).not.toBeNull()
    expect((await write(cookieOf(made), 'DELETE', confirm)).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect(said(await asked).slice(0, 2)).toEqual([401, 'AUTH_INVALID'])
  })

  it('ends a waiting login of the command line, whose token stays used', async () => {
    const made = await signUp()
    await service.state
      .insertInto('cli_login')
      .values({
        ...{ token_hash: 'h', state: 'ready', expires_at: service.clock.now() + MINUTE },
        ...{ key_id: keyIn(made)['id'] ?? null, key_cipher: 'c' },
      })
      .execute()
    await write(cookieOf(made), 'DELETE', confirm)
    expect(await service.state.selectFrom('cli_login').selectAll().execute()).toEqual([
      {
        ...{ token_hash: 'h', state: 'consumed', key_id: null, key_cipher: null },
        expires_at: service.clock.now() + DAY,
      },
    ])
  })

  it('needs the words', async () => {
    const cookie = cookieOf(await signUp())
    for (const body of [undefined, {}, { confirm: true }, { confirm: 'Delete my account' }]) {
      const answer = await write(cookie, 'DELETE', body)
      expect(said(answer)).toEqual([
        ...[400, 'VALIDATION_ERROR', 'confirm must be "delete my account"'],
      ])
    }
    expect((await me({ cookie })).status).toBe(200)
  })

  it('is not for the owner', async () => {
    const answer = await write(await service.signIn(), 'DELETE', confirm)
    expect(said(answer)).toEqual([403, 'AUTH_FORBIDDEN', 'The owner cannot be deleted'])
  })
})
