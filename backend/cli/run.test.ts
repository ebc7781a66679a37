import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunch } from '../lib/files/launch-file.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { UNATTENDED } from '../testing/command-line.ts'
import { runCli } from './run.ts'

interface Answer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Record<string, string>
  /** Ends the connection without an answer. */
  readonly cut?: true
}

let server: Server
let url: string
let home: string
let requested: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
let answers: (path: string, nth: number) => Answer

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'augury-cli-'))
  requested = []
  answers = () => ({ body: {} })
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      requested.push({ method, url: path, headers, body })
      const answer = answers(path, requested.length)
      if (answer.cut === true) return request.socket.destroy()
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      response.writeHead(answer.status ?? 200, answer.headers).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true, force: true })
})

interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

async function augury(
  args: string[],
  more: { env?: Record<string, string>; signal?: AbortSignal; isInteractive?: boolean } = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const clock = new FakeClock()
  const { signal = new AbortController().signal, env = { AUGURY_API_URL: url } } = more
  const ended = new AbortController()
  const running = runCli(args, {
    env: { HOME: home, ...env },
    cwd: home,
    home,
    platform: 'linux',
    clock,
    signal,
    ...UNATTENDED,
    isInteractive: more.isInteractive ?? false,
    print: (text) => (out += text),
    report: (text) => (err += text),
  }).finally(() => ended.abort())
  while (!ended.signal.aborted) await clock.advance(500)
  return { exit: await running, out, err }
}

const row = {
  title: 'Will it \u001b[31mrain?',
  ticker: 'KXRAIN-1',
  venue: 'venue_a',
  price: 63.5,
  bestBid: 63,
  bestAsk: null,
  change24h: -2.25,
  volume24h: 12345,
  closeTime: null,
}

describe('augury markets', () => {
  // [client.cli.reads]
  it('prints a table: title first, ticker last, dollars for all venues, no control characters', async () => {
    const inDollars = { ...row, ticker: '0x1', venue: 'venue_b' }
    answers = () => ({ body: { markets: [row, inDollars], nextCursor: null, hasMore: false } })
    const { exit, out, err } = await augury(['markets', '--q', 'rain', '--limit', '5'])
    expect(out.split('\n').slice(0, 3)).toEqual([
      'Title              Price  Bid  Ask     24h   USD 24h  Closes  Venue       Ticker',
      'Will it [31mrain?  63.5¢  63¢    –  -2.25¢  7,839.08  –       Kalshi      KXRAIN-1',
      'Will it [31mrain?  63.5¢  63¢    –  -2.25¢    12,345  –       Polymarket  0x1',
    ])
    expect([exit, err]).toEqual([0, ''])
    expect(requested[0]?.url).toBe('/api/public/markets?q=rain&limit=5')
  })

  // [client.cli.json]
  it('prints the route’s body unchanged with --json', async () => {
    const body = '{"markets":[],  "nextCursor":null,"unknown":1.50}'
    answers = () => ({ body })
    const { out, err } = await augury(['markets', '--json', '--as-of', '2026-01-01T00:00:00Z'])
    expect([out, err]).toEqual([`${body}\n`, ''])
    expect(requested[0]?.url).toBe('/api/public/markets?asOf=2026-01-01T00%3A00%3A00Z')
  })

  it('follows the pages with --all', async () => {
    answers = (path) => ({
      body: { markets: [row], nextCursor: path.includes('cursor=two') ? null : 'two' },
    })
    const { out } = await augury(['markets', '--all'])
    expect(out.match(/KXRAIN-1/g)).toHaveLength(2)
    expect(requested).toHaveLength(2)
  })

  it('prints how to continue when there is more', async () => {
    answers = () => ({ body: { markets: [row], nextCursor: 'two' } })
    expect((await augury(['markets'])).err).toBe('More with: --cursor two\n')
    expect((await augury(['markets', '--quiet'])).err).toBe('')
  })
})

describe('augury market', () => {
  // [client.cli.reads]
  it('prints name: value lines and the book', async () => {
    const market = { ...row, volumeUnit: 'usd', volume: 10, description: 'Rules\nof it' }
    answers = () => ({ body: { ...market, bidLevels: [{ price: 63, size: 1000 }], askLevels: [] } })
    const { out } = await augury(['market', 'KX/1', '--depth'])
    expect(requested[0]?.url).toBe('/api/public/market/KX%2F1?depth=true')
    expect(out).toContain('price: 63.5¢\nbid: 63¢\nask: –\n')
    expect(out).toContain('volume: 10 USD\n')
    expect(out).toContain('rules: Rules of it\n')
    expect(out).toContain('Bid size  Bid  Ask  Ask size\n   1,000  63¢    –         –\n')
  })
})

describe('augury candles', () => {
  // [client.cli.reads]
  const bar = { t: 1, at: '2026-01-01T00:00:00.000Z', o: 1, h: 2.5, l: 1, c: 2, v: null }
  it('prints bars as a table or as CSV', async () => {
    answers = () => ({ body: { candles: [{ ...bar, partial: true }] } })
    const { out } = await augury(['candles', 'KXA', '--tf', '1h'])
    expect(out).toContain('2026-01-01 00:00    1¢  2.5¢   1¢     2¢       –  open\n')
    const csv = await augury(['candles', 'KXA', '--csv'])
    expect(csv.out).toBe('t,at,o,h,l,c,v\n1,2026-01-01T00:00:00.000Z,1,2.5,1,2,\n')
  })
})

describe('exit codes', () => {
  it.each([
    [400, 2],
    [401, 4],
    [403, 4],
    [404, 5],
    [410, 5],
    [409, 8],
    [429, 6],
    [500, 1],
    [502, 1],
    [503, 1],
  ])('answers %i with %i', async (status, exit) => {
    answers = () => ({ status, body: { error: 'said so', code: 'CODE' } })
    const ran = await augury(['markets'])
    const advice = status === 401 ? 'Sign in with: augury login\n' : ''
    expect(ran).toEqual({ exit, out: '', err: `augury: said so\n${advice}` })
  })

  it.each([
    [['mrket'], 'augury: unknown command "mrket"\nNearest: market, markets, screen\n'],
    [['markets', '--colour'], 'augury: unknown flag --colour\n'],
    [
      ['market'],
      'augury: wrong number of arguments after market\nUsage: augury market TICKER [--depth] [--cv-preset arb|world|detail|browse]\n',
    ],
    [['candles', 'A', '--csv', '--json'], /"USAGE".*--csv and --json/],
    [['markets', '--api-url', 'ftp://x'], /must be an http or https address/],
    [[], 'augury: no command was given\nSee: augury --help\n'],
  ])('is 2 for %j', async (args, pattern) => {
    const { exit, out, err } = await augury(args)
    expect([exit, out]).toEqual([2, ''])
    expect(err).toMatch(pattern)
    expect(requested).toEqual([])
  })

  it('is 7 when the service does not respond, with the command that starts it', async () => {
    const env = { AUGURY_API_URL: 'http://127.0.0.1:1' }
    const { exit, err } = await augury(['markets'], { env })
    expect(exit).toBe(7)
    expect(err).toBe('augury: No service at http://127.0.0.1:1. Start it with: augury serve\n')
  })

  it('is 130 when the user interrupts', async () => {
    const { exit, err } = await augury(['markets'], { signal: AbortSignal.abort() })
    expect([exit, err]).toEqual([130, 'augury: interrupted\n'])
  })

  // [client.cli.foreign-text]
  it.each([
    ['markets', []],
    ['whoami', ['--api-key', 'svc_live_x']],
    ['keys', ['--api-key', 'svc_live_x']],
  ])(
    'is 1 if %s responds with something other than JSON, which is not printed',
    async (name, more) => {
      answers = () => ({ body: '<html>\u001b[31m' })
      const text = await augury([name, ...more])
      expect(text).toEqual({
        exit: 1,
        out: '',
        err: `augury: The service did not answer with JSON\nCheck that ${url} is the address of the service.\n`,
      })
      const json = await augury([name, ...more, '--json'])
      expect([json.exit, json.out]).toEqual([1, ''])
      expect(JSON.parse(json.err)).toMatchObject({
        error: { code: 'NOT_JSON', status: 200, details: null },
      })
    },
  )

  it('prints markdown on request, and with --json never in place of JSON', async () => {
    answers = () => ({ body: '# World\u001b[31m' })
    expect(await augury(['world'])).toEqual({ exit: 0, out: '# World[31m\n', err: '' })
    expect((await augury(['world', '--json'])).exit).toBe(1)
  })

  it('prints no control characters, whatever failed', async () => {
    const wrong = '1\u001b[31m\u009b1m'
    const { exit, err } = await augury(['markets', '--limit', wrong])
    expect([exit, err]).toEqual([2, 'augury: --limit must be a number, was "1[31m1m"\n'])
    const { err: json } = await augury(['markets', '--limit', wrong, '--json'])
    expect(JSON.parse(json)).toMatchObject({
      error: { message: '--limit must be a number, was "1[31m1m"' },
    })
    answers = () => ({ body: { markets: [], nextCursor: '\u001b[31mtwo' } })
    expect((await augury(['markets'])).err).toBe('More with: --cursor [31mtwo\n')
  })

  // [client.cli.json]
  it('prints a failure as one JSON document with --json', async () => {
    answers = () => ({ status: 404, body: { error: 'Market not found', code: 'NOT_FOUND' } })
    const { exit, out, err } = await augury(['market', 'X', '--json'])
    expect([exit, out]).toEqual([5, ''])
    expect(JSON.parse(err)).toEqual({
      ok: false,
      command: 'market',
      error: { code: 'NOT_FOUND', message: 'Market not found', status: 404, details: null },
      meta: { fetchedAt: expect.stringMatching(/^2026-11-20T14:00/) },
    })
  })
})

describe('retrying', () => {
  const page = { body: { markets: [], nextCursor: null } }
  it('retries twice after a 503, a 502 or a lost connection', async () => {
    answers = (_, nth) =>
      nth === 1 ? { status: 503, body: {} } : nth === 2 ? { body: '', cut: true } : page
    expect((await augury(['markets'])).exit).toBe(0)
    expect(requested).toHaveLength(3)
  })

  it('prints when to retry while the service is not ready', async () => {
    const body = { error: 'The first world snapshot is being computed', code: 'NOT_READY' }
    answers = () => ({ status: 503, body, headers: { 'retry-after': '5' } })
    const { exit, err } = await augury(['markets'])
    expect([exit, err]).toEqual([
      1,
      'augury: The first world snapshot is being computed\nTry again in 5 s\n',
    ])
  })

  it('waits once when the service states a delay, only with --wait', async () => {
    answers = (_, nth) =>
      nth === 1 ? { status: 429, body: {}, headers: { 'retry-after': '7' } } : page
    expect((await augury(['markets'])).exit).toBe(6)
    requested = []
    expect((await augury(['markets', '--wait'])).exit).toBe(0)
    expect(requested).toHaveLength(2)
  })
})

describe('address and credential', () => {
  const page = { body: { markets: [], nextCursor: null } }
  const configure = (content: string, mode = 0o600): void => {
    mkdirSync(join(home, '.augury'), { recursive: true, mode: 0o700 })
    writeFileSync(join(home, '.augury', 'config.json'), content, { mode })
  }

  it('finds the service of a data folder by its launch file', async () => {
    answers = () => page
    writeLaunch(join(home, 'data'), { url, pid: 1, startedAt: '', secret: 's' })
    expect((await augury(['markets', '--data', 'data'], { env: {} })).exit).toBe(0)
    expect(requested[0]?.headers.authorization).toBeUndefined()
  })

  it('sends a stored key only to the origin it was stored for', async () => {
    answers = () => page
    configure(JSON.stringify({ apiKey: 'svc_live_x', apiUrl: url }))
    await augury(['markets'], { env: {} })
    expect(requested[0]?.headers.authorization).toBe('Bearer svc_live_x')
    configure(JSON.stringify({ apiKey: 'svc_live_x', apiUrl: 'http://127.0.0.1:1' }))
    await augury(['markets', '--api-url', url], { env: {} })
    expect(requested[1]?.headers.authorization).toBeUndefined()
    await augury(['markets', '--api-url', url, '--api-key', 'other'], { env: {} })
    expect(requested[2]?.headers.authorization).toBe('Bearer other')
  })

  it('restricts a file that others could read, with a notice', async () => {
    answers = () => page
    configure('{}', 0o644)
    const { err } = await augury(['markets'])
    expect(err).toContain('its mode is now 600')
    expect(statSync(join(home, '.augury', 'config.json')).mode & 0o777).toBe(0o600)
  })

  it('stops at an invalid file', async () => {
    configure('{"apiKey":')
    expect(await augury(['markets'])).toMatchObject({ exit: 2, out: '' })
    expect(requested).toEqual([])
  })
})

describe('augury import', () => {
  const file = { path: '/a/b/c.json', layout: 'pmus_quotes', rowsTaken: 1200, rowsKnown: 0 }
  const run = (state: string, more = {}) => ({
    id: 'imp_1',
    state,
    startedAt: null,
    endedAt: null,
    files: [{ ...file, rowsRefused: 0, reasons: [], error: null, ...more }],
  })
  const serviceThat = (last: object): void => {
    writeLaunch(join(home, 'data'), { url, pid: 1, startedAt: '', secret: 'secret' })
    let polls = 0
    answers = (path) => {
      if (path === '/api/health') return { body: {} }
      if (path === '/api/imports') return { status: 202, body: { id: 'imp_1' } }
      polls += 1
      return { body: polls === 1 ? run('running') : last }
    }
  }
  const importing = (...more: string[]) => augury(['import', 'x.json', '--data', 'data', ...more])

  it('authenticates with the launch file and prints the report', async () => {
    serviceThat(run('done'))
    const { exit, out, err } = await importing('--venue', 'venue_b', '--dry-run')
    expect(exit).toBe(0)
    const post = requested.find(({ method }) => method === 'POST')
    expect(post?.headers.authorization).toBe('Launch secret')
    expect(JSON.parse(post?.body ?? '')).toEqual({
      paths: [join(home, 'x.json')],
      venue: 'venue_b',
      dryRun: true,
    })
    expect(out).toContain('b/c.json  pmus_quotes  1,200      0        0\n')
    expect(err).toBe('/a/b/c.json: 1,200 taken, 0 known, 0 refused\n')
  })

  it('prints progress at least once a second', async () => {
    writeLaunch(join(home, 'data'), { url, pid: 1, startedAt: '', secret: 'secret' })
    let polls = 0
    answers = (path) => {
      if (path === '/api/health') return { body: {} }
      if (path === '/api/imports') return { status: 202, body: { id: 'imp_1' } }
      polls += 1
      return { body: polls < 6 ? run('running') : run('done') }
    }
    const { err } = await importing()
    const lines = err.trim().split('\n')
    expect(lines[0]).toBe('/a/b/c.json: 1,200 taken, 0 known, 0 refused')
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^\d+ s: running, 1,200 rows, 1 of 1 files read$/)
    }
  })

  it.each([
    ['a file failed', run('done', { error: 'cut short' }), [], 1],
    ['rows were refused', run('done', { rowsRefused: 2 }), [], 0],
    ['rows were refused under --strict', run('done', { rowsRefused: 2 }), ['--strict'], 8],
    ['everything failed', run('failed', { error: 'cut short' }), [], 1],
  ])('ends with the code of its outcome: %s', async (_, last, flags, exit) => {
    serviceThat(last)
    expect((await importing(...flags, '--json')).exit).toBe(exit)
    const post = requested.find(({ method }) => method === 'POST')
    const { strict = false } = JSON.parse(post?.body ?? '') as { strict?: boolean }
    expect(strict).toBe(flags.includes('--strict'))
  })

  it('refuses an unknown venue before it sends a request', async () => {
    expect((await importing('--venue', 'c')).exit).toBe(2)
    expect(requested).toEqual([])
  })
})
