import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import type { Simulator } from '../simulator.ts'
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

  describe('lists', () => {
    const list = async (sim: Simulator, path: string): Promise<Row[]> =>
      JSON.parse(await text(`${sim.venueB.gammaUrl}${path}`)) as Row[]
    const statusOf = async (sim: Simulator, path: string): Promise<number> => {
      const response = await fetch(`${sim.venueB.gammaUrl}${path}`)
      await response.body?.cancel()
      return response.status
    }
    const numbersOf = (found: readonly Row[], field: string): number[] =>
      found.map((row) => {
        const value = String(row[field])
        return value.includes('T') ? Date.parse(value) : Number(value)
      })

    it('are in the requested order, the largest first unless ascending', async () => {
      const { sim } = await start(600)
      for (const [order, field] of [
        ['id', 'id'],
        ['endDate', 'endDate'],
        ['volumeNum', 'volumeNum'],
        ['startDate', 'startDate'],
      ] as const) {
        const of = async (path: string) => numbersOf(await list(sim, `${path}&limit=100`), field)
        const ascending = await of(`/markets?order=${order}&ascending=true`)
        const descending = await of(`/markets?order=${order}`)
        expect(new Set(ascending).size).toBeGreaterThan(1)
        // Volumes change within the minute for which the rows are cached.
        if (order === 'volumeNum') {
          expect(Math.max(...ascending)).toBeLessThan(Math.max(...descending))
          continue
        }
        expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))
        expect(descending).toEqual(descending.toSorted((a, b) => b - a))
      }
    })

    it('are pages of the requested size, at most a hundred', async () => {
      const { sim } = await start(600)
      const sizeOf = async (query: string) => (await list(sim, `/markets?${query}`)).length
      expect(await sizeOf('')).toBe(20)
      expect(await sizeOf('limit=3')).toBe(3)
      expect(await sizeOf('limit=0')).toBe(1)
      expect(await sizeOf('limit=1000')).toBe(100)
      expect(await sizeOf('limit=1.5')).toBe(100)
      const whole = await list(sim, '/markets?limit=10')
      const part = await list(sim, '/markets?limit=4&offset=3')
      expect(part.map(({ id }) => id)).toEqual(whole.slice(3, 7).map(({ id }) => id))
      expect(await list(sim, '/markets?limit=1&offset=-5')).toMatchObject([
        { id: whole[0]?.['id'] },
      ])
    })

    it('have the markets of each filter, with both bounds of the end', async () => {
      const { sim } = await start(600)
      const open = await marketsOfB(sim, false)
      const some = open[7] ?? {}
      const end = String(some['endDate'])
      const idsOf = async (query: string) =>
        (await list(sim, `/markets?limit=100&${query}`)).map(({ id }) => id)
      const [token = ''] = tokensOf(some)
      for (const query of [
        `id=${String(some['id'])}`,
        `slug=${String(some['slug'])}`,
        `condition_ids=${String(some['conditionId'])}`,
        `clob_token_ids=${token}`,
        `slug=none,${String(some['slug'])}&id=${String(some['id'])}`,
      ])
        expect(await idsOf(query)).toEqual([some['id']])
      expect(await idsOf(`id=${String(some['id'])}&slug=none`)).toEqual([])
      expect(await idsOf(`id=${String(some['id'])}&closed=true`)).toEqual([])
      const bounded = `id=${String(some['id'])}&end_date_min=${end}&end_date_max=${end}`
      expect(await idsOf(bounded)).toEqual([some['id']])
      const later = new Date(Date.parse(end) + 1).toISOString()
      const earlier = new Date(Date.parse(end) - 1).toISOString()
      expect(await idsOf(`id=${String(some['id'])}&end_date_min=${later}`)).toEqual([])
      expect(await idsOf(`id=${String(some['id'])}&end_date_max=${earlier}`)).toEqual([])
      const [tag] = (
        await list(sim, `/markets?limit=1&include_tag=true&id=${String(some['id'])}`)
      ).flatMap(({ tags }) => tags as Row[])
      expect(await idsOf(`id=${String(some['id'])}&tag_id=${String(tag?.['id'])}`)).toHaveLength(1)
      expect(await idsOf(`id=${String(some['id'])}&tag_id=none`)).toEqual([])
    })

    it('have events by their own filters', async () => {
      const { sim } = await start(600)
      const events = await list(sim, '/events?limit=50')
      const some = events.find(({ series }) => Array.isArray(series) && series.length > 0) ?? {}
      const idsOf = async (query: string) =>
        (await list(sim, `/events?limit=500&${query}`)).map(({ id }) => id)
      expect(await idsOf(`id=${String(some['id'])}`)).toEqual([some['id']])
      expect(await idsOf(`slug=${String(some['slug'])}`)).toEqual([some['id']])
      expect(await idsOf(`id=${String(some['id'])}&closed=true`)).toEqual([])
      const [series] = some['series'] as Row[]
      const ofSeries = await idsOf(`series_id=${String(series?.['id'])}`)
      expect(ofSeries).toContain(some['id'])
      expect(ofSeries.length).toBeLessThan((await idsOf('')).length)
      const [tag] = some['tags'] as Row[]
      for (const query of [`tag_id=${String(tag?.['id'])}`, `tag_slug=${String(tag?.['slug'])}`])
        expect(await idsOf(`${query}&id=${String(some['id'])}`)).toEqual([some['id']])
      expect(await idsOf(`tag_slug=none&id=${String(some['id'])}`)).toEqual([])
    })

    it('refuse what the venue does not offer', async () => {
      const { sim } = await start(60)
      const hundred = Array.from({ length: 100 }, (_, n) => `condition_ids=${n}`).join('&')
      for (const [path, status] of [
        ['/markets/keyset?offset=1', 422],
        ['/events/keyset?offset=1', 422],
        ['/markets/keyset?after_cursor=none', 422],
        ['/events/keyset?after_cursor=none', 422],
        [`/markets/keyset?${hundred}`, 200],
        [`/markets/keyset?${hundred}&condition_ids=x`, 422],
        ['/markets/slug/none', 404],
        ['/markets/0', 404],
        ['/events/slug/none', 404],
        ['/events/0', 404],
        ['/markets/x', 422],
      ] as const)
        expect([path, await statusOf(sim, path)]).toEqual([path, status])
    })
  })
})
