import { base64url, exportSPKI, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import { accessService, type AccessService, type Requested } from '../../testing/access-service.ts'
import {
  identityProvider,
  providerKey,
  tokenOf,
  type ProviderKey,
  type TestProvider,
} from '../../testing/identity-provider.ts'

const AUDIENCE = 'augury-desk'

let provider: TestProvider
let service: AccessService
let rsa: ProviderKey
let ec: ProviderKey
let ed: ProviderKey
let stranger: ProviderKey
beforeAll(async () => {
  rsa = await providerKey('RS256', 'rsa-1')
  ec = await providerKey('ES256', 'ec-1')
  ed = await providerKey('EdDSA', 'ed-1')
  stranger = await providerKey('RS256', 'rsa-1')
  provider = await identityProvider()
})
afterAll(() => provider.close())
beforeEach(async () => {
  provider.list(rsa, ec, ed)
  const { issuer, jwksUrl } = provider
  service = await accessService({ provider: { issuer, audience: AUDIENCE, jwksUrl } })
})
afterEach(() => service.close())

const seconds = () => Math.floor(service.clock.now() / 1_000)
/** Claims of a token; undefined leaves a claim out. */
const claims = (more: object = {}): JWTPayload => ({
  iss: provider.issuer,
  aud: AUDIENCE,
  sub: 'u-1',
  exp: seconds() + 3_600,
  email: 'Ann@Example.test',
  name: 'Ann Lee',
  ...more,
})
const good = (more?: object, key = rsa) => tokenOf(key, claims(more))
const me = (token: string) =>
  service.ask('/api/auth/me', { headers: { authorization: `Bearer ${token}` } })
const exchange = (body: unknown, headers = {}) =>
  service.ask('/api/auth/external', { method: 'POST', headers, body })
const userIn = ({ body }: Requested) => body['user'] as Record<string, unknown>
const cookieOf = ({ headers }: Requested) => (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''

describe('tokens of the identity provider', () => {
  // [auth.external.bearer]
  it('create an account on first use, and authenticate it', async () => {
    const answer = await me(await good())
    expect(answer.body).toMatchObject({
      user: {
        email: 'ann@example.test',
        name: 'Ann Lee',
        tier: 'free',
        isOwner: false,
        isAdmin: false,
        provider: 'external',
        hasPassword: false,
      },
      auth: {
        kind: 'session',
        sessionId: null,
        keyId: null,
        expiresAt: '2026-11-20T15:00:00.000Z',
      },
    })
    for (const key of [rsa, ec, ed]) {
      expect(userIn(await me(await good({}, key)))['id']).toBe(userIn(answer)['id'])
    }
    const other = await me(await good({ sub: 'u-2' }))
    expect(userIn(other)['id']).not.toBe(userIn(answer)['id'])
    expect(await service.state.selectFrom('session').selectAll().execute()).toEqual([])
  })

  it('are accepted wherever a session token is', async () => {
    const headers = { authorization: `Bearer ${await good()}` }
    const statuses: Record<string, number> = {}
    for (const word of ['optional', 'required', 'session', 'admin', 'cookie', 'data', 'owner']) {
      statuses[word] = (await service.ask(`/policy/${word}`, { headers })).status
    }
    expect(statuses).toEqual({
      optional: 200,
      required: 200,
      session: 200,
      admin: 403,
      cookie: 401,
      data: 401,
      owner: 401,
    })
  })

  it('create one account when they arrive concurrently', async () => {
    const token = await good()
    const answers = await Promise.all(Array.from({ length: 8 }, () => me(token)))
    expect(new Set(answers.map((answer) => userIn(answer)['id'])).size).toBe(1)
  })

  // [auth.external.email-shown]
  it('are not linked to our accounts by email', async () => {
    const [email, password] = ['ann@example.test', 'correct horse battery']
    const external = await me(await good())
    const created = await service.ask('/api/signup', { method: 'POST', body: { email, password } })
    expect(created.status).toBe(201)
    expect(userIn(created)['id']).not.toBe(userIn(external)['id'])
    expect(userIn(await me(await good()))['email']).toBe(email)
    expect(userIn(await me(await good({ sub: 'u-3' })))['email']).toBe(email)
    const changed = await me(await good({ email: 'lee@example.test' }))
    expect(changed.body['user']).toEqual({ ...userIn(external), email: 'lee@example.test' })
  })

  it.each<[string, object, string | null, string]>([
    ['no email and no name', { email: undefined, name: undefined }, null, 'External user'],
    ['an email only', { name: undefined }, 'ann@example.test', 'ann'],
    ['claims of wrong types', { email: 5, name: 'a\u0007b' }, null, 'External user'],
  ])('may have %s', async (_what, more, email, name) => {
    expect(userIn(await me(await good(more)))).toMatchObject({ email, name })
  })

  const part = (value: unknown) => base64url.encode(JSON.stringify(value))
  const doubled = (name: string, value: string) =>
    JSON.stringify(claims()).replace('{', `{"${name}":${JSON.stringify(value)},`)

  // [auth.external.refused]
  it.each<[string, () => Promise<string> | string]>([
    ['without an algorithm', () => new UnsecuredJWT(claims()).encode()],
    [
      'without an algorithm, with a signature',
      () => `${part({ alg: 'none', kid: 'rsa-1' })}.${part(claims())}.AAAA`,
    ],
    ['of algorithm None', () => `${part({ alg: 'None', kid: 'rsa-1' })}.${part(claims())}.AAAA`],
    [
      'signed with the public key as a shared secret',
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'rsa-1' })
          .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey))),
    ],
    ['signed by a foreign key', () => tokenOf(stranger, claims())],
    [
      'signed by a foreign key, with the address of it',
      () =>
        tokenOf(stranger, claims(), {
          jku: `${provider.issuer}/foreign`,
          x5u: `${provider.issuer}/foreign`,
        }),
    ],
    ['signed by the key in their header', () => tokenOf(stranger, claims(), { jwk: stranger.jwk })],
    ['of a key id that is a path', () => tokenOf(rsa, claims(), { kid: '../../../etc/passwd' })],
    ['with the key id of another algorithm', () => tokenOf(rsa, claims(), { kid: 'ec-1' })],
    [
      'with an ECDSA signature of zeros',
      () => `${part({ alg: 'ES256', kid: 'ec-1' })}.${part(claims())}.${'A'.repeat(86)}`,
    ],
    ['with a critical extension', () => tokenOf(rsa, claims(), { crit: ['b64'], b64: true })],
    ['that have expired', () => good({ exp: seconds() - 61 })],
    ['without an expiry', () => good({ exp: undefined })],
    ['that are not valid yet', () => good({ nbf: seconds() + 61 })],
    ['of another audience', () => good({ aud: 'another-desk' })],
    ['without an audience', () => good({ aud: undefined })],
    ['of another issuer', () => good({ iss: `${provider.issuer}/` })],
    ['with a list of issuers', () => good({ iss: [provider.issuer] })],
    ['without a subject', () => good({ sub: undefined })],
    ['with an empty subject', () => good({ sub: '' })],
    ['with a subject of 256 characters', () => good({ sub: 'x'.repeat(256) })],
    ['with a subject that is no text', () => good({ sub: 5 })],
    ['with two subjects', () => tokenOf(rsa, doubled('sub', 'u-2'))],
    ['with two expiries', () => tokenOf(rsa, doubled('exp', 'x'))],
    ['over 8 kB', () => good({ more: 'x'.repeat(8_200) })],
    ['of four parts', async () => `${await good()}.AAAA`],
  ])('%s are invalid', async (_what, token) => {
    const sent = await token()
    const answer = await me(sent)
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: 'Invalid or revoked credentials', code: 'AUTH_INVALID' },
    ])
    const exchanged = await exchange({ token: sent })
    expect([exchanged.status, exchanged.body]).toEqual([401, answer.body])
    expect(provider.strays).toEqual([])
    expect(await service.state.selectFrom('account').select('id').execute()).toHaveLength(1)
  })

  it('with a changed payload are invalid', async () => {
    const [head = '', , signature = ''] = (await good()).split('.')
    expect((await me(`${head}.${part(claims({ sub: 'u-9' }))}.${signature}`)).status).toBe(401)
  })

  it('are valid within a minute of their times, and at most once', async () => {
    expect((await me(await good({ exp: seconds() - 59 }))).status).toBe(200)
    expect((await me(await good({ nbf: seconds() + 59 }))).status).toBe(200)
    const token = await good({ exp: seconds() + 60 })
    expect((await me(token)).status).toBe(200)
    await service.clock.advance(2 * MINUTE - 1_000)
    expect((await me(token)).status).toBe(200)
    await service.clock.advance(1_000)
    expect((await me(token)).status).toBe(401)
  })
})

describe('the keys of the identity provider', () => {
  const renewed = () => providerKey('EdDSA', 'ed-2')

  // [auth.external.keys]
  it('are fetched at most every ten minutes', async () => {
    const before = provider.requested()
    await Promise.all([me(await good()), me(await good({ sub: 'u-2' }))])
    await me(await good({ sub: 'u-3' }))
    expect(provider.requested() - before).toBe(1)
    await service.clock.advance(10 * MINUTE)
    expect((await me(await good())).status).toBe(200)
    expect(provider.requested() - before).toBe(2)
  })

  // [auth.external.keys]
  it('are fetched again for an unknown key id, at most every half minute', async () => {
    await me(await good())
    const before = provider.requested()
    const next = await renewed()
    provider.list(rsa, next)
    expect((await me(await good({}, next))).status).toBe(200)
    for (const kid of ['x', 'y', 'z']) {
      expect((await me(await tokenOf(rsa, claims(), { kid }))).status).toBe(401)
    }
    expect(provider.requested() - before).toBe(1)
    await service.clock.advance(30_000)
    expect((await me(await tokenOf(rsa, claims(), { kid: 'x' }))).status).toBe(401)
    expect(provider.requested() - before).toBe(2)
  })

  it('that were withdrawn are trusted for ten minutes at most', async () => {
    const token = await good({}, ec)
    expect((await me(token)).status).toBe(200)
    provider.list(rsa)
    await service.clock.advance(10 * MINUTE)
    expect((await me(token)).status).toBe(401)
  })

  // [auth.external.keys-unavailable]
  it.each<[string, Parameters<TestProvider['answerWith']>[0]]>([
    ['fail', (_request, response) => response.writeHead(500).end()],
    [
      'are redirected',
      (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    ],
    ['are no JSON', (_request, response) => response.end('<html>')],
    ['are no key set', (_request, response) => response.end('{"keys":5}')],
    [
      'are too long',
      (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(256_000)}"}`),
    ],
    ['end early', (_request, response) => response.destroy()],
  ])('that %s make its tokens unverifiable', async (_how, listener) => {
    provider.answerWith(listener)
    const before = provider.requested()
    const answer = await me(await good())
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'identity provider keys unavailable', code: 'NOT_READY' },
    ])
    expect(answer.headers['retry-after']).toBe('5')
    expect((await exchange({ token: await good() })).status).toBe(503)
    expect(provider.requested() - before).toBe(1)
    expect(provider.strays).toEqual([])
    provider.list(rsa)
    await service.clock.advance(5_000)
    expect((await me(await good())).status).toBe(200)
  })

  it('time out after five seconds', async () => {
    let reached = false
    provider.answerWith(() => void (reached = true))
    const requested = me(await good())
    await expect.poll(() => reached).toBe(true)
    await service.clock.advance(5_000)
    expect((await requested).status).toBe(503)
    // Our own sessions do not depend on them.
    const cookie = await service.signIn()
    expect((await service.ask('/api/auth/me', { headers: { cookie } })).status).toBe(200)
  })
})

describe('signing in with the identity provider', () => {
  // [auth.external.session]
  it('issues our own session, which does not end with the token', async () => {
    const token = await good()
    const answer = await exchange({ token })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      user: userIn(await me(token)),
      session: {
        id: expect.stringMatching(/^ses_/) as string,
        expiresAt: '2026-11-27T14:00:00.000Z',
        accessToken: cookieOf(answer).split('=')[1],
      },
    })
    const cookie = cookieOf(answer)
    provider.list()
    await service.clock.advance(DAY)
    const { body } = await service.ask('/api/auth/sessions', { headers: { cookie } })
    expect(body['sessions']).toMatchObject([{ method: 'external', current: true }])
  })

  it('can be ended everywhere with a valid token', async () => {
    const token = await good()
    const cookie = cookieOf(await exchange({ token }))
    const headers = { authorization: `Bearer ${token}` }
    const signOut = (body?: object) =>
      service.ask('/api/auth/signout', { method: 'POST', headers, ...(body && { body }) })
    expect((await signOut()).body).toEqual({ ok: true, ended: 0 })
    expect((await signOut({ all: true })).body).toEqual({ ok: true, ended: 1 })
    expect((await service.ask('/api/auth/me', { headers: { cookie } })).status).toBe(401)
  })

  it.each([[undefined], [{}], [{ token: '' }], [{ token: 5 }], [[]]])(
    'requires a token, not %j',
    async (body) => {
      const answer = await exchange(body)
      expect([answer.status, answer.body['error']]).toEqual([400, 'token required'])
    },
  )

  it('is offered with the provider’s name', async () => {
    expect((await service.ask('/api/auth/external')).body).toEqual({
      enabled: true,
      issuer: provider.issuer,
      audience: AUDIENCE,
    })
  })

  // [auth.external.off]
  it('is off when no provider is configured', async () => {
    await service.close()
    service = await accessService()
    const token = await good()
    expect((await me(token)).body['code']).toBe('AUTH_INVALID')
    const answer = await exchange({ token })
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND'])
    expect((await service.ask('/api/auth/external')).body).toEqual({
      enabled: false,
      issuer: null,
      audience: null,
    })
  })
})
