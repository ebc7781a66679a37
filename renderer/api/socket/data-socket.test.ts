import fc from '../../../scripts/properties.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeService } from '../../testing/fake-service.ts'
import { DataSocket, type SocketEvents } from './data-socket.ts'
import type { LinkState } from './link.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

function setUp() {
  const scene = { jumped: 0 }
  const elapsed = () => vi.getMockedSystemTime()?.getTime() ?? 0
  const clock = { read: () => elapsed() + scene.jumped, monotonic: elapsed }
  const service = new FakeService(clock.read)
  const links: LinkState[] = []
  const connections: SocketEvents[] = []
  const closes: number[] = []
  const socket = new DataSocket({
    clock,
    open: (events) => {
      connections.push(events)
      const raw = service.open(events)
      return {
        send: (text) => raw.send(text),
        close: (code) => {
          closes.push(code)
          raw.close(code)
        },
      }
    },
    chance: () => 0.5,
    onLink: (link) => void links.push(link),
    onTopic: () => {},
    onTime: () => {},
  })
  const pinging = setInterval(() => service.ping(), 20_000)
  const stop = socket.start()
  const end = () => {
    stop()
    clearInterval(pinging)
  }
  return { service, socket, links, scene, end, connections, closes, link: () => links.at(-1) }
}

const KX = 'ticker:KX'

// [terminal.replay.clock]
it('follows a replay in replay time from its first frame', async () => {
  const elapsed = () => vi.getMockedSystemTime()?.getTime() ?? 0
  const behind = 5 * 3_600_000
  let offset = 0
  const clock = { read: () => elapsed() + offset, monotonic: elapsed }
  const service = new FakeService(() => elapsed() - behind)
  const socket = new DataSocket({
    clock,
    open: service.open,
    chance: () => 0.5,
    onLink: () => {},
    onTopic: () => {},
    onTime: (at) => (offset = at - elapsed()),
  })
  const stop = socket.start()
  await pass(0)
  expect(socket.receivedTime).toBe(-behind)
  stop()
})

describe('the connection', () => {
  it('subscribes to wanted topics in one frame, and unsubscribes from the rest [terminal.live.follows]', async () => {
    const { service, socket, end } = setUp()
    service.change(KX, { a: 1 })
    socket.setTopics([KX])
    socket.setTopics([KX, 'ticker:B'])
    await pass(300)
    expect(service.frames.map(({ op }) => op)).toEqual(['subscribe'])
    expect([socket.isLive(KX), socket.dataOf(KX)]).toEqual([true, { a: 1 }])
    service.change(KX, { b: 2 })
    expect(socket.dataOf(KX)).toEqual({ a: 1, b: 2 })
    socket.setTopics(['ticker:B'])
    await pass(300)
    expect(service.followed).toEqual(['ticker:B'])
    expect([socket.isLive(KX), socket.dataOf(KX)]).toEqual([false, null])
    end()
  })

  it('requests one snapshot after a gap and is not current until it arrives', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    service.change(KX, { a: 1 }, 'drop')
    service.change(KX, { b: 2 })
    service.change(KX, { b: 3 })
    expect(socket.isLive(KX)).toBe(false)
    await pass(300)
    expect(service.frames.filter(({ op }) => op === 'resync')).toHaveLength(1)
    expect([socket.isLive(KX), socket.dataOf(KX)]).toEqual([true, { a: 1, b: 3 }])
    end()
  })

  it('resumes at its last position, without a snapshot', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    service.close(1006)
    expect(socket.isLive(KX)).toBe(false)
    service.change(KX, { a: 1 })
    await pass(1_600)
    expect(service.frames.at(-1)).toMatchObject({ op: 'subscribe', resume: { [KX]: { seq: 1 } } })
    expect([socket.isLive(KX), socket.dataOf(KX)]).toEqual([true, { a: 1 }])
    end()
  })

  it('discards its state after a long absence', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    service.isUp = false
    service.close(1006)
    await pass(120_000)
    service.isUp = true
    service.change(KX, { a: 1 })
    await pass(60_000)
    expect(service.frames.at(-1)).not.toHaveProperty(['resume', KX])
    expect(socket.dataOf(KX)).toEqual({ a: 1 })
    end()
  })

  it('closes a connection that is silent for 25 s', async () => {
    const { service, socket, link, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    service.isMute = true
    await pass(24_000)
    expect(link()?.kind).toBe('live')
    await pass(2_500)
    expect(socket.isLive(KX)).toBe(false)
    service.isMute = false
    await pass(3_000)
    expect([service.tries, socket.isLive(KX)]).toEqual([2, true])
    end()
  })

  it('probes the connection after a sleep, and reconnects when it is gone [terminal.live.sleeps]', async () => {
    const { service, socket, scene, link, end } = setUp()
    socket.setTopics([KX])
    await pass(1_000)
    scene.jumped = 3_600_000
    await pass(1_000)
    expect(service.frames.at(-1)).toEqual({ op: 'ping' })
    await pass(4_000)
    expect(service.tries).toBe(1)
    service.isMute = true
    scene.jumped += 60_000
    await pass(5_500)
    expect(link()?.kind).not.toBe('live')
    service.isMute = false
    await pass(2_000)
    expect([service.tries, link()?.kind]).toEqual([2, 'live'])
    end()
  })

  it('answers pings', async () => {
    const { service, end } = setUp()
    await pass(20_100)
    expect(service.frames).toContainEqual({ op: 'pong' })
    end()
  })

  it('falls back to polling when the page is not signed in, and retries on waking', async () => {
    const { service, socket, link, end } = setUp()
    service.isSignedIn = false
    await pass(100)
    expect(link()).toEqual({ kind: 'polling', reason: 'signed-out' })
    await pass(60_000)
    expect(service.tries).toBe(1)
    service.isSignedIn = true
    socket.check()
    await pass(100)
    expect(link()?.kind).toBe('live')
    end()
  })

  it.each([
    [1001, 1_500, 'stopping'],
    [1011, 1_250, 'lost'],
    [4408, 1_250, 'silent'],
    [4413, 1_250, 'slow'],
    [4429, 65_000, 'too-many'],
  ])('after a close with %s reconnects in %s ms', async (code, wait, reason) => {
    const { service, link, end } = setUp()
    await pass(100)
    service.close(code)
    expect(link()).toMatchObject({ kind: 'waiting', reason })
    await pass(wait - 100)
    expect(service.tries).toBe(1)
    await pass(200)
    expect(service.tries).toBe(2)
    end()
  })

  it.each([1003, 1009, 4400])('does not reconnect after %s, a client error', async (code) => {
    const { service, socket, link, end } = setUp()
    await pass(100)
    service.close(code)
    await pass(3_600_000)
    socket.check()
    expect([service.tries, link()]).toEqual([1, { kind: 'polling', reason: 'misunderstood' }])
    end()
  })

  it('follows half as many topics after it was too slow', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics(Array.from({ length: 300 }, (_, index) => `ticker:T${index}`))
    await pass(300)
    expect(service.followed).toHaveLength(200)
    service.close(4413)
    await pass(1_300)
    expect(service.followed).toHaveLength(100)
    end()
  })

  it('waits longer with each failure, and reports when the service may refuse it', async () => {
    const { service, links, end } = setUp()
    service.isUp = false
    await pass(60_000)
    const waits = links.flatMap((link) => (link.kind === 'waiting' ? [link.reason] : []))
    expect(waits.slice(0, 3)).toEqual(['lost', 'lost', 'refused'])
    expect(service.tries).toBeLessThan(8)
    end()
  })

  it('follows 25 topics at least, however slow it is', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics(Array.from({ length: 300 }, (_, index) => `ticker:T${index}`))
    await pass(300)
    for (const count of [100, 50, 25, 25]) {
      service.close(4413)
      await pass(20_000)
      expect(service.followed).toHaveLength(count)
    }
    end()
  })

  // The second connection opens at 1 999 ms; connections are looked at each second.
  it.each([
    { lostAt: 11_999, wait: 2_500 },
    { lostAt: 12_001, wait: 1_250 },
  ])('lost at $lostAt ms, tries again after $wait ms', async ({ lostAt, wait }) => {
    const { service, end } = setUp()
    await pass(749)
    service.close(1006)
    await pass(lostAt - 749)
    service.close(1006)
    await pass(wait - 1)
    expect(service.tries).toBe(2)
    await pass(1)
    expect(service.tries).toBe(3)
    end()
  })

  it('gives up a connection that the service does not accept within 10 s', async () => {
    const { service, link, end } = setUp()
    await pass(749)
    service.close(1006)
    service.isMute = true
    await pass(11_250)
    expect(link()).toEqual({ kind: 'connecting' })
    await pass(1)
    expect(link()).toMatchObject({ kind: 'waiting', reason: 'lost' })
    end()
  })

  it.each([
    { away: 54_999, resumed: true },
    { away: 55_000, resumed: false },
  ])('after $away ms without a connection resumes: $resumed', async ({ away, resumed }) => {
    const { service, socket, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    service.isUp = false
    service.close(1006)
    await pass(away)
    service.isUp = true
    socket.check()
    await pass(0)
    const frame = service.frames.at(-1)
    expect(frame?.op === 'subscribe' && KX in (frame.resume ?? {})).toBe(resumed)
    expect(socket.isLive(KX)).toBe(true)
    end()
  })

  it('on waking tries at once, unless the service has too many connections', async () => {
    const { service, socket, end } = setUp()
    await pass(100)
    service.close(1006)
    socket.check()
    await pass(0)
    expect(service.tries).toBe(2)
    // The attempt that was planned before is gone.
    await pass(5_000)
    expect(service.tries).toBe(2)
    service.close(4429)
    socket.check()
    await pass(60_000)
    expect(service.tries).toBe(2)
    end()
  })

  it('sends one probe at a time', async () => {
    const { service, socket, end } = setUp()
    await pass(100)
    service.isMute = true
    const pings = () => service.frames.filter(({ op }) => op === 'ping').length
    service.isMute = false
    socket.check()
    expect(pings()).toBe(1)
    service.isMute = true
    socket.check()
    service.isMute = false
    socket.check()
    expect(pings()).toBe(1)
    end()
  })

  it('ignores what is no frame, and connections that it left', async () => {
    const { service, socket, connections, closes, link, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    for (const data of ['{', new ArrayBuffer(2)]) connections[0]?.onMessage(data)
    expect(socket.isLive(KX)).toBe(true)
    service.close(1006)
    expect(closes).toEqual([1000])
    await pass(2_000)
    const ping = JSON.stringify({ type: 'ping', ts: 0 })
    connections[0]?.onMessage(ping)
    connections[0]?.onClose(1006)
    connections[0]?.onOpen()
    expect([link(), service.frames.some(({ op }) => op === 'pong')]).toEqual([
      { kind: 'live' },
      false,
    ])
    connections[1]?.onMessage(ping)
    expect(service.frames.at(-1)).toEqual({ op: 'pong' })
    end()
  })

  it('has a time of the last frame only while it is connected', async () => {
    const { service, socket, end } = setUp()
    expect(socket.receivedTime).toBeNull()
    await pass(20_500)
    expect(socket.receivedTime).toBe(20_000)
    service.close(1006)
    expect(socket.receivedTime).toBeNull()
    end()
  })

  it('sends nothing and does not return after its end', async () => {
    const { service, socket, closes, end } = setUp()
    await pass(100)
    socket.setTopics([KX])
    end()
    await pass(600_000)
    expect([service.frames, service.tries, closes]).toEqual([[], 1, [1000]])
    const later = setUp()
    await pass(100)
    later.service.close(1006)
    later.end()
    await pass(600_000)
    expect(later.service.tries).toBe(1)
  })

  it('frees topics before it subscribes to others', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics([KX])
    await pass(300)
    socket.setTopics(['ticker:B'])
    await pass(249)
    expect(service.frames).toHaveLength(1)
    await pass(1)
    expect(service.frames.slice(1)).toMatchObject([
      { op: 'unsubscribe', topics: [KX] },
      { op: 'subscribe', topics: ['ticker:B'] },
    ])
    end()
  })

  it('drops topics that are unknown to the service', async () => {
    const { service, socket, end } = setUp()
    socket.setTopics(['ticker:NOPE', KX])
    await pass(60_000)
    expect([socket.isLive('ticker:NOPE'), socket.isLive(KX)]).toEqual([false, true])
    expect(service.frames.filter(({ op }) => op === 'subscribe')).toHaveLength(1)
    end()
  })
})

const TOPICS = ['ticker:A', 'ticker:B', 'ticker:C']
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      topic: fc.constantFrom(...TOPICS),
      field: fc.constantFrom('a', 'b', 'c'),
      fault: fc.constantFrom(null, null, null, 'drop', 'twice', 'late'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), span: fc.nat(5_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('lose', 'restart', 'mute', 'speak', 'scroll'),
      topic: fc.constantFrom(...TOPICS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      topic: fc.constantFrom(...TOPICS),
    }),
  },
)

it('ends equal to the service whatever the connection did [terminal.live.converges]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (script) => {
      const { service, socket, end } = setUp()
      socket.setTopics(TOPICS)
      await pass(300)
      for (const [index, step] of script.entries()) {
        if (step.kind === 'change') service.change(step.topic, { [step.field]: index }, step.fault)
        else if (step.kind === 'wait') await pass(step.span)
        else if (step.kind === 'clock') service.moveClock(step.topic)
        else if (step.kind === 'lose') service.close(1006)
        else if (step.kind === 'restart') service.restart()
        else if (step.kind === 'scroll')
          socket.setTopics(TOPICS.filter((name) => name !== step.topic))
        else service.isMute = step.kind === 'mute'
      }
      service.isMute = false
      socket.setTopics(TOPICS)
      await pass(60_000)
      // The lost frame may have been the topic's last one; the next frame reveals the gap.
      for (const name of TOPICS) service.change(name, { end: 1 })
      await pass(10_000)
      for (const name of TOPICS) {
        expect([name, socket.isLive(name), socket.dataOf(name)]).toEqual([
          name,
          true,
          service.topics.get(name)?.data,
        ])
      }
      end()
    }),
    { numRuns: 150 },
  )
})
