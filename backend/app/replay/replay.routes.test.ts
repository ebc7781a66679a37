import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { readReplayOptions } from './replay-options.ts'
import { openReplayHistory, spanOf } from './replay-service.ts'
import { eventually } from '../../testing/eventually.ts'
import { connectSocket } from '../../testing/socket-client.ts'
import {
  recordFolder,
  startReplayOf,
  type RecordedFolder,
  type RunningReplay,
} from '../../testing/replayed-folder.ts'

const START = '2026-11-20T14:00:00.000Z'
const FROM = Date.parse(START) - 6 * HOUR

let folder: RecordedFolder
beforeAll(async () => {
  folder = await recordFolder({ seed: 5, markets: 30, start: START, livedMs: 1_000 })
})
afterAll(() => folder.remove())

const tickersOf = async (replay: RunningReplay): Promise<string[]> => {
  const { text } = await replay.get('/api/public/markets?limit=200')
  const { markets } = JSON.parse(text) as { markets: { ticker: string }[] }
  return markets.map(({ ticker }) => ticker)
}

type Listening = RunningReplay & { readonly key: string; readonly topic: string }

/** Current epoch of a topic, read from the socket. */
async function epochOf({ url, key, topic }: Listening): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const client = await connectSocket(`${url.replace('http', 'ws')}/ws`, headers)
  await client.subscribe([topic])
  const { epoch } = await client.next('snapshot')
  await client.close()
  return epoch
}

describe('a replay in step mode', () => {
  let replay: RunningReplay
  beforeAll(async () => {
    replay = await startReplayOf(folder.dataDir, { from: FROM })
  })
  afterAll(() => replay.stop())

  // [replay.step.only-on-request]
  it('stays at its beginning until it is moved', async () => {
    const { status, text } = await replay.get('/api/replay')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      state: 'paused',
      now: new Date(FROM).toISOString(),
      from: new Date(FROM).toISOString(),
      to: expect.any(String) as string,
      speed: 'step',
    })
    const health = JSON.parse((await replay.get('/api/health')).text) as Record<string, unknown>
    expect([health['source'], health['time']]).toEqual(['replay', new Date(FROM).toISOString()])
    expect((await tickersOf(replay)).length).toBeGreaterThan(1)
  })

  it('moves by seconds, and to the next snapshot', async () => {
    const moved = await replay.post('step', { n: 90 })
    expect([moved.status, moved.body['now']]).toEqual([200, new Date(FROM + 90_000).toISOString()])
    const next = await replay.post('step')
    expect(next.body['now']).toBe(new Date(FROM + 5 * MINUTE + 2_000).toISOString())
    const world = await replay.get('/api/agent/world?format=json')
    expect(world.text).toContain(new Date(FROM + 5 * MINUTE).toISOString())
  })

  // [replay.socket.world]
  it('sends the world over the socket, and each later snapshot', async () => {
    const { key } = await replay.ask<{ key: string }>('POST', '/api/data-keys')
    const headers = { authorization: `Bearer ${key}` }
    const client = await connectSocket(`${replay.url.replace('http', 'ws')}/ws`, headers)
    try {
      await client.subscribe(['world'])
      const { data } = await client.next('snapshot', 'world')
      const { asOf } = data as { asOf: string }
      await replay.post('step')
      const { data: step } = await client.next('delta', 'world')
      expect(JSON.stringify(step)).toContain(new Date(Date.parse(asOf) + 5 * MINUTE).toISOString())
    } finally {
      await client.close()
    }
  }, 60_000)

  // [replay.input.refused]
  it('refuses invalid moves with a reason', async () => {
    const refusals: [verb: string, body: object, status: number, message: string][] = [
      ['step', { n: 0 }, 400, 'n must be above 0'],
      ['step', { n: -5 }, 400, 'n must be above 0'],
      ['step', { n: 1e9 }, 400, 'n must be above 0'],
      ['step', { n: 'ten' }, 400, 'n'],
      ['seek', {}, 400, 'to'],
      ['seek', { to: 'yesterday' }, 400, 'to must be an instant'],
      ['seek', { to: '2020-01-01T00:00:00Z' }, 400, 'to must lie within the replay'],
      ['seek', { to: '2030-01-01T00:00:00Z' }, 400, 'to must lie within the replay'],
      ['speed', { speed: 0 }, 400, 'speed must be above 0'],
      ['speed', { speed: -1 }, 400, 'speed must be above 0'],
      ['speed', { speed: 'fast' }, 400, 'speed must be above 0'],
      ['resume', {}, 409, 'In step mode time moves only by steps'],
    ]
    const before = (await replay.get('/api/replay')).text
    for (const [verb, body, status, message] of refusals) {
      const refused = await replay.post(verb, body)
      expect([verb, body, refused.status]).toEqual([verb, body, status])
      expect(String(refused.body['error'])).toContain(message)
    }
    expect((await replay.get('/api/replay')).text).toBe(before)
  })

  it('accepts moves from administrators only', async () => {
    const response = await fetch(`${replay.url}/api/replay/step`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  // [replay.control.run]
  it('runs at a speed, pauses on request, and refuses steps while running', async () => {
    expect((await replay.post('speed', { speed: 600 })).body['state']).toBe('paused')
    expect((await replay.post('resume')).body['state']).toBe('running')
    const step = await replay.post('step', { n: 1 })
    expect([step.status, step.body['error']]).toEqual([
      409,
      'The replay is running; pause it before a step',
    ])
    const started = replay.replay.control.position().now
    await eventually(() => expect(replay.replay.control.position().now).toBeGreaterThan(started))
    const paused = await replay.post('pause')
    expect(paused.body['state']).toBe('paused')
    expect(JSON.parse((await replay.get('/api/replay')).text)).toEqual(paused.body)
  })

  // [replay.control.seek]
  it('seeks back, drops what came after, and restarts its streams', async () => {
    const created = await fetch(`${replay.url}/api/data-keys`, {
      method: 'POST',
      headers: { authorization: `Launch ${replay.secret}` },
    })
    const { key } = (await created.json()) as { key: string }
    const topic = `ticker:${(await tickersOf(replay))[0] ?? ''}`
    const epochBefore = await epochOf({ ...replay, key, topic })
    await replay.post('speed', { speed: 'step' })
    const sought = await replay.post('seek', { to: new Date(FROM).toISOString() })
    expect(sought.body).toMatchObject({ now: new Date(FROM).toISOString(), state: 'paused' })
    const world = await replay.get('/api/agent/world?format=json')
    expect(world.text).not.toContain(new Date(FROM + 5 * MINUTE).toISOString())
    expect(await epochOf({ ...replay, key, topic })).not.toBe(epochBefore)
  })

  // [replay.speed.max]
  it('runs to its end at full speed', async () => {
    await replay.post('speed', { speed: 'max' })
    await replay.post('resume')
    const hasEnded = async () => (await replay.get('/api/replay')).text.includes('"ended"')
    await vi.waitUntil(hasEnded, { timeout: 120_000, interval: 20 })
    const step = await replay.post('step', { n: 1 })
    expect([step.status, String(step.body['error'])]).toEqual([
      409,
      'The replay has ended; seek an earlier time to continue',
    ])
  })
})

describe('a folder that cannot be replayed', () => {
  const at = (from: number, to: number | null = null) => ({
    from: from as Millis,
    to: to as Millis | null,
  })

  // [replay.start.range]
  it('is refused when nothing is stored', async () => {
    const tape = await openReplayHistory(folder.dataDir)
    try {
      const { first = 0, last = 0 } = tape.span ?? {}
      expect(() => spanOf(tape, at(first - 1))).toThrow('--from is before the first record')
      expect(() => spanOf(tape, at(last))).toThrow('--from is after the last record')
      expect(spanOf(tape, at(first))).toEqual({ from: first, to: last })
    } finally {
      tape.close()
    }
  })

  it('is distinguished from one without a history', async () => {
    await expect(openReplayHistory('/nowhere/at/all')).rejects.toThrow('There is no history in')
  })

  it.each([
    [[], '--from is required'],
    [['--from', 'soon'], '--from must be an instant'],
    [['--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z'], '--to must be after'],
    [['--from', '2026-01-02T00:00:00Z', '--speed', '0'], '--speed must be above 0'],
    [['--from', '2026-01-02T00:00:00Z', '--speed'], '--speed needs a value'],
  ])('refuses the arguments %j', (argv, message) => {
    expect(() => readReplayOptions(argv)).toThrow(message)
  })
})
