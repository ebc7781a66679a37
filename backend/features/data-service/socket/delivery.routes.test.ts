import { connect as connectTcp, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import type { FakeClock } from '../../../testing/fake-clock.ts'
import { connectSocket, type SocketClient } from '../../../testing/socket-client.ts'
import { until } from '../../../testing/socket-server.ts'
import { keyOf, startSocketService, type SocketService } from '../../../testing/socket-service.ts'
import { BACKPRESSURE_FROM, MAX_WAITING } from './limits.ts'

const opened: (SocketService | SocketClient)[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const thing of opened.splice(0).reverse()) {
    await ('close' in thing ? thing.close() : thing.stop())
  }
})
async function start(options?: Parameters<typeof startSocketService>[0]) {
  const service = await startSocketService(options)
  opened.push(service)
  const connect = async (name = 'ann'): Promise<SocketClient> => {
    const client = await connectSocket(service.url, { authorization: `Bearer ${keyOf(name)}` })
    opened.push(client)
    await client.next('hello')
    return client
  }
  return { service, clock: service.fakeClock, connect, client: await connect() }
}
let volume = 1_000
/** Republishes facts until this many deltas were sent, 100 ms apart. */
async function change(service: SocketService, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    service.restate('KXONE', { openInterest: (volume += 1) })
    await service.fakeClock.advance(100)
  }
}
/** Keeps clients alive for this many seconds. */
async function live(clock: FakeClock, seconds: number, clients: readonly SocketClient[]) {
  for (let second = 0; second < seconds; second += 1) {
    await clock.advance(1_000)
    if (second % 30 !== 0) continue
    for (const client of clients) {
      client.send({ op: 'ping' })
      await client.next('pong')
    }
  }
}
/** A client that stops reading once its subscription is acknowledged, and its socket. */
async function deafClient(service: SocketService, topics: readonly string[]): Promise<Socket> {
  const socket = connectTcp({ port: service.bound.port, host: '127.0.0.1' })
  sockets.push(socket)
  const lines = [
    'GET /ws HTTP/1.1',
    `Host: 127.0.0.1:${service.bound.port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    `Authorization: Bearer ${keyOf('deaf')}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  socket.write(textFrame(JSON.stringify({ op: 'subscribe', topics })))
  return socket
}
const textFrame = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(8)
  head.writeUInt16BE(0x81fe, 0)
  head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}
/** The complete messages in the bytes sent by a server. */
function framesIn(bytes: Buffer): Record<string, unknown>[] {
  const frames: Record<string, unknown>[] = []
  for (let index = 0; index + 2 <= bytes.length;) {
    const short = bytes[index + 1] ?? 0
    const head = short === 127 ? 10 : short === 126 ? 4 : 2
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(index + 2))
        : short === 126
          ? bytes.readUInt16BE(index + 2)
          : short
    if (bytes[index] === 0x88) frames.push({ close: bytes.readUInt16BE(index + head) })
    else if (index + head + length <= bytes.length) {
      const text = bytes.toString('utf8', index + head, index + head + length)
      frames.push(JSON.parse(text) as Record<string, unknown>)
    }
    index += head + length
  }
  return frames
}
/** Trades with long ids, so that a few fill a socket. */
const LONG_ID = 'x'.repeat(20_000)

describe('resume', () => {
  it('continues from a stored seq without a snapshot [data-service.socket.resume]', async () => {
    const { service, client, connect } = await start()
    await client.subscribe(['ticker:KXONE'])
    const { epoch } = await client.next('snapshot')
    await change(service, 2)
    await client.next('delta')
    await client.close()
    await change(service, 3)
    const again = await connect()
    await again.subscribe(['ticker:KXONE', 'ticker:KXTWO'], { 'ticker:KXONE': { epoch, seq: 2 } })
    await again.next('snapshot', 'ticker:KXTWO')
    const frames = again.frames.slice(2)
    expect(frames.map((frame) => ('seq' in frame ? [frame.type, frame.seq] : []))).toEqual([
      ...[3, 4, 5, 6].map((seq) => ['delta', seq]),
      ['snapshot', 1],
    ])
    await change(service, 1)
    expect(await again.next('delta', 'ticker:KXONE')).toMatchObject({ prev: 2, seq: 3 })
  })

  it('sends nothing to a reader that is up to date', async () => {
    const { service, client } = await start()
    await client.subscribe(['ticker:KXONE'])
    const { epoch, seq } = await client.next('snapshot')
    await client.subscribe(['ticker:KXONE'], { 'ticker:KXONE': { epoch, seq } })
    await change(service, 1)
    expect(await client.next('delta')).toMatchObject({ prev: seq })
    expect(client.frames.filter(({ type }) => type === 'snapshot')).toHaveLength(1)
  })

  it.each([
    ['another epoch', { epoch: 'other', seq: 1 }, 'epoch'],
    ['a seq that was never reached', { epoch: null, seq: 99 }, 'subscribe'],
    ['a seq before the first', { epoch: null, seq: 0 }, 'subscribe'],
  ])('sends a snapshot for %s', async (_what, { epoch, seq }, reason) => {
    const { client } = await start()
    await client.subscribe(['ticker:KXONE'])
    const first = await client.next('snapshot')
    await client.subscribe(['ticker:KXONE'], {
      'ticker:KXONE': { epoch: epoch ?? first.epoch, seq },
    })
    expect(await client.next('snapshot')).toMatchObject({ reason, epoch: first.epoch })
  })

  it('sends a snapshot when the missed changes are more than a minute old', async () => {
    const { service, client, clock } = await start()
    await client.subscribe(['ticker:KXONE'])
    const { epoch } = await client.next('snapshot')
    await change(service, 1)
    await live(clock, 61, [client])
    await client.subscribe(['ticker:KXONE'], { 'ticker:KXONE': { epoch, seq: 1 } })
    expect(await client.next('snapshot')).toMatchObject({ reason: 'subscribe', seq: 2, epoch })
  })

  it('sends a snapshot when more than 1,000 changes were missed', async () => {
    const { service, client, clock } = await start()
    const world = service.market('KXONE')
    await client.subscribe(['candles:KXONE:1d'])
    const { epoch, topic } = await client.next('snapshot')
    // Late trades of this many days are as many changes at once.
    const DAYS = 350
    for (let round = 1; round <= 3; round += 1) {
      for (let day = 1; day <= DAYS; day += 1) {
        const at = (service.clock.now() - day * 86_400_000) as never
        service.print('KXONE', 40, { at })
      }
      await until(() => client.frames.filter(({ type }) => type === 'delta').length >= round * DAYS)
      await clock.advance(1_000)
    }
    const held = client.frames.findLast((frame) => frame.type === 'delta')
    const seq = held?.type === 'delta' ? held.seq : 0
    expect(world.trades).toHaveLength(3 * DAYS)
    await client.subscribe([topic], { [topic]: { epoch, seq: seq - 1_001 } })
    expect(await client.next('snapshot')).toMatchObject({ reason: 'subscribe', seq })
  })
})

describe('epochs', () => {
  it('keeps a topic for five minutes without readers, then ends it [data-service.socket.epochs]', async () => {
    const { service, client, clock, connect } = await start()
    await client.subscribe(['ticker:KXONE', 'ticker:KXTWO'])
    const { epoch } = await client.next('snapshot', 'ticker:KXONE')
    client.send({ op: 'unsubscribe', topics: ['ticker:KXONE'] })
    await client.next('ack')
    await live(clock, 298, [client])
    expect(service.hub.topics).toBe(2)
    await client.subscribe(['ticker:KXONE'])
    expect(await client.next('snapshot', 'ticker:KXONE')).toMatchObject({ epoch })
    client.send({ op: 'unsubscribe', topics: ['ticker:KXONE'] })
    await live(clock, 302, [client])
    expect(service.hub.topics).toBe(1)
    const later = await connect()
    await later.subscribe(['ticker:KXONE'], { 'ticker:KXONE': { epoch, seq: 1 } })
    const snapshot = await later.next('snapshot')
    expect(snapshot).toMatchObject({ reason: 'epoch', seq: 1 })
    expect(snapshot.epoch).not.toBe(epoch)
  })

  it('restarts every topic when the clock is moved', async () => {
    const { service, client } = await start()
    await client.subscribe(['ticker:KXONE', 'trades:KXONE'])
    const before = await client.next('snapshot', 'ticker:KXONE')
    await client.next('snapshot', 'trades:KXONE')
    await change(service, 2)
    service.hub.moveClock()
    const after = await client.next('snapshot', 'ticker:KXONE')
    expect(after).toMatchObject({ reason: 'clock', seq: 1 })
    expect(after.epoch).not.toBe(before.epoch)
    expect(await client.next('snapshot', 'trades:KXONE')).toMatchObject({ reason: 'clock', seq: 1 })
    await change(service, 1)
    await until(() => client.frames.at(-1)?.type === 'delta')
    expect(client.frames.at(-1)).toMatchObject({ epoch: after.epoch, prev: 1, seq: 2 })
  })

  it('gives each topic a seq of its own', async () => {
    const { service, client, connect } = await start()
    await client.subscribe(['ticker:KXONE', 'ticker:KXTWO'])
    await client.next('snapshot', 'ticker:KXTWO')
    await change(service, 3)
    service.restate('KXTWO', { openInterest: 1 })
    expect(await client.next('delta', 'ticker:KXTWO')).toMatchObject({ prev: 1, seq: 2 })
    const other = await connect()
    await other.subscribe(['ticker:KXONE'])
    expect(await other.next('snapshot')).toMatchObject({ seq: 4 })
  })
})

describe('slow readers', () => {
  /** Fills the socket of a client that does not read. */
  async function crowd(service: SocketService): Promise<void> {
    await until(() => service.hub.clients === 2)
    for (let i = 0; service.hub.maxWaiting < BACKPRESSURE_FROM; i += 1) {
      if (i > 2_000) throw new Error('the socket never filled')
      service.print('KXTWO', 40, { tradeId: `${LONG_ID}${i}` })
      await service.fakeClock.advance(100)
    }
  }

  it('merges changes for a congested socket, and delays no other [data-service.socket.conflation]', async () => {
    const { service, client, clock } = await start()
    const deaf = await deafClient(service, ['trades:KXTWO', 'ticker:KXONE'])
    await client.subscribe(['ticker:KXONE'])
    await client.next('snapshot')
    await crowd(service)
    for (let i = 1; i <= 30; i += 1) {
      service.restate('KXONE', { openInterest: i, ...(i === 7 ? { volume24h: 7 } : {}) })
      await clock.advance(100)
    }
    for (let i = 1; i <= 30; i += 1) {
      expect(await client.next('delta')).toMatchObject({ prev: i, data: { openInterest: i } })
    }
    const parts: Buffer[] = []
    deaf.on('data', (part: Buffer) => parts.push(part))
    const ticker = () =>
      framesIn(Buffer.concat(parts)).filter(
        ({ type, topic }) => type === 'delta' && topic === 'ticker:KXONE',
      )
    deaf.resume()
    await until(() => service.hub.maxWaiting === 0)
    await clock.advance(500)
    await until(() => ticker().length > 0)
    expect(ticker()).toMatchObject([
      { prev: 1, seq: 31, conflated: 30, data: { openInterest: 30, volume24h: 7 } },
    ])
    await change(service, 1)
    await until(() => ticker().length === 2)
    expect(ticker()[1]).toMatchObject({ prev: 31, seq: 32 })
    expect(ticker()[1]).not.toHaveProperty('conflated')
  })

  it('sends a snapshot in place of more than 1,000 merged trades', async () => {
    const { service, clock } = await start()
    const deaf = await deafClient(service, ['trades:KXTWO', 'trades:KXONE'])
    await crowd(service)
    for (let i = 0; i <= 1_000; i += 1) {
      service.print('KXONE', 40)
      if (i % 100 === 0) await clock.advance(100)
    }
    await clock.advance(100)
    const parts: Buffer[] = []
    deaf.on('data', (part: Buffer) => parts.push(part))
    deaf.resume()
    await until(() => service.hub.maxWaiting === 0)
    await clock.advance(500)
    const overflow = () =>
      framesIn(Buffer.concat(parts)).filter(({ reason }) => reason === 'overflow')
    await until(() => overflow().length > 0)
    expect(overflow().map(({ topic }) => topic)).toContain('trades:KXONE')
  })

  it('closes 4413 after 30 seconds without progress [data-service.socket.slow-consumer]', async () => {
    const { service, client, clock } = await start()
    const deaf = await deafClient(service, ['trades:KXTWO'])
    await crowd(service)
    const waiting = service.hub.maxWaiting
    await live(clock, 29, [client])
    expect(service.hub.clients).toBe(2)
    expect(service.hub.maxWaiting).toBeLessThan(waiting + 1_000)
    await live(clock, 2, [client])
    const parts: Buffer[] = []
    deaf.on('data', (part: Buffer) => parts.push(part))
    deaf.resume()
    await until(() => framesIn(Buffer.concat(parts)).some((frame) => 'close' in frame))
    expect(framesIn(Buffer.concat(parts)).at(-1)).toEqual({ close: 4413 })
  })

  it('disconnects a slow reader that does not even receive its close', async () => {
    const { service, client, clock } = await start()
    await deafClient(service, ['trades:KXTWO'])
    await crowd(service)
    await live(clock, 38, [client])
    await until(() => service.hub.clients === 1)
  })

  it('closes 4413 when more than 4 MB are queued', async () => {
    const { service, clock } = await start()
    await deafClient(service, ['trades:KXTWO'])
    await until(() => service.hub.clients === 2)
    await clock.advance(100)
    service.print('KXTWO', 40, { tradeId: 'y'.repeat(MAX_WAITING + 4 * 1_048_576) })
    await clock.advance(100)
    await clock.advance(5_500)
    await until(() => service.hub.clients === 1)
  })
})

describe('coalescing', () => {
  it('writes the frames of one tick together, with the same bytes for all readers', async () => {
    const { service, client, connect } = await start({ clock: systemClock, tick: 5 })
    const other = await connect('bob')
    const topics = ['ticker:KXONE', 'ticker:KXTWO', 'trades:KXONE', 'book:KXONE']
    for (const reader of [client, other]) {
      await reader.subscribe(topics)
      await reader.next('snapshot', 'book:KXONE')
    }
    let writes = 0
    client.socket.on('message', () => (writes += 1))
    service.restate('KXONE', { openInterest: 1 })
    service.restate('KXTWO', { openInterest: 2 })
    service.print('KXONE', 44)
    service.setBook('KXONE', { bids: [[41, 1]], asks: [] })
    for (const reader of [client, other]) {
      for (const topic of topics)
        expect(await reader.next('delta', topic)).toMatchObject({ seq: 2 })
    }
    const deltas = (reader: SocketClient) => reader.frames.filter(({ type }) => type === 'delta')
    expect(deltas(other)).toEqual(deltas(client))
    expect(writes).toBe(4)
  })
})
