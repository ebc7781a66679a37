import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { json, startScriptServer, type ScriptServer } from '../../testing/script-server.ts'

let line: CommandLine
let folder: string
let path: string
beforeEach(() => {
  line = commandLine()
  folder = join(line.home, '.augury')
  path = join(folder, 'config.json')
})
afterEach(() => line.remove())

const augury = (...args: string[]) => line.run(args)
const modeOf = (place: string) => statSync(place).mode & 0o777
const stored = () => JSON.parse(readFileSync(path, 'utf8')) as unknown
function write(content: string, mode = 0o600): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, content, { mode })
}

const KEY = `svc_live_${'k'.repeat(43)}`

describe('augury config', () => {
  // [client.config-file.private]
  it('creates the file readable by its owner only, and prints its path', async () => {
    expect((await augury('config', 'path')).out).toBe(`${path}\n`)
    expect((await augury('config')).out).toBe('')
    expect((await augury('config', 'set', 'defaultModel', 'heavy')).exit).toBe(0)
    expect([modeOf(path), modeOf(folder)]).toEqual([0o600, 0o700])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  it.each([
    ['', () => path],
    ['own.json', () => join(line.home, 'own.json')],
  ])('with AUGURY_CONFIG %j uses that path', async (named, expected) => {
    const env = { HOME: line.home, AUGURY_CONFIG: named }
    expect((await line.run(['config', 'path'], { env })).out).toBe(`${expected()}\n`)
    await line.run(['config', 'set', 'defaultModel', 'heavy'], { env, cwd: line.home })
    expect(readFileSync(expected(), 'utf8')).toContain('heavy')
  })

  // [client.config-file.tightened]
  it('restricts what others could read, once, with one line each', async () => {
    write('{}', 0o644)
    chmodSync(folder, 0o755)
    const first = await augury('config')
    expect(first.err.trimEnd().split('\n')).toEqual([
      `augury: ${path} was readable by others; its mode is now 600`,
      `augury: ${folder} was readable by others; its mode is now 700`,
    ])
    expect([modeOf(path), modeOf(folder)]).toEqual([0o600, 0o700])
    expect((await augury('config')).err).toBe('')
  })

  it('does not change the mode of a folder that the user chose', async () => {
    const own = mkdtempSync(join(tmpdir(), 'augury-own-'))
    chmodSync(own, 0o755)
    const named = join(own, 'c.json')
    writeFileSync(named, '{}', { mode: 0o666 })
    const env = { HOME: line.home, AUGURY_CONFIG: named }
    await line.run(['config', 'set', 'defaultModel', 'medium'], { env })
    expect([modeOf(own), modeOf(named)]).toEqual([0o755, 0o600])
    rmSync(own, { recursive: true })
  })

  // [client.config-file.unknown-kept]
  it('keeps unknown keys, in their order', async () => {
    write('{"later":[1,{"a":null}],"apiUrl":"http://127.0.0.1:1","__proto__":{"x":1}}')
    await augury('config', 'set', 'venueBWalletAddress', '0xabc')
    await augury('config', 'unset', 'apiUrl')
    expect(readFileSync(path, 'utf8')).toBe(
      `${JSON.stringify(JSON.parse('{"later":[1,{"a":null}],"__proto__":{"x":1},"venueBWalletAddress":"0xabc"}'), null, 2)}\n`,
    )
  })

  // [client.config-file.broken-untouched]
  it.each([
    ['{"apiKey":"svc_live_secret",\n oops}', 'is not JSON: syntax error in line 2'],
    ['{"apiKey":"svc_live_secret"', 'is not JSON'],
    ['["svc_live_secret"]', 'must hold a JSON object'],
  ])('stops at %j, prints nothing of it and does not change it', async (content, message) => {
    write(content, 0o644)
    const before = statSync(path)
    for (const args of [['config'], ['config', 'set', 'defaultModel', 'cheap'], ['whoami']]) {
      const ran = await augury(...args)
      expect([ran.exit, ran.out, ran.err]).toEqual([2, '', expect.stringContaining(message)])
      expect(ran.err).not.toContain('secret')
    }
    expect([readFileSync(path, 'utf8'), statSync(path).mtimeMs]).toEqual([content, before.mtimeMs])
  })

  // [client.config-file.curable]
  it.each([
    ['apiKey', 5, 'must be text'],
    [
      'apiKey',
      'svct_live_wrong',
      'is for a service key (svc_live_…), was a key that starts with svct_live_',
    ],
    ['apiUrl', 7, 'must be text'],
    ['apiUrl', 'ftp://x', 'must be an http or https address, was "ftp://x"'],
    ['defaultModel', 'best', 'must be one of cheap, medium, heavy'],
  ])(
    'holding %s %j is repaired by config, and other commands explain how',
    async (name, value, fault) => {
      write(JSON.stringify({ [name]: value, later: 1 }))
      const message = `augury: ${name} in ${path} ${fault}`
      expect(await augury('whoami')).toEqual({
        exit: 2,
        out: '',
        err: `${message}\nFix it with: augury config set ${name} VALUE, or: augury config unset ${name}\n`,
      })
      const listed = await augury('config')
      expect([listed.exit, listed.err]).toEqual([0, `${message}; it is ignored\n`])
      expect((await augury('config', 'path')).out).toBe(`${path}\n`)
      expect((await augury('config', 'unset', name)).exit).toBe(0)
      expect(stored()).toEqual({ later: 1 })
      expect((await augury('config')).err).toBe('')
    },
  )

  it('stores no key for an invalid address, and no address with an invalid key', async () => {
    write('{"apiUrl":"nowhere"}')
    const refused = await augury('config', 'set', 'apiKey', KEY)
    expect([refused.exit, refused.err]).toEqual([
      2,
      expect.stringContaining('a key is stored for apiUrl, which must be an http'),
    ])
    write('{"apiKey":5}')
    expect((await augury('config', 'set', 'apiUrl', 'http://127.0.0.1:1')).exit).toBe(0)
    expect((await augury('config', 'get', 'apiKey')).out).toBe('…\n')
    expect((await augury('config', 'set', 'apiKey', KEY)).exit).toBe(0)
    expect(stored()).toMatchObject({ apiKey: KEY, apiUrl: 'http://127.0.0.1:1' })
  })

  it('reads a file that begins with a byte order mark', async () => {
    write('\ufeff{"defaultModel":"heavy"}')
    expect((await augury('config', 'get', 'defaultModel')).out).toBe('heavy\n')
  })

  it('writes through a link and keeps it', async () => {
    write('{}')
    renameSync(path, join(line.home, 'real.json'))
    symlinkSync(join(line.home, 'real.json'), path)
    await augury('config', 'set', 'defaultModel', 'medium')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(stored()).toEqual({ defaultModel: 'medium' })
  })

  // [client.config-file.secrets-hidden]
  it('shows the beginning of secrets, all of them on request', async () => {
    write(JSON.stringify({ apiKey: KEY, dataApiKey: `svct_live_${'d'.repeat(43)}` }))
    expect((await augury('config')).out).toBe('apiKey: svc_live_kkk…\ndataApiKey: svct_live_dd…\n')
    expect((await augury('config', 'get', 'apiKey')).out).toBe('svc_live_kkk…\n')
    expect(JSON.parse((await augury('config', '--json')).out)).toMatchObject({
      apiKey: 'svc_live_kkk…',
    })
    expect((await augury('config', 'get', 'apiKey', '--reveal')).out).toBe(`${KEY}\n`)
  })

  // [client.config-file.secrets-hidden]
  it.each([
    ['', '…'],
    ['ab', '…'],
    ['abc', 'a…'],
    ['svc_live_x', 'svc…'],
    ['k'.repeat(12), 'kkkk…'],
    ['k'.repeat(36), `${'k'.repeat(12)}…`],
    [KEY, 'svc_live_kkk…'],
  ])('shows at most a third of %j', async (secret, masked) => {
    write(JSON.stringify({ apiKey: secret, dataApiKey: secret }))
    expect((await augury('config')).out).toBe(`apiKey: ${masked}\ndataApiKey: ${masked}\n`)
    expect(JSON.parse((await augury('config', 'get', 'apiKey', '--json')).out)).toEqual({
      apiKey: masked,
    })
  })

  it.each([
    [['get', 'apiUrl'], 0, 'http://127.0.0.1:4870\n'],
    [['get', 'defaultModel'], 0, 'cheap\n'],
    [['get', 'dataUrl'], 5, /dataUrl is not set/],
    [['get', 'apiurl'], 2, /unknown key "apiurl"\nNearest: apiUrl/],
    [['set', 'constructor', 'x'], 2, /unknown key/],
    [['set', 'apiUrl', 'ftp://x'], 2, /apiUrl must be an http or https address/],
    [['set', 'apiUrl', 'http://me:pw@x'], 2, /a user name/],
    [['set', 'apiKey', 'svct_live_x'], 2, /is for a service key/],
    [['set', 'apiKey', 'two words'], 2, /without spaces/],
    [['set', 'dataApiKey', 'svc_live_x'], 2, /is for a data-service key/],
    [['set', 'defaultModel', 'best'], 2, /one of cheap, medium, heavy/],
    [['set', 'venueAPrivateKeyPath', '--', '-----BEGIN KEY-----'], 2, /file that contains the key/],
    [['set', 'apiUrl'], 2, /Usage: augury config set KEY VALUE/],
    [['mend'], 2, /config has the verbs/],
    [['unset', 'apiKey'], 0, /^$/],
  ])('%j ends with %d', async (args, exit, message) => {
    const ran = await augury('config', ...args)
    expect([ran.exit, `${ran.out}${ran.err}`]).toEqual([exit, expect.stringMatching(message)])
  })

  it('keeps the full path of a private key, and never the key', async () => {
    await augury('config', 'set', 'venueAPrivateKeyPath', 'keys/venue.pem')
    expect(stored()).toEqual({ venueAPrivateKeyPath: join(line.home, 'keys', 'venue.pem') })
  })
})

describe('a stored key', () => {
  let server: ScriptServer
  let other: ScriptServer
  const page = () => json({ markets: [], nextCursor: null })
  beforeEach(async () => {
    server = await startScriptServer(page)
    other = await startScriptServer(page)
  })
  afterEach(async () => {
    await server.close()
    await other.close()
  })
  const sent = ({ requests }: ScriptServer) => requests.map(({ headers }) => headers.authorization)

  // [client.config-file.key-origin]
  it('is sent to the origin it was stored for, even after apiUrl was changed or removed', async () => {
    await augury('config', 'set', 'apiUrl', server.url)
    await augury('config', 'set', 'apiKey', KEY)
    await augury('markets')
    const changed = await augury('config', 'set', 'apiUrl', other.url)
    expect(changed.err).toBe(
      `The stored key stays with ${server.url} and is not sent to ${other.url}.\n`,
    )
    await augury('markets')
    await augury('config', 'unset', 'apiUrl')
    await augury('markets', '--api-url', other.url)
    await augury('markets', '--api-url', `${server.url}/`)
    expect(sent(server)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`])
    expect(sent(other)).toEqual([undefined, undefined])
  })

  it('does not follow a redirect', async () => {
    await server.close()
    server = await startScriptServer(() => json({}, 302, { location: `${other.url}/x` }))
    const ran = await augury('markets', '--api-url', server.url, '--api-key', KEY)
    expect([ran.exit, other.requests]).toEqual([1, []])
  })

  // [client.config-file.precedence]
  it('is overridden by the environment, and that by a flag', async () => {
    write(JSON.stringify({ apiKey: KEY, apiUrl: server.url }))
    const env = { HOME: line.home, AUGURY_API_KEY: 'svc_live_env', AUGURY_API_URL: other.url }
    await line.run(['markets'], { env })
    await line.run(['markets', '--api-key', 'svc_live_flag'], { env })
    await line.run(['markets', '--api-url', server.url], { env })
    expect(sent(other)).toEqual(['Bearer svc_live_env', 'Bearer svc_live_flag'])
    expect(sent(server)).toEqual(['Bearer svc_live_env'])
  })

  it.each(['0', '86401', '-1'])('does not wait %s seconds', async (seconds) => {
    const ran = await augury('markets', `--timeout=${seconds}`)
    expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining('--timeout')])
  })
})
