import { afterEach, describe, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { connectSocket, type SocketClient } from '../../../testing/socket-client.ts'
import { keyOf, startSocketService, type SocketService } from '../../../testing/socket-service.ts'
import type { WorldFeed } from './sources.ts'

const opened: (SocketService | SocketClient)[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) {
    await ('close' in thing ? thing.close() : thing.stop())
  }
})
async function start(options?: Parameters<typeof startSocketService>[0]) {
  const service = await startSocketService(options)
  opened.push(service)
  const clock = service.fakeClock
  const connect = async (name = 'ann'): Promise<SocketClient> => {
    const client = await connectSocket(service.url, { authorization: `Bearer ${keyOf(name)}` })
    opened.push(client)
    await client.next('hello')
    return client
  }
  return { service, clock, connect, client: await connect() }
}
const NOW = Date.parse('2026-11-20T14:00:00.000Z')

describe('subscribing', () => {
  it('acknowledges, then sends a snapshot of each accepted topic in request order [data-service.socket.subscribe]', async () => {
    const { client } = await start()
    const topics = [
      'book:kxtwo',
      'ticker:KXONE',
      'nothing',
      'ticker:KXNONE',
      'candles:KXONE:7m',
      'trades:kxone',
    ]
    const ack = await client.subscribe(topics)
    expect(ack).toMatchObject({
      op: 'subscribe',
      topics: ['book:KXTWO', 'ticker:KXONE', 'trades:KXONE'],
      subscribed: 3,
    })
    expect(ack.rejected.map(({ topic, code }) => [topic, code])).toEqual([
      ['nothing', 'UNKNOWN_TOPIC'],
      ['ticker:KXNONE', 'UNKNOWN_TICKER'],
      ['candles:KXONE:7m', 'BAD_TIMEFRAME'],
    ])
    await client.next('snapshot', 'trades:KXONE')
    const order = client.frames.map((frame) => ('topic' in frame ? frame.topic : frame.type))
    expect(order).toEqual(['hello', 'ack', 'book:KXTWO', 'ticker:KXONE', 'trades:KXONE'])
  })

  it('rejects the 201st topic and serves the 200 [data-service.socket.topic-limit]', async () => {
    const tickers = Array.from({ length: 201 }, (_, i) => `KX${i}`)
    const { client } = await start({ tickers })
    const first = await client.subscribe(tickers.slice(0, 200).map((ticker) => `ticker:${ticker}`))
    expect(first).toMatchObject({ subscribed: 200, rejected: [] })
    const second = await client.subscribe(['ticker:KX200', 'ticker:KX0'])
    expect(second).toMatchObject({ topics: ['ticker:KX0'], subscribed: 200 })
    expect(second.rejected).toMatchObject([{ topic: 'ticker:KX200', code: 'TOPIC_LIMIT' }])
  })

  it('sends a new snapshot when a topic is subscribed twice', async () => {
    const { client, service } = await start()
    await client.subscribe(['ticker:KXONE'])
    expect(await client.next('snapshot')).toMatchObject({ seq: 1, reason: 'subscribe' })
    service.restate('KXONE', { openInterest: 7 })
    await client.next('delta')
    expect(await client.subscribe(['ticker:KXONE'])).toMatchObject({ subscribed: 1 })
    const again = await client.next('snapshot')
    expect(again).toMatchObject({ seq: 2, reason: 'subscribe', data: { openInterest: 7 } })
  })

  it('sends nothing of a topic after its unsubscribe ack', async () => {
    const { client, service } = await start()
    await client.subscribe(['ticker:KXONE', 'ticker:KXTWO'])
    await client.next('snapshot', 'ticker:KXTWO')
    client.send({ op: 'unsubscribe', topics: ['ticker:kxone', 'trades:KXTWO', 'nothing'] })
    expect(await client.next('ack')).toMatchObject({
      op: 'unsubscribe',
      topics: ['ticker:KXONE', 'trades:KXTWO'],
      rejected: [{ topic: 'nothing', code: 'UNKNOWN_TOPIC' }],
      subscribed: 1,
    })
    service.restate('KXONE', { openInterest: 7 })
    service.restate('KXTWO', { openInterest: 8 })
    await client.next('delta', 'ticker:KXTWO')
    expect(client.frames.some((f) => f.type === 'delta' && f.topic === 'ticker:KXONE')).toBe(false)
  })

  it('sends fresh snapshots on resync, of subscribed topics only', async () => {
    const { client } = await start()
    await client.subscribe(['ticker:KXONE'])
    await client.next('snapshot')
    client.send({ op: 'resync', topics: ['ticker:KXONE', 'ticker:KXTWO'], id: 'r' })
    expect(await client.next('ack')).toMatchObject({
      op: 'resync',
      id: 'r',
      topics: ['ticker:KXONE'],
      subscribed: 1,
      rejected: [{ topic: 'ticker:KXTWO', code: 'UNKNOWN_TOPIC' }],
    })
    expect(await client.next('snapshot')).toMatchObject({ reason: 'resync', seq: 1 })
  })

  it('reports a topic that cannot be read, and reads it on the next request', async () => {
    const { client, service } = await start()
    service.failReads(true)
    const { rejected } = await client.subscribe(['trades:KXONE', 'ticker:KXONE'])
    expect(rejected).toMatchObject([{ topic: 'trades:KXONE', code: 'INTERNAL_ERROR' }])
    await client.next('snapshot', 'ticker:KXONE')
    service.failReads(false)
    expect(await client.subscribe(['trades:KXONE'])).toMatchObject({ subscribed: 2 })
    await client.next('snapshot', 'trades:KXONE')
  })
})

describe('ticker', () => {
  it('sends the market, then changed fields only, at most ten times a second [data-service.socket.ticker]', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['ticker:KXONE'])
    expect((await client.next('snapshot')).data).toEqual({
      ticker: 'KXONE',
      venue: 'venue_a',
      title: service.market('KXONE').view.facts.title,
      lastPrice: 0.42,
      volume24h: 1_000,
      closeTime: Date.parse('2026-11-30T14:00:00Z') / 1_000,
      bestBid: 0.41,
      bestAsk: 0.43,
      status: 'active',
      openInterest: 500,
      ts: NOW,
    })
    const price = (cents: number | null) => cents as never
    service.restate('KXONE', { bestBid: price(40) })
    expect(await client.next('delta')).toMatchObject({ prev: 1, seq: 2, data: { bestBid: 0.4 } })
    service.restate('KXONE', { bestBid: price(39) })
    service.restate('KXONE', { bestBid: price(null), openInterest: 501 })
    await clock.advance(99)
    client.send({ op: 'ping' })
    await client.next('pong')
    expect(client.frames.filter(({ type }) => type === 'delta')).toHaveLength(1)
    await clock.advance(1)
    const delta = await client.next('delta')
    expect(delta).toMatchObject({ prev: 2, seq: 3 })
    expect(delta.data).toEqual({ bestBid: null, openInterest: 501 })
    expect(delta).not.toHaveProperty('conflated')
  })

  it('sends nothing after a market settled', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['ticker:KXONE', 'ticker:KXTWO'])
    await client.next('snapshot', 'ticker:KXTWO')
    service.restate('KXONE', { status: 'settled' })
    expect((await client.next('delta')).data).toEqual({ status: 'settled' })
    await clock.advance(1_000)
    service.restate('KXONE', { openInterest: 1 })
    service.restate('KXTWO', { openInterest: 2 })
    expect(await client.next('delta')).toMatchObject({ topic: 'ticker:KXTWO' })
    await clock.advance(10_000)
    expect(client.frames.filter(({ type }) => type === 'delta')).toHaveLength(2)
  })

  it('sends changes that only time caused', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['ticker:KXONE'])
    await client.next('snapshot')
    const market = service.market('KXONE')
    market.view = { ...market.view, status: 'closed' }
    await clock.advance(5_500)
    expect((await client.next('delta')).data).toEqual({ status: 'closed' })
  })
})

describe('trades', () => {
  it('sends the newest 50, then new ones oldest first, batched [data-service.socket.trades]', async () => {
    const { client, service, clock } = await start()
    for (let i = 0; i < 60; i += 1) service.print('KXONE', 40, { at: (NOW - 60 + i) as Millis })
    await client.subscribe(['trades:KXONE'])
    const { trades } = (await client.next('snapshot')).data as { trades: { ts: number }[] }
    expect(trades.map(({ ts }) => ts)).toEqual(Array.from({ length: 50 }, (_, i) => NOW - 1 - i))
    service.print('KXONE', 44, { takerSide: null })
    expect((await client.next('delta')).data).toEqual({
      trades: [{ ticker: 'KXONE', venue: 'venue_a', price: 0.44, size: 1, ts: NOW, id: 't000061' }],
    })
    service.print('KXONE', 45)
    service.print('KXONE', 46)
    await clock.advance(100)
    const batch = (await client.next('delta')).data as { trades: { price: number }[] }
    expect(batch.trades.map(({ price }) => price)).toEqual([0.45, 0.46])
  })

  it('leaves out a late print older than all sent ones', async () => {
    const { client, service } = await start()
    for (let i = 0; i < 50; i += 1) service.print('KXONE', 40)
    await client.subscribe(['trades:KXONE'])
    await client.next('snapshot')
    service.print('KXONE', 39, { at: (NOW - 1) as Millis })
    service.print('KXONE', 41)
    const { trades } = (await client.next('delta')).data as { trades: { price: number }[] }
    expect(trades.map(({ price }) => price)).toEqual([0.41])
  })
})

describe('book', () => {
  it('starts empty, then sends levels by absolute size, 0 for a removed one [data-service.socket.book]', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['book:KXONE'])
    expect((await client.next('snapshot')).data).toEqual({ bids: [], asks: [], stale: true })
    service.setBook('KXONE', {
      bids: [
        [41, 10],
        [40, 5],
      ],
      asks: [[43, 7]],
    })
    expect((await client.next('delta')).data).toEqual({
      bids: [
        [0.41, 10],
        [0.4, 5],
      ],
      asks: [[0.43, 7]],
      stale: false,
    })
    await clock.advance(100)
    service.setBook('KXONE', {
      bids: [
        [42, 1],
        [41, 10],
        [40, 6],
      ],
      asks: [],
    })
    const { data } = await client.next('delta')
    expect(data).toEqual({
      bids: [
        [0.42, 1],
        [0.4, 6],
      ],
      asks: [[0.43, 0]],
    })
  })

  it('reports that a book became stale', async () => {
    const { client, service, clock } = await start()
    service.setBook('KXONE', { bids: [[41, 10]], asks: [] })
    await client.subscribe(['book:KXONE'])
    expect((await client.next('snapshot')).data).toMatchObject({ stale: false })
    service.market('KXONE').isStale = true
    await clock.advance(5_500)
    expect((await client.next('delta')).data).toEqual({ bids: [], asks: [], stale: true })
  })

  it('holds at most 200 levels a side', async () => {
    const { client, service } = await start()
    const side = (from: number, step: number): [number, number][] =>
      Array.from({ length: 250 }, (_, i) => [from + i * step, 1])
    service.setBook('KXONE', { bids: side(50, -0.1), asks: side(51, 0.1) })
    await client.subscribe(['book:KXONE'])
    const { bids, asks } = (await client.next('snapshot')).data as { bids: []; asks: [] }
    expect([bids.length, asks.length]).toEqual([200, 200])
  })
})

describe('candles', () => {
  it('sends bars, updates the open one and closes it by the clock [data-service.socket.candles]', async () => {
    const { client, service, clock } = await start()
    service.print('KXONE', 40, { at: (NOW - MINUTE) as Millis, receivedAt: NOW as Millis })
    await client.subscribe(['candles:kxone:1M'])
    const snapshot = await client.next('snapshot')
    expect(snapshot.topic).toBe('candles:KXONE:1m')
    const closed = { t: NOW / 1_000 - 60, o: 0.4, h: 0.4, l: 0.4, c: 0.4, v: 1 }
    expect(snapshot.data).toEqual({ candles: [closed] })
    const open = { t: NOW / 1_000, o: 0.41, h: 0.41, l: 0.41, c: 0.41, v: 1 }
    service.print('KXONE', 41)
    expect((await client.next('delta')).data).toEqual({
      candle: { ...open, partial: true },
      closed: false,
    })
    await clock.advance(1_000)
    service.print('KXONE', 45)
    const moved = { ...open, h: 0.45, c: 0.45, v: 2 }
    expect((await client.next('delta')).data).toEqual({
      candle: { ...moved, partial: true },
      closed: false,
    })
    await clock.advance(30_000)
    client.send({ op: 'ping' })
    await client.next('pong')
    await clock.advance(29_000)
    expect((await client.next('delta')).data).toEqual({ candle: moved, closed: true })
  })

  it('sends at most four changes a second', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['candles:KXONE:1h'])
    await client.next('snapshot')
    for (let i = 0; i < 20; i += 1) {
      service.print('KXONE', 40 + i)
      await clock.advance(50)
    }
    client.send({ op: 'ping' })
    await client.next('pong')
    const deltas = client.frames.filter(({ type }) => type === 'delta')
    expect(deltas.length).toBeGreaterThanOrEqual(4)
    expect(deltas.length).toBeLessThanOrEqual(5)
  })

  it('sends a bar again when a late trade or a correction changes it', async () => {
    const { client, service, clock } = await start()
    service.print('KXONE', 40, { at: (NOW - MINUTE) as Millis, receivedAt: NOW as Millis })
    await client.subscribe(['candles:KXONE:1m'])
    await client.next('snapshot')
    const late = (NOW - MINUTE + 1_000) as Millis
    service.print('KXONE', 30, { at: late })
    const bar = { t: NOW / 1_000 - 60, o: 0.4, h: 0.4, l: 0.3, c: 0.3, v: 2 }
    expect((await client.next('delta')).data).toEqual({ candle: bar, closed: true })
    await clock.advance(1_000)
    const market = service.market('KXONE')
    market.trades.pop()
    service.hub.applyCorrection(market.market, late)
    const before = { ...bar, l: 0.4, c: 0.4, v: 1 }
    expect((await client.next('delta')).data).toEqual({ candle: before, closed: true })
  })
})

describe('movers', () => {
  it('sends the list of a window, and again when it changed, every five seconds [data-service.socket.movers]', async () => {
    const { client, service, clock } = await start()
    await client.subscribe(['movers', 'movers:1D', 'movers:2h'])
    expect((await client.next('snapshot', 'movers')).data).toEqual({ window: '1h', movers: [] })
    expect((await client.next('snapshot')).data).toEqual({ window: '24h', movers: [] })
    const mover = { ticker: 'KXONE', change: 0.1 } as never
    service.state.movers = [mover]
    await clock.advance(4_000)
    client.send({ op: 'ping' })
    await client.next('pong')
    expect(client.frames.some(({ type }) => type === 'delta')).toBe(false)
    await clock.advance(1_500)
    expect((await client.next('delta', 'movers')).data).toEqual({ movers: [mover] })
  })
})

describe('world', () => {
  it('is unknown before the first snapshot', async () => {
    const { client } = await start()
    const { rejected } = await client.subscribe(['world', 'world:economics/fed'])
    expect(rejected.map(({ code }) => code)).toEqual(['UNKNOWN_TOPIC', 'UNKNOWN_TOPIC'])
  })

  it('sends a snapshot, then a delta with each stored one', async () => {
    let at = NOW as Millis
    const listeners = new Set<(at: Millis) => void>()
    const world: WorldFeed = {
      knows: (path) => path === '' || path === 'economics/fed',
      latest: (path) => Promise.resolve({ at, data: { path, at } }),
      deltaBetween: (path, from, to) => ({ path, from, to }),
      onStored(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const { client, clock } = await start({ world })
    const { rejected } = await client.subscribe(['world', 'world:Economics/Fed', 'world:nowhere'])
    expect(rejected).toMatchObject([{ topic: 'world:nowhere', code: 'UNKNOWN_TOPIC' }])
    expect((await client.next('snapshot', 'world')).data).toEqual({ path: '', at: NOW })
    await client.next('snapshot', 'world:economics/fed')
    at = (NOW + 300_000) as Millis
    for (const receive of listeners) receive(at)
    await clock.advance(500)
    const delta = await client.next('delta', 'world')
    expect(delta.data).toEqual({ path: '', from: NOW, to: at })
  })

  it('sends a new snapshot when no delta to the next stored one is known', async () => {
    let at = NOW as Millis
    const listeners = new Set<(at: Millis) => void>()
    const world: WorldFeed = {
      knows: (path) => path === '',
      latest: () => Promise.resolve({ at, data: { at } }),
      deltaBetween: (_path, from, to) => (from === NOW ? null : { from, to }),
      onStored(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const { client, clock } = await start({ world })
    await client.subscribe(['world'])
    expect(await client.next('snapshot', 'world')).toMatchObject({ data: { at: NOW } })
    const store = async (next: number): Promise<void> => {
      at = next as Millis
      for (const receive of listeners) receive(at)
      await clock.advance(500)
    }
    await store(NOW + 300_000)
    expect(await client.next('snapshot', 'world')).toMatchObject({ reason: 'epoch', data: { at } })
    await store(NOW + 600_000)
    expect((await client.next('delta', 'world')).data).toEqual({ from: NOW + 300_000, to: at })
  })
})
