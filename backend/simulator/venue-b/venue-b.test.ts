import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import {
  connect,
  flush,
  marketsOfB,
  read,
  rows,
  start,
  text,
  tokensOf,
  until,
  type Row,
} from '../../testing/simulated-venues.ts'

describe('venue_b', () => {
  it('leaves out closed markets by default, and repeats none over pages', async () => {
    const { sim } = await start(600)
    const [open, closed] = [await marketsOfB(sim, false), await marketsOfB(sim, true)]
    expect(open.length).toBeGreaterThan(30)
    expect(closed.length).toBeGreaterThan(30)
    expect(new Set([...open, ...closed].map((market) => market['conditionId'])).size).toBe(
      open.length + closed.length,
    )
    const [closedMarket] = closed
    const requested = await read(
      `${sim.venueB.gammaUrl}/markets/keyset?condition_ids=${closedMarket?.['conditionId'] as string}`,
    )
    expect(requested['markets']).toEqual([])
    expect(
      (await fetch(`${sim.venueB.gammaUrl}/markets/${closedMarket?.['conditionId'] as string}`))
        .status,
    ).toBe(422)
  })

  it('charges fees by category, and none for geopolitics', async () => {
    const { sim } = await start(600)
    const markets = await marketsOfB(sim, false)
    const schedules = new Map(
      markets.map((market) => [market['feeType'] ?? null, market['feeSchedule'] ?? null]),
    )
    expect(schedules.get(null)).toBeNull()
    expect(schedules.get('politics_fees')).toMatchObject({ rate: 0.04, takerOnly: true })
    for (const market of markets) expect(market['feesEnabled']).toBe(market['feeType'] !== null)
  })

  it('resolves to a permutation of one and zero, or to halves', async () => {
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

  it('sends trades on the socket that the data service returns later', async () => {
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
    const events = frames
      .filter((frame) => frame['event_type'] === 'last_trade_price')
      .map((frame) =>
        key(frame['asset_id'], frame['price'], frame['size'], frame['transaction_hash']),
      )
    expect(events.length).toBeGreaterThan(0)
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
    expect(events.filter((trade) => !stored.includes(trade))).toEqual([])
    socket.send('PING')
    const pong = new Promise((resolve) =>
      socket.once('message', (bytes: Buffer) => resolve(bytes.toString('utf8'))),
    )
    expect(await pong).toBe('PONG')
  })
})
