import { afterEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { InstantClock } from '../../testing/instant-clock.ts'
import { json, startScriptServer, type ScriptServer } from '../../testing/script-server.ts'
import { startSocketServer, until } from '../../testing/socket-server.ts'
import type { VenueEvent } from '../connector.ts'
import { createVenueB } from './connector.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const signal = new AbortController().signal
const condition = (digit: string) => `0x${digit.repeat(64)}`
const [A, B, C] = [condition('a'), condition('b'), condition('c')]

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

/** All three hosts in one; a response may depend on the request, and is a failure for an error. */
async function venue(answer: (line: string) => unknown, wsUrl?: string) {
  const server: ScriptServer = await startScriptServer((line) => {
    const body = answer(line)
    if (body instanceof Error) return json({ error: body.message }, 500)
    return body === undefined ? json({ error: 'not found' }, 404) : json(body)
  })
  closing.push(() => server.close())
  const { url } = server
  const connector = createVenueB({
    gammaUrl: url,
    clobUrl: url,
    dataUrl: url,
    ...(wsUrl === undefined ? {} : { wsUrl }),
    clock: new InstantClock(5_000),
    random: () => 0,
    logger: silentLogger,
    budget: { ratePerSecond: 1_000, burst: 1_000 },
  })
  return { connector, lines: () => server.requests.map(({ line }) => decodeURIComponent(line)) }
}

const market = (conditionId: string, changes: object = {}) => ({
  conditionId,
  question: `Will ${conditionId.slice(2, 4)} win?`,
  outcomes: '["Yes","No"]',
  outcomePrices: '["0.4","0.6"]',
  clobTokenIds: JSON.stringify([`yes-${conditionId}`, `no-${conditionId}`]),
  active: true,
  closed: false,
  acceptingOrders: true,
  volume24hr: 10,
  bestBid: 0.39,
  bestAsk: 0.41,
  events: [{ id: '1', title: 'Event' }],
  ...changes,
})
const collect = async (pages: AsyncIterable<readonly VenueEvent[]>) => {
  const events: VenueEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}
const facts = (events: readonly VenueEvent[]) =>
  events.flatMap((event) => (event.type === 'market_described' ? [event.facts] : []))

describe('venue_b connector', () => {
  it('walks the open catalogue by keyset', async () => {
    const { connector, lines } = await venue((line) =>
      line.includes('after_cursor')
        ? { events: [{ id: '1', title: 'Event', markets: [market(A), market(B)] }] }
        : { events: [{ id: '1', title: 'Event', markets: [market(A)] }], next_cursor: 'n' },
    )
    expect(facts(await collect(connector.openMarkets(signal))).map(({ ticker }) => ticker)).toEqual(
      [A, B],
    )
    expect(lines()).toEqual([
      'GET /events/keyset?limit=500&closed=false',
      'GET /events/keyset?limit=500&closed=false&after_cursor=n',
    ])
  })

  it('requests closed markets again, and adds open interest', async () => {
    const { connector, lines } = await venue((line) => {
      if (line.startsWith('GET /v2/oi')) return { data: [{ condition_id: A, open_interest: 12.5 }] }
      return line.includes('closed=true')
        ? { markets: [market(B, { closed: true, outcomePrices: '["1","0"]' })] }
        : { markets: [market(A)] }
    })
    const events = await connector.markets([A, B, C], signal)
    expect(facts(events).map(({ ticker, result }) => [ticker, result])).toEqual([
      [A, null],
      [B, 'yes'],
    ])
    expect(events.find(({ type }) => type === 'activity_reported')).toMatchObject({
      openInterest: 12_500_000,
      volume24h: 10_000_000,
    })
    const requestOf = (ids: string, closed: boolean) =>
      `GET /markets/keyset?limit=100&${ids}&closed=${String(closed)}&include_tag=true`
    expect(lines().slice(0, 2)).toEqual([
      requestOf(`condition_ids=${A}&condition_ids=${B}&condition_ids=${C}`, false),
      requestOf(`condition_ids=${B}&condition_ids=${C}`, true),
    ])
  })

  it('describes markets while the data service fails: open interest and results are unknown', async () => {
    const ended = { closed: true, outcomePrices: '["0","0"]', closedTime: '2026-11-20 13:00:00+00' }
    const { connector } = await venue((line) => {
      if (line.startsWith('GET /v2/') || line === `GET /markets/${B}`) return new Error('down')
      return { markets: line.includes('closed=true') ? [market(B, ended)] : [market(A)] }
    })
    const events = await connector.markets([A, B], signal)
    expect(facts(events).map(({ ticker, status }) => [ticker, status])).toEqual([
      [A, 'active'],
      [B, 'resolving'],
    ])
    expect(events.find(({ type }) => type === 'activity_reported')).toMatchObject({
      openInterest: null,
      volume24h: 10_000_000,
    })
    expect(connector.health().failures).toBe(3)
  })

  it('looks up how a closed market ended if the catalogue does not prove it', async () => {
    const ended = { closed: true, outcomePrices: '["0","0"]', closedTime: '2026-11-20 13:00:00+00' }
    const { connector, lines } = await venue((line) => {
      if (line.startsWith('GET /markets/keyset'))
        return {
          markets: [
            market(A, ended),
            market(B, ended),
            market(C, { ...ended, closedTime: '2026-11-01 00:00:00+00' }),
          ],
        }
      if (line === `GET /v2/resolutions?condition=${A}`)
        return { data: [{ condition_id: A, status: 'resolved', payouts: ['500000', '500000'] }] }
      return line === `GET /markets/${B}`
        ? { tokens: [{ winner: false }, { winner: true }] }
        : undefined
    })
    const events = await collect(connector.endedMarkets((NOW - DAY) as Millis, signal))
    expect(
      facts(events).map(({ ticker, status, result, settlementPrice }) => [
        ticker,
        status,
        result,
        settlementPrice,
      ]),
    ).toEqual([
      [A, 'settled', 'scalar', 5_000],
      [B, 'settled', 'no', 0],
    ])
    expect(lines()[0]).toMatch(
      /^GET \/markets\/keyset\?limit=100&closed=true&include_tag=true&end_date_min=[^&]+&order=endDate&ascending=false$/,
    )
    expect(connector.health().failures).toBe(0)
  })

  const row = (at: number, changes: object = {}) => ({
    condition_id: A,
    token_id: 't',
    outcome_index: 0,
    side: 'BUY',
    price: 0.5,
    size: 1,
    timestamp: at / 1_000,
    transaction_hash: `0x${at}`,
    ...changes,
  })

  it('trap 23: walks trades back until they are older than requested, taker rows only', async () => {
    const pages: Record<string, unknown> = {
      first: {
        data: [row(NOW - 1_000), row(NOW - 2_000)],
        pagination: { has_more: true, next_cursor: 'p2' },
      },
      p2: {
        data: [row(NOW - 3_000), row(NOW - 9_000)],
        pagination: { has_more: true, next_cursor: 'p3' },
      },
    }
    const { connector, lines } = await venue(
      (line) => pages[/cursor=(\w+)/.exec(line)?.[1] ?? 'first'],
    )
    const events = await collect(
      connector.trades(
        { tickers: [A], from: (NOW - 5_000) as Millis, to: NOW, origin: 'polled' },
        signal,
      ),
    )
    expect(events.map(({ at }) => NOW - at)).toEqual([1_000, 2_000, 3_000])
    expect(lines()).toHaveLength(2)
    expect(lines()[0]).toBe(`GET /v2/trades?limit=1000&taker_only=true&condition=${A}`)
  })

  it('trap 31: fails when a page of trades states more without a cursor', async () => {
    const { connector } = await venue(() => ({
      data: [],
      pagination: { has_more: true, next_cursor: null },
    }))
    await expect(
      collect(
        connector.trades({ tickers: null, from: 0 as Millis, to: NOW, origin: 'polled' }, signal),
      ),
    ).rejects.toThrow('no cursor')
  })

  it('reads books in batches, matched by asset, and one by one if the batch is refused', async () => {
    const book = (of: string) => ({
      market: of,
      asset_id: `yes-${of}`,
      bids: [{ price: '0.4', size: '1' }],
      asks: [],
    })
    let isRefused = false
    const server = await startScriptServer((line) => {
      if (line.startsWith('GET /markets')) return json({ markets: [market(A), market(B)] })
      if (line.startsWith('GET /v2/oi')) return json({ data: [] })
      if (line.startsWith('POST'))
        return isRefused ? json({ error: 'Invalid payload' }, 400) : json([book(B), book(A)])
      return line.includes(A) ? json(book(A)) : json({ error: 'No orderbook exists' }, 404)
    })
    closing.push(() => server.close())
    const connector = createVenueB({
      gammaUrl: server.url,
      clobUrl: server.url,
      dataUrl: server.url,
      clock: new InstantClock(5_000),
      random: () => 0,
      logger: silentLogger,
    })
    const quoted = async () =>
      (await connector.books([A, B], signal))
        .filter(({ type }) => type === 'quote_changed')
        .map(({ ticker }) => ticker)
    expect(await quoted()).toEqual([B, A])
    isRefused = true
    expect(await quoted()).toEqual([A])
  })

  it('trap 19: leaves out books that REST returns while the market trades elsewhere', async () => {
    const isRefused = { batch: false }
    const book = (of: string, bid: string, ask: string) => ({
      market: of,
      asset_id: `yes-${of}`,
      bids: [{ price: bid, size: '1' }],
      asks: [{ price: ask, size: '1' }],
    })
    const server = await startScriptServer((line) => {
      if (line.startsWith('GET /markets')) return json({ markets: [market(A), market(B)] })
      if (line.startsWith('GET /v2/oi')) return json({ data: [] })
      if (line.startsWith('POST /books'))
        return json([book(A, '0.01', '0.99'), book(B, '0.39', '0.41')])
      if (line.startsWith('POST /midpoints'))
        return isRefused.batch
          ? json({ error: 'Invalid payload' }, 400)
          : json({ [`yes-${A}`]: '0.3', [`yes-${B}`]: '0.4' })
      return line.includes(A) ? json({ mid: '0.3' }) : json({ error: 'No orderbook exists' }, 404)
    })
    closing.push(() => server.close())
    const connector = createVenueB({
      gammaUrl: server.url,
      clobUrl: server.url,
      dataUrl: server.url,
      clock: new InstantClock(5_000),
      random: () => 0,
      logger: silentLogger,
    })
    for (const batch of [false, true]) {
      isRefused.batch = batch
      const events = await connector.books([A, B], signal)
      expect(new Set(events.map(({ ticker }) => ticker))).toEqual(new Set([B]))
    }
    expect(connector.health().skipped).toEqual({ 'book far from its midpoint': 2 })
  })

  it('trap 20: builds bars from the price history in windows that the venue accepts', async () => {
    const from = (NOW - 30 * DAY) as Millis
    const { connector, lines } = await venue((line) => {
      if (line.startsWith('GET /markets')) return { markets: [market(A)] }
      const start = Number(/startTs=(\d+)/.exec(line)?.[1] ?? 0)
      return line.startsWith('GET /prices-history')
        ? {
            history: [
              { t: start + 60, p: 0.4 },
              { t: start + 120, p: 0.45 },
            ],
          }
        : { data: [] }
    })
    const bars = await collect(
      connector.candles({ tickers: [A], from, to: NOW, width: HOUR }, signal),
    )
    const history = lines().filter((line) => line.startsWith('GET /prices-history'))
    expect(history).toHaveLength(3)
    for (const line of history) {
      const query = new URLSearchParams(line.split('?')[1])
      expect(query.get('market')).toBe(`yes-${A}`)
      expect(Number(query.get('endTs')) - Number(query.get('startTs'))).toBeLessThanOrEqual(
        (15 * DAY) / 1_000,
      )
    }
    expect(bars).toHaveLength(3)
    expect(bars[0]).toMatchObject({
      start: from,
      open: 4_000,
      close: 4_500,
      volume: null,
      origin: 'backfilled',
    })
  })

  it('converts catalogue messages of the socket to facts', async () => {
    const socket = await startSocketServer('/ws/market')
    closing.push(() => socket.close())
    const { connector } = await venue(
      (line) =>
        line.startsWith('GET /markets')
          ? { markets: [market(A, { orderPriceMinTickSize: 0.01 })] }
          : { data: [] },
      socket.url,
    )
    await connector.markets([A], signal)
    const events: VenueEvent[] = []
    const stream = connector.stream({
      onEvents: (batch) => events.push(...batch),
      onGap: () => {},
      onRecovered: () => {},
    })
    closing.unshift(() => stream!.close())
    stream!.follow([A])
    await until(() => socket.received.some((text) => text.includes('"market"')))
    socket.push({
      event_type: 'tick_size_change',
      market: A,
      asset_id: `yes-${A}`,
      new_tick_size: '0.001',
    })
    socket.push({
      event_type: 'new_market',
      market: B,
      question: 'New?',
      outcomes: ['Yes', 'No'],
      assets_ids: ['1', '2'],
      event_message: { id: '9', title: 'Nine' },
      tags: ['crypto'],
      active: true,
    })
    socket.push({ event_type: 'market_resolved', market: A, winning_asset_id: `no-${A}` })
    await until(() => events.length === 3)
    expect(facts(events)).toMatchObject([
      { ticker: A, priceRanges: [{ step: 10 }] },
      {
        ticker: B,
        title: 'New?',
        eventTitle: 'Nine',
        category: 'crypto',
        status: 'active',
        assetIds: ['1', '2'],
      },
      {
        ticker: A,
        status: 'settled',
        result: 'no',
        settlementPrice: 0,
        priceRanges: [{ step: 10 }],
      },
    ])
  })

  it('trap 33: ignores catalogue quotes of a market whose book is live', async () => {
    const socket = await startSocketServer('/ws/market')
    closing.push(() => socket.close())
    const { connector } = await venue(
      () => ({ events: [{ id: '1', title: 'Event', markets: [market(A), market(B)] }] }),
      socket.url,
    )
    const quoted = async () =>
      (await collect(connector.openMarkets(signal)))
        .filter(({ type }) => type === 'quote_changed')
        .map(({ ticker }) => ticker)
    expect(await quoted()).toEqual([A, B])
    let delivered = 0
    const stream = connector.stream({
      onEvents: () => (delivered += 1),
      onGap: () => undefined,
      onRecovered: () => undefined,
    })
    closing.unshift(() => stream?.close() ?? Promise.resolve())
    stream?.follow([A])
    await until(() => socket.received.some((text) => text.includes(`yes-${A}`)))
    const levels = { bids: [{ price: '0.4', size: '1' }], asks: [{ price: '0.42', size: '1' }] }
    socket.push({ event_type: 'book', market: A, asset_id: `yes-${A}`, ...levels })
    await until(() => delivered === 1)
    expect(await quoted()).toEqual([B])
  })
})
