import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunch } from '../lib/launch-file.ts'
import { commandLine, type CommandLine } from '../testing/command-line.ts'
import { join } from 'node:path'

const STATE = {
  ...{ state: 'paused', now: '2026-11-20T11:00:00.000Z', speed: 'step' },
  ...{ from: '2026-11-20T11:00:00.000Z', to: '2026-11-20T14:00:00.000Z' },
}

let server: Server
let line: CommandLine
let url: string
let asked: string[]
beforeEach(async () => {
  asked = []
  line = commandLine()
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const who = request.headers.authorization ?? 'nobody'
      asked.push(`${request.method} ${request.url} ${body} ${who}`)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(STATE))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  line.remove()
})

const runs = (pid = 7): void =>
  writeLaunch(join(line.home, 'data', 'replay', String(pid)), {
    ...{ url, pid, startedAt: '2026-11-20T14:00:00.000Z', secret: 'secret' },
  })

describe('augury replay', () => {
  // [replay.client.verbs]
  it.each([
    [['state'], 'GET /api/replay  Launch secret'],
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
  ])('%j asks the replay of the data folder', async (words, request) => {
    runs()
    const { exit, out } = await line.run(['replay', ...words])
    expect([exit, asked]).toEqual([0, [request]])
    expect(out).toContain('now: 2026-11-20T11:00:00.000Z\nstate: paused\nspeed: step\n')
  })

  it('asks a named one with a key of its own', async () => {
    const { exit } = await line.run([
      ...['replay', 'pause', '--api-url', url, '--api-key', `svc_live_${'a'.repeat(43)}`],
    ])
    expect([exit, asked]).toEqual([
      0,
      [`POST /api/replay/pause  Bearer svc_live_${'a'.repeat(43)}`],
    ])
  })

  it.each([
    [['state'], 7, 'No replay of'],
    [['report'], 2, 'replay knows state, pause'],
    [['step', '0'], 2, 'step takes seconds above 0'],
    [['seek'], 2, 'takes another number of words'],
    [['pause', '--from', '2026-11-20'], 2, '--from starts a replay'],
  ])('refuses %j', async (words, exit, message) => {
    const ran = await line.run(['replay', ...words])
    expect([ran.exit, ran.err]).toEqual([exit, expect.stringContaining(message)])
  })

  it('asks which of several is meant', async () => {
    runs(7)
    runs(8)
    const { exit, err } = await line.run(['replay', 'pause'])
    expect([exit, err]).toEqual([2, expect.stringContaining('Several replays run')])
  })
})
