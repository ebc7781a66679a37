import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { SECOND, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { startSocketServer, until } from '../../testing/socket-server.ts'
import type { StreamHandlers, VenueEvent } from '../connector.ts'
import { FeedLedger } from '../feed-ledger.ts'
import type { Wire } from '../fields.ts'
import type { Best } from './shard.ts'
import { VenueBStream } from './stream.ts'

const CONDITION = `0x${'cd'.repeat(32)}`
const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

async function setup(
  agrees: (bests: ReadonlyMap<string, Best>) => boolean = () => true,
  venueTime: Millis | null = null,
) {
  const clock = new FakeClock()
  const server = await startSocketServer('/ws/market')
  const events: VenueEvent[] = []
  const gaps: Parameters<StreamHandlers['onGap']>[0][] = []
  const recovered: number[] = []
  const catalogue: Wire[] = []
  const audits: ReadonlyMap<string, Best>[] = []
  const ledger = new FeedLedger('venue_b')
  const stream = new VenueBStream({
    url: server.url,
    clock,
    random: () => 0,
    ledger,
    handlers: {
      onEvents: (batch) => events.push(...batch),
      onGap: (gap) => gaps.push(gap),
      onRecovered: (at) => recovered.push(at),
    },
    venueTime: () => venueTime,
    outcomeOf: (_, asset) => (asset.startsWith('yes') ? 0 : 1),
    onCatalogue: (message) => catalogue.push(message),
    matchesRest: (bests) => {
      audits.push(bests)
      return Promise.resolve(agrees(bests))
    },
    resolveAssets: (tickers) =>
      Promise.resolve(new Map(tickers.map((ticker) => [ticker, `yes-${ticker}`]))),
  })
  closing.push(
    () => stream.close(),
    () => server.close(),
  )
  const sentMessages = () =>
    server.received
      .filter((text) => text !== 'PING')
      .map((text) => JSON.parse(text) as Record<string, unknown>)
  return { clock, server, events, gaps, recovered, catalogue, audits, ledger, stream, sentMessages }
}

const ASSET = `yes-${CONDITION}`
const book = (change: object = {}) => ({
  event_type: 'book',
  market: CONDITION,
  asset_id: ASSET,
  bids: [
    { price: '0.40', size: '10' },
    { price: '0.41', size: '5' },
  ],
  asks: [
    { price: '0.44', size: '5' },
    { price: '0.43', size: '2.5' },
  ],
  timestamp: '1763647000000',
  ...change,
})
const change = (rows: object[]) => ({
  event_type: 'price_change',
  market: CONDITION,
  timestamp: '1763647199000',
  price_changes: rows,
})
const row = (values: object) => ({
  asset_id: ASSET,
  price: '0.42',
  size: '3',
  side: 'BUY',
  best_bid: '0.42',
  best_ask: '0.43',
  ...values,
})

async function followed(
  agrees?: (bests: ReadonlyMap<string, Best>) => boolean,
  venueTime?: Millis,
) {
  const world = await setup(agrees, venueTime)
  world.stream.follow([CONDITION])
  await until(() => world.sentMessages().length === 1)
  world.server.push([book()])
  await until(() => world.events.length === 2)
  return world
}

describe('VenueBStream', () => {
  it('subscribes to the YES asset and builds its book from absolute sizes', async () => {
    const { server, events, sentMessages, recovered } = await followed()
    expect(sentMessages()[0]).toEqual({
      type: 'market',
      assets_ids: [ASSET],
      custom_feature_enabled: true,
    })
    expect(events[0]).toMatchObject({
      type: 'quote_changed',
      ticker: CONDITION,
      bid: 4_100,
      ask: 4_300,
      askSize: 2_500_000,
      at: 1_763_647_000_000,
    })
    expect(recovered).toHaveLength(1)
    const foreign = {
      asset_id: 'no-1',
      price: '0.5',
      size: '1',
      side: 'BUY',
      best_bid: '0.9',
      best_ask: '0.95',
    }
    server.push(change([row({}), foreign]))
    server.push([change([row({ price: '0.43', size: '0', side: 'SELL', best_ask: '0.44' })])])
    await until(() => events.length === 6)
    expect(events[2]).toMatchObject({ bid: 4_200, bidSize: 3_000_000, at: 1_763_647_199_000 })
    expect(events[4]).toMatchObject({ ask: 4_400 })
  })

  it('drops a book that disagrees with the stated best prices and requests it again', async () => {
    const { server, events, gaps, recovered, sentMessages } = await followed()
    server.push(change([row({ best_bid: '0.45', best_ask: '0.46' })]))
    await until(() => sentMessages().length === 3)
    expect(gaps).toMatchObject([{ tickers: [CONDITION], reason: 'book disagreed' }])
    expect(sentMessages().slice(1)).toMatchObject([
      { operation: 'unsubscribe', assets_ids: [ASSET] },
      { operation: 'subscribe', assets_ids: [ASSET], custom_feature_enabled: true },
    ])
    server.push(change([row({})]))
    server.push(
      book({ bids: [{ price: '0.45', size: '1' }], asks: [{ price: '0.46', size: '1' }] }),
    )
    await until(() => recovered.length === 2)
    expect(events).toHaveLength(4)
    expect(events[2]).toMatchObject({ bid: 4_500, ask: 4_600 })
  })

  it('publishes the quote of a book that was sent again, even if unchanged', async () => {
    const { clock, server, events, gaps, recovered, sentMessages } = await followed()
    server.push(change([row({ best_bid: '0.45', best_ask: '0.46' })]))
    await until(() => sentMessages().length === 3)
    server.push(book())
    await until(() => recovered.length === 2)
    expect(events.slice(2)).toMatchObject([
      { type: 'quote_changed', bid: 4_100, ask: 4_300 },
      { type: 'book_changed' },
    ])
    server.drop()
    await until(() => gaps.length === 2)
    await clock.advance(SECOND)
    await until(() => sentMessages().length === 4)
    server.push(book())
    await until(() => recovered.length === 3)
    expect(events.slice(4)).toMatchObject([{ type: 'quote_changed' }, { type: 'book_changed' }])
  })

  it('requests the book again when the tick changes, without a gap', async () => {
    const { server, gaps, catalogue, sentMessages } = await followed()
    server.push({ ...fixture('ws-tick-size-change'), asset_id: ASSET, market: CONDITION })
    await until(() => sentMessages().length === 3)
    expect(gaps).toEqual([])
    expect(catalogue).toMatchObject([{ new_tick_size: '0.001' }])
  })

  it('trap 24: publishes trades of followed assets and catalogue messages', async () => {
    const { server, events, catalogue } = await followed()
    const print = { ...fixture('ws-last-trade-price'), market: CONDITION, transaction_hash: '0xaa' }
    server.push({ ...print, asset_id: 'no-1' })
    server.push({ ...print, asset_id: ASSET })
    server.push(fixture('ws-new-market'))
    server.push(fixture('ws-resolved'))
    await until(() => catalogue.length === 2)
    expect(events.slice(2)).toMatchObject([
      {
        type: 'trade_printed',
        price: 4_910,
        size: 85_360_000,
        takerSide: 'no',
        at: 1_724_564_136_087,
      },
    ])
  })

  it('spreads assets over connections of at most 200', async () => {
    const { server, stream, sentMessages } = await setup()
    const tickers = Array.from({ length: 401 }, (_, index) => `t${index}`)
    stream.follow(tickers)
    await until(() => server.connects.length === 3 && sentMessages().length === 3)
    const sizes = sentMessages().map((message) => (message['assets_ids'] as string[]).length)
    expect(sizes.sort((a, b) => a - b)).toEqual([1, 200, 200])
    stream.follow(tickers.slice(1))
    await until(() => sentMessages().length === 4)
    expect(sentMessages()[3]).toMatchObject({ operation: 'unsubscribe', assets_ids: ['yes-t0'] })
  })

  it('pings, and replaces a connection that does not answer', async () => {
    const { server, clock, gaps, recovered } = await followed()
    const since = clock.now()
    await clock.advance(8_000)
    await until(() => server.received.includes('PING'))
    await clock.advance(32_000)
    await until(() => gaps.length === 1)
    expect(gaps[0]).toEqual({ since, tickers: [CONDITION], reason: 'silent' })
    await clock.advance(1_000)
    await until(() => server.connects.length === 2)
    await until(() => server.received.at(-1)?.includes('"market"') === true)
    server.push(book())
    await until(() => recovered.length === 2)
  })

  const quiet = async (world: Awaited<ReturnType<typeof followed>>, seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      await world.clock.advance(5_000)
      const before = world.ledger.health('stream').lastMessageAt
      world.server.push('PONG')
      await until(() => world.ledger.health('stream').lastMessageAt === before)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('trap 21: compares a quiet feed with the venue, and keeps it when it is only quiet', async () => {
    const world = await followed()
    await quiet(world, 100)
    expect(world.audits.length).toBeGreaterThan(0)
    expect(world.audits[0]?.get(ASSET)).toEqual({ bid: 4_100, ask: 4_300 })
    expect(world.gaps).toEqual([])
  })

  it('trap 21: replaces a connected but frozen feed', async () => {
    const world = await followed(() => false)
    const since = world.clock.now()
    await quiet(world, 90)
    await until(() => world.gaps.length > 0)
    expect(world.gaps[0]).toEqual({ since, tickers: [CONDITION], reason: 'frozen' })
  })

  it('trap 21: replaces an old connection without a gap, once the new one has the books', async () => {
    const { server, clock, events, gaps, stream, recovered } = await followed()
    let isMute = false
    const answerPings = async (minutes: number) => {
      for (let step = 0; step < minutes * 12; step += 1) {
        await clock.advance(5_000)
        server.push('PONG')
        if (!isMute) server.push(book({ timestamp: String(clock.now()) }))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await answerPings(14)
    expect(server.connects).toHaveLength(1)
    const before = recovered.length
    isMute = true
    while (server.connects.length === 1) await answerPings(1 / 12)
    await until(() => server.received.filter((text) => text.includes('"market"')).length === 2)
    expect(server.open()).toBe(2)
    server.push(book())
    while (server.open() === 2) await answerPings(1 / 12)
    expect(server.connects).toHaveLength(2)
    expect(recovered.length).toBeGreaterThan(before)
    expect(gaps).toEqual([])
    expect(stream.isDelivering).toBe(true)
    const count = events.length
    server.push(change([row({})]))
    await until(() => events.length > count)
  })

  it('ignores frames that are not messages', async () => {
    const { server, ledger, events } = await followed()
    for (const frame of [
      'NO NEW ASSETS',
      'oops',
      '[1,null,"x"]',
      '{"event_type":"price_change","price_changes":7}',
      '{"event_type":"book"}',
    ])
      server.push(frame)
    server.push(book({ timestamp: '1763647000001' }))
    await until(() => events.length === 3)
    expect(ledger.health('stream').skipped).toEqual({ 'stream message was not JSON': 1 })
  })

  it('accepts trades that are an hour ahead of our clock', async () => {
    const hourAhead = Date.parse('2026-11-20T15:00:00.000Z') as Millis
    const { server, events, ledger } = await followed(undefined, hourAhead)
    const trade = (timestamp: number, transaction_hash: string) => ({
      event_type: 'last_trade_price',
      market: CONDITION,
      asset_id: ASSET,
      price: '0.42',
      size: '3',
      side: 'BUY',
      timestamp: String(timestamp),
      transaction_hash,
    })
    server.push([trade(hourAhead, '0x1'), trade(hourAhead + 3_600_000, '0x2')])
    await until(() => ledger.health('stream').skipped['trade without a time'] === 1)
    const trades = events.filter(({ type }) => type === 'trade_printed')
    expect(trades).toMatchObject([{ at: hourAhead }])
  })
})
