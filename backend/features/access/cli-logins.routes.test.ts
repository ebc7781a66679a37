import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import { accessService, type AccessService } from '../../testing/access-service.ts'
import {
  STARTED,
  cliLogins,
  encoded,
  EXISTS,
  EXPIRED,
  LIFE,
  newToken,
  OVER,
  READY,
  statusAndBody,
} from '../../testing/cli-logins.ts'

let service: AccessService
let cookie: string
beforeEach(async () => {
  service = await accessService()
  cookie = await service.signIn()
})
afterEach(() => service.close())

const { begin, poll, complete, keys, reached } = cliLogins(() => ({ service, cookie }))
const EVENTS = { begin, poll, complete }

describe('a login of the command line', () => {
  // [login.cli.states]
  it.each([
    ['none', 'begin', STARTED, 0],
    ['none', 'poll', EXPIRED, 0],
    ['none', 'complete', OVER, 0],
    ['pending', 'begin', EXISTS, 0],
    ['pending', 'poll', [200, { status: 'pending' }], 0],
    ['pending', 'complete', [200, { ok: true }], 1],
    ['ready', 'begin', EXISTS, 1],
    ['ready', 'poll', READY, 1],
    ['ready', 'complete', OVER, 1],
    ['consumed', 'begin', EXISTS, 1],
    ['consumed', 'poll', EXPIRED, 1],
    ['consumed', 'complete', OVER, 1],
    ['expired while pending', 'begin', EXISTS, 0],
    ['expired while pending', 'poll', EXPIRED, 0],
    ['expired while pending', 'complete', OVER, 0],
    ['expired while ready', 'begin', EXISTS, 0],
    ['expired while ready', 'poll', EXPIRED, 0],
    ['expired while ready', 'complete', OVER, 0],
  ] as const)('that is %s, on %s', async (state, event, answer, active) => {
    const token = await reached[state]()
    expect(statusAndBody(await EVENTS[event](token))).toEqual(answer)
    expect((await keys()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(active)
  })

  // [login.cli.key]
  it('issues a key of the user who completed it, which works and is listed by its name', async () => {
    const token = await reached.ready()
    const { body, headers } = await poll(token)
    expect(headers['cache-control']).toBe('no-store')
    const authorization = `Bearer ${String(body['apiKey'])}`
    const [row] = await keys()
    expect(row?.name).toBe('CLI (browser login)')
    const used = await service.ask('/policy/required', { headers: { authorization } })
    expect([used.status, used.body['caller']]).toEqual([200, row?.id])
    const session = await service.ask('/policy/session', { headers: { authorization } })
    expect(session.status).toBe(401)
  })

  // [login.cli.once]
  it('rejects HEAD polls with 405 and keeps the key for the next poll', async () => {
    const token = await reached.ready()
    const path = `/api/auth/cli/poll?token=${encoded(token)}`
    const looked = await service.ask(path, { method: 'HEAD' })
    expect([looked.status, looked.headers.allow]).toEqual([405, 'GET'])
    expect((await poll(token)).body['status']).toBe('ready')
  })

  // [login.cli.token]
  it.each(['é', '中', '🗝'])('accepts a token of 4096 characters such as %s', async (one) => {
    const token = one.repeat(4096 / one.length)
    expect((await begin(token)).status).toBe(200)
    expect((await complete(token)).status).toBe(200)
    expect((await poll(token)).body['status']).toBe('ready')
  })

  // [login.cli.expiry]
  it('expires after five minutes to the millisecond, completed or not', async () => {
    const expiresAt = (await begin(newToken())).body['expiresAt']
    expect(expiresAt).toBe('2026-11-20T14:05:00.000Z')
    const [pending, ready] = [await reached.pending(), await reached.ready()]
    await service.clock.advance(LIFE - 1)
    expect(statusAndBody(await poll(pending))).toEqual([200, { status: 'pending' }])
    expect((await complete(pending)).status).toBe(200)
    const late = await reached.pending()
    await service.clock.advance(1)
    expect(statusAndBody(await poll(ready))).toEqual(EXPIRED)
    expect(statusAndBody(await complete(pending))).toEqual(OVER)
    expect(statusAndBody(await poll(late))).toEqual([200, { status: 'pending' }])
  })

  // [login.cli.expiry]
  it('whose key was not fetched revokes it and its connections', async () => {
    await reached.ready()
    const [key] = await keys()
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    const stopping = new AbortController()
    const running = service.access.cliLogins.run(stopping.signal)
    await service.clock.advance(LIFE - 1)
    expect(ended).toEqual([])
    // No request arrives; the next minute's sweep finds it.
    const later = async () => {
      await service.clock.advance(MINUTE)
      return ended
    }
    await expect.poll(later).toEqual([key?.id])
    expect((await keys())[0]?.revokedAt).toEqual(expect.any(String))
    stopping.abort()
    await running
  })

  // [login.cli.once]
  it('delivers its key to one of many concurrent polls', async () => {
    const token = await reached.ready()
    const polls = await Promise.all(Array.from({ length: 20 }, () => poll(token)))
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(polls.filter(({ status }) => status === 410)).toHaveLength(19)
  })

  // [login.cli.once]
  it('is completed by one of many concurrent requests, with one key', async () => {
    const token = await reached.pending()
    const completed = await Promise.all(Array.from({ length: 10 }, () => complete(token)))
    expect(completed.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(completed.filter((answer) => answer.status === 410).map(statusAndBody)).toEqual(
      Array.from({ length: 9 }, () => OVER),
    )
    expect(await keys()).toHaveLength(1)
  })

  // [login.cli.reuse]
  it('cannot reuse a token of the last 24 hours', async () => {
    const [consumed, expired] = [await reached.consumed(), await reached.pending()]
    await service.clock.advance(DAY - 1)
    expect(statusAndBody(await begin(consumed))).toEqual(EXISTS)
    await service.clock.advance(1)
    expect((await begin(consumed)).status).toBe(200)
    // An expired token is remembered from its expiry.
    expect(statusAndBody(await begin(expired))).toEqual(EXISTS)
    await service.clock.advance(LIFE)
    expect((await begin(expired)).status).toBe(200)
  })

  // [login.cli.restart]
  it('survives a restart in every state', async () => {
    const [pending, ready, consumed] = [
      await reached.pending(),
      await reached.ready(),
      await reached.consumed(),
    ]
    const forgotten = await reached.ready()
    service = await service.restart()
    expect(statusAndBody(await poll(pending))).toEqual([200, { status: 'pending' }])
    expect((await complete(pending)).status).toBe(200)
    const key = String((await poll(ready)).body['apiKey'])
    const requested = await service.ask('/policy/required', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(requested.status).toBe(200)
    expect(statusAndBody(await begin(consumed))).toEqual(EXISTS)
    await service.clock.advance(LIFE)
    service = await service.restart()
    expect(statusAndBody(await poll(forgotten))).toEqual(EXPIRED)
    const revoked = (await keys()).filter(({ revokedAt }) => revokedAt !== null)
    expect(revoked).toHaveLength(2)
  })

  it('whose key was revoked before the poll delivers nothing', async () => {
    const token = await reached.ready()
    const [key] = await keys()
    await service.ask(`/api/keys/${key?.id}`, {
      method: 'DELETE',
      headers: { cookie, origin: service.url },
    })
    expect(statusAndBody(await poll(token))).toEqual(EXPIRED)
  })

  // [login.cli.open-limit]
  it('is one of at most a hundred open ones', async () => {
    const { cliLogins } = service.access
    for (let open = 0; open < 100; open += 1) await cliLogins.begin({ sessionToken: newToken() })
    const refused = await begin(newToken())
    expect(statusAndBody(refused)).toEqual([
      429,
      {
        ok: false,
        error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
      },
    ])
    expect(refused.headers['retry-after']).toBe('60')
    await service.clock.advance(LIFE)
    expect((await begin(newToken())).status).toBe(200)
  })

  // [login.cli.key-limit]
  it('creates no 21st key, and can be completed once a key is revoked', async () => {
    const created = []
    for (let key = 0; key < 20; key += 1) created.push(await service.makeKey('k', '/api/keys'))
    const token = await reached.pending()
    expect(statusAndBody(await complete(token))).toEqual([
      409,
      { error: 'At most 20 active keys', code: 'KEY_LIMIT' },
    ])
    expect(statusAndBody(await poll(token))).toEqual([200, { status: 'pending' }])
    await service.ask(`/api/keys/${created[0]?.id}`, {
      method: 'DELETE',
      headers: { cookie, origin: service.url },
    })
    expect((await complete(token)).status).toBe(200)
  })
})
