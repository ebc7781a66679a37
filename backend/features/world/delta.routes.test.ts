import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../domain/world/markdown/token-budget.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import { at, marketView } from '../../testing/builders.ts'
import { marketQuantities } from '../../testing/snapshot-builders.ts'
import { reading, worldApp } from '../../testing/world-app.ts'

const BASE = 'http://augury.test'
const json = async (response: Response) => (await response.json()) as Record<string, never>

const STEP = 300_000
const gauges = (disagreement: number) =>
  new Map([['', reading({ disagreement, geoRisk: 17, breadth: 0.13, activity: 29, value: 24 })]])

const ceasefire = (price: number) =>
  marketView({
    market: 901,
    price,
    bid: price - 1,
    ask: price + 1,
    liquidityScore: 'high',
    change24h: price - 40,
    topics: ['iran'],
    facts: { ticker: 'KXCEASE-27JAN', title: 'Will the ceasefire hold to January?' },
  })
const surprising = (price: number) =>
  marketQuantities({
    view: ceasefire(price),
    surprise: { vr: 3.3, expectedVr: 0, residualVr: 3.3 },
  })

describe('/api/agent/world/delta', () => {
  // [world.delta.since]
  it('requires a start that is not in the future', async () => {
    const { get, build } = worldApp()
    await build()
    const error = 'since required (Nm, Nh, Nd or ISO timestamp)'
    for (const query of ['', 'since=', 'since=soon', 'since=0h']) {
      const response = await get(`/api/agent/world/delta?${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error, code: 'VALIDATION_ERROR' })
    }
    const ahead = await get('/api/agent/world/delta?since=2026-11-20T14:06:01Z')
    expect(await ahead.json()).toMatchObject({ error: 'since is in the future' })
  })

  // [world.delta.no-baseline]
  it('reports that nothing was stored by then, and what to request instead', async () => {
    const { get, build } = worldApp()
    expect((await get('/api/agent/world/delta?since=2h')).status).toBe(503)
    await build()
    const response = await get('/api/agent/world/delta?since=2h')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: 'No stored snapshot before 2h',
      code: 'NOT_FOUND',
      suggestion: { description: 'The world now', method: 'GET', url: `${BASE}/api/agent/world` },
    })
  })

  it('computes the first snapshot from the history when none was stored by then', async () => {
    const before = at('2026-11-20T13:00:00Z')
    const { get, build } = worldApp({
      markets: [surprising(52)],
      priceAt: (_, when) => (when < before ? 44 : 52),
    })
    await build()
    const body = await json(await get('/api/agent/world/delta?since=2h&format=json'))
    expect(body).toMatchObject({
      from: '2026-11-20T12:05:00.000Z',
      to: '2026-11-20T14:05:00.000Z',
      changes: [{ kind: 'price_move', ticker: 'KXCEASE-27JAN', before: 44, after: 52 }],
    })
  })

  // [world.delta.quiet]
  it('is one line of at most 50 tokens when nothing changed', async () => {
    const { get, build, clock } = worldApp({ markets: [surprising(52)] })
    await build()
    await clock.advance(STEP)
    await build()
    const text = await (await get('/api/agent/world/delta?since=5m')).text()
    expect(text).toBe('# No changes 14:05 → 14:10 UTC\n')
    expect(tokensOf(text)).toBeLessThanOrEqual(50)
  })

  // [world.delta.changes] [world.delta.markdown]
  it('returns what changed between stored snapshots', async () => {
    const moved = { from: 44, to: 52 }
    const change = (row: Partial<ChangeRow>): ChangeRow => ({
      id: 'c1',
      market: 902,
      type: 'resolved',
      at: at('2026-11-20T14:08:00Z'),
      before: 'closed',
      after: 'yes',
      delta: null,
      ...row,
    })
    const settled = marketView({
      market: 902,
      status: 'settled',
      facts: { ticker: 'KXCPI-26OCT', title: 'CPI?', status: 'settled', result: 'yes' },
    })
    const listed = marketView({
      market: 903,
      volume24hUsd: 10,
      firstSeenAt: at('2026-11-20T14:09:00Z'),
      facts: { ticker: 'KXNEW', title: 'Something new?', openTime: at('2026-11-20T14:09:00Z') },
    })
    const app = worldApp({
      markets: [marketQuantities({ view: ceasefire(moved.from) })],
      views: [settled, listed],
      snapshot: { indices: gauges(42) },
      changes: [
        change({}),
        change({
          id: 'c2',
          market: 903,
          type: 'new_market',
          before: null,
          after: 'active',
          at: at('2026-11-20T14:09:00Z'),
        }),
      ],
      priceAt: (view, when) =>
        view.market === 901 ? (when < at('2026-11-20T14:08:00Z') ? moved.from : moved.to) : 30,
    })
    app.board.views = app.board.views.filter(({ market }) => market === 901)
    await app.build()
    app.board.views = [ceasefire(moved.to), settled, listed]
    app.state.snapshot = {
      ...app.state.snapshot,
      indices: gauges(45),
      markets: new Map([['KXCEASE-27JAN', surprising(moved.to)]]),
    }
    await app.clock.advance(STEP)
    await app.build()

    const body = await json(await app.get('/api/agent/world/delta?since=6m&format=json'))
    const id = /item=(s-\w{6})/.exec(JSON.stringify(body['changes']))?.[1]
    expect(body).toEqual({
      from: '2026-11-20T14:05:00.000Z',
      to: '2026-11-20T14:10:00.000Z',
      changes: [
        {
          kind: 'gauge',
          ticker: null,
          label: 'Disagreement 42 → 45',
          before: 42,
          after: 45,
          at: '2026-11-20T14:10:00.000Z',
          url: `${BASE}/api/agent/world`,
        },
        {
          kind: 'resolved',
          ticker: 'KXCPI-26OCT',
          label: 'CPI? resolved yes',
          before: 30,
          after: 'yes',
          at: '2026-11-20T14:08:00.000Z',
          url: `${BASE}/api/agent/inspect/KXCPI-26OCT`,
        },
        {
          kind: 'price_move',
          ticker: 'KXCEASE-27JAN',
          label: 'Will the ceasefire hold to January? 44¢ → 52¢',
          before: 44,
          after: 52,
          at: '2026-11-20T14:10:00.000Z',
          url: `${BASE}/api/agent/inspect/KXCEASE-27JAN`,
        },
        {
          kind: 'item_added',
          ticker: 'KXCEASE-27JAN',
          label: '[residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January?',
          before: null,
          after: 0,
          at: '2026-11-20T14:10:00.000Z',
          url: `${BASE}/api/agent/world?op=explain&item=${String(id)}`,
        },
        {
          kind: 'new_market',
          ticker: 'KXNEW',
          label: 'New: Something new?',
          before: null,
          after: 30,
          at: '2026-11-20T14:09:00.000Z',
          url: `${BASE}/api/agent/inspect/KXNEW`,
        },
      ],
      indexDelta: { disagreement: 3, geoRisk: 0, breadth: 0, activity: 0, value: 0 },
      movers: {
        added: [
          {
            ticker: 'KXCEASE-27JAN',
            venue: 'venue_a',
            title: 'Will the ceasefire hold to January?',
            price: 52,
            delta: 12,
            from: 40,
            volume24h: 1_000,
            volumeZ: 3.3,
            url: `${BASE}/api/agent/inspect/KXCEASE-27JAN`,
          },
        ],
        dropped: [],
      },
      resolved: [
        {
          ticker: 'KXCPI-26OCT',
          venue: 'venue_a',
          title: 'CPI?',
          result: 'yes',
          at: '2026-11-20T14:08:00.000Z',
        },
      ],
      markdown: `# Delta 14:05 → 14:10 UTC
Index: Disagree +3 | GeoRisk 0 | Breadth 0.00 | Activity 0
+ [residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January?
~ KXCEASE-27JAN 44¢ → 52¢
= KXCPI-26OCT resolved yes
+ New: Something new?
`,
      latencyMs: 0,
      nextActions: {
        related: [
          {
            description: 'Changes from now on',
            method: 'GET',
            url: `${BASE}/api/agent/world/delta?since=2026-11-20T14%3A10%3A00.000Z`,
          },
          { description: 'The world now', method: 'GET', url: `${BASE}/api/agent/world` },
        ],
      },
    })
    const text = await (await app.get('/api/agent/world/delta?since=6m')).text()
    expect(text).toBe(body['markdown'])
  })

  // [world.delta.baseline] [world.delta.as-of]
  it('compares with the newest snapshot at or before, also for a past instant', async () => {
    const app = worldApp({ markets: [surprising(52)] })
    for (let i = 0; i < 3; i++) {
      app.state.snapshot = { ...app.state.snapshot, indices: gauges(40 + i) }
      await app.build()
      await app.clock.advance(STEP)
    }
    const span = async (query: string) => {
      const { from, to } = await json(await app.get(`/api/agent/world/delta?format=json&${query}`))
      return [from, to]
    }
    expect(await span('since=2026-11-20T14:12:00Z')).toEqual([
      '2026-11-20T14:10:00.000Z',
      '2026-11-20T14:15:00.000Z',
    ])
    expect(await span('since=5m&asOf=2026-11-20T14:13:00Z')).toEqual([
      '2026-11-20T14:05:00.000Z',
      '2026-11-20T14:10:00.000Z',
    ])
    const earlier = await app.get('/api/agent/world/delta?since=5m&asOf=2026-11-20T10:00:00Z')
    expect(earlier.status).toBe(404)
  })
})

describe('/api/agent/feed/{topic}', () => {
  const rows: ChangeRow[] = [
    {
      id: 'm1',
      market: 901,
      type: 'price_move',
      before: 44,
      after: 52,
      delta: 8,
      at: at('2026-11-20T13:40:00Z'),
    },
    {
      id: 'm2',
      market: 901,
      type: 'status_change',
      delta: null,
      before: 'paused',
      after: 'active',
      at: at('2026-11-19T23:10:00Z'),
    },
    {
      id: 'm3',
      market: 904,
      type: 'price_move',
      before: 10,
      after: 20,
      delta: 10,
      at: at('2026-11-20T13:50:00Z'),
    },
  ]
  const other = marketView({ market: 904, topics: ['oil'], facts: { ticker: 'KXOIL' } })
  const app = worldApp({ markets: [surprising(52)], views: [other], changes: rows })

  // [topic-feed.read.markdown] [topic-feed.read.kinds]
  it('lists events, newest first, with a heading per day', async () => {
    await app.build()
    await app.history.appendContext({
      judgements: [
        {
          kind: 'idea',
          id: 'idea_1',
          at: at('2026-11-20T14:00:00Z'),
          body: JSON.stringify({
            id: 'idea_1',
            ticker: 'KXCEASE-27JAN',
            headline: 'Sell it',
            pitch: 'Too dear',
            createdAt: at('2026-11-20T14:00:00Z'),
            expiresAt: at('2026-11-21T02:00:00Z'),
          }),
        },
      ],
    })
    const response = await app.get('/api/agent/feed/iran')
    expect(await response.text()).toBe(`# Feed: Iran (24h, 3 items)
## 2026-11-20
- 14:00 [idea] Sell it Too dear · KXCEASE-27JAN
- 13:40 [market] Will the ceasefire hold to January? 44¢ → 52¢ · KXCEASE-27JAN
## 2026-11-19
- 23:10 [market] Will the ceasefire hold to January? status change paused → active · KXCEASE-27JAN
`)
  })

  // [topic-feed.read.json]
  it('returns the same as JSON', async () => {
    const body = await json(await app.get('/api/agent/feed/KXOIL?format=json&limit=1'))
    expect(body).toMatchObject({ topic: 'kxoil', count: 0, items: [] })
    expect(body['markdown']).toBe('# Feed: kxoil (24h, 0 items)\nNo activity.\n')
    const oil = await json(await app.get('/api/agent/feed/oil?format=json&limit=1'))
    expect(oil).toMatchObject({
      topic: 'oil',
      label: 'Oil & Energy',
      since: '2026-11-19T14:06:00.000Z',
      items: [
        {
          id: 'm3',
          kind: 'market',
          at: '2026-11-20T13:50:00.000Z',
          summary: '10¢ → 20¢',
          ticker: 'KXOIL',
          price: 42,
          delta: 10,
          url: `${BASE}/api/agent/inspect/KXOIL`,
        },
      ],
      nextActions: {
        related: [
          { url: `${BASE}/api/agent/world/oil` },
          { url: `${BASE}/api/agent/inspect/KXOIL` },
        ],
      },
    })
  })

  // [topic-feed.read.parameters]
  it('clamps its range and refuses malformed values', async () => {
    const body = await json(await app.get('/api/agent/feed/oil?format=json&since=90d'))
    expect(body['since']).toBe('2026-10-21T14:06:00.000Z')
    const refused = {
      '/api/agent/feed': 'topic required',
      '/api/agent/feed/': 'topic required',
      '/api/agent/feed/oil?since=x': 'since must be a duration (<n>m|h|d) or an ISO time',
      '/api/agent/feed/oil?since=2026-11-21': 'since is in the future',
    }
    for (const [path, error] of Object.entries(refused)) {
      expect(await json(await app.get(path))).toEqual({ error, code: 'VALIDATION_ERROR' })
    }
  })
})
