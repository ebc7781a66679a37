import type { WebSocket } from 'ws'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { Faults } from './faults/faults.ts'
import { parseFault } from './faults/parse-fault.ts'
import { StreamConnection } from './stream-connection.ts'
import type { StreamMessage } from './stream-connection.ts'
import type { SimTrade } from './tape/sim-trade.ts'

/** A connection to a socket that only records messages. */
function lineWith(...bodies: object[]) {
  const clock = new FakeClock()
  const faults = new Faults(clock)
  for (const body of bodies) {
    const fault = parseFault({ venue: 'venue_b', ...body })
    if (typeof fault === 'string') throw new Error(fault)
    faults.schedule(fault)
  }
  const sent: (string | Uint8Array)[] = []
  const forgotten: SimTrade[] = []
  const socket = {
    OPEN: 1,
    readyState: 1,
    send: (data: string | Uint8Array) => void sent.push(data),
    terminate() {
      this.readyState = 3
    },
  }
  const line = new StreamConnection({
    faults,
    clock,
    venue: 'venue_b' as const,
    socket: socket as unknown as WebSocket,
    forget: (trade) => void forgotten.push(trade),
  })
  const publish = (...texts: string[]): void => {
    for (const text of texts) line.data(lineMessage(text))
  }
  return { line, publish, sent, forgotten, socket, clock, report: () => faults.report() }
}

const lineMessage = (text: string, over: Partial<StreamMessage> = {}): StreamMessage => ({
  text,
  about: 'trade',
  markets: ['X'],
  ...over,
})

describe('a connection', () => {
  it('drops messages of the named markets and topics, and reports which', () => {
    const { line, sent, report } = lineWith({
      kind: 'gap',
      count: 2,
      markets: ['X'],
      about: ['trade'],
    })
    line.data(lineMessage('of another market', { markets: ['Y'] }))
    line.data(lineMessage('of another topic', { about: 'book' }))
    for (const text of ['1', '2', '3']) line.data(lineMessage(text))
    expect(sent).toEqual(['of another market', 'of another topic', '3'])
    expect(report()).toMatchObject([
      { effectCount: 2, corrupted: 2, markets: ['X'], state: 'over' },
    ])
  })

  it('drops a print from REST only if configured', () => {
    const trade = { index: 1 } as SimTrade
    for (const alsoRest of [false, true]) {
      const { line, forgotten } = lineWith({ kind: 'gap', alsoRest })
      line.data(lineMessage('print', { trade }))
      expect(forgotten).toEqual(alsoRest ? [trade] : [])
    }
  })

  it('repeats, reverses, and continues in order', () => {
    const twice = lineWith({ kind: 'duplicate' })
    twice.publish('1', '2')
    expect(twice.sent).toEqual(['1', '1', '2'])
    const turned = lineWith({ kind: 'reorder', width: 3 })
    turned.publish('1', '2', '3', '4')
    expect(turned.sent).toEqual(['3', '2', '1', '4'])
    const short = lineWith({ kind: 'reorder', width: 3 })
    short.publish('1', '2')
    short.line.tick()
    expect(short.sent).toEqual(['2', '1'])
  })

  it('is delayed more and more, but in order', async () => {
    const { publish, line, sent, clock } = lineWith({ kind: 'lag', forMs: 1_000, growth: 0.5 })
    publish('at 0')
    await clock.advance(400)
    publish('at 400')
    line.tick()
    expect(sent).toEqual(['at 0'])
    await clock.advance(700)
    publish('after')
    line.tick()
    expect(sent).toEqual(['at 0', 'at 400', 'after'])
  })

  it('freezes for a time while it answers and pings', async () => {
    const { publish, line, sent, clock } = lineWith({ kind: 'freeze', forMs: 1_000 })
    publish('lost')
    line.reply('PONG')
    await clock.advance(1_000)
    publish('heard')
    expect(sent).toEqual(['PONG', 'heard'])
  })

  it('is closed by a message, or by its age in a storm', async () => {
    const cut = lineWith({ kind: 'drop' })
    cut.publish('1', '2')
    expect([cut.sent, cut.socket.readyState]).toEqual([[], 3])
    const storm = lineWith({ kind: 'reconnect-storm', milliseconds: 500, forMs: 2_000 })
    storm.line.tick()
    expect(storm.socket.readyState).toBe(1)
    await storm.clock.advance(500)
    storm.line.tick()
    expect(storm.socket.readyState).toBe(3)
  })

  it('sends frames that are not messages', () => {
    const { publish, sent, report } = lineWith(
      { kind: 'malformed-frame' },
      { kind: 'binary-frame' },
      { kind: 'oversized-frame', bytes: 1_000 },
    )
    publish('{"a":1}', '{"b":2}', '{"c":3}')
    expect(sent[0]).toBe('{"a')
    expect(sent[1]).toBeInstanceOf(Uint8Array)
    expect((sent[2] as string).length).toBe(1_002)
    expect(sent[3]).toBe('{"c":3}')
    expect(report().map(({ corrupted }) => corrupted)).toEqual([1, 1, 0])
  })

  it('drops lifecycle messages without using up a number', () => {
    const { line, report } = lineWith({ kind: 'silent-lifecycle', forMs: 1_000, markets: ['X'] })
    expect(line.isSilentAbout('lifecycle', 'X')).toBe(true)
    expect(line.isSilentAbout('lifecycle', 'Y')).toBe(false)
    expect(report()).toMatchObject([{ effectCount: 1, markets: ['X'] }])
  })
})
