import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../testing/world-markets.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../units.ts'
import { readIndex, type IndexReading } from './gauges/index-reading.ts'
import { regionOf } from './regions/region.ts'
import { compactMarkdown, snapshotMarkdown } from './markdown/snapshot-markdown.ts'
import { snapshotOf, type Snapshot, type SnapshotInput } from './snapshot.ts'
import { formsThatFit, tokensOf } from './markdown/token-budget.ts'
import {
  buildWorld,
  defaultBaseline,
  worldContextAt,
  type World,
  type WorldInput,
} from './world.ts'
import type { WorldMarket } from './world-market.ts'
import { largest } from './top-rows.ts'

const ADDRESSES = { baseUrl: 'http://127.0.0.1:4870', appUrl: 'http://127.0.0.1:4870' }
const reading = (fields: Partial<IndexReading> = {}): IndexReading => ({
  ...readIndex({
    at: NOON_ISH,
    markets: [],
    theatres: [],
    basketSize: 0,
    changes24h: 0,
    activityBaseline: [],
    lastDisagreement: null,
    scope: 'world',
  }),
  disagreement: 42,
  geoRisk: 17,
  breadth: 0.13,
  activity: 29,
  ...fields,
})
const worldOf = (markets: readonly WorldMarket[], fields: Partial<WorldInput> = {}): World =>
  buildWorld({
    at: NOON_ISH,
    baseline: defaultBaseline(NOON_ISH),
    markets,
    duplicates: [],
    divergences: [],
    pairs: new Map(),
    thematic: new Map(),
    gauges: [],
    memory: new Map(),
    ...fields,
  })
const snapshot = (world: World, path: string[] = [], fields: Partial<SnapshotInput> = {}) => {
  const region = regionOf(path, world.series)
  if (region === null) throw new Error('no such region')
  const input = { index: reading(), gaugesThen: null, valueDayAgo: null, limit: 10, depth: 1 }
  return snapshotOf(world, region, { ...input, addresses: ADDRESSES, ...fields })
}
const residuals = (count: number, title = 'Will the ceasefire hold to January?') =>
  Array.from({ length: count }, (_, i) =>
    worldMarket({ ticker: `KXCEASE-${i}`, title, price: 52, vr: 3.3 + i, residualVr: 3.3 + i }),
  )

describe('baseline and grid', () => {
  it('is twelve hours ago, or midnight when that is later', () => {
    expect(defaultBaseline(NOON_ISH)).toEqual({ at: NOON_ISH - 12 * HOUR, reason: 'last 12h' })
    const morning = (Date.UTC(2026, 10, 20) + 3 * HOUR) as Millis
    expect(defaultBaseline(morning)).toEqual({
      at: Date.UTC(2026, 10, 20),
      reason: 'since midnight UTC',
    })
  })

  it('is aligned to five minutes', () => {
    expect(worldContextAt((NOON_ISH + 5 * MINUTE - 1) as Millis)).toBe(NOON_ISH)
  })
})

describe('markdown', () => {
  it('is the text of the contract', () => {
    const iran = (i: number, topic: string) =>
      worldMarket({ ticker: `${topic}${i}`, topics: [topic], theme: topic })
    const world = worldOf([
      worldMarket({
        ticker: 'KXCEASE-27JAN',
        title: 'Will the ceasefire hold to January?',
        price: 52,
        vr: 3.3,
        residualVr: 3.3,
      }),
      ...Array.from({ length: 147 }, (_, i) => iran(i, 'iran')),
      ...Array.from({ length: 88 }, (_, i) => iran(i, 'oil')),
    ])
    const created = snapshot(world)
    const id = created.salient[0]?.id ?? ''
    expect(snapshotMarkdown(created, ['World'])).toBe(`# World (2026-11-20 14:05 UTC)
Regime: Steady — no dominant macro signal
Index: Disagree 42 | GeoRisk 17 | Breadth +0.13 | Activity 29
Baseline: last 12h

## [residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January?
- ticker: KXCEASE-27JAN
- price: 52
- residualVr: 3.3
  → why moving? · \`GET http://127.0.0.1:4870/api/agent/world?op=explain&item=${id}\`
  → related · \`GET http://127.0.0.1:4870/api/agent/world?op=trail&from=KXCEASE-27JAN\`

Regions: iran (147 markets), oil (88 markets)
`)
  })

  it('states that nothing is salient, and the region', () => {
    const created = snapshot(worldOf([]), ['iran'], { index: reading({ breadth: null }) })
    expect(snapshotMarkdown(created, ['World', 'Iran'])).toBe(`# World / Iran (2026-11-20 14:05 UTC)
Regime: Steady — no dominant macro signal
Index: Disagree 42 | GeoRisk 17 | Breadth – | Activity 29
Baseline: last 12h

Nothing salient since the baseline.
`)
  })

  it('C5: header 60 and 130 per item show five in full and lines up to 800', () => {
    const items = Array.from({ length: 10 }, () => ({ full: 130, line: 40 }))
    const { forms } = formsThatFit(800, 60, items)
    expect(forms.filter((form) => form === 'full')).toHaveLength(5)
    expect(forms.filter((form) => form === 'line')).toHaveLength(2)
    expect(forms.slice(7)).toEqual(['left out', 'left out', 'left out'])
  })

  it('shows three items regardless of the budget', () => {
    const items = Array.from({ length: 5 }, () => ({ full: 900, line: 500 }))
    expect(formsThatFit(800, 60, items).forms).toEqual([
      'line',
      'line',
      'line',
      'left out',
      'left out',
    ])
  })

  it('keeps its budgets for any titles', () => {
    const title = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 12 }), (titles) => {
        const markets = titles.flatMap((text, i) =>
          residuals(1, text).map((market) => ({ ...market, ticker: `KX${i}`, eventId: `E${i}` })),
        )
        const created = snapshot(worldOf(markets))
        const text = snapshotMarkdown(created, ['World'])
        const shown = text.split('\n').filter((line) => line.includes('[residual]')).length
        if (shown > 3) expect(tokensOf(text)).toBeLessThanOrEqual(820)
        expect(text).not.toMatch(/\n.{600,}\n/u)
        const short = compactMarkdown(created, ['World'])
        const lines = short.split('\n').filter((line) => line.startsWith('[residual]')).length
        if (lines > 3) expect(tokensOf(short)).toBeLessThanOrEqual(310)
      }),
      { numRuns: 30 },
    )
  })

  it('has one line per item in the short form', () => {
    const created = snapshot(worldOf(residuals(2)))
    const lines = compactMarkdown(created, ['World']).split('\n')
    expect(lines.slice(5, 7)).toEqual(
      created.salient.map(({ label, pull }) => `[residual] ${label} — ${pull[0]?.url ?? ''}`),
    )
  })

  it('never counts fewer tokens than a quarter of the characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tokensOf(text)).toBeGreaterThanOrEqual(Math.ceil(text.length / 4))
      }),
    )
  })
})

describe('snapshot', () => {
  const rich = (): WorldMarket[] => [
    ...residuals(3),
    worldMarket({ ticker: 'MOVE', topics: ['iran'], theme: 'iran', price: 60, priceDayAgo: 50 }),
    worldMarket({ ticker: 'SLIGHT', price: 54.9, priceDayAgo: 50 }),
    worldMarket({ ticker: 'THIN', price: 80, priceDayAgo: 50, liquidity: 'low' }),
    worldMarket({ ticker: 'STILL', volume24hUsd: 90_000, markSd7d: 1 }),
    worldMarket({ ticker: 'YIELD', adjIy: 3_000, las: 0.1, tau: 7, volume24hUsd: 1_000 }),
  ]

  it('ranks items from 0 with falling scores and two or three suggested calls', () => {
    const { salient, salientCount, marketCount } = snapshot(worldOf(rich()))
    expect(salient.map(({ rank }) => rank)).toEqual([0, 1, 2])
    expect(salient[0]?.body).toMatchObject({ ticker: 'KXCEASE-2', residualVr: 5.3 })
    expect(salient.map(({ score }) => score)).toEqual(
      salient.map(({ score }) => score).toSorted((a, b) => b - a),
    )
    expect(salient[0]?.pull.map(({ op, label }) => [op, label])).toEqual([
      ['explain', 'why moving?'],
      ['history', 'price path'],
      ['trail', 'related'],
    ])
    expect([salientCount, marketCount]).toEqual([3, 8])
  })

  it('lists movers, anchors and opportunities', () => {
    const created = snapshot(worldOf(rich()), [], {
      edges: {
        theses: new Map([['MOVE', 5]]),
        crossVenue: new Map([['YIELD', { net: 1, yieldPct: 9, pair: 'P' }]]),
      },
    })
    expect(created.movers).toMatchObject([{ ticker: 'MOVE', delta: 10, from: 50 }])
    expect(created.stableAnchors).toMatchObject([{ ticker: 'STILL' }])
    expect(created.opportunities.map(({ ticker, kind, score }) => [ticker, kind, score])).toEqual([
      ['YIELD', 'high_yield', 0.75],
      ['KXCEASE-2', 'unexplained_activity', 0.726],
      ['KXCEASE-1', 'unexplained_activity', 0.6825],
      ['KXCEASE-0', 'unexplained_activity', 0.6226],
      ['MOVE', 'thesis_edge', 0.5],
    ])
  })

  it('lists movers that trade, away from the ends', () => {
    const moved = (over: Parameters<typeof worldMarket>[0]) =>
      snapshot(worldOf([worldMarket({ price: 60, priceDayAgo: 40, volume24hUsd: 100, ...over })]))
        .movers.length
    expect(moved({})).toBe(1)
    expect(moved({ volume24hUsd: 99 })).toBe(0)
    expect(moved({ volume24hUsd: null })).toBe(0)
    expect(moved({ price: 97.1 })).toBe(0)
    expect(moved({ price: 2.9 })).toBe(0)
  })

  it('lists a pair once, and no yield beside another reason in the last days', () => {
    const legs = ['KXLEG', '0xleg'].map((ticker) => worldMarket({ ticker, adjIy: 900, tau: 2 }))
    const gap = { net: 4, yieldPct: 9, pair: 'KXLEG~0xleg' }
    const edges = {
      theses: new Map(),
      crossVenue: new Map(legs.map(({ ticker }) => [ticker, gap])),
    }
    const { opportunities } = snapshot(worldOf(legs), [], { edges })
    expect(opportunities.map(({ kind, yieldPct }) => [kind, yieldPct])).toEqual([
      ['cross_venue_gap', 9],
    ])
    const busy = snapshot(worldOf([worldMarket({ residualVr: 4, adjIy: 900, las: 0.1, tau: 2 })]))
    expect(busy.opportunities).toMatchObject([{ kind: 'unexplained_activity', yieldPct: null }])
  })

  it('lists no yield of longshots, idle markets and last days', () => {
    const ofYield = (over: Parameters<typeof worldMarket>[0]) =>
      snapshot(
        worldOf([worldMarket({ adjIy: 3_000, las: 0.1, tau: 7, volume24hUsd: 1_000, ...over })]),
      ).opportunities
    expect(ofYield({ price: 3 })).toHaveLength(1)
    expect(ofYield({ price: 97 })).toHaveLength(1)
    expect(ofYield({ price: 2.9 })).toEqual([])
    expect(ofYield({ price: 97.1 })).toEqual([])
    expect(ofYield({ volume24hUsd: 999 })).toEqual([])
    expect(ofYield({ tau: 6.9 })).toEqual([])
  })

  it('lists at most four opportunities of a kind', () => {
    const yields = Array.from({ length: 6 }, (_, n) =>
      worldMarket({
        ticker: `Y${n}`,
        adjIy: 3_000 + 100 * n,
        las: 0.1,
        tau: 7,
        volume24hUsd: 1_000,
      }),
    )
    const { opportunities } = snapshot(worldOf(yields), [], {
      edges: {
        theses: new Map([['Y0', 3]]),
        crossVenue: new Map([['Y1', { net: 1, yieldPct: 9, pair: 'P' }]]),
      },
    })
    expect(opportunities.map(({ ticker }) => ticker)).toEqual(['Y2', 'Y3', 'Y4', 'Y5'].toReversed())
  })

  it('cuts a region from the world and keeps ids', () => {
    const world = worldOf(rich().map((market) => ({ ...market, topics: ['iran'], theme: 'iran' })))
    const ids = (path: string[]) => snapshot(world, path).salient.map(({ id }) => id)
    expect(ids(['iran'])).toEqual(ids([]))
    expect(ids(['iran', 'ceasefire'])).toHaveLength(3)
    expect(snapshot(world, ['china'])).toMatchObject({ salient: [], marketCount: 0, movers: [] })
  })

  it('reports gauges that moved, also in regions that are not stored', () => {
    const then = reading({ disagreement: 10 })
    const gauges = [{ path: [], now: reading(), then }]
    const world = worldOf(rich(), { gauges })
    expect(snapshot(world).salient.map(({ type }) => type)).toContain('regime_shift')
    const requested = snapshot(world, ['ceasefire'], { gaugesThen: then })
    expect(requested.salient[0]?.type).toBe('regime_shift')
    expect(requested.salient[0]?.id).not.toBe(snapshot(world).salient[0]?.id)
  })

  it('lowers only items that were emitted before', () => {
    const first = worldOf(residuals(1))
    const later = (NOON_ISH + 12 * HOUR) as Millis
    const again = worldOf(residuals(1), { at: later, memory: first.memory })
    const fresh = worldOf(residuals(1), { at: later })
    const scoreOf = (world: World) => world.candidates[0]?.score ?? 0
    expect(scoreOf(again)).toBeCloseTo(scoreOf(fresh) / 2, 9)
    const silent = worldOf([], { at: later, memory: first.memory })
    expect(silent.memory).toEqual(first.memory)
    const later2 = worldOf([], { at: (NOON_ISH + DAY + 1) as Millis, memory: first.memory })
    expect(later2.memory.size).toBe(0)
  })

  it('is the same for the same instant and any order of markets', () => {
    const some = fc.record({
      ticker: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G'),
      price: fc.option(fc.integer({ min: 0, max: 100 })),
      vr: fc.option(fc.constantFrom(1, 2, 3)),
      volume24hUsd: fc.option(fc.constantFrom(10, 2_000)),
      priceDayAgo: fc.option(fc.integer({ min: 0, max: 100 })),
      eventId: fc.constantFrom('E1', 'E2'),
      daysToEvent: fc.option(fc.constantFrom(0.5, 3)),
    })
    fc.assert(
      fc.property(fc.uniqueArray(some, { selector: ({ ticker }) => ticker }), (rows) => {
        const markets = rows.map((row) => worldMarket(row))
        const text = (list: readonly WorldMarket[]): string => {
          const created: Snapshot = snapshot(worldOf(list))
          return JSON.stringify(created)
        }
        expect(text(markets.toReversed())).toBe(text(markets))
      }),
    )
  })
})

it('returns the largest with ties by name, like a sort', () => {
  const row = fc.tuple(
    fc.option(fc.integer({ min: 0, max: 5 })),
    fc.constantFrom('a', 'b', 'c', 'd'),
  )
  fc.assert(
    fc.property(fc.array(row), fc.integer({ min: 1, max: 6 }), (rows, count) => {
      const selected = largest(
        rows,
        count,
        ([value]) => value,
        ([, name]) => name,
      )
      const sorted = rows
        .filter(([value]) => value !== null)
        .toSorted((a, b) => (b[0] ?? 0) - (a[0] ?? 0) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0))
      expect(selected).toEqual(sorted.slice(0, count))
    }),
  )
})
