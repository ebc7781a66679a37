import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import { silentLogger, type Logger } from '../../lib/logger.ts'
import {
  accessService,
  LAUNCH_SECRET,
  type AccessService,
  type Asked,
} from '../../testing/access-service.ts'

const LIFE = 5 * MINUTE

let service: AccessService
let cookie: string
beforeEach(async () => {
  service = await accessService()
  cookie = await service.signIn()
})
afterEach(() => service.close())

const newToken = (): string => randomBytes(32).toString('base64url')
/** Percent-encoded as `encodeURIComponent` does it, but for `+`, which may stand as it is. */
const encoded = (token: string): string => encodeURIComponent(token).replaceAll('%2B', '+')

const begin = (sessionToken: unknown): Promise<Asked> =>
  service.ask('/api/auth/cli', { method: 'POST', body: { sessionToken } })
const poll = (token: string): Promise<Asked> =>
  service.ask(`/api/auth/cli/poll?token=${encoded(token)}`)
const complete = (sessionToken: unknown, headers: Record<string, string> = {}): Promise<Asked> =>
  service.ask('/api/auth/cli/complete', {
    method: 'POST',
    headers: { cookie, origin: service.url, ...headers },
    body: { sessionToken },
  })
const keys = async () => {
  const { body } = await service.ask('/api/keys', { headers: { cookie } })
  return body['keys'] as { id: string; name: string; revokedAt: string | null }[]
}
const told = ({ status, body }: Asked) => [status, body]

const EXPIRED = [410, { status: 'expired' }]
const OVER = [410, { error: 'Session expired or already used', code: 'EXPIRED' }]
const EXISTS = [409, { error: 'Session already exists', code: 'CONFLICT' }]

/** A token whose login was brought to a state. */
const REACHED = {
  none: () => Promise.resolve(newToken()),
  async pending() {
    const token = newToken()
    expect((await begin(token)).status).toBe(200)
    return token
  },
  async ready() {
    const token = await REACHED.pending()
    expect((await complete(token)).status).toBe(200)
    return token
  },
  async consumed() {
    const token = await REACHED.ready()
    expect((await poll(token)).body['status']).toBe('ready')
    return token
  },
  async 'expired while pending'() {
    const token = await REACHED.pending()
    await service.clock.advance(LIFE)
    return token
  },
  async 'expired while ready'() {
    const token = await REACHED.ready()
    await service.clock.advance(LIFE)
    return token
  },
}
const EVENTS = { begin, poll, complete }
const BEGUN = [200, { ok: true, expiresAt: expect.stringMatching(/^2026-.*Z$/) as string }]
const READY = [200, { status: 'ready', apiKey: expect.stringMatching(/^svc_live_/) as string }]

describe('a login of the command line', () => {
  // [login.cli.states]
  it.each([
    ['none', 'begin', BEGUN, 0],
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
    const token = await REACHED[state]()
    expect(told(await EVENTS[event](token))).toEqual(answer)
    expect((await keys()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(active)
  })

  // [login.cli.key]
  it('ends in a key of the user who completed it, which works and is listed by its name', async () => {
    const token = await REACHED.ready()
    const { body, headers } = await poll(token)
    expect(headers['cache-control']).toBe('no-store')
    const authorization = `Bearer ${String(body['apiKey'])}`
    const [row] = await keys()
    expect(row?.name).toBe('CLI (browser login)')
    const used = await service.ask('/word/required', { headers: { authorization } })
    expect([used.status, used.body['caller']]).toEqual([200, row?.id])
    const session = await service.ask('/word/session', { headers: { authorization } })
    expect(session.status).toBe(401)
  })

  // [login.cli.once]
  it('hands out nothing to a question without an answer', async () => {
    const token = await REACHED.ready()
    const path = `/api/auth/cli/poll?token=${encoded(token)}`
    const looked = await service.ask(path, { method: 'HEAD' })
    expect([looked.status, looked.headers.allow]).toEqual([405, 'GET'])
    expect((await poll(token)).body['status']).toBe('ready')
  })

  // [login.cli.token]
  it.each(['é', '中', '🗝'])(
    'takes a token of 4096 characters such as %s to its end',
    async (one) => {
      const token = one.repeat(4096 / one.length)
      expect((await begin(token)).status).toBe(200)
      expect((await complete(token)).status).toBe(200)
      expect((await poll(token)).body['status']).toBe('ready')
    },
  )

  // [login.cli.expiry]
  it('is open for five minutes to the millisecond, completed or not', async () => {
    const expiresAt = (await begin(newToken())).body['expiresAt']
    expect(expiresAt).toBe('2026-11-20T14:05:00.000Z')
    const [pending, ready] = [await REACHED.pending(), await REACHED.ready()]
    await service.clock.advance(LIFE - 1)
    expect(told(await poll(pending))).toEqual([200, { status: 'pending' }])
    expect((await complete(pending)).status).toBe(200)
    const late = await REACHED.pending()
    await service.clock.advance(1)
    expect(told(await poll(ready))).toEqual(EXPIRED)
    expect(told(await complete(pending))).toEqual(OVER)
    expect(told(await poll(late))).toEqual([200, { status: 'pending' }])
  })

  // [login.cli.expiry]
  it('whose key nobody fetched revokes it, and ends what is open with it', async () => {
    await REACHED.ready()
    const [key] = await keys()
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    const stopping = new AbortController()
    const running = service.access.cliLogins.run(stopping.signal)
    await service.clock.advance(LIFE - 1)
    expect(ended).toEqual([])
    // Nobody asks: the sweep of the next minute finds it.
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
  it('hands its key to one of many polls at once', async () => {
    const token = await REACHED.ready()
    const polls = await Promise.all(Array.from({ length: 20 }, () => poll(token)))
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(polls.filter(({ status }) => status === 410)).toHaveLength(19)
  })

  // [login.cli.once]
  it('is completed by one of many at once, with one key', async () => {
    const token = await REACHED.pending()
    const completed = await Promise.all(Array.from({ length: 10 }, () => complete(token)))
    expect(completed.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(completed.filter((answer) => answer.status === 410).map(told)).toEqual(
      Array.from({ length: 9 }, () => OVER),
    )
    expect(await keys()).toHaveLength(1)
  })

  // [login.cli.reuse]
  it('is not begun again with a token of the last 24 hours', async () => {
    const [consumed, expired] = [await REACHED.consumed(), await REACHED.pending()]
    await service.clock.advance(DAY - 1)
    expect(told(await begin(consumed))).toEqual(EXISTS)
    await service.clock.advance(1)
    expect((await begin(consumed)).status).toBe(200)
    // One that expired counts from then on.
    expect(told(await begin(expired))).toEqual(EXISTS)
    await service.clock.advance(LIFE)
    expect((await begin(expired)).status).toBe(200)
  })

  // [login.cli.restart]
  it('outlives a restart in every state', async () => {
    const [pending, ready, consumed] = [
      await REACHED.pending(),
      await REACHED.ready(),
      await REACHED.consumed(),
    ]
    const forgotten = await REACHED.ready()
    service = await service.restart()
    expect(told(await poll(pending))).toEqual([200, { status: 'pending' }])
    expect((await complete(pending)).status).toBe(200)
    const key = String((await poll(ready)).body['apiKey'])
    const asked = await service.ask('/word/required', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(asked.status).toBe(200)
    expect(told(await begin(consumed))).toEqual(EXISTS)
    await service.clock.advance(LIFE)
    service = await service.restart()
    expect(told(await poll(forgotten))).toEqual(EXPIRED)
    const revoked = (await keys()).filter(({ revokedAt }) => revokedAt !== null)
    expect(revoked).toHaveLength(2)
  })

  it('whose key was revoked while it waited hands out nothing', async () => {
    const token = await REACHED.ready()
    const [key] = await keys()
    await service.ask(`/api/keys/${key?.id}`, {
      ...{ method: 'DELETE', headers: { cookie, origin: service.url } },
    })
    expect(told(await poll(token))).toEqual(EXPIRED)
  })

  // [login.cli.open-limit]
  it('is one of at most a hundred that are open', async () => {
    const { cliLogins } = service.access
    for (let open = 0; open < 100; open += 1) await cliLogins.begin({ sessionToken: newToken() })
    const refused = await begin(newToken())
    expect(told(refused)).toEqual([
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
  it('makes no 21st key, and can be completed once there is room', async () => {
    const made = []
    for (let key = 0; key < 20; key += 1) made.push(await service.makeKey('k', '/api/keys'))
    const token = await REACHED.pending()
    expect(told(await complete(token))).toEqual([
      409,
      { error: 'At most 20 active keys', code: 'KEY_LIMIT' },
    ])
    expect(told(await poll(token))).toEqual([200, { status: 'pending' }])
    await service.ask(`/api/keys/${made[0]?.id}`, {
      ...{ method: 'DELETE', headers: { cookie, origin: service.url } },
    })
    expect((await complete(token)).status).toBe(200)
  })
})

describe('session tokens', () => {
  // [login.cli.token]
  it.each([
    ['31 characters', 'x'.repeat(31)],
    ['31 characters of two units each', '😀'.repeat(31)],
    ['4097 characters', 'x'.repeat(4_097)],
    ['a number', 12_345],
    ['null', null],
    ['nothing', undefined],
    ['a list', ['x'.repeat(32)]],
    ['an object', { length: 40 }],
    ['half a character', `${'x'.repeat(40)}\ud800`],
  ])('are not %s', async (_case, token) => {
    expect(told(await begin(token))).toEqual([
      400,
      { error: 'Invalid session token', code: 'VALIDATION_ERROR' },
    ])
  })

  // [login.cli.token]
  it.each([
    ['32 characters', 'x'.repeat(32)],
    ['4096 characters', 'y'.repeat(4_096)],
    ['plus signs and percent signs', `a+b%2Bc%%20d&token=e#f?${'z'.repeat(20)}`],
    ['other scripts', `密码 и слово ${'é'.repeat(30)} 😀`],
    ['blanks at both ends', `  ${'x'.repeat(32)}  `],
    ['control characters', `${'x'.repeat(32)}\u0000\n\t`],
  ])('may be %s, compared exactly', async (_case, token) => {
    expect((await begin(token)).status).toBe(200)
    expect((await complete(`${token} `)).status).toBe(410)
    expect(told(await poll(token))).toEqual([200, { status: 'pending' }])
    expect((await complete(token)).status).toBe(200)
    expect(told(await poll(`${token} `))).toEqual(EXPIRED)
    expect(told(await poll(token))).toEqual(READY)
  })

  // [login.cli.bodies]
  it.each([
    ['begin', '{', 'Invalid JSON'],
    ['begin', '[]', 'Invalid JSON'],
    ['begin', '"text"', 'Invalid JSON'],
    ['begin', undefined, 'Invalid JSON'],
    ['begin', {}, 'Invalid session token'],
    ['complete', '{', 'Invalid JSON'],
    ['complete', 'null', 'Invalid JSON'],
    ['complete', undefined, 'Invalid JSON'],
    ['complete', {}, 'sessionToken required'],
    ['complete', { sessionToken: 5 }, 'sessionToken required'],
    ['complete', { sessionToken: '' }, 'sessionToken required'],
    ['complete', { sessiontoken: 'x'.repeat(40) }, 'sessionToken required'],
  ])('%s refuses %j', async (event, body, error) => {
    const path = event === 'begin' ? '/api/auth/cli' : '/api/auth/cli/complete'
    const headers = event === 'begin' ? {} : { cookie, origin: service.url }
    const refused = await service.ask(path, { method: 'POST', headers, body })
    expect(told(refused)).toEqual([400, { error, code: 'VALIDATION_ERROR' }])
  })

  // [login.cli.bodies]
  it.each(['', '?token=', '?token=%20%09', '?tokens=x', '?token=x&token='])(
    'are missing from a poll of %j',
    async (query) => {
      const refused = await service.ask(`/api/auth/cli/poll${query}`)
      expect(told(refused)).toEqual([400, { error: 'token required', code: 'VALIDATION_ERROR' }])
    },
  )

  it('are the last of several, and need no perfect encoding', async () => {
    const token = `${'x'.repeat(40)}%zz`
    await begin(token)
    const answer = await service.ask(`/api/auth/cli/poll?token=other&a=b&token=${token}`)
    expect(told(answer)).toEqual([200, { status: 'pending' }])
  })
})

describe('completing a login', () => {
  const UNKNOWN = { error: 'Not authenticated' }
  const attempt = (headers: Record<string, string>, token: string) =>
    service.ask('/api/auth/cli/complete', {
      ...{ method: 'POST', headers, body: { sessionToken: token } },
    })

  // [login.cli.session-only]
  it('takes a session and no key, and says so before it looks at the body', async () => {
    const token = await REACHED.pending()
    const { key } = await service.makeKey('k', '/api/keys')
    const origin = service.url
    for (const [headers, code] of [
      [{}, 'AUTH_REQUIRED'],
      [{ cookie: `${cookie}x`, origin }, 'AUTH_REQUIRED'],
      [{ authorization: `Bearer ${key}` }, 'AUTH_INVALID'],
      [{ authorization: `Bearer ${key}`, cookie, origin }, 'AUTH_INVALID'],
      [{ authorization: `Launch ${LAUNCH_SECRET}` }, 'AUTH_INVALID'],
    ] as const) {
      expect(told(await attempt(headers, token))).toEqual([401, { ...UNKNOWN, code }])
    }
    const broken = await service.ask('/api/auth/cli/complete', { method: 'POST', body: '{' })
    expect(told(broken)).toEqual([401, { ...UNKNOWN, code: 'AUTH_REQUIRED' }])
    const bearer = { authorization: `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}` }
    expect((await attempt(bearer, token)).status).toBe(200)
  })

  // [login.cli.csrf]
  it.each([
    ['no Origin', {}],
    ['an Origin of elsewhere', { origin: 'https://evil.example' }],
    ['no Origin to speak of', { origin: 'null' }],
  ])('by cookie is refused with %s', async (_case, headers) => {
    const token = await REACHED.pending()
    const refused = await attempt({ cookie, ...headers }, token)
    expect([refused.status, refused.body['code']]).toEqual([403, 'ORIGIN_REFUSED'])
    expect(told(await poll(token))).toEqual([200, { status: 'pending' }])
    expect(await keys()).toEqual([])
  })

  it('is for the user of the session, whoever the body names', async () => {
    const token = await REACHED.pending()
    await service.ask('/api/auth/cli/complete', {
      ...{ method: 'POST', headers: { cookie, origin: service.url } },
      body: { sessionToken: token, userId: 'usr_other' },
    })
    expect(await keys()).toHaveLength(1)
  })
})

describe('the limits of polling', () => {
  const limited = async (count: number, token: () => string) => {
    const answers = []
    for (let asked = 0; asked < count; asked += 1) answers.push(await poll(token()))
    return answers.filter(({ status }) => status === 429)
  }

  // [login.cli.poll-limit]
  it('are 60 a minute for a token and 300 for an address', async () => {
    const token = newToken()
    const [first, ...more] = await limited(62, () => token)
    expect(more).toHaveLength(1)
    expect(first?.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'retry-after': '60' })
    // What one window refused is counted in none: 240 are left for the address.
    expect(await limited(240, newToken)).toEqual([])
    const [over] = await limited(1, newToken)
    expect(over?.headers).toMatchObject({ 'x-ratelimit-limit': '300' })
    expect((await begin(newToken())).status).toBe(200)
    await service.clock.advance(MINUTE)
    expect((await poll(token)).status).toBe(410)
  })
})

describe('what is kept of a login', () => {
  /** A logger that keeps what a log would show, errors with their messages and causes. */
  const recorder = (lines: string[]): Logger => {
    const note = (details: object, message: string): void => {
      const shown = JSON.stringify(details, (_name, value: unknown) =>
        value instanceof Error ? `${value.stack ?? ''} ${String(value.cause)}` : value,
      )
      lines.push(`${message} ${shown}`)
    }
    return { ...silentLogger, warn: note, error: note }
  }

  // [login.cli.secrets]
  it('is neither its token nor its key, in the store, in logs or in a later answer', async () => {
    await service.close()
    const lines: string[] = []
    service = await accessService({ logger: recorder(lines) })
    cookie = await service.signIn()
    const token = await REACHED.ready()
    const waiting = await service.state.selectFrom('cli_login').selectAll().execute()
    expect(waiting).toMatchObject([
      { token_hash: hash('sha256', token, 'base64url'), state: 'ready' },
    ])
    const sealed = Buffer.from(waiting[0]?.key_cipher ?? '', 'base64url').toString('latin1')
    expect(sealed).not.toContain('svc_live_')
    const key = String((await poll(token)).body['apiKey'])
    const left = await service.state.selectFrom('cli_login').selectAll().execute()
    expect(left).toMatchObject([{ state: 'consumed', key_id: null, key_cipher: null }])

    const said = [await poll(token), await complete(token), await begin(token)]
    await service.state.schema.dropTable('cli_login').execute()
    const broken = [await poll(token), await complete(token), await begin(token)]
    expect(broken.map(told)).toEqual(
      broken.map(() => [500, { error: 'Internal error', code: 'INTERNAL_ERROR' }]),
    )
    const mistyped = await service.ask(`/api/auth/cli/pol?token=${token}`)
    const files = ['state.sqlite', 'state.sqlite-wal'].map((name) =>
      readFileSync(join(service.dataDir, name), 'latin1'),
    )
    expect(files.join('')).toContain('CLI (browser login)')
    expect(lines).toHaveLength(3)
    const kept = [...lines, ...files, ...[...said, ...broken, mistyped].map(({ text }) => text)]
    for (const secret of [token, key]) {
      expect(kept.filter((text) => text.includes(secret))).toEqual([])
    }
  })
})
