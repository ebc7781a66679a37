import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunch } from '../../lib/files/launch-file.ts'
import {
  accessService,
  countedHash,
  LAUNCH_SECRET,
  type AccessService,
} from '../../testing/access-service.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { eventually } from '../../testing/eventually.ts'

let line: CommandLine
beforeEach(() => {
  line = commandLine()
})
afterEach(() => line.remove())

const augury = (...args: string[]) => line.run(args)
const configPath = () => join(line.home, '.augury', 'config.json')
const config = () => JSON.parse(readFileSync(configPath(), 'utf8')) as Record<string, unknown>

describe('augury login --local', () => {
  let real: AccessService
  let onKeyMade: () => void
  beforeEach(async () => {
    onKeyMade = () => {}
    const counted = countedHash()
    const of = (key: string) => {
      onKeyMade()
      return counted.hash(key)
    }
    real = await accessService({ keyHash: { ...counted, hash: of } })
    writeLaunch(join(line.home, 'data'), {
      url: real.url,
      pid: 1,
      startedAt: '',
      secret: LAUNCH_SECRET,
    })
  })
  afterEach(() => real.close())

  // [client.login.local]
  it('creates a key of the owner without a browser, and leaves no session', async () => {
    const { exit, err } = await augury('login', '--local', '--name', 'ci')
    expect([exit, err]).toEqual([0, ''])
    const { apiKey, apiUrl } = config()
    expect([apiKey, apiUrl]).toEqual([expect.stringMatching(/^svc_live_/), real.url])
    const { out } = await augury('keys', 'list', '--json')
    const { keys } = JSON.parse(out) as { keys: { name: string }[] }
    expect(keys.map(({ name }) => name)).toEqual(['ci'])
    await augury('login', '--local')
    const again = JSON.parse((await augury('keys', '--json')).out) as typeof keys
    expect(JSON.stringify(again)).toContain('CLI (local)')
    const live = await real.state.selectFrom('session').selectAll().execute()
    expect(live.filter((session) => session.ended_at === null)).toEqual([])
  })

  const liveSessions = async () => {
    const sessions = await real.state.selectFrom('session').selectAll().execute()
    return [sessions.length, sessions.filter((session) => session.ended_at === null).length]
  }

  it('leaves no session when no key could be created', async () => {
    onKeyMade = () => {
      throw new Error('the disk is full')
    }
    const ran = await augury('login', '--local')
    expect([ran.exit, ran.out]).toEqual([1, ''])
    expect(await liveSessions()).toEqual([1, 0])
  })

  it('leaves no session where the command was interrupted', async () => {
    const stop = new AbortController()
    onKeyMade = () => stop.abort()
    const ran = await line.run(['login', '--local'], { signal: stop.signal })
    expect(ran.exit).toBe(130)
    await eventually(async () => expect(await liveSessions()).toEqual([1, 0]))
  })

  it('asks a named replay of the folder, not the service beside it', async () => {
    const data = join(line.home, 'data')
    const [url, secret] = ['http://127.0.0.1:1', 'of another service']
    writeLaunch(join(data, 'replay', 'r1'), {
      url: real.url,
      pid: 1,
      startedAt: '',
      secret: LAUNCH_SECRET,
    })
    writeLaunch(data, { url, pid: 1, startedAt: '', secret })
    const { exit, err } = await augury('login', '--local', '--api-url', real.url)
    expect([exit, err]).toEqual([0, ''])
    expect(config()).toMatchObject({ apiUrl: real.url })
  })

  it('refuses a service that is not the one of the data folder', async () => {
    const ran = await augury('login', '--local', '--api-url', 'http://127.0.0.1:1')
    expect([ran.exit, ran.err]).toEqual([4, expect.stringContaining('is not the service of')])
  })

  // [client.config-file.curable]
  it.each([5, 'svct_live_wrong'])('repairs a file whose apiKey is %j', async (apiKey) => {
    mkdirSync(join(line.home, '.augury'), { mode: 0o700 })
    writeFileSync(configPath(), JSON.stringify({ apiKey, later: 1 }), { mode: 0o600 })
    expect((await augury('login', '--local')).exit).toBe(0)
    expect(config()).toMatchObject({
      apiKey: expect.stringMatching(/^svc_live_/) as string,
      later: 1,
    })
  })
})
