import { describe, expect, it } from 'vitest'
import type { MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import type { RegimeSide } from '../../domain/regime/label.ts'
import { HOUR } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { IndexReading } from '../../domain/world/gauges/index-reading.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

type Body = Record<string, { ticker: string }[]>
const tickersOf = (rows: readonly { ticker: string }[] | undefined) =>
  rows?.map(({ ticker }) => ticker)
const early = at('2026-11-01T00:00:00Z')

const labelled = (market: MarketQuantities, label: RegimeSide): MarketQuantities =>
  market.regime === null ? market : { ...market, regime: { ...market.regime, label } }

function diffApp() {
  const named = (ticker: string, price: number, more: Partial<MarketView> = {}) => ({
    ...marketView({ price, facts: { ticker } }),
    ...more,
  })
  const still = named('STILL', 40)
  const up = named('UP', 40, { topics: ['iran'] })
  const down = named('DOWN', 40)
  const flip = named('FLIP', 50)
  const removed = named('GONE', 60)
  const shut = marketView({
    price: 30,
    facts: { ticker: 'SHUT', closeTime: (NOON - 2 * HOUR) as Millis },
  })
  const fresh = named('FRESH', 10, { firstSeenAt: (NOON - HOUR) as Millis })
  const settled = {
    ...removed,
    status: 'settled' as const,
    price: 100 as Cents,
    facts: { ...removed.facts, status: 'settled' as const, result: 'yes' as const },
  }
  const closed = { ...shut, status: 'closed' as const }
  const version = { market: settled.market, facts: settled.facts, firstSeenAt: early }
  const flipped = {
    market: flip.market,
    id: 'f',
    type: 'regime_change' as const,
    delta: null,
    at: (NOON - 3 * HOUR) as Millis,
    before: 'neutral',
    after: 'taker',
  }
  const app = testApp({
    views: [still, up, down, flip, fresh, settled, closed],
    versions: [{ ...version, knownAt: (NOON - 5 * HOUR) as Millis }],
    changes: [flipped],
  })
  const then = [still, up, down, flip, removed, shut].map((view) => marketQuantities({ view }))
  const now = [
    marketQuantities({ view: { ...still, price: 40.5 as Cents } }),
    marketQuantities({
      view: { ...up, price: 46 as Cents },
      surprise: { vr: 2.65912, expectedVr: null, residualVr: null },
    }),
    marketQuantities({ view: { ...down, price: 32 as Cents } }),
    labelled(marketQuantities({ view: flip }), 'taker'),
    marketQuantities({ view: fresh }),
  ]
  const reading = (disagreement: number, breadth: number | null) =>
    ({ disagreement, geoRisk: 0, breadth, activity: null }) as unknown as IndexReading
  app.context.snapshots = [
    contextSnapshotOf(then, {
      at: (NOON - 24 * HOUR) as Millis,
      indices: new Map([['', reading(42, 0.13)]]),
    }),
    contextSnapshotOf(now, { indices: new Map([['', reading(45, 0.11)]]) }),
  ]
  return app
}

describe('/api/public/diff', () => {
  const diff = async (query = '') =>
    (await (await diffApp().get(`/api/public/diff?${query}`)).json()) as Body

  // [diff.lists.moved] [diff.lists.ended]
  it('lists moved, new, ended and relabelled markets separately', async () => {
    expect(await diff()).toEqual({
      window: '24h',
      from: '2026-11-19T14:00:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
      moved: [
        {
          ticker: 'DOWN',
          venue: 'venue_a',
          title: expect.any(String) as unknown,
          price: 32,
          delta: -8,
          from: 40,
          volume24h: 1_000,
          volumeZ: null,
          url: 'http://augury.test/api/agent/inspect/DOWN',
        },
        expect.objectContaining({ ticker: 'UP', delta: 6, volumeZ: 2.659 }),
      ],
      added: [expect.objectContaining({ ticker: 'FRESH', price: 10 })],
      resolved: [
        expect.objectContaining({
          ticker: 'GONE',
          price: 100,
          result: 'yes',
          at: '2026-11-20T09:00:00.000Z',
        }),
      ],
      closed: [expect.objectContaining({ ticker: 'SHUT' })],
      regimeChanges: [
        expect.objectContaining({
          ticker: 'FLIP',
          fromLabel: 'neutral',
          toLabel: 'taker',
          at: '2026-11-20T11:00:00.000Z',
        }),
      ],
      index: { disagreement: 3, geoRisk: 0, breadth: -0.02, activity: null },
    })
  })

  // [diff.filters.narrow] [diff.filters.limit-clamped]
  it('filters every list, and clamps them', async () => {
    expect(tickersOf((await diff('topic=iran'))['moved'])).toEqual(['UP'])
    expect((await diff('venue=venue_b'))['resolved']).toEqual([])
    expect((await diff('category=nothing'))['added']).toEqual([])
    expect(tickersOf((await diff('limit=0'))['moved'])).toEqual(['DOWN'])
  })

  // [diff.window.words]
  it('accepts four windows', async () => {
    const response = await diffApp().get('/api/public/diff?window=2d')
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'window must be 1h, 6h, 24h or 7d', code: 'VALIDATION_ERROR' },
    ])
    expect(await diff('window=7D')).toMatchObject({ from: '2026-11-13T14:00:00.000Z' })
  })

  it('is empty without data of the past', async () => {
    const past = await diff('asOf=2026-10-01')
    expect(past).toMatchObject({
      moved: [],
      added: [],
      resolved: [],
      closed: [],
      regimeChanges: [],
    })
  })
})
