import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { InstantClock } from '../../testing/instant-clock.ts'
import { json, startScriptServer, type ScriptServer } from '../../testing/script-server.ts'
import { startSocketServer, until } from '../../testing/socket-server.ts'
import type { VenueEvent } from '../connector.ts'
import { createVenueA } from './connector.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z')
const CUTOFF = Date.parse('2026-09-20T00:00:00Z')
const signal = new AbortController().signal

let server: ScriptServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

/** A venue that answers by path; several responses of one path are returned in order. */
async function venue(answers: Readonly<Record<string, readonly unknown[]>>, keys = false) {
  const turns = new Map<string, number>()
  server = await startScriptServer((line) => {
    const path = line.replace(/^GET \/trade-api\/v2/, '').replace(/\?.*/, '')
    const turn = turns.get(path) ?? 0
    turns.set(path, turn + 1)
    const known = answers[path] ?? DEFAULT_WINDOW[path]
    const answer = known?.[Math.min(turn, known.length - 1)]
    return answer === undefined
      ? json({ code: 'not_found', message: 'none' }, 404)
      : answer instanceof Refusal
        ? json(answer.body, answer.status)
        : json(answer)
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  const connector = createVenueA({
    baseUrl: `${server.url}/trade-api/v2`,
    keys: keys
      ? { keyId: 'k', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
      : null,
    clock: new InstantClock(20_000),
    random: () => 0,
    logger: silentLogger,
    budget: { ratePerSecond: 1_000, burst: 1_000 },
  })
  const paths = () => server!.requests.map(({ line }) => line.replace('GET /trade-api/v2', ''))
  return { connector, paths, requests: server.requests }
}
class Refusal {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown = { error: 'unauthorized' }) {
    this.status = status
    this.body = body
  }
}
const DEFAULT_WINDOW: Readonly<Record<string, readonly unknown[]>> = {
  '/series': [{ series: [{ ticker: 'KXS', title: 'Series', category: 'Crypto', tags: ['BTC'] }] }],
  '/historical/cutoff': [
    { market_settled_ts: '2026-09-20T00:00:00Z', trades_created_ts: '2026-09-20T00:00:00Z' },
  ],
}

const market = (ticker: string, changes: object = {}) => ({
  ticker,
  event_ticker: 'E',
  status: 'active',
  yes_sub_title: ticker,
  ...changes,
})
const event = (...markets: object[]) => ({
  event_ticker: 'E',
  series_ticker: 'KXS',
  title: 'Event',
  markets,
})
const collect = async (pages: AsyncIterable<readonly VenueEvent[]>) => {
  const events: VenueEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}
const tickers = (events: readonly VenueEvent[]) => events.map(({ ticker }) => ticker)

describe('venue_a connector', () => {
  it('trap 5: walks the open catalogue once a market, with its series', async () => {
    const { connector, paths } = await venue({
      '/events': [
        { events: [event(market('A'), market('B'))], cursor: 'c1' },
        { events: [event(market('B'), market('C'))], cursor: '' },
      ],
    })
    const events = await collect(connector.openMarkets(signal))
    expect(tickers(events)).toEqual(['A', 'B', 'C'])
    expect(events[0]).toMatchObject({
      origin: 'polled',
      facts: { title: 'Event - A', category: 'crypto', tags: ['BTC'], seriesTitle: 'Series' },
    })
    expect(paths()).toEqual([
      '/series',
      '/events?limit=200&status=open&with_nested_markets=true',
      '/events?limit=200&status=open&with_nested_markets=true&cursor=c1',
    ])
    expect(connector.health()).toMatchObject({
      venue: 'venue_a',
      mode: 'polling',
      requests: 3,
      failures: 0,
    })
  })

  it('trap 15: reports what its exchange has paused, also from a refusal', async () => {
    const status = (trading_active: boolean, resting?: number) => ({
      exchange_active: true,
      trading_active,
      exchange_index_statuses: [0, 2].map((exchange_index) => ({
        exchange_index,
        exchange_active: true,
        trading_active: exchange_index !== resting,
      })),
    })
    const { connector } = await venue({
      '/exchange/status': [
        status(true),
        status(false),
        new Refusal(503, status(false)),
        status(true, 2),
        { trading_active: 'perhaps' },
      ],
      '/events': [
        {
          events: [event(market('A', { exchange_index: 0 }), market('B', { exchange_index: 2 }))],
          cursor: '',
        },
      ],
    })
    await collect(connector.openMarkets(signal))
    expect(await connector.exchangePause(signal)).toBeNull()
    expect(await connector.exchangePause(signal)).toEqual({ tickers: null })
    expect(await connector.exchangePause(signal)).toEqual({ tickers: null })
    expect(await connector.exchangePause(signal)).toEqual({ tickers: ['B'] })
    await expect(connector.exchangePause(signal)).rejects.toThrow('not readable')
  })

  it('trap 21: requests trades that a silent stream should have delivered, and no newer ones', async () => {
    // A page of a busy venue contains only the trades of the last seconds.
    const startedAt = NOW
    const wireTrade = { trade_id: 't', ticker: 'A', count_fp: '1.00', yes_price_dollars: '0.5000' }
    const trades = [{ ...wireTrade, created_time: new Date(startedAt + 30_000).toISOString() }]
    const lines: string[] = []
    server = await startScriptServer((line) => {
      lines.push(line)
      return json({ trades, cursor: '' })
    })
    const socket = await startSocketServer('/ws', (text) => [
      {
        id: (JSON.parse(text) as { id: number }).id,
        type: 'subscribed',
        msg: { channel: 'trade', sid: 1 },
      },
    ])
    const clock = new FakeClock(startedAt)
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const connector = createVenueA({
      baseUrl: server.url,
      wsUrl: socket.url,
      keys: { keyId: 'k', privateKey: pem },
      clock,
      random: () => 0,
      logger: silentLogger,
    })
    const gaps: string[] = []
    let isRecovered = false
    const stream = connector.stream({
      onEvents: () => undefined,
      onGap: ({ reason }) => gaps.push(reason),
      onRecovered: () => (isRecovered = true),
    })
    await until(() => isRecovered)
    while (gaps.length === 0 && clock.now() < startedAt + 5 * MINUTE) {
      await clock.advance(5_000)
      const beats = socket.ping()
      await until(() => beats() === 0)
    }
    expect(gaps).toEqual(['frozen'])
    const at = (seconds: number) => startedAt / 1_000 + seconds
    expect(lines[0]).toBe(`GET /markets/trades?limit=100&min_ts=${at(5)}&max_ts=${at(70)}`)
    await stream?.close()
    await socket.close()
  })

  it('trap 4: describes requested markets like the catalogue does, also those past the cutoff', async () => {
    const { connector, paths } = await venue({
      '/markets': [{ markets: [market('A')] }],
      '/events': [{ events: [event(market('A'), market('B'))] }],
      '/historical/markets/OLD': [{ market: market('OLD', { status: 'finalized', result: 'no' }) }],
    })
    const events = await connector.markets(['A', 'OLD', 'NONE'], signal)
    expect(events).toMatchObject([
      { facts: { title: 'Event - A' } },
      { facts: { ticker: 'OLD', result: 'no', title: 'Event - OLD' } },
    ])
    expect(paths()).toContain('/markets?limit=1000&mve_filter=exclude&tickers=A%2COLD%2CNONE')
    expect(connector.health().failures).toBe(0)
  })

  it('trap 6: requests ended markets one filter family at a time', async () => {
    const { connector, paths } = await venue({
      '/markets': [
        { markets: [market('A', { status: 'closed' })] },
        {
          markets: [
            market('A', { status: 'finalized' }),
            market('B', { status: 'finalized', result: 'yes' }),
          ],
        },
      ],
      '/events': [{ events: [event(market('A'), market('B'))] }],
    })
    const since = (NOW - HOUR) as Millis
    expect(tickers(await collect(connector.endedMarkets(since, signal)))).toEqual(['A', 'B'])
    const at = since / 1_000
    expect(paths().filter((path) => path.startsWith('/markets'))).toEqual([
      `/markets?limit=1000&mve_filter=exclude&status=closed&min_close_ts=${at}`,
      `/markets?limit=1000&mve_filter=exclude&status=settled&min_settled_ts=${at}`,
    ])
  })

  const trade = (id: string, at: number) => ({
    trade_id: id,
    ticker: 'A',
    count_fp: '1.00',
    yes_price_dollars: '0.5000',
    created_time: new Date(at).toISOString(),
  })

  it('reads trades on both sides of the cutoff, once each, within the requested time', async () => {
    const from = (CUTOFF - 5_500) as Millis
    const to = (CUTOFF + 5_500) as Millis
    const { connector, paths } = await venue({
      '/markets/trades': [
        {
          trades: [trade('late', to), trade('t3', CUTOFF + 5_000), trade('t2', CUTOFF)],
          cursor: 'n',
        },
        { trades: [trade('t2', CUTOFF)], cursor: '' },
      ],
      '/historical/trades': [{ trades: [trade('t1', CUTOFF - 5_000), trade('early', from - 1)] }],
    })
    const events = await collect(
      connector.trades({ tickers: null, from, to, origin: 'backfilled' }, signal),
    )
    expect(events.map((row) => row.type === 'trade_printed' && row.tradeId)).toEqual([
      't3',
      't2',
      't1',
    ])
    expect(events[0]).toMatchObject({ origin: 'backfilled', receivedAt: CUTOFF + 6_000 })
    expect(paths()[1]).toBe(
      `/markets/trades?limit=1000&min_ts=${Math.floor(from / 1_000)}&max_ts=${Math.ceil(to / 1_000)}`,
    )
  })

  it('trap 3: keeps every candle request under the limits, without a gap between windows', async () => {
    const { connector, paths } = await venue({ '/markets/candlesticks': [{ markets: [] }] })
    const to = NOW as Millis
    await collect(
      connector.candles(
        { tickers: ['A', 'B', 'C'], from: (to - 10_000 * MINUTE) as Millis, to, width: MINUTE },
        signal,
      ),
    )
    const ranges = paths()
      .filter((path) => path.startsWith('/markets/candlesticks'))
      .map((path) => {
        const query = new URLSearchParams(path.split('?')[1])
        const [start, end] = [Number(query.get('start_ts')), Number(query.get('end_ts'))]
        expect(
          ((end - start) / 60) * query.get('market_tickers')!.split(',').length,
        ).toBeLessThanOrEqual(10_000)
        return [query.get('market_tickers'), start, end] as const
      })
    expect(new Set(ranges.map(([requested]) => requested))).toEqual(new Set(['A,B', 'C']))
    const ofC = ranges.filter(([requested]) => requested === 'C')
    for (const [index, [, start]] of ofC.entries())
      if (index > 0) expect(start).toBe(ofC[index - 1]![2] + 1)
    expect(ofC.at(-1)?.[2]).toBe(to / 1_000)
  })

  it('has no bars of other widths', async () => {
    const { connector, paths } = await venue({})
    expect(
      await collect(
        connector.candles(
          { tickers: ['A'], from: 0 as Millis, to: NOW as Millis, width: (5 * MINUTE) as Millis },
          signal,
        ),
      ),
    ).toEqual([])
    expect(paths()).toEqual([])
  })

  it('signs book requests once the venue refuses unsigned ones', async () => {
    const book = {
      orderbooks: [
        { ticker: 'A', orderbook_fp: { yes_dollars: [['0.4', '1']], no_dollars: [['0.5', '1']] } },
      ],
    }
    const { connector, requests } = await venue(
      { '/markets/orderbooks': [new Refusal(401), book, book] },
      true,
    )
    expect(await connector.books(['A'], signal)).toMatchObject([
      { type: 'quote_changed', bid: 4_000, ask: 5_000 },
      { type: 'book_changed' },
    ])
    await connector.books(['A'], signal)
    expect(requests.map(({ headers }) => headers['kalshi-access-key'] ?? null)).toEqual([
      null,
      'k',
      'k',
    ])
  })

  it('has no stream without keys, and reports whether the venue answers', async () => {
    const { connector } = await venue({ '/exchange/status': [{ exchange_active: true }] })
    expect(
      connector.stream({ onEvents: () => {}, onGap: () => {}, onRecovered: () => {} }),
    ).toBeNull()
    expect(await connector.checkReachable(signal)).toBe(true)
    await server!.close()
    expect(await connector.checkReachable(signal)).toBe(false)
  })
})
