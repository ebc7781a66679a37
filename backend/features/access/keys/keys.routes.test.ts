import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  accessService,
  countedHash,
  LAUNCH_SECRET,
  type AccessService,
} from '../../../testing/access-service.ts'
import { DAY } from '../../../domain/units.ts'

const OWNER = { authorization: `Launch ${LAUNCH_SECRET}` }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

let service: AccessService
let hash: ReturnType<typeof countedHash>
beforeEach(async () => {
  hash = countedHash()
  service = await accessService({ keyHash: hash })
})
afterEach(() => service.close())

interface Space {
  readonly space: string
  readonly routes: '/api/keys' | '/api/data-keys'
  /** A route that accepts the keys of the space. */
  readonly taking: string
  readonly prefix: string
  readonly ids: string
  readonly unnamed: string
}
const SPACES: readonly Space[] = [
  {
    space: 'data',
    routes: '/api/data-keys',
    taking: '/policy/data',
    prefix: 'svct_live_',
    ids: 'dkey',
    unnamed: 'Unnamed Data Key',
  },
  {
    space: 'service',
    routes: '/api/keys',
    taking: '/policy/required',
    prefix: 'svc_live_',
    ids: 'key',
    unnamed: 'Unnamed Key',
  },
]

describe.each(SPACES)('$space keys', ({ routes, taking, prefix, ids, unnamed }) => {
  const list = async () => {
    const { body } = await service.ask(routes, { headers: OWNER })
    return body['keys'] as Record<string, unknown>[]
  }
  const revoke = (id: string) =>
    service.ask(`${routes}/${id}`, { method: 'DELETE', headers: OWNER })
  const makeKey = (name?: string) => service.makeKey(name, routes)
  /** A key of the right form with the first twelve characters of `like`. */
  const withPrefixOf = (like: string, index: number) =>
    like.slice(0, 12) + String(index).padStart(prefix.length + 31, '0')

  // [keys.data.shown-once] [keys.service.shown-once]
  it('are shown once and listed by their prefix', async () => {
    const created = await service.ask(routes, {
      method: 'POST',
      headers: OWNER,
      body: { name: '  feed reader ' },
    })
    expect(created.status).toBe(201)
    const { id, key, keyPrefix } = created.body as Record<string, string>
    expect(created.body).toEqual({
      id,
      key,
      keyPrefix: key?.slice(0, 12),
      name: 'feed reader',
      message: 'Store this key now. It will not be shown again.',
    })
    expect(key).toMatch(new RegExp(String.raw`^${prefix}[\w-]{43}$`))
    expect(id).toMatch(new RegExp(`^${ids}_[0-9a-z]{20}$`))
    expect(created.headers['cache-control']).toContain('no-store')
    expect(await list()).toEqual([
      {
        id,
        keyPrefix,
        name: 'feed reader',
        lastUsedAt: null,
        revokedAt: null,
        createdAt: '2026-11-20T14:00:00.000Z',
      },
    ])
  })

  // [keys.data.hashed] [keys.service.hashed]
  it('are stored as a hash with their first 12 characters', async () => {
    await service.close()
    const { argon2 } = await import('./key-hash.ts')
    service = await accessService({ keyHash: argon2 })
    const { key } = await makeKey()
    const rows = await service.state.selectFrom('access_key').selectAll().execute()
    expect(rows[0]?.key_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(rows)).not.toContain(key.slice(13))
    expect((await service.ask(taking, { headers: bearer(key) })).status).toBe(200)
  })

  const GONE = [404, { error: 'Key not found or already revoked', code: 'NOT_FOUND' }]
  /** Creates a key in each state; returns its id and secret. */
  const REACHED = {
    none: () => Promise.resolve({ id: `${ids}_never`, key: prefix + 'n'.repeat(43) }),
    active: () => makeKey(),
    async revoked() {
      const created = await makeKey()
      await revoke(created.id)
      return created
    },
    async 'revoked, its process ended'() {
      const created = await REACHED.revoked()
      service = await service.restart()
      return created
    },
  }
  type Made = Awaited<ReturnType<typeof makeKey>>
  const EVENTS = {
    use: ({ key }: Made) => service.ask(taking, { headers: bearer(key) }),
    'be revoked': ({ id }: Made) => revoke(id),
    async 'be revoked by another user'({ id }: Made) {
      const body = { email: 'ann@example.test', password: 'a password of twelve' }
      const joined = await service.ask('/api/signup', { method: 'POST', body })
      const { key } = joined.body['key'] as { key: string }
      return service.ask(`${routes}/${id}`, { method: 'DELETE', headers: bearer(key) })
    },
  }
  const revokedIn = async (id: string) =>
    (await list()).find((row) => row['id'] === id)?.['revokedAt'] ?? null

  // [keys.data.states] [keys.service.states]
  it.each([
    ['none', 'use', 401, null],
    ['none', 'be revoked', 404, null],
    ['none', 'be revoked by another user', 404, null],
    ['active', 'use', 200, null],
    ['active', 'be revoked', 200, '2026-11-20T14:00:00.000Z'],
    ['active', 'be revoked by another user', 404, null],
    ['revoked', 'use', 401, '2026-11-20T14:00:00.000Z'],
    ['revoked', 'be revoked', 404, '2026-11-20T14:00:00.000Z'],
    ['revoked', 'be revoked by another user', 404, '2026-11-20T14:00:00.000Z'],
    ['revoked, its process ended', 'use', 401, '2026-11-20T14:00:00.000Z'],
    ['revoked, its process ended', 'be revoked', 404, '2026-11-20T14:00:00.000Z'],
  ] as const)('that are %s, on %s', async (state, event, status, revokedAt) => {
    const created = await REACHED[state]()
    await service.clock.advance(state === 'active' ? 0 : 1_000)
    const answer = await EVENTS[event](created)
    expect(answer.status).toBe(status)
    if (status === 404) expect([answer.status, answer.body]).toEqual(GONE)
    if (status === 401) expect(answer.body['code']).toBe('AUTH_INVALID')
    expect(await revokedIn(created.id)).toBe(revokedAt)
  })

  it.each([
    ['no body', undefined, null],
    ['an empty object', {}, null],
    ['null', { name: null }, null],
    ['blanks', { name: '   ' }, null],
    ['a name and someone else’s id', { name: 'x', userId: 'usr_other' }, 'x'],
    ['100 characters of two units', { name: '🗝'.repeat(100) }, '🗝'.repeat(100)],
  ])('are named from %s', async (_case, body, name) => {
    const created = await service.ask(routes, {
      method: 'POST',
      headers: OWNER,
      ...(body === undefined ? {} : { body }),
    })
    expect([created.status, created.body['name']]).toEqual([201, name ?? unnamed])
  })

  it.each([
    ['a number', { name: 5 }, 'name must be a string of at most 100 characters'],
    [
      '101 characters',
      { name: 'x'.repeat(101) },
      'name must be a string of at most 100 characters',
    ],
    [
      'a control character',
      { name: 'a\u0007b' },
      'name must be a string of at most 100 characters',
    ],
    ['no JSON', '{', 'Invalid JSON'],
    ['a list', [], 'body must be an object'],
  ])('are not created from %s', async (_case, body, error) => {
    const refused = await service.ask(routes, { method: 'POST', headers: OWNER, body })
    expect([refused.status, refused.body['error']]).toEqual([400, error])
    expect(await list()).toEqual([])
  })

  it('are at most 20 active ones, also when created concurrently', async () => {
    const created = await Promise.all(Array.from({ length: 19 }, () => makeKey()))
    await revoke(created[0]?.id ?? '')
    const more = await Promise.all(
      Array.from({ length: 4 }, () => service.ask(routes, { method: 'POST', headers: OWNER })),
    )
    expect(more.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409])
    expect(more.find(({ status }) => status === 409)?.body).toEqual({
      error: 'At most 20 active keys',
      code: 'KEY_LIMIT',
    })
  })

  // [keys.data.revoked-at-once] [keys.service.revoked-at-once]
  it('end at once, with their open connections, before the revocation is confirmed', async () => {
    const { id, key } = await makeKey()
    const { key: other } = await makeKey()
    const ended: string[] = []
    const stop = service.access.dataAccess.onEnded((caller, credential) =>
      ended.push(caller, credential),
    )
    expect((await service.ask(taking, { headers: bearer(key) })).body['caller']).toBe(id)
    expect((await revoke(id)).body).toEqual({ success: true })
    expect(ended).toEqual([id, id])
    expect((await service.ask(taking, { headers: bearer(key) })).status).toBe(401)
    await expect(service.access.dataAccess.callerOfKey(key)).rejects.toThrow('Invalid or revoked')
    expect((await service.ask(taking, { headers: bearer(other) })).status).toBe(200)
    stop()
    const again = await revoke(id)
    expect([again.status, again.body]).toEqual([
      404,
      { error: 'Key not found or already revoked', code: 'NOT_FOUND' },
    ])
    expect((await revoke(`${ids}_unknown`)).body).toEqual(again.body)
    expect(ended).toHaveLength(2)
  })

  it('that are revoked during verification are invalid', async () => {
    const { id, key } = await makeKey()
    let finish: (() => void) | null = null
    hash.matches = () => new Promise((resolve) => (finish = () => resolve(true)))
    const requested = service.ask(taking, { headers: bearer(key) })
    await expect.poll(() => finish).not.toBeNull()
    expect((await revoke(id)).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect((await requested).status).toBe(401)
    expect((await service.ask(taking, { headers: bearer(key) })).status).toBe(401)
  })

  it('are listed for 90 days after revocation', async () => {
    const { id } = await makeKey()
    await revoke(id)
    await service.clock.advance(90 * DAY - 1)
    expect((await list()).map((row) => row['id'])).toEqual([id])
    await service.clock.advance(2)
    expect(await list()).toEqual([])
  })

  it('record their use at most once a minute, and when the service stops', async () => {
    const { key } = await makeKey()
    const use = () => service.ask(taking, { headers: bearer(key) })
    const lastUsedAt = async () => (await list())[0]?.['lastUsedAt']
    await use()
    expect(await lastUsedAt()).toBe('2026-11-20T14:00:00.000Z')
    await service.clock.advance(59_000)
    await use()
    expect(await lastUsedAt()).toBe('2026-11-20T14:00:00.000Z')
    service = await service.restart()
    expect(await lastUsedAt()).toBe('2026-11-20T14:00:59.000Z')
    await service.clock.advance(61_000)
    await use()
    expect(await lastUsedAt()).toBe('2026-11-20T14:02:00.000Z')
  })

  it('are recognised by the next process by their hash only', async () => {
    const { id, key } = await makeKey()
    service = await service.restart()
    expect((await service.ask(taking, { headers: bearer(key) })).body['caller']).toBe(id)
  })

  // [keys.service.spaces]
  it('are unknown in the other space, by id and by secret', async () => {
    const { id, key } = await makeKey()
    const other = SPACES.find((one) => one.routes !== routes)
    const elsewhere = await service.ask(`${other?.routes ?? ''}/${id}`, {
      method: 'DELETE',
      headers: OWNER,
    })
    expect([elsewhere.status, elsewhere.body]).toEqual([
      404,
      { error: 'Key not found or already revoked', code: 'NOT_FOUND' },
    ])
    expect((await service.ask(other?.taking ?? '', { headers: bearer(key) })).status).toBe(401)
    expect((await service.ask(taking, { headers: bearer(key) })).status).toBe(200)
  })

  // [keys.data.revoked-at-once] [keys.service.revoked-at-once]
  it('can be revoked after their user exceeded the rate limit', async () => {
    await service.close()
    service = await accessService({ fairUse: 3 })
    const { id, key } = await service.makeKey('stolen', '/api/keys')
    const cookie = await service.signIn()
    const ask = () => service.ask('/policy/required', { headers: bearer(key) })
    while ((await ask()).status !== 429);
    const headers = { cookie, origin: service.url }
    expect((await service.ask('/api/auth/me', { headers })).status).toBe(429)
    expect((await service.ask('/api/keys', { headers })).status).toBe(200)
    const revoked = await service.ask(`/api/keys/${id}`, { method: 'DELETE', headers })
    expect(revoked.status).toBe(200)
    const left = await service.ask('/api/auth/signout', { method: 'POST', headers })
    expect(left.body['ended']).toBe(1)
  })

  it('cannot be read individually', async () => {
    const { id } = await makeKey()
    const answer = await service.ask(`${routes}/${id}`, { headers: OWNER })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toContain('DELETE')
  })

  const flood = (keys: readonly string[]) =>
    Promise.all(keys.map((key) => service.ask(taking, { headers: bearer(key) })))
  const stranger = (index: number) => withPrefixOf(prefix.padEnd(12, '-'), index)

  // [keys.data.flood] [keys.service.flood]
  it('computes no hash for an unknown prefix', async () => {
    await makeKey()
    const answers = await flood(Array.from({ length: 60 }, (_, index) => stranger(index)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(hash.verified).toBe(0)
  })

  // [keys.data.flood] [keys.service.flood]
  it('computes two hashes at a time, and one per key', async () => {
    const { key } = await makeKey()
    const wrong = Array.from({ length: 40 }, (_, i) => withPrefixOf(key, i))
    const answers = await flood([...wrong, ...Array<string>(20).fill(key)])
    expect(answers.slice(40).every(({ status }) => status === 200)).toBe(true)
    expect(answers.slice(0, 40).every(({ status }) => status === 401)).toBe(true)
    expect(hash.verified).toBe(41)
    expect(hash.max).toBeLessThanOrEqual(2)
    await flood([...wrong, key])
    expect(hash.verified).toBe(41)
  })

  it('refuses a request after five seconds in the queue, with a retry time', async () => {
    const { key } = await makeKey()
    const stuck: (() => void)[] = []
    hash.matches = () => new Promise((resolve) => stuck.push(() => resolve(false)))
    const requested = [1, 2, 3].map((i) =>
      service.ask(taking, { headers: bearer(withPrefixOf(key, i)) }),
    )
    await expect.poll(() => stuck.length).toBe(2)
    const late = Promise.race(requested)
    const answered = new AbortController()
    void late.then(() => answered.abort())
    // The third check is queued; time passes until its timeout.
    while (!answered.signal.aborted) await service.clock.advance(1_000)
    const answer = await late
    expect([answer.status, answer.body['code']]).toEqual([503, 'NOT_READY'])
    expect(answer.headers['retry-after']).toBe('5')
    for (const go of stuck) go()
    const others = await Promise.all(requested)
    expect(others.map(({ status }) => status).toSorted()).toEqual([401, 401, 503])
  })
})

describe('a service key of a program', () => {
  const ask = (key: string, path: string, method = 'GET') =>
    service.ask(path, { method, headers: bearer(key) })

  // [keys.service.acts-as-user]
  it('creates, lists and revokes keys of its user, including itself', async () => {
    const { id, key } = await service.makeKey('agent', '/api/keys')
    const created = await ask(key, '/api/keys', 'POST')
    const data = await ask(key, '/api/data-keys', 'POST')
    expect([created.status, data.status]).toEqual([201, 201])
    const { keys } = (await ask(key, '/api/keys')).body as { keys: { id: string }[] }
    expect(keys.map((row) => row.id)).toEqual(expect.arrayContaining([id, created.body['id']]))
    expect((await ask(key, `/api/keys/${id}`, 'DELETE')).body).toEqual({ success: true })
    expect((await ask(key, '/api/keys')).body['code']).toBe('AUTH_INVALID')
    expect((await ask(String(created.body['key']), '/api/keys')).status).toBe(200)
  })
})
