import type { JWTPayload } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SECOND } from '../../domain/units.ts'
import {
  accessService,
  countedHash,
  type AccessService,
  type Requested,
} from '../../testing/access-service.ts'
import { identityProvider, providerKey, tokenOf } from '../../testing/identity-provider.ts'

const PASSWORD = 'correct horse battery'

let service: AccessService
let admin: { cookie: string; origin: string }
beforeEach(async () => {
  service = await accessService()
  admin = { cookie: await service.signIn(), origin: service.url }
})
afterEach(() => service.close())

/** Signs up a user; returns the headers of each credential. */
async function signUp(email: string) {
  const created = await service.ask('/api/signup', {
    method: 'POST',
    body: { email, password: PASSWORD },
  })
  const body = created.body as { user: { id: string }; key: { key: string } }
  const cookie = (created.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  const token = cookie.slice(cookie.indexOf('=') + 1)
  return {
    id: body.user.id,
    byCookie: { cookie, origin: service.url },
    byToken: { authorization: `Bearer ${token}` },
    byKey: { authorization: `Bearer ${body.key.key}` },
  }
}
const list = (query = '', headers: Record<string, string> = admin) =>
  service.ask(`/api/admin/users${query}`, { headers })
const change = (id: string, body: unknown, headers: Record<string, string> = admin) =>
  service.ask(`/api/admin/users/${id}`, {
    method: 'PATCH',
    headers,
    ...(body === undefined ? {} : { body }),
  })
const statusAndError = ({ status, body }: Requested) => [status, body['code'], body['error']]
const emailsIn = ({ body }: Requested) =>
  (body['data'] as { email: string | null }[]).map(({ email }) => email)
const pageIn = ({ body }: Requested) =>
  body['pageInfo'] as { limit: number; nextCursor: string | null; hasMore: boolean }

describe('the list of users', () => {
  // [auth.admin.users]
  it('is sorted oldest first, page by page, while users are added', async () => {
    // Two users of one instant, so that a page ends between equals.
    for (const email of ['a@b', 'b@b']) await signUp(email)
    await service.clock.advance(SECOND)
    await signUp('c@b')
    const first = await list('?limit=2')
    const next = pageIn(first).nextCursor ?? ''
    expect(pageIn(first)).toEqual({ limit: 2, nextCursor: next, hasMore: true })
    await service.clock.advance(SECOND)
    await signUp('d@b')
    const second = await list(`?limit=2&cursor=${next}`)
    const third = await list(`?cursor=${pageIn(second).nextCursor ?? ''}`)
    const emails = [first, second, third].flatMap(emailsIn)
    expect(emails.toSorted()).toEqual(['a@b', 'b@b', 'c@b', 'd@b', null])
    expect(emails.slice(0, 3)).toContain(null)
    expect(emails.slice(3)).toEqual(['c@b', 'd@b'])
    expect(pageIn(third)).toEqual({ limit: 50, nextCursor: null, hasMore: false })
    expect(third.headers['cache-control']).toContain('no-store')
  })

  it.each([
    ['?limit=0', 1],
    ['?limit=500', 200],
    ['', 50],
  ])('clamps %s to %d', async (query, limit) => {
    expect(pageIn(await list(query)).limit).toBe(limit)
  })

  it.each([
    ['?limit=x', 'limit must be an integer'],
    ['?cursor=x', 'cursor is invalid'],
    [`?cursor=${Buffer.from('["users",null,"x"]').toString('base64url')}`, 'cursor is invalid'],
    [`?cursor=${Buffer.from('["keys",1,"x"]').toString('base64url')}`, 'cursor is invalid'],
  ])('refuses %s', async (query, error) => {
    expect(statusAndError(await list(query))).toEqual([400, 'VALIDATION_ERROR', error])
  })

  // [auth.admin.only]
  it('and its changes are for administrators with a session', async () => {
    const ann = await signUp('a@b')
    for (const [headers, status] of [
      [{}, 401],
      [ann.byCookie, 403],
      [ann.byToken, 403],
      [ann.byKey, 401],
    ] as const) {
      expect((await list('', headers)).status).toBe(status)
      expect((await change(ann.id, { isAdmin: true }, headers)).status).toBe(status)
      // A caller without access does not learn which users exist.
      expect((await change('usr_none', { tier: 'x' }, headers)).status).toBe(status)
    }
    const { key } = await service.makeKey('of the owner', '/api/keys')
    expect((await list('', { authorization: `Bearer ${key}` })).status).toBe(401)
  })
})

describe('a change of a user', () => {
  it.each([
    ['nothing', undefined, 'body must be an object'],
    ['a list', [], 'body must be an object'],
    ['no JSON', '{', 'Invalid JSON'],
    ['an unknown tier', { tier: 'gold' }, 'tier must be free, hobby, pro or institutional'],
    [
      'a tier of every object',
      { tier: 'toString' },
      'tier must be free, hobby, pro or institutional',
    ],
    ['no tier', { tier: null }, 'tier must be free, hobby, pro or institutional'],
    ['a right in words', { isAdmin: 'true' }, 'isAdmin must be a boolean'],
  ])('is refused with %s', async (_what, body, error) => {
    const { id } = await signUp('a@b')
    expect(statusAndError(await change(id, body))).toEqual([400, 'VALIDATION_ERROR', error])
  })

  it('is refused for unknown users and for the owner', async () => {
    expect(statusAndError(await change('usr_none', {}))).toEqual([
      404,
      'NOT_FOUND',
      'User not found',
    ])
    const { body } = await list()
    const owner = (body['data'] as { id: string }[])[0]?.id ?? ''
    const refused = await change(owner, { isAdmin: false })
    expect(statusAndError(refused)).toEqual([
      409,
      'CONFLICT',
      'The owner account cannot be changed',
    ])
  })

  it('changes the given fields only', async () => {
    const { id } = await signUp('a@b')
    const changed = await change(id, { tier: 'pro', email: 'x@y', isOwner: true, name: 'x' })
    expect(changed.body['user']).toMatchObject({
      id,
      tier: 'pro',
      email: 'a@b',
      isOwner: false,
      isAdmin: false,
      name: 'a',
    })
    expect((await change(id, { isAdmin: true })).body['user']).toMatchObject({
      tier: 'pro',
      isAdmin: true,
    })
    expect((await change(id, {})).body['user']).toMatchObject({ tier: 'pro', isAdmin: true })
  })

  // [auth.admin.from-next-request]
  it('applies from the next request, with any credential of the user', async () => {
    const ann = await signUp('a@b')
    const { key } = (
      await service.ask('/api/data-keys', {
        method: 'POST',
        headers: ann.byKey,
      })
    ).body
    const limitOf = async (headers: Record<string, string>) =>
      (await service.ask('/policy/required', { headers })).headers['x-ratelimit-limit']
    const ways = [ann.byCookie, ann.byToken, ann.byKey]
    for (const way of ways) expect(await limitOf(way)).toBe('600')
    await service.ask('/policy/data', { headers: { authorization: `Bearer ${String(key)}` } })

    await change(ann.id, { tier: 'pro' })
    for (const way of ways) {
      expect(await limitOf(way)).toBe('3000')
      const { body } = await service.ask('/api/auth/me', { headers: way })
      expect(body['tier']).toMatchObject({ tier: 'pro', requestsPerMinute: 3_000 })
    }
    const statusOf = async () => [
      (await service.ask('/policy/admin', { headers: ann.byCookie })).status,
      (await service.ask('/policy/admin', { headers: ann.byToken })).status,
      (await service.ask('/policy/operator', { headers: ann.byKey })).status,
    ]
    expect(await statusOf()).toEqual([403, 403, 403])
    await change(ann.id, { isAdmin: true })
    expect(await statusOf()).toEqual([200, 200, 200])
    await change(ann.id, { isAdmin: false })
    expect(await statusOf()).toEqual([403, 403, 403])
  })

  it('loses no recorded use of a key', async () => {
    const ann = await signUp('a@b')
    const use = () => service.ask('/policy/required', { headers: ann.byKey })
    const noted = async () => {
      const { body } = await service.ask('/api/keys', { headers: ann.byCookie })
      return (body['keys'] as { lastUsedAt: string | null }[])[0]?.lastUsedAt
    }
    await use()
    await service.clock.advance(SECOND)
    await use()
    expect(await noted()).toBe('2026-11-20T14:00:00.000Z')
    await change(ann.id, { tier: 'pro' })
    expect(await noted()).toBe('2026-11-20T14:00:01.000Z')
  })

  it('applies to a key that is being verified', async () => {
    await service.close()
    const hash = countedHash()
    service = await accessService({ keyHash: hash })
    admin = { cookie: await service.signIn(), origin: service.url }
    const ann = await signUp('a@b')
    const matches = hash.matches.bind(hash)
    let finish: (() => void) | null = null
    hash.matches = (...args) =>
      new Promise((resolve) => (finish = () => void matches(...args).then(resolve)))
    const requested = service.ask('/policy/required', { headers: ann.byKey })
    await expect.poll(() => finish).not.toBeNull()
    expect((await change(ann.id, { tier: 'hobby' })).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect((await requested).headers['x-ratelimit-limit']).toBe('1200')
  })

  // [auth.admin.from-next-request]
  it('applies to tokens of the identity provider too', async () => {
    const provider = await identityProvider()
    const signing = await providerKey('EdDSA', 'ed-1')
    provider.list(signing)
    await service.close()
    const { issuer, jwksUrl } = provider
    service = await accessService({ provider: { issuer, audience: 'desk', jwksUrl } })
    admin = { cookie: await service.signIn(), origin: service.url }
    const exp = Math.floor(service.clock.now() / 1_000) + 600
    const claims: JWTPayload = { iss: issuer, aud: 'desk', sub: 'u', exp }
    const token = await tokenOf(signing, claims)
    const headers = { authorization: `Bearer ${token}` }
    expect((await service.ask('/policy/admin', { headers })).status).toBe(403)
    const { body } = await service.ask('/api/auth/me', { headers })
    const { id } = body['user'] as { id: string }
    await change(id, { isAdmin: true })
    expect((await service.ask('/policy/admin', { headers })).status).toBe(200)
    await provider.close()
  })
})
