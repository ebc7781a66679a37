import { Agent, request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessService, LAUNCH_SECRET, type AccessService } from '../../testing/access-service.ts'

const OWNER = { authorization: `Launch ${LAUNCH_SECRET}` }
const PASSWORD = 'correct horse battery'

interface Received {
  readonly status: number
  readonly caller: unknown
  /** Requests per minute, as the response states them. */
  readonly limit: string | undefined
  readonly port: number | undefined
}

let service: AccessService
let agent: Agent
beforeEach(async () => {
  service = await accessService()
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  agent.destroy()
  await service.close()
})

/**
 * Sends a request on the test's one keep-alive connection; changes of keys use other connections.
 */
const ask = (path: string, key: string | null) =>
  new Promise<Received>((resolve, reject) => {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` }
    const sent = httpRequest(service.url + path, { headers, agent }, (answer) => {
      const port = answer.socket.localPort
      let got = ''
      answer.on('data', (chunk: Buffer) => (got += chunk.toString()))
      answer.on('end', () => {
        const { caller } = JSON.parse(got) as { caller?: unknown }
        const limit = answer.headers['x-ratelimit-limit']
        resolve({ status: answer.statusCode ?? 0, caller, limit: String(limit), port })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
/** Sends enough requests that the connection has the key cached. */
const askThrice = async (path: string, key: string): Promise<Received> => {
  await ask(path, key)
  await ask(path, key)
  return ask(path, key)
}

async function signUp(email: string) {
  const { body, headers } = await service.ask('/api/signup', {
    method: 'POST',
    body: { email, password: PASSWORD },
  })
  const { user, key } = body as { user: { id: string }; key: { id: string; key: string } }
  const cookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  return { id: user.id, key: key.key, keyId: key.id, own: { cookie, origin: service.url } }
}

describe.each([
  ['/api/keys', '/policy/required'],
  ['/api/data-keys', '/policy/data'],
] as const)('on a persistent connection, a key of %s', (routes, taking) => {
  // [keys.service.kept-connection] [keys.data.kept-connection]
  it('fails from the first request after it was revoked', async () => {
    const { id, key } = await service.makeKey('agent', routes)
    const { id: otherId, key: other } = await service.makeKey('other', routes)
    const known = await askThrice(taking, key)
    expect([known.status, known.caller]).toEqual([200, id])
    await service.ask(`${routes}/${id}`, { method: 'DELETE', headers: OWNER })
    const after = await ask(taking, key)
    expect([after.status, after.port]).toEqual([401, known.port])
    expect((await ask(taking, key)).status).toBe(401)
    const next = await ask(taking, other)
    expect([next.status, next.caller, next.port]).toEqual([200, otherId, known.port])
  })

  it('authenticates only its own user, whatever key was sent before', async () => {
    const [first, second] = [
      await service.makeKey('first', routes),
      await service.makeKey('second', routes),
    ]
    const wrong = first.key.slice(0, -1) + (first.key.endsWith('A') ? 'Q' : 'A')
    const received: [string | null, number, unknown][] = []
    for (const key of [first.key, first.key, second.key, second.key, wrong, null, first.key]) {
      const { status, caller } = await ask(taking, key)
      received.push([key, status, caller])
    }
    expect(received).toEqual([
      [first.key, 200, first.id],
      [first.key, 200, first.id],
      [second.key, 200, second.id],
      [second.key, 200, second.id],
      [wrong, 401, undefined],
      [null, 401, undefined],
      [first.key, 200, first.id],
    ])
  })

  it('has its last use recorded', async () => {
    const { key } = await service.makeKey('agent', routes)
    await askThrice(taking, key)
    await service.clock.advance(61_000)
    await ask(taking, key)
    const { body } = await service.ask(routes, { headers: OWNER })
    expect(body['keys']).toEqual([
      expect.objectContaining({ lastUsedAt: '2026-11-20T14:01:01.000Z' }),
    ])
  })
})

describe('on a persistent connection, a service key', () => {
  it('has the current tier and rights of its user', async () => {
    const { id, key } = await signUp('a@b')
    const change = async (body: object) => {
      const admin = { cookie: await service.signIn(), origin: service.url }
      const { status } = await service.ask(`/api/admin/users/${id}`, {
        method: 'PATCH',
        headers: admin,
        body,
      })
      expect(status).toBe(200)
    }
    const before = await askThrice('/policy/operator', key)
    expect([before.status, before.limit]).toEqual([403, '600'])
    await change({ tier: 'pro', isAdmin: true })
    const raised = await ask('/policy/operator', key)
    expect([raised.status, raised.limit, raised.port]).toEqual([200, '3000', before.port])
    await askThrice('/policy/operator', key)
    await change({ isAdmin: false })
    expect((await ask('/policy/operator', key)).status).toBe(403)
  })

  it('fails from the first request after its user was deleted', async () => {
    const { key, own } = await signUp('a@b')
    const before = await askThrice('/policy/required', key)
    expect(before.status).toBe(200)
    const gone = await service.ask('/api/auth/me', {
      method: 'DELETE',
      headers: own,
      body: { confirm: 'delete my account' },
    })
    expect(gone.status).toBe(200)
    const after = await ask('/policy/required', key)
    expect([after.status, after.port]).toEqual([401, before.port])
  })

  it('fails from the first request after it revoked itself', async () => {
    const { key, keyId } = await signUp('a@b')
    expect((await askThrice('/policy/required', key)).status).toBe(200)
    const headers = { authorization: `Bearer ${key}` }
    await service.ask(`/api/keys/${keyId}`, { method: 'DELETE', headers })
    expect((await ask('/policy/required', key)).status).toBe(401)
  })
})
