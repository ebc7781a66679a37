import { describe, expect, it } from 'vitest'
import { NOON_ISH } from '../../../testing/world-markets.ts'
import { HOUR, type Millis } from '../../units.ts'
import { alertsOf, type HeldMarket } from './delta-alerts.ts'
import { deltaMarkdown } from '../markdown/delta-markdown.ts'
import { deltaOf, tickersOfDelta, type DeltaEnd, type DeltaInput } from './delta.ts'
import type { SalientItem } from '../snapshot.ts'
import { tokensOf } from '../markdown/token-budget.ts'
import type { Mover } from '../world-lists.ts'

const FROM = (NOON_ISH - HOUR) as Millis
const end = (at: Millis, fields: Partial<DeltaEnd> = {}): DeltaEnd => ({
  at,
  label: 'Steady — no dominant macro signal',
  gauges: { disagreement: 42, geoRisk: 0, breadth: 0.13, activity: 0 },
  value: 17,
  salient: [],
  movers: [],
  ...fields,
})
const item = (ticker: string, rank: number, label = ticker): SalientItem => ({
  id: `s-${ticker}`,
  type: 'residual',
  rank,
  label,
  score: 0.5,
  pull: [],
  body: {
    ticker,
    venue: 'venue_a',
    title: ticker,
    price: 52,
    residualVr: 3.3,
    vr: 3.3,
    volume24h: null,
    scheduledCatalyst: null,
  },
})
const mover = (ticker: string): Mover => ({
  ticker,
  venue: 'venue_a',
  title: `${ticker}?`,
  price: 50,
  delta: 9,
  from: 41,
  volume24h: null,
  volumeZ: null,
  url: '',
})
const input = (fields: Partial<DeltaInput> = {}): DeltaInput => ({
  from: end(FROM),
  to: end(NOON_ISH),
  prices: [],
  resolved: [],
  newMarkets: [],
  addresses: { baseUrl: 'http://127.0.0.1:4870' },
  ...fields,
})
const kinds = (fields: Partial<DeltaInput>) =>
  deltaOf(input(fields)).changes.map(({ kind }) => kind)

describe('delta', () => {
  it('C7: 42, 0, .13, 0 to 45, 1, .15, 0 are two entries', () => {
    const gauges = { disagreement: 45, geoRisk: 1, breadth: 0.15, activity: 0 }
    const { changes, indexDelta } = deltaOf(input({ to: end(NOON_ISH, { gauges }) }))
    expect(changes.map(({ label }) => label)).toEqual(['Disagreement 42 → 45', 'GeoRisk 0 → 1'])
    expect(indexDelta).toEqual({
      disagreement: 3,
      geoRisk: 1,
      breadth: 0.02,
      activity: 0,
      value: 0,
    })
  })

  it('lists kinds in their order and the larger change first', () => {
    const to = end(NOON_ISH, {
      label: 'Quiet — little repricing',
      gauges: { disagreement: 43, geoRisk: 5, breadth: 0.18, activity: null },
      salient: [item('NEW', 0), item('KEPT', 3)],
    })
    const from = end(FROM, { salient: [item('KEPT', 0), item('OLD', 1)] })
    const prices = [
      { ticker: 'P3', title: 'P3', from: 40, to: 43, isQuotedOnce: false },
      { ticker: 'P9', title: 'P9', from: 49, to: 40, isQuotedOnce: false },
      { ticker: 'P2', title: 'P2', from: 40, to: 42.9, isQuotedOnce: false },
      { ticker: 'P0', title: 'P0', from: null, to: 90, isQuotedOnce: false },
    ]
    const settled = { ticker: 'S', venue: 'venue_a', title: 'S', result: 'yes' } as const
    const resolved = [{ ...settled, at: NOON_ISH, priceBefore: 80 }]
    const newMarkets = [{ ticker: 'N', title: 'N', firstSeenAt: NOON_ISH, price: 50 }]
    const { changes } = deltaOf(input({ from, to, prices, resolved, newMarkets }))
    expect(changes.map(({ kind, ticker }) => [kind, ticker])).toEqual([
      ['regime_changed', null],
      ['gauge', null],
      ['gauge', null],
      ['gauge', null],
      ['resolved', 'S'],
      ['price_move', 'P9'],
      ['price_move', 'P3'],
      ['item_added', 'NEW'],
      ['item_dropped', 'OLD'],
      ['item_moved', 'KEPT'],
      ['new_market', 'N'],
    ])
    expect(changes[1]).toMatchObject({ label: 'GeoRisk 0 → 5', before: 0, after: 5 })
  })

  it('omits values that are unknown at one end or moved too little', () => {
    const gauges = { disagreement: null, geoRisk: 0.9, breadth: 0.17, activity: null }
    expect(kinds({ to: end(NOON_ISH, { gauges }) })).toEqual([])
    const from = end(FROM, { salient: [item('A', 0)] })
    expect(kinds({ from, to: end(NOON_ISH, { salient: [item('A', 1)] }) })).toEqual([])
  })

  it('keeps thirty changes', () => {
    const prices = Array.from({ length: 40 }, (_, i) => {
      return { ticker: `P${i}`, title: 'P', from: 0, to: 10, isQuotedOnce: false }
    })
    expect(kinds({ prices })).toHaveLength(30)
  })

  it('lists added and dropped movers', () => {
    const from = end(FROM, { movers: [mover('A'), mover('B')] })
    const to = end(NOON_ISH, { movers: [mover('B'), mover('C')] })
    const { movers } = deltaOf(input({ from, to }))
    expect(movers.added.map(({ ticker }) => ticker)).toEqual(['C'])
    expect(movers.dropped).toEqual([{ ticker: 'A', title: 'A?' }])
    expect(tickersOfDelta(from, { ...to, salient: [item('Z', 0)] })).toEqual(['A', 'B', 'C', 'Z'])
  })
})

describe('delta text', () => {
  it('is the text of the contract', () => {
    const from = end(FROM, {
      gauges: { disagreement: 42, geoRisk: 17, breadth: 0.13, activity: 29 },
    })
    const label = '3.3σ volume @ 52¢ — Will the ceasefire hold to January?'
    const to = end(NOON_ISH, {
      gauges: { disagreement: 45, geoRisk: 17, breadth: 0.09, activity: 35 },
      salient: [item('KXCEASE-27JAN', 0, label)],
    })
    const prices = [
      { ticker: 'KXCEASE-27JAN', title: 'Ceasefire', from: 44, to: 52, isQuotedOnce: false },
    ]
    const settled = {
      ticker: 'KXCPI-26OCT',
      venue: 'venue_a',
      title: 'CPI',
      result: 'yes',
    } as const
    const resolved = [{ ...settled, at: NOON_ISH, priceBefore: 90 }]
    const delta = deltaOf(input({ from, to, prices, resolved }))
    expect(deltaMarkdown(delta)).toBe(`# Delta 13:05 → 14:05 UTC
Index: Disagree +3 | GeoRisk 0 | Breadth -0.04 | Activity +6
+ [residual] 3.3σ volume @ 52¢ — Will the ceasefire hold to January?
~ KXCEASE-27JAN 44¢ → 52¢
= KXCPI-26OCT resolved yes
`)
  })

  it('names a market by its title where its id is 66 characters long', () => {
    const ticker = `0x${'a1'.repeat(32)}`
    const prices = [{ ticker, title: 'Will it hold?', from: 44, to: 52, isQuotedOnce: false }]
    expect(deltaMarkdown(deltaOf(input({ prices })))).toContain('\n~ Will it hold? 44¢ → 52¢\n')
  })

  it('is one short line when nothing changed', () => {
    const text = deltaMarkdown(deltaOf(input()))
    expect(text).toBe('# No changes 13:05 → 14:05 UTC\n')
    expect(tokensOf(text)).toBeLessThanOrEqual(50)
  })

  it('names new markets after everything else', () => {
    const newMarkets = Array.from({ length: 20 }, (_, i) => {
      return { ticker: `N${i}`, title: `N${i}`, firstSeenAt: NOON_ISH, price: 50 }
    })
    const prices = [{ ticker: 'P', title: 'P', from: 40, to: 52, isQuotedOnce: false }]
    const lines = deltaMarkdown(deltaOf(input({ prices, newMarkets }))).split('\n')
    expect(lines[2]).toBe('~ P 40¢ → 52¢')
    expect(lines[3]).toMatch(/^\+ .*N\d/)
  })

  it('has twelve lines and states how many more there are', () => {
    const prices = Array.from({ length: 20 }, (_, i) => {
      return { ticker: `P${i}`, title: 'P', from: 0, to: 10, isQuotedOnce: false }
    })
    const lines = deltaMarkdown(deltaOf(input({ prices })))
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(2 + 12 + 1)
    expect(lines.at(-1)).toBe('+8 more')
  })

  it('includes dates when the span crosses midnight', () => {
    const text = deltaMarkdown(deltaOf(input({ from: end((NOON_ISH - 24 * HOUR) as Millis) })))
    expect(text).toBe('# No changes 2026-11-19 14:05 → 2026-11-20 14:05 UTC\n')
  })
})

describe('alerts', () => {
  const held = (fields: Partial<HeldMarket> = {}): HeldMarket => ({
    ticker: 'KXA',
    price: { from: 40, to: 42 },
    tau: { from: 2, to: 1.5 },
    expectedEdge: { from: 4, to: 3 },
    resolved: null,
    ...fields,
  })
  const kindsOf = (fields: Partial<HeldMarket>) =>
    alertsOf([held(fields)], NOON_ISH).map(({ kind }) => kind)

  it('report changes of positions', () => {
    expect(kindsOf({})).toEqual([])
    expect(kindsOf({ price: { from: 40, to: 43 } })).toEqual(['price_move'])
    expect(kindsOf({ tau: { from: 1, to: 0.9 } })).toEqual(['closing_soon'])
    expect(kindsOf({ tau: { from: 0.9, to: 0.8 } })).toEqual([])
    expect(kindsOf({ expectedEdge: { from: 2, to: -1 } })).toEqual(['edge_flipped'])
    expect(kindsOf({ expectedEdge: { from: null, to: -1 } })).toEqual([])
    expect(kindsOf({ resolved: { result: 'no', at: NOON_ISH } })).toEqual(['resolved'])
  })

  it('are part of the text', () => {
    const alerts = alertsOf([held({ tau: { from: 2, to: 0.5 } })], NOON_ISH)
    expect(deltaMarkdown(deltaOf(input()), alerts)).toContain('\n! KXA closes in 12h\n')
  })
})
