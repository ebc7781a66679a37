import fc from '../../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { NOON_ISH, worldMarket } from '../../../testing/world-markets.ts'
import {
  comparableValue,
  indexValue,
  readIndex,
  servedIndex,
  type Gauges,
  type IndexInput,
} from './index-reading.ts'
import { regimeSentence, regimeSummary, volatilityState } from '../salient/regime-sentence.ts'
import { universeOf } from '../universe.ts'
import { DAY } from '../../units.ts'

const gauges = (
  disagreement: number | null,
  geoRisk: number | null,
  breadth: number | null,
  activity: number | null,
): Gauges => ({ disagreement, geoRisk, breadth, activity })

const input = (fields: Partial<IndexInput> = {}): IndexInput => ({
  at: NOON_ISH,
  markets: [],
  theatres: [],
  basketSize: 0,
  changes24h: 0,
  activityBaseline: [],
  lastDisagreement: null,
  scope: 'world',
  ...fields,
})

describe('index', () => {
  it('B5: 42, 0, 0.13, 0 have the value 17', () => {
    expect(indexValue(gauges(42, 0, 0.13, 0))).toBe(17)
  })

  it('B5: an unknown gauge drops out and the others weigh more', () => {
    expect(indexValue(gauges(42, null, 0.13, 0))).toBe(22)
    expect(indexValue(gauges(42, null, null, null))).toBeNull()
  })

  it('B5: serves the older names and the change of a day', () => {
    const reading = readIndex(input())
    const served = servedIndex({ ...reading, ...gauges(42, 1, -0.2, 9), value: 17 }, 20)
    expect(served).toMatchObject({ delta24h: -3, uncertainty: 42, geopolitical: 1, momentum: -0.2 })
    expect(servedIndex(reading, null).delta24h).toBeNull()
  })

  it('compares its value only with a reading of the same gauges', () => {
    const then = { ...gauges(40, 0, 0.1, 20), value: 20 }
    expect(comparableValue(gauges(42, 1, -0.2, 9), then)).toBe(20)
    expect(comparableValue(gauges(42, 1, -0.2, null), then)).toBeNull()
    expect(comparableValue(gauges(42, 1, -0.2, 9), { ...then, disagreement: null })).toBeNull()
  })

  it('notes that activity needs the trades of a day', () => {
    const { activity, dataNote } = readIndex(
      input({ changes24h: null, activityBaseline: [1, 2, 3] }),
    )
    expect(activity).toBeNull()
    expect(dataNote).toContain('activity: trades of 24 hours are not on record')
  })

  it('states why a gauge is unknown', () => {
    const reading = readIndex(input())
    expect(reading).toMatchObject({ disagreement: null, geoRisk: 0, breadth: 0, activity: null })
    expect(reading.dataNote).toBe(
      'disagreement: only 0 markets repriced in 24 hours; activity: only 0 days of baseline',
    )
    expect(reading.components).toMatchObject({ geoTheatersActive: 0, metricVersion: 1 })
  })

  it('B8: twelve moving markets of a theme with a median of 2 cents are 50', () => {
    const markets = Array.from({ length: 12 }, (_, i) =>
      worldMarket({ ticker: `KX${i}`, tradedMoves: { sigma: 2, changes: 3 } }),
    )
    expect(readIndex(input({ markets, scope: 'theme' })).disagreement).toBe(50)
  })

  it('B8: small themes have neither disagreement nor breadth nor geoRisk', () => {
    const markets = Array.from({ length: 4 }, (_, i) =>
      worldMarket({ ticker: `KX${i}`, tradedMoves: { sigma: 2, changes: 3 } }),
    )
    const lastDisagreement = { value: 9, at: NOON_ISH }
    const reading = readIndex(input({ markets, scope: 'theme', lastDisagreement }))
    expect(reading).toMatchObject({ disagreement: null, geoRisk: null, breadth: null, value: null })
  })

  it('keeps every gauge and value within its bounds', () => {
    const percent = fc.option(fc.integer({ min: 0, max: 100 }))
    const share = fc.option(fc.integer({ min: -100, max: 100 }).map((n) => n / 100))
    fc.assert(
      fc.property(percent, percent, share, percent, (d, g, b, a) => {
        const value = indexValue(gauges(d, g, b, a))
        const present = [d, g, b, a].filter((gauge) => gauge !== null).length
        if (present < 2) expect(value).toBeNull()
        else expect(value).toSatisfy((index: number) => index >= 0 && index <= 100)
        expect(indexValue(gauges(d, g, b === null ? null : -b, a))).toBe(value)
      }),
    )
  })
})

describe('regime sentence', () => {
  it('B6: both recorded gauge vectors', () => {
    expect(regimeSentence(gauges(42, 0, 0.13, 0))).toBe('Steady — no dominant macro signal')
    expect(regimeSentence(gauges(54, 17, 0.48, 29))).toBe(
      'Broad up-skew — markets resolving toward higher probability',
    )
  })

  it.each([
    [
      gauges(90, 60, 0.9, 90),
      'Geopolitical stress — risk contracts repricing toward worse outcomes',
    ],
    [gauges(70, 59, 0.9, 80), 'Turbulent — prices and flow both far above normal'],
    [gauges(70, 0, -0.3, 79), 'Broad down-skew — markets resolving toward lower probability'],
    [gauges(70, 0, 0.29, 79), 'High disagreement — prices moving without a common direction'],
    [gauges(69, 0, 0, 80), 'Busy — unusually many repricings'],
    [gauges(20, 0, 0, 10), 'Quiet — little repricing'],
    [gauges(21, 0, 0, 10), 'Steady — no dominant macro signal'],
  ])('%o', (reading, sentence) => {
    expect(regimeSentence(reading)).toBe(sentence)
  })

  it('matches no rule on an unknown gauge', () => {
    expect(regimeSentence(gauges(null, null, null, null))).toBe('Steady — no dominant macro signal')
    expect(regimeSentence(gauges(null, null, null, 5))).toBe('Steady — no dominant macro signal')
  })
})

describe('regime summary', () => {
  it('B7: a move of 4 is active, a residual of 3.2 stressed', () => {
    expect(volatilityState(worldMarket({ mark: 54, markDayAgo: 50 }))).toBe('active')
    expect(volatilityState(worldMarket({ residualVr: 3.2 }))).toBe('stressed')
  })

  it('counts every market once', () => {
    const markets = [
      worldMarket(),
      worldMarket({ mark: null, markDayAgo: null, vr: null }),
      worldMarket({ vr: 1.5 }),
      worldMarket({ mark: 40, markDayAgo: 50 }),
      worldMarket({ trendLabel: 'panic' }),
    ]
    expect(regimeSummary(markets)).toEqual({ calm: 2, active: 1, stressed: 2 })
  })
})

describe('universe', () => {
  it('leaves out parlays and markets listed for less than a day', () => {
    const kept = worldMarket({ ticker: 'KEPT', listedAt: null })
    const markets = [
      kept,
      worldMarket({ ticker: 'LEGS', multiLeg: true }),
      worldMarket({
        ticker: 'HOURLY',
        listedAt: NOON_ISH,
        closeTime: NOON_ISH + DAY - 1,
      }),
    ]
    expect(universeOf(markets, [])).toEqual([kept])
  })

  it('keeps the more liquid leg of a question on both venues', () => {
    const a = worldMarket({ ticker: 'A', liquidity: 'medium', volume24hUsd: 9_000 })
    const b = worldMarket({ ticker: 'B', liquidity: 'high', volume24hUsd: 1 })
    expect(universeOf([a, b], [{ a: 'A', b: 'B', confidence: 0.8 }])).toEqual([b])
    expect(universeOf([a, b], [{ a: 'A', b: 'B', confidence: 0.79 }])).toEqual([a, b])
    const c = worldMarket({ ticker: 'C', liquidity: 'high', volume24hUsd: 2 })
    expect(universeOf([b, c], [{ a: 'C', b: 'B', confidence: 0.9 }])).toEqual([c])
    expect(universeOf([a], [{ a: 'A', b: 'GONE', confidence: 0.9 }])).toEqual([a])
  })
})
