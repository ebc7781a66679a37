import { describe, expect, it } from 'vitest'
import { HOUR, type Millis } from '../../domain/units.ts'
import { NOON } from '../../testing/builders.ts'
import { BASE, CEASEFIRE, json, market, startedWorld } from '../../testing/started-world.ts'
import { reading } from '../../testing/world-app.ts'

describe('operations', () => {
  // [world.operations.history]
  it('history: the last stored snapshot of each step, after index readings', async () => {
    const app = await startedWorld()
    for (let i = 0; i < 3; i++) {
      await app.clock.advance(300_000)
      app.state.snapshot = {
        ...app.state.snapshot,
        indices: new Map([['', reading({ disagreement: 50 + i, value: 50 + i })]]),
      }
      await app.build()
    }
    const { history } = await json(await app.get('/api/agent/world?op=history&format=json&dt=6h'))
    expect(history).toMatchObject({ dt: '6h', to: '2026-11-20T14:20:00.000Z', stepSeconds: 300 })
    expect((history as unknown as { points: object[] }).points).toMatchObject([
      { at: '2026-11-20T14:00:00.000Z', disagreement: 42 },
      { at: '2026-11-20T14:05:00.000Z', disagreement: 42, geoRisk: 17 },
      { at: '2026-11-20T14:10:00.000Z', disagreement: 50, value: 50 },
      { at: '2026-11-20T14:15:00.000Z', disagreement: 51 },
      { at: '2026-11-20T14:20:00.000Z', disagreement: 52 },
    ])
    const text = await (await app.get('/api/agent/world?op=history&limit=1')).text()
    expect(text).toContain('## History\n- 2026-11-20 14:20 · Disagree 52')
    const wide = await json(await app.get('/api/agent/world/iran?op=history&format=json&dt=90d'))
    expect(wide['history']).toMatchObject({ dt: '30d', stepSeconds: 14_400 })
  })

  // [world.operations.catalyst]
  it('catalyst: decisions in the window, markets of one event together', async () => {
    const closing = (ticker: string, hours: number, more = {}) =>
      market(ticker, {
        tau: hours / 24,
        facts: { closeTime: (NOON + hours * HOUR) as Millis, eventId: `${hours}h`, ...more },
      })
    const { get } = await startedWorld({
      markets: [
        closing('KXA', 30, { eventTitle: 'Event of two' }),
        closing('KXB', 30),
        closing('KXC', 5),
        closing('KXD', 24 * 20),
      ],
    })
    const body = await json(await get('/api/agent/world?op=catalyst&format=json'))
    expect(body['catalyst']).toMatchObject({
      window: '7d',
      from: '2026-11-20T14:05:00.000Z',
      count: 2,
      items: [
        { kind: 'resolution', title: 'Question of KXC?', tickers: ['KXC'], date: '2026-11-20' },
        { title: 'Event of two', tickers: ['KXA', 'KXB'], market: { ticker: 'KXA', tauDays: 1 } },
      ],
    })
    const wide = await json(await get('/api/agent/world?op=catalyst&format=json&window=30d&dt=1h'))
    expect(wide['catalyst']).toMatchObject({ window: '30d', count: 3 })
    expect(await (await get('/api/agent/world?op=catalyst&dt=6h')).text()).toContain(
      '## Catalysts\n- 2026-11-20 19:00 · Question of KXC? · ',
    )
  })

  // [world.operations.dispersion]
  it('dispersion: groups of marks, widest apart first', async () => {
    const outcome = (ticker: string, price: number) =>
      market(ticker, { price, facts: { eventId: 'E', eventTitle: 'One event' } })
    const { get } = await startedWorld({ markets: [outcome('KXA', 10), outcome('KXB', 90)] })
    const body = await json(await get('/api/agent/world?op=dispersion&format=json'))
    expect(body['dispersion']).toMatchObject({
      median: 50,
      marketCount: 2,
      groups: [{ key: 'E', label: 'One event', kind: 'event', consensus: 'split', stdev: 40 }],
    })
  })

  // [world.operations.trail]
  it('trail: linked markets, nearest first', async () => {
    const link = (i: string, j: string, confidence: number) => ({
      i,
      j,
      kind: 'series_sibling' as const,
      sign: 1 as const,
      priorBeta: 1,
      confidence,
    })
    const links = [link('KXA', 'KXB', 0.9), link('KXB', 'KXC', 0.7)]
    const linksOf = new Map([
      ['KXA', links.slice(0, 1)],
      ['KXB', links],
      ['KXC', links.slice(1)],
    ])
    const { get } = await startedWorld({
      markets: [market('KXA'), market('KXB'), market('KXC')],
      snapshot: { links, linksOf },
    })
    const body = await json(await get('/api/agent/world?op=trail&from=kxa&format=json'))
    expect(body['trail']).toMatchObject({
      from: { ticker: 'KXA', url: `${BASE}/api/agent/inspect/KXA` },
      maxHops: 2,
      nodes: [
        { ticker: 'KXB', hop: 1, via: 'KXA' },
        { ticker: 'KXC', hop: 2, via: 'KXB' },
      ],
      links: [
        { from: 'KXA', to: 'KXB', kind: 'series_sibling', strength: 0.9, lagSeconds: null },
        { from: 'KXB', to: 'KXC', strength: 0.7 },
      ],
    })
    const unknown = await get('/api/agent/world?op=trail&from=NOPE')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ error: 'Market not found', code: 'NOT_FOUND' })
  })

  // [world.operations.explain]
  it('explain: venue changes near the move, and nothing later', async () => {
    const changes = (row: object) => ({
      id: 'c',
      market: CEASEFIRE.view.market,
      type: 'close_time_change' as const,
      at: NOON,
      before: '2026-11-30T14:00:00Z',
      after: '2026-12-30T14:00:00Z',
      delta: null,
      ...row,
    })
    const { get } = await startedWorld({ changes: [changes({})] })
    const id = (await json(await get('/api/agent/world?format=json')))['salient']?.[0]?.['id']
    const body = await json(await get(`/api/agent/world?op=explain&item=${String(id)}&format=json`))
    expect(body['explain']).toMatchObject({
      item: { id, type: 'residual', rank: 0 },
      unexplained: false,
      hypotheses: [{ rank: 0, kind: 'catalyst', evidence: [{ source: 'venue_a' }] }],
    })
    const text = await (await get(`/api/agent/world?op=explain&item=${String(id)}`)).text()
    expect(text).toMatch(
      /## Explain\n- item: \[residual\] .+\n- 0\.73 catalyst — a scheduled or stated event/,
    )
  })

  it('explain: reports that nothing is known', async () => {
    const { get } = await startedWorld()
    const id = (await json(await get('/api/agent/world?format=json')))['salient']?.[0]?.['id']
    const body = await json(await get(`/api/agent/world?op=explain&item=${String(id)}&format=json`))
    expect(body['explain']).toMatchObject({
      hypotheses: [],
      unexplained: true,
      checked: ['calendar', 'changes', 'links', 'cross_venue', 'trades', 'book'],
    })
  })
})
