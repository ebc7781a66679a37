import { describe, expect, it } from 'vitest'
import { HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'

const market = (ticker: string, volume24h: number, view: object = {}) =>
  marketQuantities({
    view: {
      ...marketView({
        volume24h,
        facts: { ticker, venue: ticker.startsWith('0x') ? 'venue_b' : 'venue_a' },
      }),
      ...view,
    },
  })
const markets = [
  market('A1', 10, { topics: ['oil'] }),
  market('A2', 30),
  market('A3', 20),
  market('0xb1', 1),
  market('0xb2', 1, { status: 'paused' }),
  market('0xb3', 1),
]
const pairs = [
  marketPair({ a: 'A1', b: '0xb1', confidence: 0.95, gap: -3 }),
  marketPair({ a: 'A2', b: '0xb2', confidence: 0.8, gap: 5, inverted: true, closeDeltaDays: 2.5 }),
  marketPair({ a: 'A3', b: '0xb3', confidence: 0.8, gap: null }),
  marketPair({ a: 'A1', b: '0xb3', confidence: 0.3, gap: 1 }),
  marketPair({ a: 'A1', b: '0xgone', confidence: 0.9 }),
]
const snapshot = contextSnapshotOf(markets, {
  pairs,
  crossVenue: new Map([
    [
      'A1~0xb1',
      { pair: pairs[0]!, edge: null, executableGap: 1.234, yieldPct: null, isTradable: true },
    ],
  ]),
})

interface Page {
  readonly pairs: readonly { readonly id: string; readonly [name: string]: unknown }[]
  readonly nextCursor: string | null
  readonly total: number
}

describe('/api/public/cross-venue/pairs', () => {
  const app = structureApp({ snapshots: [snapshot] })
  const ask = async (query: string): Promise<Page> =>
    (await (await app.get(`/api/public/cross-venue/pairs?${query}`)).json()) as Page
  const ids = async (query: string) => (await ask(query)).pairs.map(({ id }) => id)

  // [crossvenue.pairs.row]
  it('serves both legs, the gap and the net of trading it', async () => {
    const page = await ask('limit=1')
    expect(page).toMatchObject({ count: 1, total: 3, hasMore: true })
    expect(page.pairs[0]).toMatchObject({
      id: 'A1~0xb1',
      confidence: 0.95,
      method: 'text',
      inverted: false,
      gap: -3,
      executableGap: 1.23,
      closeDeltaDays: 0,
      status: 'active',
      a: { ticker: 'A1', venue: 'venue_a', price: 42, bestBid: 41, volume24h: 10 },
      b: { ticker: '0xb1', venue: 'venue_b', inspectUrl: expect.any(String) as unknown },
      matchedAt: '2026-11-20T14:00:00.000Z',
    })
  })

  // [crossvenue.pairs.sorted]
  it('ranks by confidence, gap or volume, unknown last', async () => {
    expect(await ids('')).toEqual(['A1~0xb1', 'A2~0xb2', 'A3~0xb3'])
    expect(await ids('sort=gap')).toEqual(['A2~0xb2', 'A1~0xb1', 'A3~0xb3'])
    expect(await ids('sort=VOLUME')).toEqual(['A2~0xb2', 'A3~0xb3', 'A1~0xb1'])
  })

  // [crossvenue.pairs.filtered]
  it('narrows by confidence, gap, topic and status', async () => {
    expect(await ids('minConfidence=0')).toContain('A1~0xb3')
    expect(await ids('minConfidence=0.9&venue=venue_b')).toEqual(['A1~0xb1'])
    expect(await ids('minGap=4')).toEqual(['A2~0xb2'])
    expect(await ids('topic=oil')).toEqual(['A1~0xb1'])
    expect(await ids('status=closed')).toEqual(['A2~0xb2'])
    expect(await ids('status=open')).toEqual(['A1~0xb1', 'A3~0xb3'])
    expect(await ids('asOf=2020-01-01')).toEqual([])
    for (const query of ['minConfidence=1.1', 'minGap=-1', 'sort=luck', 'status=x', 'cursor=x']) {
      expect((await app.get(`/api/public/cross-venue/pairs?${query}`)).status).toBe(400)
    }
  })

  // [crossvenue.pairs.paged]
  it('walks all pages by cursor, which keeps its sort and filters', async () => {
    const walked: string[] = []
    let page = await ask('sort=gap&limit=1')
    for (;;) {
      walked.push(...page.pairs.map(({ id }) => id))
      if (page.nextCursor === null) break
      page = await ask(`cursor=${page.nextCursor}&limit=1&sort=volume&minGap=99`)
    }
    expect(walked).toEqual(['A2~0xb2', 'A1~0xb1', 'A3~0xb3'])
  })

  // [crossvenue.pairs.matched-at]
  it('keeps the instant at which a pair was first served, across snapshots', async () => {
    const snapshots = [2, 1].map((hours) => ({ ...snapshot, at: (NOON - hours * HOUR) as Millis }))
    for (const earlier of snapshots) await app.judgements.publish(earlier)
    expect((await ask('')).pairs[0]).toMatchObject({ matchedAt: '2026-11-20T12:00:00.000Z' })
  })
})

describe('/api/public/cross-venue/stats', () => {
  // [crossvenue.stats.counts]
  it('counts pairs by confidence and preset', async () => {
    const { get } = structureApp({ snapshots: [snapshot] })
    const stats = (await (await get('/api/public/cross-venue/stats')).json()) as {
      readonly byConfidence: readonly unknown[]
    }
    expect(stats).toMatchObject({
      totalPairs: 4,
      activePairs: 3,
      medianAbsGap: 3,
      byPreset: { arb: 3, world: 3, detail: 3, browse: 3 },
      generatedAt: '2026-11-20T14:00:00.000Z',
    })
    expect(stats.byConfidence).toHaveLength(10)
    expect(stats.byConfidence[9]).toEqual({ from: 0.9, to: 1, count: 1 })
    const early = await get('/api/public/cross-venue/stats?asOf=2020-01-01')
    expect(await early.json()).toMatchObject({ totalPairs: 0, medianAbsGap: null })
  })
})
