import { describe, expect, it } from 'vitest'
import { meanOf, sampleSd } from '../../statistics/statistics.ts'
import { seededRandom } from '../seeded.ts'
import { bootstrapIntervals, drawIndices } from './bootstrap.ts'
import type { RunResult } from '../report/run-result.ts'
import { dailyIntervals, eventIntervals, intervalsOf, type EventLots } from './report-intervals.ts'

const event = (change: Partial<EventLots> = {}): EventLots => ({
  lots: 2,
  wins: 1,
  realised: 3,
  entries: 2,
  errors: 0.4,
  ...change,
})

/** A run with two lots per event, each closed by a trade with a dollar of profit. */
function runOf(events: number): RunResult {
  const markets = Array.from({ length: events * 2 }, (_, market) => market)
  const column = (of: (market: number) => number) => Float64Array.from(markets, of)
  const lots = { market: column((market) => market), realised: column(() => 1e6) }
  const traded = markets.map((market) => ({ market, venue: 'venue_a', eventId: `E${market >> 1}` }))
  return { seed: 1, lots: { ...lots, closing: column(() => 0) }, traded } as unknown as RunResult
}

describe('intervals by resampling', () => {
  it('[backtest.study.too-few] has none for fewer than 20 days or 20 events, as in the methodology’s example', () => {
    const days = (count: number) => Array.from({ length: count }, (_, i) => i / 1_000)
    expect(intervalsOf(runOf(12), days(19))).toMatchObject({
      events: 12,
      perEvent: null,
      daily: null,
    })
    const enough = intervalsOf(runOf(20), days(20))
    expect(enough).toMatchObject({ events: 20, days: 20, draws: 2_000, meanBlockDays: 5, seed: 1 })
    expect(enough.perEvent).toMatchObject({
      hitRate: { low: 1, high: 1 },
      realised: { low: 40, high: 40 },
      entryBrier: null,
    })
    expect(enough.daily?.totalReturn?.low).toBeGreaterThan(0)
  })

  it('[backtest.study.blocks] draws blocks of five rows on average, wrapping around', () => {
    const places = new Int32Array(50)
    const random = seededRandom(7)
    let [intervals, rows] = [0, 0]
    const seen = new Set<number>()
    for (let draw = 0; draw < 2_000; draw++) {
      drawIndices(places, 5, random)
      for (const [i, place] of places.entries()) {
        const before = places[i - 1] ?? NaN
        if (place !== (before + 1) % 50) intervals++
        seen.add(place)
        rows++
      }
    }
    expect(seen.size).toBe(50)
    // A new block may start where the last one would have continued, one time in fifty; each draw
    // ends one.
    expect(rows / intervals).toBeGreaterThan(4.6)
    expect(rows / intervals).toBeLessThan(5.1)
  })

  it('[backtest.study.seeded] gives equal intervals for equal seeds only', () => {
    const returns = Array.from({ length: 60 }, (_, i) => Math.sin(i * 12.9) / 50)
    expect(dailyIntervals(returns, 3)).toEqual(dailyIntervals(returns, 3))
    expect(dailyIntervals(returns, 3).sharpe).not.toEqual(dailyIntervals(returns, 4).sharpe)
  })

  it('[backtest.study.interval-width] of independent days has the theoretical width', () => {
    const random = seededRandom(11)
    const returns = Array.from({ length: 400 }, () => (random() - 0.5) / 10)
    const { low, high } = dailyIntervals(returns, 1).dailyMean ?? { low: 0, high: 0 }
    const theory = (2 * 1.96 * (sampleSd(returns) ?? 0)) / Math.sqrt(400)
    expect((high - low) / theory).toBeGreaterThan(0.85)
    expect((high - low) / theory).toBeLessThan(1.15)
    expect(low).toBeLessThan(meanOf(returns) ?? 0)
    expect(high).toBeGreaterThan(meanOf(returns) ?? 0)
  })

  it('is wider for autocorrelated days', () => {
    const random = seededRandom(5)
    const returns: number[] = []
    while (returns.length < 400) {
      const r = (random() - 0.5) / 10
      returns.push(r, r, r, r)
    }
    const mean = (places: Int32Array) => ({
      mean: [...places].reduce((sum, place) => sum + (returns[place] ?? 0), 0) / places.length,
    })
    const width = (block: number): number => {
      const { mean: interval } = bootstrapIntervals(returns.length, block, 2, mean)
      return interval === null ? 0 : interval.high - interval.low
    }
    expect(width(5)).toBeGreaterThan(1.3 * width(1))
  })

  it('has no width and no ratio for zero variance', () => {
    const flat = dailyIntervals(
      Array.from({ length: 30 }, () => 0),
      1,
    )
    expect(flat.totalReturn).toEqual({ low: 0, high: 0 })
    expect(flat).toMatchObject({ sharpe: null, sortino: null })
    const same = eventIntervals(
      Array.from({ length: 25 }, () => event()),
      1,
    )
    expect(same.hitRate).toEqual({ low: 0.5, high: 0.5 })
    expect(same.realised).toEqual({ low: 75, high: 75 })
  })

  it('[backtest.study.events] resamples events, so that correlated lots count once', () => {
    // Twenty events of which one has most lots: it moves the hit rate, which sampling by lot would
    // not show.
    const events = [
      event({ lots: 100, wins: 100 }),
      ...Array.from({ length: 24 }, (_, i) => event({ lots: 1, wins: i % 2 })),
    ]
    const { low, high } = eventIntervals(events, 1).hitRate ?? { low: 0, high: 0 }
    expect(low).toBeLessThan(0.6)
    expect(high).toBeGreaterThan(0.95)
  })
})
