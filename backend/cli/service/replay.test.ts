import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openHistory } from '../../history/duckdb/open.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunch } from '../../lib/files/launch-file.ts'
import { silentLogger } from '../../lib/logger.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'

const STATE = {
  state: 'paused',
  now: '2026-11-20T11:00:00.000Z',
  speed: 'step',
  from: '2026-11-20T11:00:00.000Z',
  to: '2026-11-20T14:00:00.000Z',
}

const PAGE = '<!doctype html><title>report</title>'
const REPORT = {
  files: ['/kept/report.html'],
  report: {
    strategy: 'agent',
    profit: -1.5,
    fees: 0.25,
    trades: 3,
    events: 90,
    markets: 2,
    maxDrawdown: 0.01,
    hitRate: null,
    returns: { sharpe: null, totalReturn: -0.0003 },
    entries: null,
    invalidatedBy: ['Little was traded.'],
    realised: 0,
    capacity: null,
    intervals: { daily: null, perEvent: null },
    study: null,
  },
}

let server: Server
let line: CommandLine
let url: string
let requested: string[]
beforeEach(async () => {
  requested = []
  line = commandLine()
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const who = request.headers.authorization ?? 'nobody'
      requested.push(`${request.method} ${request.url} ${body} ${who}`)
      const isPage = request.url?.endsWith('format=html') === true
      const isReport = request.url?.startsWith('/api/replay/report') === true
      response.setHeader('content-type', isPage ? 'text/html' : 'application/json')
      response.end(isPage ? PAGE : JSON.stringify(isReport ? { ...STATE, ...REPORT } : STATE))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  line.remove()
})

const AUGURY = fileURLToPath(new URL('../augury.mjs', import.meta.url))

/** The command as a separate process, because a replay writes to its own output. */
async function spawned(args: readonly string[]): Promise<{ exit: number | null; err: string }> {
  const child = spawn(process.execPath, [AUGURY, ...args], {
    cwd: line.home,
    env: { ...process.env, HOME: line.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { exit, err }
}

const runs = (pid = 7): void =>
  writeLaunch(join(line.home, 'data', 'replay', String(pid)), {
    url,
    pid,
    startedAt: '2026-11-20T14:00:00.000Z',
    secret: 'secret',
  })

describe('augury replay', () => {
  // [replay.client.verbs]
  it.each([
    // A public route refuses the secret.
    [['state'], 'GET /api/replay  nobody'],
    [['pause'], 'POST /api/replay/pause  Launch secret'],
    [['resume'], 'POST /api/replay/resume  Launch secret'],
    [['step'], 'POST /api/replay/step {} Launch secret'],
    [['step', '90'], 'POST /api/replay/step {"n":90} Launch secret'],
    [['speed', '600'], 'POST /api/replay/speed {"speed":600} Launch secret'],
    [['speed', 'max'], 'POST /api/replay/speed {"speed":"max"} Launch secret'],
    [
      ['seek', '2026-11-20T12:00:00Z'],
      'POST /api/replay/seek {"to":"2026-11-20T12:00:00Z"} Launch secret',
    ],
  ])('%j calls the replay of the data folder', async (words, request) => {
    runs()
    const { exit, out } = await line.run(['replay', ...words])
    expect([exit, requested]).toEqual([0, [request]])
    expect(out).toContain('now: 2026-11-20T11:00:00.000Z\nstate: paused\nspeed: step\n')
  })

  it('calls a named one with its own key', async () => {
    const { exit } = await line.run([
      'replay',
      'pause',
      '--api-url',
      url,
      '--api-key',
      `svc_live_${'a'.repeat(43)}`,
    ])
    expect([exit, requested]).toEqual([
      0,
      [`POST /api/replay/pause  Bearer svc_live_${'a'.repeat(43)}`],
    ])
  })

  it.each([
    [['state'], 7, 'No replay of'],
    [['reports'], 2, 'replay has the verbs state, pause'],
    [['pause', '--html', 'x.html'], 2, '--html is for replay report'],
    [['--from', '2026-11-20', '--html', 'x.html'], 2, '--html is for replay report'],
    [['report', 'now'], 2, 'Usage: augury replay report'],
    [['step', '0'], 2, 'step takes a number of seconds above 0'],
    [['seek'], 2, 'Usage: augury replay seek T'],
    [['pause', '--from', '2026-11-20'], 2, '--from starts a replay'],
  ])('refuses %j', async (words, exit, message) => {
    const ran = await line.run(['replay', ...words])
    expect([ran.exit, ran.err]).toEqual([exit, expect.stringContaining(message)])
  })

  // [replay.client.report]
  it('prints the report, and writes its page to a new file', async () => {
    runs()
    const first = await line.run(['replay', 'report', '--html', 'report.html'])
    expect([first.exit, first.err]).toEqual([0, ''])
    for (const line of [
      'profit: -$1.50',
      'trades: 3',
      'caveat: Little was traded.',
      'file: /kept',
    ]) {
      expect(first.out).toContain(line)
    }
    expect(readFileSync(join(line.home, 'report.html'), 'utf8')).toBe(PAGE)
    const second = await line.run(['replay', 'report', '--html', 'report.html'])
    expect([second.exit, second.err]).toEqual([2, expect.stringContaining('exists already')])
    expect(second.err).toContain('Name another file with --html FILE.')
    const nowhere = await line.run(['replay', 'report', '--html', 'no/such/folder.html'])
    expect([nowhere.exit, nowhere.err]).toEqual([2, expect.stringContaining('cannot be written')])
    const json = await line.run(['replay', 'report', '--json'])
    expect(JSON.parse(json.out)).toMatchObject(REPORT)
  })

  // [replay.client.report]
  it('prints where reports are when no replay is running', async () => {
    const kept = join(line.home, 'data', 'replay-reports')
    for (const id of ['rp_1', 'rp_2']) mkdirSync(join(kept, id), { recursive: true })
    const { exit, err } = await line.run(['replay', 'report'])
    expect([exit, err]).toEqual([7, expect.stringContaining(join(kept, 'rp_2'))])
  })

  // [replay.start.held]
  it('ends with 3 and names the process that holds the folder, and continues when it is free', async () => {
    const dataDir = join(line.home, 'data')
    mkdirSync(dataDir, { recursive: true })
    const path = join(dataDir, 'history.duckdb')
    const holder = await openHistory({ path, logger: silentLogger })
    const start = ['replay', '--from', '2026-11-20', '--data', dataDir]
    const held = await spawned(start)
    await holder.close()
    expect([held.exit, held.err]).toEqual([3, expect.stringContaining(`Process ${process.pid} `)])
    expect(held.err).toContain('Stop it, or replay a restored backup with --data DIR.')
    const free = await spawned(start)
    expect([free.exit, free.err]).toEqual([2, expect.stringContaining('nothing to replay')])
  }, 60_000)

  // [replay.record.refused]
  it.each([
    [['--again', 'none.ndjson'], 'The recording none.ndjson cannot be read (ENOENT)'],
    [['--again', 'a.ndjson', '--from', '2026-11-20'], '--from cannot be combined with --again'],
    [['--again', 'a.ndjson', '--record', 'b'], '--record cannot be combined with --again'],
  ])('refuses to start with %j', async (args, message) => {
    const { exit, err } = await spawned(['replay', ...args, '--data', join(line.home, 'data')])
    expect([exit, err]).toEqual([2, expect.stringContaining(message)])
  })

  it.each([['replay', 'pause'], ['portfolio', 'state'], ['open']])(
    'requires a choice when several are running: %s %s',
    async (...words) => {
      runs(7)
      runs(8)
      const { exit, err } = await line.run(words)
      expect([exit, err]).toEqual([2, expect.stringContaining('Several replays run')])
    },
  )

  // [replay.client.owner]
  it('is the service of its folder for every command while no other runs there', async () => {
    runs()
    await line.run(['portfolio', 'state', '--json'])
    await line.run(['world', '--json'])
    expect(requested).toEqual([
      'GET /api/portfolio/state  Launch secret',
      expect.stringMatching(/^GET \/api\/agent\/world\S* {2}nobody$/),
    ])
    const elsewhere = 'http://127.0.0.1:1'
    const dataDir = join(line.home, 'data')
    writeLaunch(dataDir, { url: elsewhere, pid: 8, startedAt: STATE.now, secret: 'other' })
    const named = await line.run(['portfolio', 'state', '--json', '--api-url', url])
    expect([named.exit, requested.at(-1)]).toEqual([0, 'GET /api/portfolio/state  Launch secret'])
    const { exit, err } = await line.run(['portfolio', 'state'])
    expect([exit, err]).toEqual([7, expect.stringContaining(elsewhere)])
  })
})
