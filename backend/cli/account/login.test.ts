import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { eventually } from '../../testing/eventually.ts'
import { InstantClock } from '../../testing/instant-clock.ts'
import { startLoginService, type LoginService } from '../../testing/login-service.ts'

let line: CommandLine
let service: LoginService
beforeEach(async () => {
  line = commandLine()
  service = await startLoginService()
})
afterEach(async () => {
  await service.close()
  line.remove()
})

const augury = (...args: string[]) => line.run(args)
const configPath = () => join(line.home, '.augury', 'config.json')
const config = () => JSON.parse(readFileSync(configPath(), 'utf8')) as Record<string, unknown>
const login = (...args: string[]) => augury('login', '--api-url', service.url, ...args)

/** Approves at the nth poll; answers with what will be the key. */
function approveAt(nth: number): { key: string } {
  const created = { key: '' }
  service.onPoll = (poll) => {
    if (poll === nth) created.key = service.approve()
  }
  return created
}

describe('augury login', () => {
  // [client.login.handshake]
  it('shows address and check code, waits for the click and stores the key', async () => {
    const created = approveAt(3)
    const { exit, out, err } = await login('--no-browser')
    expect([exit, service.polls()]).toEqual([0, 3])
    const digits = service.hashOfLast()
    expect(err).toContain(`Check code: ${digits.slice(0, 4)}-${digits.slice(4, 8)}\n`)
    const token = decodeURIComponent(/#cli=(\S+)/.exec(err)?.[1] ?? '')
    expect(err).toContain(`${service.url}/#cli=${encodeURIComponent(token)}\n`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(out).toBe(
      `key: ${created.key.slice(0, 12)}…\nuser: Owner\naddress: ${service.url}\nfile: ${configPath()}\n`,
    )
    expect(config()).toEqual({
      apiKey: created.key,
      apiUrl: service.url,
      apiKeyOrigin: service.url,
    })
    expect(statSync(configPath()).mode & 0o777).toBe(0o600)
    expect(statSync(join(line.home, '.augury')).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['', () => service.url],
    ['http://terminal.test/', () => 'http://terminal.test'],
  ])('with AUGURY_APP_URL %j shows the terminal where it is', async (named, expected) => {
    approveAt(1)
    const env = { HOME: line.home, AUGURY_APP_URL: named }
    const { err } = await line.run(['login', '--api-url', service.url], { env })
    expect(err).toContain(`in the terminal: ${expected()}/#cli=`)
  })

  it('polls every two seconds', async () => {
    const created = approveAt(4)
    const clock = new InstantClock(Infinity)
    await line.run(['login', '--api-url', service.url], { clock })
    expect([clock.sleeps, created.key]).toEqual([
      [2_000, 2_000, 2_000],
      expect.stringMatching(/^svc_live_/),
    ])
  })

  // [client.login.key-unshown]
  it('never shows the key', async () => {
    for (const more of [[], ['--json']]) {
      const created = approveAt(service.polls() + 1)
      const { exit, out, err } = await login(...more)
      expect([exit, created.key]).toEqual([0, expect.stringMatching(/^svc_live_/)])
      expect(out + err).not.toContain(created.key)
    }
  })

  // [client.login.json]
  it('with --json prints address and check code on one line, then the outcome on another', async () => {
    const created = approveAt(1)
    const { exit, out, err } = await login('--json')
    const [pending, outcome, ...more] = out.trimEnd().split('\n')
    const { address, ...others } = JSON.parse(pending ?? '') as { address: string }
    const digits = service.hashOfLast()
    expect(others).toEqual({
      status: 'pending',
      checkCode: `${digits.slice(0, 4)}-${digits.slice(4, 8)}`,
    })
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#cli=[\w-]{43}$/)
    expect(JSON.parse(outcome ?? '')).toEqual({
      ok: true,
      key: `${created.key.slice(0, 12)}…`,
      user: 'Owner',
      address: service.url,
      file: configPath(),
    })
    expect([exit, err, more]).toEqual([0, '', []])
  })

  // [client.login.json]
  it('with --json fails with one document, even with a warning about the file', async () => {
    mkdirSync(join(line.home, '.augury'), { mode: 0o700 })
    writeFileSync(configPath(), '{"defaultModel":"best"}', { mode: 0o644 })
    service.onPoll = () => service.expire()
    const { exit, err } = await login('--json')
    expect([exit, JSON.parse(err)]).toEqual([
      5,
      expect.objectContaining({
        ok: false,
        command: 'login',
        error: expect.objectContaining({ code: 'EXPIRED', status: 410 }) as object,
      }),
    ])
  })

  it('keeps other keys of the file', async () => {
    mkdirSync(join(line.home, '.augury'), { mode: 0o700 })
    writeFileSync(configPath(), '{"later":{"a":[1]},"defaultModel":"heavy"}', { mode: 0o600 })
    approveAt(1)
    await login()
    expect(config()).toMatchObject({ later: { a: [1] }, defaultModel: 'heavy' })
  })

  // [client.login.expired]
  it('ends with 5 without an approval in time', async () => {
    service.onPoll = (nth) => {
      if (nth === 2) service.expire()
    }
    const { exit, out, err } = await login()
    expect([exit, out]).toEqual([5, ''])
    expect(err).toContain('augury: The login has expired or was already used\n')
    const response = await login('--json')
    // Only the command itself ended this one.
    expect(service.polls()).toBeGreaterThan(100)
    expect(response.exit).toBe(5)
    expect(JSON.parse(response.err)).toMatchObject({
      command: 'login',
      error: { code: 'EXPIRED', status: 410 },
    })
  })

  it('continues after a rate limit, a lost poll and an outage of the service', async () => {
    service.failures.push('limited', null, 'lost', 'lost', 'lost')
    approveAt(7)
    expect((await login()).exit).toBe(0)
  })

  it('waits out a limit on polls, and one on the request for the user name only with --wait', async () => {
    service.isBusy = true
    const whose = () => service.requests.filter(({ line }) => line === 'GET /api/auth/me').length
    for (const [more, requested] of [
      [[], 1],
      [['--wait'], 3],
    ] as const) {
      service.failures.push('limited')
      approveAt(service.polls() + 2)
      const { exit, out } = await login(...more)
      expect([exit, out, whose()]).toEqual([0, expect.stringContaining('user: –\n'), requested])
    }
  })

  it.each([
    [['login', '--name', 'x'], 2, /--name is only for --local/],
    [['login', '--api-url', 'http://127.0.0.1:1'], 7, /No service at http:\/\/127\.0\.0\.1:1/],
    [['login', '--local', '--data', 'nowhere'], 7, /No service at/],
  ])('%j ends with %d', async (args, exit, message) => {
    const ran = await augury(...args)
    expect([ran.exit, ran.out, ran.err]).toEqual([exit, '', expect.stringMatching(message)])
  })

  it('opens the browser at the address, except with --no-browser', async () => {
    const bin = join(line.home, 'bin')
    const opened = join(line.home, 'opened')
    mkdirSync(bin)
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const env = { HOME: line.home, DISPLAY: ':9', PATH: `${bin}:/usr/bin:/bin` }
    const read = () => readFileSync(opened, 'utf8')
    approveAt(1)
    await line.run(['login', '--no-browser', '--api-url', service.url], { env })
    expect(read).toThrow()
    approveAt(2)
    const { err } = await line.run(['login', '--api-url', service.url], { env })
    const address = /http\S+/.exec(err)?.[0] ?? 'none'
    await eventually(() => expect(read()).toBe(address))
  })
})

describe('augury whoami', () => {
  // [client.login.whoami]
  it('shows the user of the key and the service', async () => {
    const created = approveAt(1)
    await login()
    const { exit, out } = await augury('whoami')
    expect([exit, out]).toEqual([
      0,
      `name: Owner\nemail: –\ntier: institutional\nkey: ${created.key.slice(0, 12)}…\naddress: ${service.url}\n`,
    ])
    expect(JSON.parse((await augury('whoami', '--json')).out)).toMatchObject({
      auth: { kind: 'key', keyId: 'key_1' },
    })
  })

  it('ends with 4 without a key, and sends no request', async () => {
    const { exit, err } = await augury('whoami', '--api-url', service.url)
    expect([exit, err]).toEqual([
      4,
      `augury: No key for ${service.url}\nSign in with: augury login\n`,
    ])
    expect(service.requests).toEqual([])
  })
})

describe('augury logout', () => {
  // [client.login.logout]
  it('revokes the stored key and removes it from the file', async () => {
    const created = approveAt(1)
    await login()
    const { exit, out } = await augury('logout')
    expect([exit, out]).toEqual([0, `revoked: ${created.key.slice(0, 12)}…\n`])
    expect([service.isRevoked(created.key), config()]).toEqual([true, { apiUrl: service.url }])
    expect((await augury('logout')).out).toBe('no key is stored\n')
  })

  it('revokes nothing with --keep-key', async () => {
    const created = approveAt(1)
    await login()
    expect((await augury('logout', '--keep-key', '--json')).exit).toBe(0)
    expect([service.isRevoked(created.key), config()['apiKey']]).toEqual([false, undefined])
  })

  it('calls the service that issued the key, whatever address is given', async () => {
    const created = approveAt(1)
    await login()
    await augury('config', 'set', 'apiUrl', 'http://127.0.0.1:1')
    expect((await augury('logout', '--api-url', 'http://127.0.0.1:2')).exit).toBe(0)
    expect(service.isRevoked(created.key)).toBe(true)
  })

  it('keeps a key that it could not revoke, and removes one that is no longer valid', async () => {
    approveAt(1)
    await login()
    const { url } = service
    await service.close()
    const failed = await augury('logout')
    expect([failed.exit, failed.err]).toEqual([
      7,
      expect.stringContaining('Remove it without revoking it: augury logout --keep-key'),
    ])
    expect(config()).toHaveProperty('apiKey')
    service = await startLoginService()
    writeFileSync(configPath(), JSON.stringify(config()).replaceAll(url, service.url))
    expect((await augury('logout')).out).toMatch(/^removed: svc_live_/)
    expect(config()).not.toHaveProperty('apiKey')
  })
})

// [client.config-file.curable]
describe.each([5, 'svct_live_wrong'])('a file whose apiKey is %j', (apiKey) => {
  beforeEach(() => {
    mkdirSync(join(line.home, '.augury'), { mode: 0o700 })
    writeFileSync(configPath(), JSON.stringify({ apiKey, later: 1 }), { mode: 0o600 })
  })

  it('is repaired by logout', async () => {
    const { exit, out } = await augury('logout')
    expect([exit, out, config()]).toEqual([0, 'removed: an invalid key\n', { later: 1 }])
    expect(service.requests).toEqual([])
  })

  it('is repaired by login', async () => {
    const created = approveAt(1)
    expect((await login()).exit).toBe(0)
    expect(config()).toMatchObject({ apiKey: created.key, later: 1 })
  })
})
