import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { labelByCuts, measuredRegime, regimeHistory, regimeLabel } from './label.ts'
import type { RegimeSide, RegimeRow } from './label.ts'
import { scanRegimes } from '../../testing/scan-regimes.ts'
import type { RegimeScanRow } from './scan.ts'
import { isFreshRegime, regimeBreakdown, regimeOf } from './regime.ts'
import type { RegimeReading } from './regime.ts'
import { HOUR, MINUTE } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

const score = fc.integer({ min: 0, max: 1_000 }).map((value) => value / 1_000)

describe('A11: label', () => {
  it.each([
    [0.35, 'maker'],
    [0.351, 'neutral'],
    [0.438, 'neutral'],
    [0.577, 'neutral'],
    [0.649, 'neutral'],
    [0.65, 'taker'],
    [0.74, 'taker'],
    [0.18, 'maker'],
  ])('of %s alone is %s', (value, label) => {
    expect(regimeLabel(value, null)).toBe(label)
  })
  it.each<[RegimeSide, number, RegimeSide]>([
    ['neutral', 0.66, 'neutral'],
    ['neutral', 0.67, 'taker'],
    ['taker', 0.64, 'taker'],
    ['taker', 0.63, 'neutral'],
    ['neutral', 0.34, 'neutral'],
    ['neutral', 0.33, 'maker'],
    ['maker', 0.36, 'maker'],
    ['maker', 0.37, 'neutral'],
    ['maker', 0.66, 'neutral'],
    ['maker', 0.67, 'taker'],
    ['taker', 0.34, 'neutral'],
    ['taker', 0.33, 'maker'],
  ])('after %s, of %s is %s', (previous, value, label) => {
    expect(regimeLabel(value, previous)).toBe(label)
  })
  it('is unknown with fewer measured trades than an alpha needs, and so is the score', () => {
    for (const prints of [0, 4]) {
      expect(measuredRegime({ score: 0.75, label: 'taker' }, prints)).toEqual({
        score: null,
        label: 'unknown',
      })
    }
    expect(measuredRegime({ score: 0.5, label: 'neutral' }, 5)).toEqual({
      score: 0.5,
      label: 'neutral',
    })
  })
  it('does not flicker: it stays for the same score and for one within the margin', () => {
    const label = fc.constantFrom<RegimeSide>('maker', 'taker', 'neutral')
    fc.assert(
      fc.property(score, label, fc.integer({ min: -19, max: 19 }), (value, previous, step) => {
        const after = regimeLabel(value, previous)
        expect(regimeLabel(value, after)).toBe(after)
        const near = value + step / 1_000
        if (labelByCuts(value) === 'taker') expect(regimeLabel(near, 'taker')).not.toBe('maker')
        const mirror = { maker: 'taker', taker: 'maker', neutral: 'neutral' } as const
        expect(regimeLabel(Number((1 - value).toFixed(3)), mirror[previous])).toBe(mirror[after])
      }),
    )
  })
})

const reading = (more: Partial<RegimeReading> = {}): RegimeReading => ({
  isLive: true,
  adverse: { score: 0.74, prior: 0.5, nTrades: 200, alpha: 0.8 },
  spread: 1 as Cents,
  bidDepthUsd: 6_760,
  askDepthUsd: 1_646,
  volume24h: 18_400,
  observability: 'high',
  eventType: 'data_release',
  edge: { ee: 13, direction: 'yes' },
  ...more,
})
const now = (10 * HOUR + 3 * MINUTE) as Millis
const regime = (more: Partial<RegimeReading> = {}) => regimeOf(reading(more), null, now)
const effects = (more: Partial<RegimeReading> = {}) => {
  const created = regime(more)
  return created === null
    ? null
    : Object.fromEntries(regimeBreakdown(created).map(({ name, effect }) => [name, effect]))
}

describe('A11: regime', () => {
  it('has score, label and signals', () => {
    expect(regime()).toMatchObject({
      score: 0.74,
      label: 'taker',
      signals: { spreadCents: 1, asPrior: 0.5, sfEdgeCents: 13, sfEdgeDirection: 'yes' },
    })
    expect(regimeOf(reading(), 'neutral', now)?.label).toBe('taker')
  })
  it('is null for a market that is not live', () => {
    expect(regime({ isLive: false })).toBeNull()
  })
  it('is broken down in fixed order', () => {
    const created = regime()
    if (created === null) throw new Error('a live market has a regime')
    expect(regimeBreakdown(created).map(({ name }) => name)).toEqual([
      'nTrades',
      'alpha',
      'spreadCents',
      'bidDepthUsd',
      'askDepthUsd',
      'volume24h',
      'observability',
      'eventType',
      'asPrior',
      'sfEdgeCents',
      'sfEdgeDirection',
    ])
  })
  it('states the side that each signal indicates', () => {
    expect(effects()).toMatchObject({
      nTrades: 'neutral',
      alpha: 'taker',
      spreadCents: 'taker',
      bidDepthUsd: 'neutral',
      askDepthUsd: 'taker',
      observability: 'neutral',
      asPrior: 'neutral',
      sfEdgeCents: 'taker',
    })
    const wide = { spread: 4 as Cents, bidDepthUsd: 199, observability: 'low' } as const
    expect(effects(wide)).toMatchObject({
      spreadCents: 'maker',
      bidDepthUsd: 'maker',
      askDepthUsd: 'neutral',
      observability: 'taker',
    })
    expect(effects({ edge: { ee: -4.9, direction: 'no' } })?.['sfEdgeCents']).toBe('neutral')
    expect(effects({ edge: { ee: -5, direction: 'no' } })?.['sfEdgeCents']).toBe('taker')
    expect(effects({ spread: 2 as Cents })?.['spreadCents']).toBe('neutral')
  })
  it('rates unknown signals as neutral', () => {
    const unknown = effects({
      adverse: { score: 0.5, prior: 0.5, nTrades: 0, alpha: null },
      spread: null,
      bidDepthUsd: null,
      askDepthUsd: 100,
      volume24h: null,
      edge: { ee: null, direction: null },
    })
    expect(Object.values(unknown ?? {}).every((effect) => effect === 'neutral')).toBe(true)
  })
  it('is fresh at the latest quarter hour with a valid book', () => {
    const grid = (10 * HOUR) as Millis
    expect(isFreshRegime(grid, now, true)).toBe(true)
    expect(isFreshRegime(grid, now, false)).toBe(false)
    expect(isFreshRegime(grid, (grid + 15 * MINUTE) as Millis, true)).toBe(false)
  })
})

describe('M: regime history', () => {
  const row = (minutes: number, value: number, spread = 1): RegimeRow => ({
    at: (minutes * MINUTE) as Millis,
    score: value,
    label: labelByCuts(value),
    spreadCents: spread as Cents,
    bidDepthUsd: null,
    askDepthUsd: null,
    volume24h: minutes,
  })
  it('has a row when score, label or spread changed, at most one per hour', () => {
    const rows = [row(0, 0.5), row(15, 0.6), row(60, 0.5), row(75, 0.6), row(135, 0.6, 2)]
    expect(regimeHistory(rows).map(({ at }) => at / MINUTE)).toEqual([0, 75, 135])
  })
  it('does not depend on later data', () => {
    fc.assert(
      fc.property(fc.array(score), fc.nat(30), (scores, cut) => {
        const rows = scores.map((value, i) => row(i * 15, value))
        const prefix = regimeHistory(rows.slice(0, cut))
        expect(regimeHistory(rows).slice(0, prefix.length)).toEqual(prefix)
      }),
    )
  })
})

describe('M: regime scan', () => {
  const row = (ticker: string, more: Partial<RegimeScanRow> = {}): RegimeScanRow => ({
    ticker,
    venue: 'venue_a',
    category: 'politics',
    topics: ['trump'],
    label: 'neutral',
    score: 0.5,
    eventType: 'political',
    observability: 'low',
    volume24hUsd: 100,
    spread: 2,
    bidDepthUsd: 10,
    askDepthUsd: 20,
    edge: null,
    tau: 3,
    ...more,
  })
  const rows = [
    row('B', { score: 0.7, label: 'taker', edge: -6 }),
    row('D', { volume24hUsd: null, spread: null, askDepthUsd: null, tau: null }),
    row('C', { score: 0.7, label: 'taker', edge: 0.5, venue: 'venue_b' }),
    row('A', { score: 0.2, label: 'maker', edge: 1, topics: [] }),
  ]
  const tickers = (
    ...requested: Parameters<typeof scanRegimes> extends [unknown, ...infer R] ? R : []
  ) =>
    scanRegimes(rows, ...requested)
      .rows.map(({ ticker }) => ticker)
      .join('')
  it('is sorted by score, then ticker', () => {
    expect(tickers()).toBe('BCDA')
    expect(tickers({}, 'score', 'asc')).toBe('ADBC')
  })
  it('sorts unknown values last in both directions', () => {
    expect(tickers({}, 'volume24h')).toBe('ABCD')
    expect(tickers({}, 'spread', 'asc')).toBe('ABCD')
    expect(tickers({}, 'depth', 'asc')).toBe('ABCD')
    expect(tickers({}, 'edge')).toBe('BACD')
    expect(tickers({}, 'tau')).toBe('ABCD')
  })
  it('filters, bounds included', () => {
    expect(tickers({ minScore: 0.5, maxScore: 0.7 })).toBe('BCD')
    expect(tickers({ hasEdge: true })).toBe('BA')
    expect(tickers({ hasEdge: false })).toBe('CD')
    expect(tickers({ venue: 'venue_b' })).toBe('C')
    expect(tickers({ topic: 'trump', label: 'neutral' })).toBe('D')
    expect(tickers({ minVolumeUsd: 0 })).toBe('BCA')
    expect(tickers({ category: 'x' })).toBe('')
    expect(tickers({ eventType: 'political', observability: 'low' })).toBe('BCDA')
  })
  it('counts labels of all that pass the filter', () => {
    expect(scanRegimes(rows, { label: 'maker' }).byLabel).toEqual({
      maker: 1,
      taker: 2,
      neutral: 1,
      unknown: 0,
    })
  })
  it('does not depend on the order of the rows', () => {
    expect(scanRegimes(rows.toReversed())).toEqual(scanRegimes(rows))
  })
})
