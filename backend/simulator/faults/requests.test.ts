import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createSimulator } from '../simulator.ts'
import type { Simulator } from '../simulator.ts'

const running: Simulator[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((simulator) => simulator.close()))
})

async function start(): Promise<{ simulator: Simulator; clock: FakeClock }> {
  const clock = new FakeClock()
  const simulator = await createSimulator({ seed: 7, markets: 60, clock })
  running.push(simulator)
  return { simulator, clock }
}

const controlOf = ({ venueA }: Simulator, path: string): URL =>
  new URL(`/control/${path}`, venueA.baseUrl)
const script = (simulator: Simulator, ...steps: object[]): Promise<Response> =>
  fetch(controlOf(simulator, 'script'), {
    method: 'POST',
    body: JSON.stringify({ steps: steps.map((step) => ({ venue: 'venue_a', ...step })) }),
  })
const statusUrl = ({ venueA }: Simulator): string => `${venueA.baseUrl}/exchange/status`
const seriesUrl = ({ venueA }: Simulator): string => `${venueA.baseUrl}/series`

describe('a scripted venue', () => {
  it('fails for a time on the named route, and reports what it affected', async () => {
    const { simulator, clock } = await start()
    const at = clock.now()
    await script(simulator, {
      kind: 'status',
      status: 429,
      retryAfter: 30,
      retryAsDate: true,
      at: 1_000,
      forMs: 10_000,
      route: 'exchange',
    })
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
    await clock.advance(1_000)
    const refused = await fetch(statusUrl(simulator))
    expect(refused.status).toBe(429)
    expect(Date.parse(refused.headers.get('retry-after') ?? '')).toBe(clock.now() + 30_000)
    expect(await refused.json()).toEqual({ error: 'too many requests' })
    expect((await fetch(seriesUrl(simulator))).status).toBe(200)
    await clock.advance(10_000)
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
    const listed = await fetch(controlOf(simulator, 'faults'))
    expect(await listed.json()).toMatchObject({
      faults: [
        {
          kind: 'status',
          state: 'over',
          effectCount: 1,
          from: at + 1_000,
          to: at + 11_000,
          listedEffects: [{ at: at + 1_000, where: 'GET /trade-api/v2/exchange/status' }],
        },
      ],
    })
  })

  it('refuses a script with an unknown step', async () => {
    const { simulator } = await start()
    const answer = await script(simulator, { kind: 'status' }, { kind: 'mood' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: 'steps[1]: kind is unknown' })
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
  })

  it('cuts connections, bodies and compressed bodies', async () => {
    const { simulator } = await start()
    const kinds = ['reset', 'truncate', 'truncated-gzip', 'malformed-json']
    await script(simulator, ...kinds.map((kind) => ({ kind })))
    for (const kind of kinds) {
      const read = fetch(statusUrl(simulator)).then((answer) => answer.json())
      await expect(read, kind).rejects.toThrow()
    }
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
  })

  it('does not respond at all', async () => {
    const { simulator } = await start()
    await script(simulator, { kind: 'hang' })
    const leave = new AbortController()
    let isAnswered = false
    const requested = fetch(statusUrl(simulator), { signal: leave.signal }).then(() => {
      isAnswered = true
    })
    // The next request gets a response while the first is still pending.
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
    expect(isAnswered).toBe(false)
    leave.abort()
    await expect(requested).rejects.toThrow('aborted')
  })

  it('sends a body one byte per second', async () => {
    const { simulator, clock } = await start()
    await script(simulator, { kind: 'slow-body' })
    const received: string[] = []
    const opened = Promise.withResolvers<void>()
    const sent = request(statusUrl(simulator), (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => received.push(text))
      response.on('error', () => undefined)
      opened.resolve()
    })
    sent.on('error', () => undefined)
    sent.end()
    await opened.promise
    for (let second = 1; second <= 5; second += 1) {
      await clock.advance(1_000)
      await eventually(() => expect(received.length).toBeGreaterThanOrEqual(second))
    }
    expect(received.join('').length).toBeLessThanOrEqual(6)
    sent.destroy()
  })

  it('sends a body of the configured size', async () => {
    const { simulator } = await start()
    await script(simulator, { kind: 'oversized', bytes: 3_000_000 })
    const body = await (await fetch(statusUrl(simulator))).text()
    expect(body.length).toBeGreaterThanOrEqual(3_000_000)
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['padding'])
  })

  it('answers normally while the fault does not apply to a response', async () => {
    const { simulator } = await start()
    await script(simulator, { kind: 'repeated-cursor' })
    expect((await fetch(statusUrl(simulator))).status).toBe(200)
    const first = (await (await fetch(`${simulator.venueA.baseUrl}/events?limit=1`)).json()) as {
      cursor: string
    }
    const next = `${simulator.venueA.baseUrl}/events?limit=1&cursor=${first.cursor}`
    expect(await (await fetch(next)).json()).toMatchObject({ cursor: first.cursor })
    expect(await (await fetch(next)).json()).not.toMatchObject({ cursor: first.cursor })
  })
})
