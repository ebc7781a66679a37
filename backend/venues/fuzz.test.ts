import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import fc from '../../scripts/properties.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { hasRecordings, recording, WITHOUT_RECORDINGS } from '../../bench/recordings.ts'
import { MARKET_STATUSES } from '../domain/market.ts'
import { DAY, HOUR, type Millis } from '../domain/units.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { mutatedJson } from '../testing/mutated-json.ts'
import { startSocketServer, until } from '../testing/socket-server.ts'
import type { StreamHandlers, VenueEvent } from './connector.ts'
import { FeedLedger } from './feed-ledger.ts'
import { wireOf } from './fields.ts'
import { ParseResult, type ParseContext, type ParsedEvents } from './parsed.ts'
import { UNHANDLED_MESSAGE } from './reconnecting-socket.ts'
import { parseEventContext as parseEventContextA, parseSeriesPage } from './venue-a/catalogue.ts'
import { applyLifecycle } from './venue-a/lifecycle.ts'
import * as a from './venue-a/parse.ts'
import * as tapeA from './venue-a/parse-tape.ts'
import { createSigner } from './venue-a/sign.ts'
import { VenueAStream } from './venue-a/stream.ts'
import { AssetIndex } from './venue-b/asset-index.ts'
import { factsOfMessage } from './venue-b/message-facts.ts'
import * as b from './venue-b/parse.ts'
import * as tapeB from './venue-b/parse-tape.ts'
import { outcomeOf, parseClobWinner, parseResolutions, statusOf } from './venue-b/resolution.ts'
import { VenueBStream } from './venue-b/stream.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const CONTEXTS: readonly ParseContext[] = [
  { origin: 'polled', receivedAt: NOW },
  { origin: 'backfilled', receivedAt: NOW },
]
const RESULTS = ['yes', 'no', 'scalar', 'void', null]
const FARTHEST = Date.parse('2200-01-01T00:00:00Z')

const fixtures = (venue: 'venue-a' | 'venue-b'): unknown[] => {
  const folder = new URL(`./${venue}/fixtures/`, import.meta.url)
  return readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as unknown,
  )
}
/** Recorded responses as the parsers get them, without the recorder's wrapper. */
const bodies = (venue: 'venue_a' | 'venue_b', names: readonly string[]): unknown[] =>
  names.map((name) => {
    const file = recording(`${venue}/api_recordings/${name}.json`)
    return wireOf(file)?.['response'] ?? file
  })

const isPrice = (price: number | null): boolean =>
  price === null || (Number.isInteger(price) && price >= 0 && price <= 10_000)
const isSize = (size: number | null): boolean =>
  size === null || (Number.isSafeInteger(size) && size >= 0)
const isTime = (at: number | null): boolean =>
  at === null || (Number.isFinite(at) && at > 0 && at < FARTHEST * 2)

/** Returns what is wrong with an event; null when it can be stored and served. */
function faultOf(event: VenueEvent): string | null {
  if (!isTime(event.at) || !isTime(event.receivedAt)) return 'time'
  if (event.receivedAt < event.at && event.origin !== 'backfilled') return 'known before it was'
  if (typeof event.ticker !== 'string' || event.ticker === '') return 'ticker'
  switch (event.type) {
    case 'market_described': {
      const { facts } = event
      if (!MARKET_STATUSES.includes(facts.status)) return 'status'
      if (!RESULTS.includes(facts.result)) return 'result'
      if (!isPrice(facts.settlementPrice)) return 'settlement'
      if (![facts.openTime, facts.closeTime, facts.expirationTime].every(isTime)) return 'times'
      const texts = [facts.title, facts.description, facts.eventId, facts.category, ...facts.tags]
      if (![...texts, ...facts.assetIds].every((text) => typeof text === 'string')) return 'texts'
      const isRange = ({ start, end, step }: (typeof facts.priceRanges)[number]): boolean =>
        [start, end, step].every(isPrice) && step > 0 && start < end
      return facts.priceRanges.every(isRange) ? null : 'ranges'
    }
    case 'activity_reported':
      if (![event.volume, event.volume24h, event.openInterest].every(isSize)) return 'counters'
      return isPrice(event.lastPrice) ? null : 'last price'
    case 'quote_changed':
      if (![event.bid, event.ask].every(isPrice)) return 'quote'
      if (event.bid !== null && event.ask !== null && event.bid >= event.ask) return 'crossed'
      return [event.bidSize, event.askSize].every(isSize) ? null : 'quote size'
    case 'book_changed': {
      const levels = [...event.bids, ...event.asks]
      if (!levels.every(({ price, size }) => isPrice(price) && isSize(size))) return 'level'
      const [bid, ask] = [event.bids[0]?.price ?? -1, event.asks[0]?.price ?? 10_001]
      return bid < ask ? null : 'crossed'
    }
    case 'trade_printed':
      if (event.tradeId === '' || event.size <= 0 || !isSize(event.size)) return 'trade'
      return isPrice(event.price) ? null : 'trade price'
    case 'candle_published': {
      const { open, high, low, close, volume, bidClose, askClose } = event
      if (![open, high, low, close, bidClose, askClose].every(isPrice)) return 'bar'
      return isSize(volume) && isTime(event.start) ? null : 'bar size'
    }
    case 'trade_busted':
      return null
  }
}

function check(parsed: ParsedEvents): void {
  for (const event of parsed.events) {
    const fault = faultOf(event)
    if (fault !== null) throw new Error(`${fault}: ${JSON.stringify(event)}`)
  }
  for (const [reason, count] of Object.entries(parsed.skipped)) {
    expect(Number.isInteger(count) && count > 0, reason).toBe(true)
  }
}

const checkPrototypes = (): void => {
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('price')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
}

const LABELS = 'markets_list market_single event_single events_list trades_list orderbook'
const A_NAMES = `${LABELS} pmvl_kalshi_events pmvl_kalshi_markets pmvl_kalshi_orderbook`
  .split(' ')
  .concat('pmvl_kalshi_trades', 'series_single')
const B_NAMES = [
  'nt_book',
  'nt_clob_book_response',
  'nt_clob_market_closed_binary_accepting_true',
  'nt_data_api_trades_response',
  'nt_event',
  'nt_gamma_market',
  'nt_market_slug',
  'nt_trades',
  'nt_gamma_market_closed_binary_accepting_true',
  'nt_events_list',
  'nt_search_response',
  'nt_gamma_market_closed_nonbinary_legacy',
  'pmvl_polymarket_book',
  'nt_ws_price_change',
  'nt_ws_last_trade_price',
  'nt_ws_market_new_market_msg',
  'nt_ws_market_resolved_msg',
  'nt_ws_price_change_v2',
  'nt_ws_tick_size_change',
  'nt_ws_market_best_bid_ask_msg',
]
const seedsA = [...fixtures('venue-a'), ...(hasRecordings ? bodies('venue_a', A_NAMES) : [])]
const seedsB = [...fixtures('venue-b'), ...(hasRecordings ? bodies('venue_b', B_NAMES) : [])]
const RUNS = { numRuns: 300 }

describe('parsers on mutated payloads', () => {
  it.skipIf(!hasRecordings)(`have recorded seeds (${WITHOUT_RECORDINGS})`, () => {
    expect(seedsA.length + seedsB.length).toBeGreaterThan(40)
  })

  it('of venue_a never throw, count what they refuse, and return no impossible values', () => {
    fc.assert(
      fc.property(mutatedJson(seedsA), (body) => {
        for (const context of CONTEXTS) {
          check(a.parseMarketsPage(body, context))
          check(a.parseEventsPage(body, context))
          check(tapeA.parseTradesPage(body, context))
          check(tapeA.parseOrderbook(body, context, 'A'))
          check(tapeA.parseCandlesticks(body, context, DAY, 'A'))
        }
        parseSeriesPage(body)
        parseEventContextA(body)
      }),
      RUNS,
    )
    checkPrototypes()
  })

  it('of venue_b never throw, count what they refuse, and return no impossible values', () => {
    fc.assert(
      fc.property(mutatedJson(seedsB), (body) => {
        const index = new AssetIndex()
        for (const context of CONTEXTS) {
          const described = b.parseGammaMarketsPage(body, context)
          check(described)
          check(b.parseGammaEventsPage(body, context))
          for (const event of described.events)
            if (event.type === 'market_described') index.add(event.facts)
          check(tapeB.parseDataTradesPage(body, context))
          check(tapeB.parseClobBooks(body, context))
          check(tapeB.parsePricesHistory(body, context, '0xab', HOUR))
        }
        for (const outcome of [...parseResolutions(body).values(), parseClobWinner(body)])
          expect(RESULTS).toContain(outcome.result)
        const wire = wireOf(body)
        if (wire === null) return
        expect(MARKET_STATUSES).toContain(statusOf(wire, outcomeOf(wire)))
        const facts = factsOfMessage(new ParseResult(), wire, index, () => null)
        if (facts !== null) expect(MARKET_STATUSES).toContain(facts.status)
      }),
      RUNS,
    )
    checkPrototypes()
  })

  it('count every row they refuse', () => {
    const rows = fc.array(fc.oneof(fc.jsonValue(), fc.constant({})), { maxLength: 20 })
    fc.assert(
      fc.property(rows, (trades) => {
        const context = { origin: 'polled', receivedAt: NOW } as const
        for (const parsed of [
          tapeA.parseTradesPage({ trades }, context),
          tapeB.parseDataTradesPage({ data: trades }, context),
          a.parseMarketsPage({ markets: trades }, context),
        ]) {
          const refused = Object.values(parsed.skipped).reduce((sum, count) => sum + count, 0)
          expect(parsed.events.length + refused).toBe(trades.length)
        }
      }),
    )
  })
})

describe('sockets on mutated messages', () => {
  let closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing) await close()
    closing = []
  })
  const world = () => {
    const events: VenueEvent[] = []
    const gaps: string[] = []
    const handlers: StreamHandlers = {
      onEvents: (batch) => events.push(...batch),
      onGap: ({ reason }) => gaps.push(reason),
      onRecovered: () => undefined,
    }
    return { events, gaps, handlers, clock: new FakeClock(NOW) }
  }
  const expectSane = (events: readonly VenueEvent[]): void => {
    for (const event of events) expect([faultOf(event), event.type]).toEqual([null, event.type])
  }

  const MESSAGES_A: readonly unknown[] = [
    { type: 'ok', id: 1, sid: 4, seq: 1, msg: { market_tickers: ['A'] } },
    { type: 'subscribed', id: 1, msg: { channel: 'trade', sid: 2 } },
    {
      type: 'orderbook_snapshot',
      msg: {
        market_ticker: 'A',
        yes_dollars_fp: [['0.4200', '10.00']],
        no_dollars_fp: [['0.4500', '5.00']],
      },
    },
    {
      type: 'orderbook_delta',
      msg: {
        market_ticker: 'A',
        price_dollars: '0.4300',
        delta_fp: '7.00',
        side: 'yes',
        ts_ms: NOW,
      },
    },
    {
      type: 'trade',
      msg: {
        trade_id: 't',
        market_ticker: 'A',
        yes_price_dollars: '0.7000',
        count_fp: '2.00',
        taker_outcome_side: 'no',
        ts_ms: NOW,
      },
    },
    {
      type: 'ticker',
      sid: 1,
      msg: {
        market_ticker: 'A',
        yes_bid_dollars: '0.69',
        yes_ask_dollars: '0.71',
        volume_fp: '1.00',
      },
    },
    {
      type: 'market_lifecycle_v2',
      msg: { market_ticker: 'A', event_type: 'settled', result: 'yes', settlement_value: '1.0000' },
    },
  ]

  it('of venue_a stay connected and deliver no impossible values', async () => {
    const server = await startSocketServer('/trade-api/ws/v2')
    const { events, gaps, handlers, clock } = world()
    const ledger = new FeedLedger('venue_a')
    const pair = generateKeyPairSync('ed25519')
    const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const stream = new VenueAStream({
      url: server.url,
      clock,
      ledger,
      handlers,
      random: () => 0,
      sign: createSigner({ keyId: 'k', privateKey }, clock, () => 0),
      venueTime: () => null,
      volume24hOf: () => null,
      hasTradesSince: () => Promise.resolve(false),
      onLifecycle: (_, wire) => {
        const [event] = a.parseMarketsPage({ markets: [A_MARKET] }, CONTEXTS[0]!).events
        if (event?.type === 'market_described') applyLifecycle(event.facts, wire)
      },
    })
    closing.push(
      () => stream.close(),
      () => server.close(),
    )
    stream.follow(['A'])
    await until(() => server.connects.length === 1)
    await flood(server, clock, MESSAGES_A, () => stream.isDelivering)
    expect(events.length).toBeGreaterThan(50)
    expectSane(events)
    expect(gaps.filter((reason) => reason.startsWith(UNHANDLED_MESSAGE))).toEqual([])
    checkPrototypes()
  })

  const A_MARKET = { ticker: 'A', event_ticker: 'E', status: 'active', yes_bid_dollars: '0.4' }
  const CONDITION = `0x${'cd'.repeat(32)}`
  const MESSAGES_B: readonly unknown[] = [
    {
      event_type: 'book',
      market: CONDITION,
      asset_id: 'yes',
      timestamp: String(NOW),
      bids: [{ price: '0.40', size: '10' }],
      asks: [{ price: '0.44', size: '5' }],
    },
    {
      event_type: 'price_change',
      market: CONDITION,
      timestamp: String(NOW),
      price_changes: [
        {
          asset_id: 'yes',
          price: '0.40',
          size: '3',
          side: 'BUY',
          best_bid: '0.40',
          best_ask: '0.44',
        },
      ],
    },
    {
      event_type: 'last_trade_price',
      asset_id: 'yes',
      market: CONDITION,
      price: '0.41',
      side: 'SELL',
      size: '8.5',
      timestamp: String(NOW),
      transaction_hash: '0xaa',
    },
    [
      {
        event_type: 'tick_size_change',
        asset_id: 'yes',
        market: CONDITION,
        new_tick_size: '0.001',
      },
    ],
  ]

  it('of venue_b stay connected and deliver no impossible values', async () => {
    const server = await startSocketServer('/ws/market')
    const { events, gaps, handlers, clock } = world()
    const stream = new VenueBStream({
      url: server.url,
      clock,
      handlers,
      random: () => 0,
      ledger: new FeedLedger('venue_b'),
      venueTime: () => null,
      outcomeOf: (_, asset) => (asset === 'yes' ? 0 : 1),
      onCatalogue: (message) => {
        factsOfMessage(new ParseResult(), message, new AssetIndex(), () => null)
      },
      matchesRest: () => Promise.resolve(true),
      resolveAssets: () => Promise.resolve(new Map([[CONDITION, 'yes']])),
    })
    closing.push(
      () => stream.close(),
      () => server.close(),
    )
    stream.follow([CONDITION])
    await until(() => server.connects.length === 1)
    await flood(server, clock, MESSAGES_B, () => stream.isDelivering)
    expect(events.length).toBeGreaterThan(50)
    expectSane(events)
    expect(gaps.filter((reason) => reason.startsWith(UNHANDLED_MESSAGE))).toEqual([])
    checkPrototypes()
  })

  /** Sends valid and mutated messages alternately; at the end the stream still delivers. */
  async function flood(
    server: Awaited<ReturnType<typeof startSocketServer>>,
    clock: FakeClock,
    messages: readonly unknown[],
    isDelivering: () => boolean,
  ): Promise<void> {
    const hostile = fc.sample(mutatedJson(messages), { numRuns: 400, seed: 7 })
    for (const message of hostile) {
      for (const good of messages) server.push(good)
      server.push(message)
      await clock.advance(100)
    }
    for (let turn = 0; turn < 500; turn += 1) {
      for (const good of messages) server.push(good)
      await clock.advance(1_000)
      if (isDelivering()) return
    }
    throw new Error('the stream did not come back')
  }
})
