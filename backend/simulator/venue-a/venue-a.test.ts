import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import {
  connect,
  flush,
  KEYS,
  marketsOfA,
  openTickersOfA,
  read,
  rows,
  START,
  start,
  until,
  walk,
  type Row,
} from '../../testing/simulated-venues.ts'

describe('venue_a', () => {
  it('lists every market once, for any page size', async () => {
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

  it('filters by status and rejects invalid combinations of time filters', async () => {
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
    const values: Record<string, string | undefined> = { yes: 'Yes', no: 'No', void: '' }
    for (const market of settled) {
      const result = market['result'] as string
      expect(['yes', 'no', 'scalar', 'void']).toContain(result)
      if (pays[result] !== undefined) expect(market['settlement_value_dollars']).toBe(pays[result])
      if (result === 'scalar') expect(market['expiration_value']).toMatch(/^0\.\d\d$/)
      else expect(market['expiration_value']).toBe(values[result])
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

  it('reports the sum of the trades as volume', async () => {
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

  it('sends the same trades and book on the socket as by REST', async () => {
    const { sim, clock } = await start(600)
    const open = await openTickersOfA(sim)
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

    const events = frames
      .filter((frame) => frame['type'] === 'trade')
      .map((frame) => (frame['msg'] as Row)['trade_id'])
    const found = await walk(
      `${sim.venueA.baseUrl}/markets/trades?limit=1000&min_ts=${START / 1000}`,
      'trades',
      'cursor',
      'cursor',
    )
    expect(events.length).toBeGreaterThan(0)
    expect([...events].sort()).toEqual(found.map((trade) => trade['trade_id']).sort())

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

  it('requires keys on the socket', async () => {
    const { sim } = await start(60)
    await expect(connect(sim.venueA.wsUrl)).rejects.toThrow('401')
  })

  it('filters by names, and by times with both bounds', async () => {
    const { sim } = await start(600)
    const all = await marketsOfA(sim)
    const tickersOf = async (query: string) =>
      rows(
        await read(`${sim.venueA.baseUrl}/markets?limit=1000&mve_filter=exclude&${query}`),
        'markets',
      ).map(({ ticker }) => ticker)
    const [first, second] = [all[3] ?? {}, all[9] ?? {}]
    const event = String(first['event_ticker'])
    const [a, b] = [String(first['ticker']), String(second['ticker'])]
    expect(new Set(await tickersOf(`tickers=${a},,${b}`))).toEqual(new Set([a, b]))
    expect(await tickersOf(`event_ticker=${event}`)).toEqual(
      all.filter((market) => market['event_ticker'] === event).map(({ ticker }) => ticker),
    )
    expect(await tickersOf('event_ticker=NONE')).toEqual([])
    expect(await tickersOf(`event_ticker=&tickers=${a}`)).toEqual([a])
    const series = event.split('-')[0] ?? ''
    expect(await tickersOf(`series_ticker=${series}`)).toContain(a)
    expect(await tickersOf(`series_ticker=NONE&tickers=${a}`)).toEqual([])
    const settled = all.find((market) => market['settlement_ts'] !== undefined) ?? {}
    for (const [family, market, field] of [
      ['created', first, 'created_time'],
      ['close', first, 'close_time'],
      ['settled', settled, 'settlement_ts'],
    ] as const) {
      const name = String(market['ticker'])
      const at = Date.parse(String(market[field])) / 1_000
      const within = (min: number, max: number) =>
        tickersOf(`tickers=${name}&min_${family}_ts=${min}&max_${family}_ts=${max}`)
      expect(await within(at, at)).toEqual([name])
      expect(await within(at + 0.001, at + 9)).toEqual([])
      expect(await within(at - 9, at - 0.001)).toEqual([])
    }
    // An open market has no time of its settlement.
    expect(await tickersOf(`tickers=${a}&max_settled_ts=9999999999`)).toEqual(
      first['settlement_ts'] === undefined ? [] : [a],
    )
  })

  it('lists combinations in wide requests for open markets only', async () => {
    const { sim } = await start(600)
    const combosIn = async (query: string) =>
      rows(await read(`${sim.venueA.baseUrl}/markets?limit=1000&${query}`), 'markets').filter(
        ({ ticker }) => String(ticker).startsWith('KXMVE'),
      ).length
    const count = await combosIn('')
    expect(count).toBeGreaterThan(1)
    expect(await combosIn('status=open')).toBe(count)
    expect(await combosIn('mve_filter=only')).toBe(count)
    for (const query of [
      'mve_filter=exclude',
      'status=closed',
      'series_ticker=X',
      'min_close_ts=1',
    ])
      expect(await combosIn(query)).toBe(0)
  })

  it('refuses parameters outside of their bounds', async () => {
    const { sim } = await start(60)
    for (const [query, status] of [
      ['limit=1', 200],
      ['limit=1000', 200],
      ['limit=0', 400],
      ['limit=1001', 400],
      ['limit=1.5', 400],
      ['limit=', 200],
      ['status=odd', 400],
      ['status=', 200],
      ['min_close_ts=soon', 400],
      ['status=closed&min_close_ts=1', 200],
      ['status=open&min_created_ts=1', 200],
      ['status=open&min_updated_ts=1', 400],
      ['series_ticker=X&min_updated_ts=1', 400],
      ['series_ticker=X&min_updated_ts=1&mve_filter=exclude', 200],
      ['cursor=none', 400],
    ] as const) {
      const response = await fetch(`${sim.venueA.baseUrl}/markets?${query}`)
      await response.body?.cancel()
      expect([query, response.status]).toEqual([query, status])
    }
  })
})
