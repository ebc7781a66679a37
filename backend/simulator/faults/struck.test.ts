import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  connect,
  flush,
  KEYS,
  openTickersOfA,
  start,
  text,
} from '../../testing/simulated-venues.ts'

describe('faults', () => {
  it('apply as often as configured and then no more', async () => {
    const { sim } = await start(60)
    const schedule = (body: object) =>
      fetch(new URL('/control/faults', sim.venueA.baseUrl), {
        method: 'POST',
        body: JSON.stringify(body),
      })
    await schedule({ venue: 'venue_b', kind: 'status', status: 503, retryAfter: 2, count: 2 })
    const answers = [
      await fetch(`${sim.venueB.clobUrl}/ok`),
      await fetch(`${sim.venueB.clobUrl}/ok`),
      await fetch(`${sim.venueB.clobUrl}/ok`),
    ]
    expect(answers.map((answer) => [answer.status, answer.headers.get('retry-after')])).toEqual([
      [503, '2'],
      [503, '2'],
      [200, null],
    ])
    expect((await fetch(`${sim.venueA.baseUrl}/exchange/status`)).status).toBe(200)
    await schedule({ venue: 'venue_a', kind: 'truncate' })
    await expect(text(`${sim.venueA.baseUrl}/series`)).rejects.toThrow()
    await schedule({ venue: 'venue_a', kind: 'html', status: 403 })
    const page = await fetch(`${sim.venueA.baseUrl}/series`)
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html'])
    expect((await schedule({ venue: 'venue_a', kind: 'nonsense' })).status).toBe(400)
  })

  it('drop, repeat and truncate messages of the socket', async () => {
    const { sim, clock } = await start(600)
    const schedule = (kind: string) =>
      fetch(new URL('/control/faults', sim.venueA.baseUrl), {
        method: 'POST',
        body: JSON.stringify({ venue: 'venue_a', kind }),
      })
    const open = await openTickersOfA(sim)
    const { socket, frames } = await connect(sim.venueA.wsUrl, KEYS)
    socket.send(
      JSON.stringify({
        id: 1,
        cmd: 'subscribe',
        params: { channels: ['orderbook_delta'], market_tickers: open },
      }),
    )
    await flush(socket)
    const steps = (): number[] => {
      const seqs = frames
        .filter((frame) => frame['seq'] !== undefined)
        .map((frame) => frame['seq'] as number)
      return seqs
        .slice(1)
        .map((seq, i) => seq - (seqs[i] ?? 0))
        .filter((step) => step !== 1)
    }
    await schedule('gap')
    await clock.advance(60_000)
    await flush(socket)
    expect(steps()).toEqual([2])
    await schedule('duplicate')
    await clock.advance(60_000)
    await flush(socket)
    expect(steps()).toEqual([2, 0])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await schedule('drop')
    await clock.advance(60_000)
    await closed
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })
})
