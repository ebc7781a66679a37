import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import { accessService, LAUNCH_SECRET, type AccessService } from '../../testing/access-service.ts'
import { cliLogins, EXPIRED, newToken, READY, statusAndBody } from '../../testing/cli-logins.ts'

let service: AccessService
let cookie: string
beforeEach(async () => {
  service = await accessService()
  cookie = await service.signIn()
})
afterEach(() => service.close())

const { begin, poll, complete, keys, reached } = cliLogins(() => ({ service, cookie }))

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
    expect(statusAndBody(await begin(token))).toEqual([
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
    expect(statusAndBody(await poll(token))).toEqual([200, { status: 'pending' }])
    expect((await complete(token)).status).toBe(200)
    expect(statusAndBody(await poll(`${token} `))).toEqual(EXPIRED)
    expect(statusAndBody(await poll(token))).toEqual(READY)
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
    expect(statusAndBody(refused)).toEqual([400, { error, code: 'VALIDATION_ERROR' }])
  })

  // [login.cli.bodies]
  it.each(['', '?token=', '?token=%20%09', '?tokens=x', '?token=x&token='])(
    'are missing from a poll of %j',
    async (query) => {
      const refused = await service.ask(`/api/auth/cli/poll${query}`)
      expect(statusAndBody(refused)).toEqual([
        400,
        { error: 'token required', code: 'VALIDATION_ERROR' },
      ])
    },
  )

  it('use the last of several values, in any valid encoding', async () => {
    const token = `${'x'.repeat(40)}%zz`
    await begin(token)
    const answer = await service.ask(`/api/auth/cli/poll?token=other&a=b&token=${token}`)
    expect(statusAndBody(answer)).toEqual([200, { status: 'pending' }])
  })
})

describe('completing a login', () => {
  const UNKNOWN = { error: 'Not authenticated' }
  const attempt = (headers: Record<string, string>, token: string) =>
    service.ask('/api/auth/cli/complete', {
      method: 'POST',
      headers,
      body: { sessionToken: token },
    })

  // [login.cli.session-only]
  it('requires a session, and refuses keys before it reads the body', async () => {
    const token = await reached.pending()
    const { key } = await service.makeKey('k', '/api/keys')
    const origin = service.url
    for (const [headers, code] of [
      [{}, 'AUTH_REQUIRED'],
      [{ cookie: `${cookie}x`, origin }, 'AUTH_REQUIRED'],
      [{ authorization: `Bearer ${key}` }, 'AUTH_INVALID'],
      [{ authorization: `Bearer ${key}`, cookie, origin }, 'AUTH_INVALID'],
      [{ authorization: `Launch ${LAUNCH_SECRET}` }, 'AUTH_INVALID'],
    ] as const) {
      expect(statusAndBody(await attempt(headers, token))).toEqual([401, { ...UNKNOWN, code }])
    }
    const broken = await service.ask('/api/auth/cli/complete', { method: 'POST', body: '{' })
    expect(statusAndBody(broken)).toEqual([401, { ...UNKNOWN, code: 'AUTH_REQUIRED' }])
    const bearer = { authorization: `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}` }
    expect((await attempt(bearer, token)).status).toBe(200)
  })

  // [login.cli.csrf]
  it.each([
    ['no Origin', {}],
    ['an Origin of elsewhere', { origin: 'https://evil.example' }],
    ['no Origin to speak of', { origin: 'null' }],
  ])('by cookie is refused with %s', async (_case, headers) => {
    const token = await reached.pending()
    const refused = await attempt({ cookie, ...headers }, token)
    expect([refused.status, refused.body['code']]).toEqual([403, 'ORIGIN_REFUSED'])
    expect(statusAndBody(await poll(token))).toEqual([200, { status: 'pending' }])
    expect(await keys()).toEqual([])
  })

  it('acts for the user of the session, whatever user the body names', async () => {
    const token = await reached.pending()
    await service.ask('/api/auth/cli/complete', {
      method: 'POST',
      headers: { cookie, origin: service.url },
      body: { sessionToken: token, userId: 'usr_other' },
    })
    expect(await keys()).toHaveLength(1)
  })
})

describe('rate limits of polling', () => {
  const limited = async (count: number, token: () => string) => {
    const answers = []
    for (let requested = 0; requested < count; requested += 1) answers.push(await poll(token()))
    return answers.filter(({ status }) => status === 429)
  }

  // [login.cli.poll-limit]
  it('are 60 a minute for a token and 300 for an address', async () => {
    const token = newToken()
    const [first, ...more] = await limited(62, () => token)
    expect(more).toHaveLength(1)
    expect(first?.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'retry-after': '60' })
    // A request refused by one window counts in none: 240 are left for the address.
    expect(await limited(240, newToken)).toEqual([])
    const [over] = await limited(1, newToken)
    expect(over?.headers).toMatchObject({ 'x-ratelimit-limit': '300' })
    expect((await begin(newToken())).status).toBe(200)
    await service.clock.advance(MINUTE)
    expect((await poll(token)).status).toBe(410)
  })
})
