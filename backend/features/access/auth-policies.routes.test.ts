import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuthPolicy } from '../../http/routes/route-policies.ts'
import {
  accessService,
  LAUNCH_SECRET,
  type AccessService,
  type Asking,
} from '../../testing/access-service.ts'

const POLICIES: readonly AuthPolicy[] = [
  'none',
  'optional',
  'anyone',
  'required',
  'session',
  'cookie',
  'data',
  'owner',
  'admin',
  'admin-cookie',
  'operator',
]

let service: AccessService
let headersOf: Record<string, Asking['headers']>

beforeAll(async () => {
  service = await accessService()
  const [cookie, ended] = [await service.signIn(), await service.signIn()]
  await service.ask('/api/auth/signout', {
    method: 'POST',
    headers: { cookie: ended, origin: service.url },
  })
  const good = await service.makeKey()
  const serviceKey = await service.makeKey('agent', '/api/keys')
  const revokedServiceKey = await service.makeKey('old agent', '/api/keys')
  await service.ask(`/api/keys/${revokedServiceKey.id}`, {
    method: 'DELETE',
    headers: { authorization: `Launch ${LAUNCH_SECRET}` },
  })
  const revoked = await service.makeKey()
  await service.ask(`/api/data-keys/${revoked.id}`, {
    method: 'DELETE',
    headers: { authorization: `Launch ${LAUNCH_SECRET}` },
  })
  const token = cookie.slice(cookie.indexOf('=') + 1)
  const { key } = good
  const sent = (authorization: string | string[]) => ({ authorization })
  headersOf = {
    nothing: {},
    cookie: { cookie },
    'cookie among others': { cookie: `theme=dark; ${cookie}; x=1` },
    'ended cookie': { cookie: ended },
    'broken cookie': { cookie: cookie.slice(0, -4) },
    'cookie of another port': { cookie: cookie.replace(/_\d+=/, '_1=') },
    'data key': sent(`Bearer ${key}`),
    'data key, scheme in capitals': sent(`BEARER ${key}`),
    'data key and dead cookie': { authorization: `Bearer ${key}`, cookie: ended },
    'revoked data key': sent(`Bearer ${revoked.key}`),
    'data key in capitals': sent(`Bearer ${key.toUpperCase()}`),
    'data key with one letter changed': sent(
      `Bearer ${key.slice(0, -2)}${key.endsWith('AA') ? 'BB' : 'AA'}`,
    ),
    'data key after two blanks': sent(`Bearer  ${key}`),
    'data key with a blank inside': sent(`Bearer ${key.slice(0, 20)} ${key.slice(20)}`),
    'data key without scheme': sent(key),
    'data key as basic': sent(`Basic ${key}`),
    'data key cut short': sent(`Bearer ${key.slice(0, -1)}`),
    'data key twice': sent([`Bearer ${key}`, `Bearer ${key}`]),
    'data key in a list': sent(`Bearer ${key}, Bearer ${key}`),
    'service key': sent(`Bearer ${serviceKey.key}`),
    'service key and dead cookie': { authorization: `Bearer ${serviceKey.key}`, cookie: ended },
    'revoked service key': sent(`Bearer ${revokedServiceKey.key}`),
    'service key nobody made': sent(`Bearer svc_live_${'x'.repeat(43)}`),
    'service key under the other prefix': sent(`Bearer ${serviceKey.key.replace('svc', 'svct')}`),
    'service key twice': sent([`Bearer ${serviceKey.key}`, `Bearer ${serviceKey.key}`]),
    'data key under the other prefix': sent(`Bearer ${key.replace('svct', 'svc')}`),
    'session token': sent(`Bearer ${token}`),
    'session token twice': sent([`Bearer ${token}`, `Bearer ${token}`]),
    'broken token': sent(`Bearer ${token.slice(0, -4)}`),
    'token over 8 kB': sent(`Bearer ${token}${'A'.repeat(8_192)}`),
    'bad header and good cookie': { authorization: 'Bearer x', cookie },
    'launch secret': sent(`Launch ${LAUNCH_SECRET}`),
    'wrong launch secret': sent('Launch x'),
    'empty header': sent(''),
    'scheme alone': sent('Bearer'),
  }
})
afterAll(() => service.close())

const letIn = (...words: AuthPolicy[]) => new Set<AuthPolicy>(['none', ...words])
/** Routes that serve identified callers. */
const READS = ['optional', 'anyone', 'required'] as const
const ADMINS = ['admin', 'operator'] as const
const KNOWN: Readonly<Record<string, ReadonlySet<AuthPolicy>>> = {
  cookie: letIn(...READS, 'session', 'cookie', 'data', ...ADMINS, 'admin-cookie'),
  'cookie among others': letIn(...READS, 'session', 'cookie', 'data', ...ADMINS, 'admin-cookie'),
  'bad header and good cookie': letIn('cookie', 'admin-cookie'),
  'data key': letIn('data'),
  'data key, scheme in capitals': letIn('data'),
  'data key and dead cookie': letIn('data'),
  'service key': letIn(...READS, 'operator'),
  'service key and dead cookie': letIn(...READS, 'operator'),
  'session token': letIn(...READS, 'session', ...ADMINS),
  'launch secret': letIn('required', 'owner', 'operator'),
}
/** Credentials treated as absent. */
const ABSENT = new Set(['nothing', 'ended cookie', 'broken cookie', 'cookie of another port'])

/**
 * Expected status, refusal code, and whether the caller is identified, for a credential under a
 * policy.
 */
function expected(word: AuthPolicy, credential: string): unknown[] {
  if (word === 'none') return [200, undefined, false]
  if (KNOWN[credential]?.has(word) === true) return [200, undefined, true]
  if (word === 'anyone') return [200, undefined, false]
  const isAbsent =
    ABSENT.has(credential) ||
    // The header is ignored, and no cookie of a live session is sent with it.
    word === 'cookie' ||
    word === 'admin-cookie' ||
    (word === 'owner' &&
      KNOWN[credential]?.has('session') === true &&
      credential.startsWith('cookie'))
  if (!isAbsent) return [401, 'AUTH_INVALID', false]
  return word === 'optional' ? [200, undefined, false] : [401, 'AUTH_REQUIRED', false]
}

describe('auth policies', () => {
  // [auth.words.table] [auth.surfaces.data]
  it.each(POLICIES)('%s admits exactly the callers it names', async (word) => {
    // Refusals count by address, so a minute of them would end in 429.
    await service.clock.advance(60_000)
    for (const [credential, headers = {}] of Object.entries(headersOf)) {
      const { status, body } = await service.ask(`/policy/${word}`, { headers })
      const isKnown = typeof body['caller'] === 'string'
      expect([credential, status, body['code'], isKnown]).toEqual([
        credential,
        ...expected(word, credential),
      ])
    }
  })

  it('refuse with the same challenge', async () => {
    await service.clock.advance(60_000)
    const bodies = new Set<string>()
    for (const credential of [
      'revoked data key',
      'service key',
      'service key nobody made',
      'data key twice',
      'empty header',
    ]) {
      const { headers, text } = await service.ask('/policy/data', {
        headers: headersOf[credential] ?? {},
      })
      expect(headers['www-authenticate']).toBe('Bearer')
      bodies.add(text)
    }
    expect(bodies.size).toBe(1)
  })

  it('clear an invalid cookie where no credential is required', async () => {
    const headers = headersOf['ended cookie'] ?? {}
    const cleared = `augury_session_${service.port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`
    for (const path of ['/policy/optional', '/kept', '/kept']) {
      const answer = await service.ask(path, { headers })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([200, [cleared]])
    }
    // A response that sets a cookie is private, even if its bytes are shared.
    const response = await service.ask('/kept', { headers })
    expect(response.headers['cache-control']).toMatch(/^private, /)
    expect(response.headers['x-svc-cache']).toBe('hit')
    expect((await service.ask('/kept')).headers['cache-control']).toMatch(/^public, /)
    expect((await service.ask('/policy/none', { headers })).headers['set-cookie']).toBeUndefined()
  })

  it('identify the caller of a cached response, which is private', async () => {
    const headers = headersOf['cookie'] ?? {}
    for (const cached of ['miss', 'hit']) {
      const answer = await service.ask('/kept', { headers })
      expect(answer.headers['x-svc-cache']).toBe(cached)
      expect(answer.headers['cache-control']).toMatch(/^private, /)
      expect(answer.headers.vary).toContain('Authorization, Cookie')
      expect(answer.body['caller']).toMatch(/^usr_/)
    }
    expect((await service.ask('/kept')).body['caller']).toBeNull()
  })

  it('count the owner in the highest class and keys individually', async () => {
    await service.clock.advance(60_000)
    const limit = async (path: string, credential: string) => {
      const { headers } = await service.ask(path, { headers: headersOf[credential] ?? {} })
      return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
    }
    expect(await limit('/policy/optional', 'nothing')).toEqual(['120', '119'])
    expect(await limit('/policy/optional', 'cookie')).toEqual(['60000', '59999'])
    expect(await limit('/policy/required', 'launch secret')).toEqual(['60000', '59998'])
    expect(await limit('/policy/data', 'data key')).toEqual(['240', '239'])
    expect(await limit('/policy/data', 'cookie')).toEqual(['240', '239'])
  })

  it('apply to sockets through the port of the data service too', async () => {
    const { dataAccess } = service.access
    for (const [credential, headers = {}] of Object.entries(headersOf)) {
      const { authorization, cookie } = headers
      const caller = await dataAccess
        .callerOf({
          authorization: authorization === undefined ? [] : [authorization].flat(),
          cookie: typeof cookie === 'string' ? cookie : undefined,
        })
        .then(
          (found) => found?.id ?? null,
          (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
        )
      const [status, code] = expected('data', credential)
      const meaning = status === 200 ? expect.stringMatching(/^(?:dkey|usr)_/) : null
      expect([credential, caller]).toEqual([
        credential,
        code === 'AUTH_INVALID' ? 'AuthInvalid' : meaning,
      ])
    }
  })
})
