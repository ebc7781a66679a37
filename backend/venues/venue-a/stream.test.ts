import { constants, generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { Millis, SizeE6 } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { startSocketServer, until, type SocketServer } from '../../testing/socket-server.ts'
import type { StreamHandlers, VenueEvent } from '../connector.ts'
import { FeedLedger } from '../feed-ledger.ts'
import type { Wire } from '../fields.ts'
import { LagWatch } from './lag-watch.ts'
import { createSigner } from './sign.ts'
import { VenueAStream } from './stream.ts'

const PATH = '/trade-api/ws/v2'
const keys = (type: 'rsa' | 'ed25519') => {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ed25519')
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { keyId: 'key-1', privateKey, publicKey: pair.publicKey }
}
const SIGNING = keys('ed25519')

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

interface Command {
  readonly id: number
  readonly cmd: string
  readonly params: {
    readonly channels?: string[]
    readonly market_tickers?: string[]
    readonly sids?: number[]
    readonly sid?: number
    readonly action?: string
  }
}

async function setup(
  hasTradesSince: (since: number) => boolean = () => false,
  venueTime: Millis | null = null,
  isAcknowledged: (command: Command) => boolean = () => true,
) {
  const clock = new FakeClock()
  let sids = 0
  const server: SocketServer = await startSocketServer(PATH, (text) => {
    const command = JSON.parse(text) as Command
    const { id, cmd, params } = command
    if (cmd !== 'subscribe' || !isAcknowledged(command)) return []
    return (params.channels ?? []).map((channel) => ({
      id,
      type: 'subscribed',
      msg: { channel, sid: ++sids },
    }))
  })
  const events: VenueEvent[] = []
  const gaps: Parameters<StreamHandlers['onGap']>[0][] = []
  const recovered: number[] = []
  const lifecycle: [string, Wire][] = []
  const ledger = new FeedLedger('venue_a')
  const stream = new VenueAStream({
    url: server.url,
    sign: createSigner(SIGNING, clock, () => 0),
    clock,
    random: () => 0,
    ledger,
    handlers: {
      onEvents: (batch) => events.push(...batch),
      onGap: (gap) => gaps.push(gap),
      onRecovered: (at) => recovered.push(at),
    },
    venueTime: () => venueTime,
    volume24hOf: (ticker) => (ticker === 'B' ? (5_000_000 as SizeE6) : null),
    hasTradesSince: (since) => Promise.resolve(hasTradesSince(since)),
    onLifecycle: (ticker, wire) => lifecycle.push([ticker, wire]),
  })
  closing.push(
    () => stream.close(),
    () => server.close(),
  )
  await until(() => recovered.length === 1)
  const commands = () => server.received.map((text) => JSON.parse(text) as Command)
  return { clock, server, events, gaps, recovered, lifecycle, ledger, stream, commands }
}

const snapshot = (sid: number, seq: number, ticker = 'A') => ({
  type: 'orderbook_snapshot',
  sid,
  seq,
  msg: {
    market_ticker: ticker,
    yes_dollars_fp: [['0.4200', '10.00']],
    no_dollars_fp: [['0.4500', '5.00']],
  },
})
const delta = (sid: number, seq: number, change: object = {}) => ({
  type: 'orderbook_delta',
  sid,
  seq,
  msg: { market_ticker: 'A', price_dollars: '0.4300', delta_fp: '7.00', side: 'yes', ...change },
})

/** Follows market A, with a current book on sid 4. */
async function followed() {
  const world = await setup()
  world.stream.follow(['A'])
  await until(() => world.commands().length === 2)
  world.server.push(snapshot(4, 1))
  await until(() => world.events.length === 2)
  return world
}

describe('VenueAStream', () => {
  it('signs the connect and subscribes to the channels of all markets', async () => {
    const { server, commands, clock } = await setup()
    const headers = server.connects[0]!
    const message = `${clock.now()}GET${PATH}`
    const signature = Buffer.from(String(headers['kalshi-access-signature']), 'base64')
    expect(verify(null, Buffer.from(message), SIGNING.publicKey, signature)).toBe(true)
    expect(headers['kalshi-access-key']).toBe('key-1')
    expect(commands()[0]?.params.channels).toEqual(['ticker', 'trade', 'market_lifecycle_v2'])
  })

  it('trap 1: builds a book from its snapshot and deltas, subscribed on the YES scale', async () => {
    const { server, events, commands, clock } = await followed()
    expect(commands()[1]).toMatchObject({
      cmd: 'subscribe',
      params: { market_tickers: ['A'], use_yes_price: true },
    })
    expect(events).toMatchObject([
      {
        type: 'quote_changed',
        ticker: 'A',
        bid: 4_200,
        bidSize: 10_000_000,
        ask: 4_500,
        origin: 'live',
        at: clock.now(),
      },
      { type: 'book_changed' },
    ])
    server.push(delta(4, 2))
    server.push(delta(4, 3, { delta_fp: '-7.00' }))
    server.push(delta(4, 4, { side: 'no', price_dollars: '0.4600', delta_fp: '1.50' }))
    await until(() => events.length === 7)
    expect(events[2]).toMatchObject({ bid: 4_300, bidSize: 7_000_000 })
    expect(events[4]).toMatchObject({ bid: 4_200 })
    expect(events[6]).toMatchObject({
      type: 'book_changed',
      asks: [
        { price: 4_500, size: 5_000_000 },
        { price: 4_600, size: 1_500_000 },
      ],
    })
  })

  it('marks a lost message as a gap, resubscribes, and ignores late messages', async () => {
    const { server, events, gaps, recovered, commands, ledger } = await followed()
    server.push(delta(4, 3))
    await until(() => commands().length === 4)
    server.push(delta(4, 2))
    expect(gaps).toMatchObject([{ tickers: ['A'], reason: 'sequence' }])
    expect(commands().slice(2)).toMatchObject([
      { cmd: 'unsubscribe', params: { sids: [4] } },
      { cmd: 'subscribe', params: { market_tickers: ['A'] } },
    ])
    expect(recovered).toHaveLength(1)
    server.push(snapshot(5, 1))
    await until(() => recovered.length === 2)
    expect(events).toHaveLength(4)
    expect(ledger.health('stream').skipped).toEqual({})
  })

  it('records a gap for books that a connection does not send, since they were requested', async () => {
    const { server, stream, events, gaps, recovered, clock } = await setup()
    stream.follow(['A', 'C'])
    const requestedAt = clock.now()
    server.push(snapshot(4, 1))
    await until(() => events.length === 2)
    await clock.advance(4_000)
    expect(gaps).toEqual([])
    await clock.advance(11_000)
    expect(gaps).toEqual([{ since: requestedAt, tickers: ['C'], reason: 'no book was sent' }])
    server.push(snapshot(4, 2, 'C'))
    await until(() => recovered.length === 2)
  })

  /** Acknowledgements of books come when they are pushed. */
  const unacknowledged = () =>
    setup(
      () => false,
      null,
      ({ params }) => params.market_tickers === undefined,
    )
  const acknowledgement = (id: number, sid: number) => ({
    id,
    type: 'subscribed',
    msg: { channel: 'orderbook_delta', sid },
  })

  it('leaves a market that is unfollowed before its acknowledgement', async () => {
    const { server, stream, events, commands } = await unacknowledged()
    stream.follow(['A', 'C'])
    stream.follow(['C'])
    server.push(acknowledgement(2, 4))
    await until(() => commands().length === 3)
    expect(commands()[2]).toMatchObject({
      cmd: 'update_subscription',
      params: { sid: 4, action: 'delete_markets', market_tickers: ['A'] },
    })
    server.push(snapshot(4, 1))
    server.push(snapshot(4, 2, 'C'))
    await until(() => events.length === 2)
    expect(events).toMatchObject([{ ticker: 'C' }, { ticker: 'C' }])
  })

  it('applies a change once for a market that is followed again before its acknowledgement', async () => {
    const { server, stream, events, gaps, commands } = await unacknowledged()
    stream.follow(['A'])
    stream.follow([])
    stream.follow(['A'])
    server.push(acknowledgement(2, 4))
    server.push(snapshot(4, 1))
    server.push(acknowledgement(3, 5))
    server.push(snapshot(5, 1))
    server.push(delta(4, 2))
    server.push(delta(5, 2))
    server.push(delta(5, 3, { price_dollars: '0.4400' }))
    await until(() => events.some((event) => event.type === 'quote_changed' && event.bid === 4_400))
    expect(events.findLast(({ type }) => type === 'book_changed')).toMatchObject({
      bids: [
        { price: 4_400, size: 7_000_000 },
        { price: 4_300, size: 7_000_000 },
        { price: 4_200, size: 10_000_000 },
      ],
    })
    expect(commands().slice(3)).toMatchObject([
      { cmd: 'update_subscription', params: { sid: 4, market_tickers: ['A'] } },
    ])
    expect(gaps).toEqual([])
  })

  it('applies a repeated message once', async () => {
    const { server, events, ledger } = await followed()
    server.push(delta(4, 2))
    server.push(delta(4, 2))
    server.push(delta(4, 3))
    await until(() => events.length === 6)
    expect(events[4]).toMatchObject({ bid: 4_300, bidSize: 14_000_000 })
    expect(ledger.health('stream').skipped).toEqual({ 'repeated stream message': 1 })
  })

  it.each([
    ['a level falls below nothing', delta(4, 2, { delta_fp: '-1.00' }), 'level below zero'],
    ['a message makes no sense', delta(4, 2, { side: 'up' }), 'malformed delta'],
  ])('drops the book when %s', async (_, message, reason) => {
    const { server, gaps } = await followed()
    server.push(message)
    await until(() => gaps.length === 1)
    expect(gaps[0]?.reason).toBe(reason)
  })

  it('publishes no crossed book, and drops it when it stays crossed', async () => {
    const { server, events, gaps, clock } = await followed()
    server.push(delta(4, 2, { price_dollars: '0.4500' }))
    server.push({ type: 'trade', sid: 2, seq: 1, msg: trade('t-1') })
    await until(() => events.length === 3)
    expect(events[2]).toMatchObject({ type: 'trade_printed', tradeId: 't-1' })
    const crossedAt = clock.now()
    await clock.advance(2_500)
    expect(gaps).toEqual([])
    // Messages of other markets measure its duration.
    server.push({ type: 'trade', sid: 2, seq: 2, msg: trade('t-2') })
    await until(() => gaps.length === 1)
    expect(gaps[0]).toEqual({ since: crossedAt, tickers: ['A'], reason: 'crossed book' })
  })

  const trade = (id: string) => ({
    trade_id: id,
    market_ticker: 'B',
    yes_price_dollars: '0.7000',
    count_fp: '2.00',
    taker_outcome_side: 'no',
    ts_ms: Date.parse('2026-11-20T13:59:59.500Z'),
  })

  it('trap 16: publishes trades and tickers of all markets, without combos', async () => {
    const { server, events } = await setup()
    server.push({ type: 'trade', sid: 2, seq: 1, msg: { ...trade('x'), market_ticker: 'KXMVE-1' } })
    server.push({ type: 'trade', sid: 2, seq: 2, msg: trade('t-1') })
    server.push({
      type: 'ticker',
      sid: 1,
      msg: {
        market_ticker: 'B',
        yes_bid_dollars: '0.6900',
        yes_ask_dollars: '0.7100',
        volume_fp: '12.00',
      },
    })
    await until(() => events.length === 3)
    expect(events).toMatchObject([
      {
        type: 'trade_printed',
        ticker: 'B',
        price: 7_000,
        takerSide: 'no',
        at: Date.parse('2026-11-20T13:59:59.500Z'),
      },
      { type: 'quote_changed', bid: 6_900, ask: 7_100 },
      { type: 'activity_reported', volume: 12_000_000, volume24h: 5_000_000 },
    ])
  })

  it('accepts trades that are an hour ahead of our clock', async () => {
    const hourAhead = Date.parse('2026-11-20T15:00:00.000Z') as Millis
    const { server, events, ledger } = await setup(() => false, hourAhead)
    server.push({ type: 'trade', sid: 2, seq: 1, msg: { ...trade('t-1'), ts_ms: hourAhead } })
    const later = hourAhead + 3_600_000
    server.push({ type: 'trade', sid: 2, seq: 2, msg: { ...trade('t-2'), ts_ms: later } })
    server.push({ type: 'trade', sid: 2, seq: 3, msg: trade('t-3') })
    await until(() => events.length === 2)
    expect(events).toMatchObject([{ tradeId: 't-1', at: hourAhead }, { tradeId: 't-3' }])
    expect(ledger.health('stream').skipped).toEqual({ 'trade without a time': 1 })
  })

  it('reports a gap in the trades of all markets and continues', async () => {
    const { server, gaps, recovered, events } = await setup()
    server.push({ type: 'trade', sid: 2, seq: 1, msg: trade('t-1') })
    server.push({ type: 'trade', sid: 2, seq: 3, msg: trade('t-3') })
    await until(() => events.length === 2)
    expect(gaps).toMatchObject([{ tickers: null, reason: 'sequence' }])
    expect(recovered).toHaveLength(2)
  })

  it('replaces a connection that went silent, and reports since when', async () => {
    const { server, clock, events, gaps, recovered } = await followed()
    await clock.advance(5_000)
    const known = events.length
    server.push({ type: 'trade', sid: 2, seq: 1, msg: trade('t-1') })
    await until(() => events.length > known)
    const since = clock.now()
    await clock.advance(26_000)
    await until(() => gaps.length === 1)
    expect(gaps[0]).toEqual({ since, tickers: null, reason: 'silent' })
    await clock.advance(1_000)
    await until(() => recovered.length === 2)
    expect(server.connects).toHaveLength(2)
    await until(() => server.received.length === 4)
    expect(JSON.parse(server.received[3]!)).toMatchObject({ params: { market_tickers: ['A'] } })
  })

  it('trap 14: reconnects after a drop, and after an overflow of the venue', async () => {
    const { server, clock, gaps, recovered } = await setup()
    server.drop()
    await until(() => gaps.length === 1)
    await clock.advance(1_000)
    await until(() => recovered.length === 2)
    server.push({ type: 'error', msg: { code: 25, msg: 'buffer overflow' } })
    await until(() => gaps.length === 2)
    expect(gaps[1]?.reason).toBe('stream error 25')
  })

  it('trap 21: replaces a connection that pings and delivers no trades while the venue prints some', async () => {
    const requested: number[] = []
    let isPrinting = false
    const { server, clock, events, gaps, recovered } = await setup((since) => {
      requested.push(since)
      return isPrinting
    })
    server.push({ type: 'trade', sid: 2, seq: 1, msg: trade('t-1') })
    await until(() => events.length === 1)
    const from = clock.now()
    const passSeconds = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 5) {
        await clock.advance(5_000)
        const beats = server.ping()
        await until(() => beats() === 0)
      }
    }
    await passSeconds(100)
    expect(requested.length).toBeGreaterThan(0)
    expect(gaps).toEqual([])
    isPrinting = true
    await passSeconds(80)
    await until(() => gaps.length === 1)
    expect(gaps[0]).toEqual({ since: from, tickers: null, reason: 'frozen' })
    await clock.advance(1_000)
    await until(() => recovered.length === 2)
  })

  it('publishes lifecycle messages and ignores invalid ones', async () => {
    const { server, lifecycle, ledger } = await setup()
    server.push('not json')
    server.push([1, 2])
    server.push({
      type: 'market_lifecycle_v2',
      sid: 3,
      seq: 1,
      msg: { market_ticker: 'kxnew-1', event_type: 'created' },
    })
    await until(() => lifecycle.length === 1)
    expect(lifecycle[0]?.[0]).toBe('KXNEW-1')
    expect(ledger.health('stream').skipped).toEqual({ 'stream message was not a JSON object': 2 })
  })
})

describe('createSigner', () => {
  it('signs with RSA-PSS when the key is RSA, at venue time', () => {
    const rsa = keys('rsa')
    const headers = createSigner(
      rsa,
      new FakeClock(1_763_650_000_000),
      () => 123,
    )('get', '/trade-api/v2/portfolio/balance')
    expect(headers['KALSHI-ACCESS-TIMESTAMP']).toBe('1763650000123')
    const options = { key: rsa.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    const message = Buffer.from('1763650000123GET/trade-api/v2/portfolio/balance')
    expect(
      verify(
        'sha256',
        message,
        options,
        Buffer.from(headers['KALSHI-ACCESS-SIGNATURE']!, 'base64'),
      ),
    ).toBe(true)
  })
})

describe('LagWatch', () => {
  it('trap 17: reports lag that grows, not clocks that differ', () => {
    const watch = new LagWatch()
    expect(Array.from({ length: 50 }, () => watch.isGrowing(90_000))).not.toContain(true)
    expect(watch.isGrowing(95_000)).toBe(false)
    expect(Array.from({ length: 30 }, () => watch.isGrowing(95_000))).toContain(true)
  })
})
