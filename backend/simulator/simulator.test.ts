import { setImmediate } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { afterEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../domain/units.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { createSimulator } from './simulator.ts'
import type { Simulator } from './simulator.ts'

// Two venues are built for each test, on machines that may be busy.

const START = Date.parse('2026-11-20T14:00:00.000Z')
const running: Simulator[] = []
const sockets: WebSocket[] = []

async function start(
  markets: number,
  clock = new FakeClock(START),
): Promise<{ sim: Simulator; clock: FakeClock }> {
  const sim = await createSimulator({ seed: 7, markets, clock })
  running.push(sim)
  return { sim, clock }
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await Promise.all(running.splice(0).map((sim) => sim.close()))
})

type Row = Record<string, unknown>
const text = async (url: string, init?: RequestInit): Promise<string> =>
  (await fetch(url, init)).text()
const read = async (url: string, init?: RequestInit): Promise<Row> =>
  JSON.parse(await text(url, init)) as Row
const rows = (body: Row, key: string): Row[] => body[key] as Row[]

/** Every page of a list by its cursor. */
async function walk(url: string, key: string, parameter: string, answer: string): Promise<Row[]> {
  const found: Row[] = []
  let cursor = ''
  do {
    const page = await read(`${url}${cursor === '' ? '' : `&${parameter}=${cursor}`}`)
    found.push(...rows(page, key))
    cursor = (page[answer] as string | undefined) ?? ''
  } while (cursor !== '')
  return found
}

const marketsOfA = (sim: Simulator): Promise<Row[]> =>
  walk(`${sim.venueA.baseUrl}/markets?limit=200&mve_filter=exclude`, 'markets', 'cursor', 'cursor')
const marketsOfB = (sim: Simulator, closed: boolean): Promise<Row[]> =>
  walk(
    `${sim.venueB.gammaUrl}/markets/keyset?limit=100&closed=${String(closed)}`,
    'markets',
    'after_cursor',
    'next_cursor',
  )
const tokensOf = (market: Row): string[] => JSON.parse(market['clobTokenIds'] as string) as string[]

/** An open connection, and all frames it has received. */
async function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers })
  sockets.push(socket)
  const frames: Row[] = []
  socket.on('message', (bytes: Buffer) => {
    const frame = bytes.toString('utf8')
    if (frame.startsWith('{') || frame.startsWith('['))
      frames.push(...[JSON.parse(frame) as Row | Row[]].flat())
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return { socket, frames }
}
const KEYS = {
  'KALSHI-ACCESS-KEY': 'k',
  'KALSHI-ACCESS-TIMESTAMP': '1',
  'KALSHI-ACCESS-SIGNATURE': 's',
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

/** A round trip through the socket, after which everything sent before has arrived. */
async function flush(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('pong', () => resolve())
    socket.ping()
  })
}

describe('the same seed and clock', () => {
  it('give byte-equal answers on every route', async () => {
    const [{ sim: one }, { sim: two }] = await Promise.all([start(300), start(300)])
    const [a] = await marketsOfA(one)
    const active =
      (await marketsOfA(one)).find((market) => market['status'] === 'active') ?? a ?? {}
    const [b = {}] = await marketsOfB(one, false)
    const ticker = active['ticker'] as string
    const [event] = rows(await read(`${one.venueA.baseUrl}/events?limit=1`), 'events')
    const token = tokensOf(b)[0] ?? ''
    const condition = b['conditionId'] as string
    const range = `start_ts=${START / 1000 - 86_400}&end_ts=${START / 1000}&period_interval=60`
    const paths: ((sim: Simulator) => string)[] = [
      ...[
        '/exchange/status',
        '/exchange/schedule',
        '/series',
        '/events?with_nested_markets=true',
        `/events/${event?.['event_ticker'] as string}`,
        `/series/${event?.['series_ticker'] as string}`,
        '/markets?limit=1000',
        `/markets/${ticker}`,
        `/markets/${ticker}/orderbook`,
        `/markets/orderbooks?tickers=${ticker}`,
        '/markets/trades?limit=1000',
        `/markets/trades?ticker=${ticker}`,
        `/series/X/markets/${ticker}/candlesticks?${range}`,
        `/markets/candlesticks?market_tickers=${ticker}&${range}`,
        '/historical/cutoff',
        '/historical/markets',
        '/historical/trades',
      ].map((path) => (sim: Simulator) => sim.venueA.baseUrl + path),
      ...[
        '/markets/keyset',
        '/events/keyset',
        '/markets',
        '/events',
        '/tags',
        '/series',
        `/markets/${b['id'] as string}`,
        `/markets/slug/${b['slug'] as string}`,
      ].map((path) => (sim: Simulator) => sim.venueB.gammaUrl + path),
      ...[
        '/ok',
        '/time',
        `/book?token_id=${token}`,
        `/midpoint?token_id=${token}`,
        `/price?token_id=${token}&side=BUY`,
        `/tick-size?token_id=${token}`,
        `/markets/${condition}`,
        `/clob-markets/${condition}`,
        `/prices-history?market=${token}&startTs=${START / 1000 - 86_400}&endTs=${START / 1000}&fidelity=60`,
      ].map((path) => (sim: Simulator) => sim.venueB.clobUrl + path),
      ...[
        '/v2/status',
        '/v2/trades?limit=1000',
        `/v2/trades?condition=${condition}`,
        `/v2/oi?condition=${condition}`,
        `/v2/resolutions?condition=${condition}`,
        `/v2/prices-history?token_id=${token}&interval=1d`,
      ].map((path) => (sim: Simulator) => sim.venueB.dataUrl + path),
    ]
    for (const path of paths) {
      const [first, second] = [await fetch(path(one)), await fetch(path(two))]
      expect(first.status, path(one)).toBe(200)
      expect(await first.text()).toBe(await second.text())
    }
    const books = { method: 'POST', body: JSON.stringify([{ token_id: token }]) }
    expect(await text(`${one.venueB.clobUrl}/books`, books)).toBe(
      await text(`${two.venueB.clobUrl}/books`, books),
    )
  })
})

describe('venue_a', () => {
  it('lists every market once, whatever the page size', async () => {
    const { sim } = await start(600)
    const whole = await walk(
      `${sim.venueA.baseUrl}/markets?limit=1000&mve_filter=exclude`,
      'markets',
      'cursor',
      'cursor',
    )
    const paged = await walk(
      `${sim.venueA.baseUrl}/markets?limit=37&mve_filter=exclude`,
      'markets',
      'cursor',
      'cursor',
    )
    expect(paged.map((market) => market['ticker'])).toEqual(whole.map((market) => market['ticker']))
    expect(new Set(whole.map((market) => market['ticker'])).size).toBe(whole.length)
    expect(whole.length).toBeGreaterThan(100)
  })

  it('filters by the list words and refuses families of time filters that do not mix', async () => {
    const { sim } = await start(600)
    const all = await marketsOfA(sim)
    const open = await walk(
      `${sim.venueA.baseUrl}/markets?limit=1000&mve_filter=exclude&status=open`,
      'markets',
      'cursor',
      'cursor',
    )
    expect(open.every((market) => market['status'] === 'active')).toBe(true)
    expect(open.length).toBe(all.filter((market) => market['status'] === 'active').length)
    expect(
      (await fetch(`${sim.venueA.baseUrl}/markets?min_close_ts=1&min_settled_ts=1`)).status,
    ).toBe(400)
    expect((await fetch(`${sim.venueA.baseUrl}/markets?status=open&min_settled_ts=1`)).status).toBe(
      400,
    )
    expect((await fetch(`${sim.venueA.baseUrl}/markets/NOPE`)).status).toBe(404)
    const unknown = await fetch(`${sim.venueA.baseUrl}/nowhere`)
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      'text/plain; charset=utf-8',
    ])
    const combos = rows(
      await read(`${sim.venueA.baseUrl}/markets?limit=1000&mve_filter=only`),
      'markets',
    )
    expect(combos.length).toBeGreaterThan(0)
    expect(combos.every((market) => (market['ticker'] as string).startsWith('KXMVE'))).toBe(true)
  })

  it('pays settled markets by their result and keeps books uncrossed', async () => {
    const { sim } = await start(600)
    const markets = await marketsOfA(sim)
    const settled = markets.filter((market) => market['status'] === 'finalized')
    expect(settled.length).toBeGreaterThan(20)
    const pays: Record<string, string | undefined> = { yes: '1.0000', no: '0.0000' }
    for (const market of settled) {
      const result = market['result'] as string
      expect(['yes', 'no', 'scalar', 'void']).toContain(result)
      if (pays[result] !== undefined) expect(market['settlement_value_dollars']).toBe(pays[result])
    }
    const active = markets.filter((market) => market['status'] === 'active')
    expect(active.length).toBeGreaterThan(20)
    for (const market of active)
      expect(Number(market['yes_bid_dollars'])).toBeLessThan(Number(market['yes_ask_dollars']))
  })

  it('lets at most one market of an exclusive event win', async () => {
    const { sim } = await start(1_000)
    const events = await walk(
      `${sim.venueA.baseUrl}/events?with_nested_markets=true`,
      'events',
      'cursor',
      'cursor',
    )
    const exclusive = events.filter((event) => event['mutually_exclusive'] === true)
    expect(exclusive.length).toBeGreaterThan(5)
    for (const event of exclusive)
      expect(
        rows(event, 'markets').filter((market) => market['result'] === 'yes').length,
      ).toBeLessThanOrEqual(1)
  })

  it('gives a volume that is the sum of the trades', async () => {
    const { sim } = await start(300)
    const market = (await marketsOfA(sim)).find(
      ({ status, volume_fp, open_time }) =>
        status === 'active' &&
        Number(volume_fp) > 0 &&
        Date.parse(open_time as string) > START - 40 * DAY,
    )
    const trades = await walk(
      `${sim.venueA.baseUrl}/markets/trades?limit=1000&ticker=${market?.['ticker'] as string}`,
      'trades',
      'cursor',
      'cursor',
    )
    const sum = trades.reduce(
      (total, trade) => total + Math.round(Number(trade['count_fp']) * 100),
      0,
    )
    expect(sum).toBe(Math.round(Number(market?.['volume_fp']) * 100))
    expect(new Set(trades.map((trade) => trade['trade_id'])).size).toBe(trades.length)
  })

  it('says on the socket the trades and the book that REST says', async () => {
    const { sim, clock } = await start(600)
    const open = (await marketsOfA(sim))
      .filter((market) => market['status'] === 'active')
      .map((market) => market['ticker'] as string)
    const { socket, frames } = await connect(sim.venueA.wsUrl, KEYS)
    socket.send(
      JSON.stringify({
        id: 1,
        cmd: 'subscribe',
        params: { channels: ['orderbook_delta'], market_tickers: open, use_yes_price: true },
      }),
    )
    socket.send(JSON.stringify({ id: 2, cmd: 'subscribe', params: { channels: ['trade'] } }))
    await until(() => frames.filter((frame) => frame['type'] === 'subscribed').length === 2)
    await clock.advance(5 * MINUTE)
    await flush(socket)

    const told = frames
      .filter((frame) => frame['type'] === 'trade')
      .map((frame) => (frame['msg'] as Row)['trade_id'])
    const found = await walk(
      `${sim.venueA.baseUrl}/markets/trades?limit=1000&min_ts=${START / 1000}`,
      'trades',
      'cursor',
      'cursor',
    )
    expect(told.length).toBeGreaterThan(0)
    expect([...told].sort()).toEqual(found.map((trade) => trade['trade_id']).sort())

    const ofBooks = frames.filter((frame) => frame['sid'] === 1 && frame['seq'] !== undefined)
    expect(ofBooks.map((frame) => frame['seq'])).toEqual(ofBooks.map((_, i) => i + 1))
    const books = new Map<string, Map<string, number>>()
    for (const frame of ofBooks) {
      const msg = frame['msg'] as Row
      const book = books.get(msg['market_ticker'] as string) ?? new Map<string, number>()
      books.set(msg['market_ticker'] as string, book)
      if (frame['type'] === 'orderbook_snapshot') {
        for (const side of ['yes', 'no'])
          for (const [price, size] of (msg[`${side}_dollars_fp`] ?? []) as [string, string][])
            book.set(`${side} ${price}`, Number(size))
        continue
      }
      const key = `${msg['side'] as string} ${msg['price_dollars'] as string}`
      const left = Math.round(((book.get(key) ?? 0) + Number(msg['delta_fp'])) * 100) / 100
      if (left === 0) book.delete(key)
      else book.set(key, left)
    }
    for (const ticker of open.slice(0, 40)) {
      const { orderbook_fp } = await read(`${sim.venueA.baseUrl}/markets/${ticker}/orderbook`)
      const { yes_dollars, no_dollars } = orderbook_fp as Record<string, [string, string][] | null>
      const expected = [
        ...(yes_dollars ?? []).map(([price, size]) => [`yes ${price}`, Number(size)] as const),
        ...(no_dollars ?? []).map(
          ([price, size]) => [`no ${(1 - Number(price)).toFixed(4)}`, Number(size)] as const,
        ),
      ]
      expect([...(books.get(ticker) ?? [])].sort()).toEqual(expected.sort())
    }
  })

  it('wants keys on the socket', async () => {
    const { sim } = await start(60)
    await expect(connect(sim.venueA.wsUrl)).rejects.toThrow('401')
  })
})

describe('venue_b', () => {
  it('leaves closed markets out unless asked, and repeats none over pages', async () => {
    const { sim } = await start(600)
    const [open, closed] = [await marketsOfB(sim, false), await marketsOfB(sim, true)]
    expect(open.length).toBeGreaterThan(30)
    expect(closed.length).toBeGreaterThan(30)
    expect(new Set([...open, ...closed].map((market) => market['conditionId'])).size).toBe(
      open.length + closed.length,
    )
    const [gone] = closed
    const asked = await read(
      `${sim.venueB.gammaUrl}/markets/keyset?condition_ids=${gone?.['conditionId'] as string}`,
    )
    expect(asked['markets']).toEqual([])
    expect(
      (await fetch(`${sim.venueB.gammaUrl}/markets/${gone?.['conditionId'] as string}`)).status,
    ).toBe(422)
  })

  it('resolves to a permutation of one and nothing, or to halves', async () => {
    const { sim } = await start(600)
    const resolved = (await marketsOfB(sim, true)).filter(
      (market) => market['umaResolutionStatus'] === 'resolved',
    )
    expect(resolved.length).toBeGreaterThan(20)
    for (const market of resolved)
      expect(['["1","0"]', '["0","1"]', '["0.5","0.5"]']).toContain(market['outcomePrices'])
    const winner = resolved.find((market) => market['outcomePrices'] === '["1","0"]')
    const condition = winner?.['conditionId'] as string
    const { data } = await read(`${sim.venueB.dataUrl}/v2/resolutions?condition=${condition}`)
    expect((data as Row[])[0]).toMatchObject({ status: 'resolved', payouts: [1_000_000, 0] })
    const { tokens } = await read(`${sim.venueB.clobUrl}/markets/${condition}`)
    expect((tokens as Row[]).map((token) => token['winner'])).toEqual([true, false])
  })

  it('sends books worst first, the two outcomes as mirrors', async () => {
    const { sim } = await start(600)
    const tradable = (await marketsOfB(sim, false)).filter(
      (market) => market['acceptingOrders'] === true,
    )
    const body = JSON.stringify(
      tradable.flatMap((market) => tokensOf(market).map((token_id) => ({ token_id }))),
    )
    const books = JSON.parse(
      await text(`${sim.venueB.clobUrl}/books`, { method: 'POST', body }),
    ) as { asset_id: string; bids: { price: string }[]; asks: { price: string }[] }[]
    expect(books.length).toBeGreaterThan(20)
    const byToken = new Map(books.map((book) => [book.asset_id, book]))
    for (const book of books) {
      const [bids, asks] = [
        book.bids.map((level) => Number(level.price)),
        book.asks.map((level) => Number(level.price)),
      ]
      expect(bids).toEqual([...bids].sort((a, b) => a - b))
      expect(asks).toEqual([...asks].sort((a, b) => b - a))
      expect(bids.at(-1) ?? 0).toBeLessThan(asks.at(-1) ?? 1)
    }
    const [yes = '', no = ''] = tokensOf(tradable[0] ?? {})
    const mirrored = byToken.get(yes)?.bids.map((level) => (1 - Number(level.price)).toFixed(4))
    expect(byToken.get(no)?.asks.map((level) => Number(level.price).toFixed(4))).toEqual(mirrored)
  })

  it('says on the socket the trades that the data service says later', async () => {
    const { sim, clock } = await start(600)
    const tradable = (await marketsOfB(sim, false)).filter(
      (market) => market['acceptingOrders'] === true,
    )
    const { socket, frames } = await connect(sim.venueB.wsUrl)
    socket.send(
      JSON.stringify({
        type: 'market',
        assets_ids: tradable.flatMap(tokensOf).slice(0, 400),
        custom_feature_enabled: true,
      }),
    )
    await until(() => frames.some((frame) => frame['event_type'] === 'book'))
    await clock.advance(10 * MINUTE)
    await flush(socket)
    const key = (asset: unknown, price: unknown, size: unknown, hash: unknown): string =>
      [asset, Number(price), Number(size), hash].join(' ')
    const told = frames
      .filter((frame) => frame['event_type'] === 'last_trade_price')
      .map((frame) =>
        key(frame['asset_id'], frame['price'], frame['size'], frame['transaction_hash']),
      )
    expect(told.length).toBeGreaterThan(0)
    await clock.advance(10_000)
    const stored: string[] = []
    const conditions = tradable.map((market) => market['conditionId'] as string)
    for (let i = 0; i < conditions.length; i += 20) {
      const page = await read(
        `${sim.venueB.dataUrl}/v2/trades?limit=1000&condition=${conditions.slice(i, i + 20).join(',')}`,
      )
      stored.push(
        ...rows(page, 'data').map((row) =>
          key(row['token_id'], row['price'], row['size'], row['transaction_hash']),
        ),
      )
    }
    expect(told.filter((trade) => !stored.includes(trade))).toEqual([])
    socket.send('PING')
    const pong = new Promise((resolve) =>
      socket.once('message', (bytes: Buffer) => resolve(bytes.toString('utf8'))),
    )
    expect(await pong).toBe('PONG')
  })
})

describe('faults', () => {
  it('strike as often as ordered and then no more', async () => {
    const { sim } = await start(60)
    const order = (body: object) =>
      fetch(new URL('/control/faults', sim.venueA.baseUrl), {
        method: 'POST',
        body: JSON.stringify(body),
      })
    await order({ venue: 'venue_b', kind: 'status', status: 503, retryAfter: 2, count: 2 })
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
    await order({ venue: 'venue_a', kind: 'truncate' })
    await expect(text(`${sim.venueA.baseUrl}/series`)).rejects.toThrow()
    await order({ venue: 'venue_a', kind: 'html', status: 403 })
    const page = await fetch(`${sim.venueA.baseUrl}/series`)
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html'])
    expect((await order({ venue: 'venue_a', kind: 'nonsense' })).status).toBe(400)
  })

  it('lose, repeat and cut messages of the socket', async () => {
    const { sim, clock } = await start(600)
    const order = (kind: string) =>
      fetch(new URL('/control/faults', sim.venueA.baseUrl), {
        method: 'POST',
        body: JSON.stringify({ venue: 'venue_a', kind }),
      })
    const open = (await marketsOfA(sim))
      .filter((market) => market['status'] === 'active')
      .map((market) => market['ticker'] as string)
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
    await order('gap')
    await clock.advance(60_000)
    await flush(socket)
    expect(steps()).toEqual([2])
    await order('duplicate')
    await clock.advance(60_000)
    await flush(socket)
    expect(steps()).toEqual([2, 0])
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await order('drop')
    await clock.advance(60_000)
    await closed
    expect(socket.readyState).toBe(WebSocket.CLOSED)
  })
})
