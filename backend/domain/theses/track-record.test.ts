import { describe, expect, it } from 'vitest'
import { scoreOf, trackRecordOf } from './track-record.ts'

const NO_FEE = null

describe('the score of an edge', () => {
  it.each([
    // thesis, market, entry, settlement, side, thesis error, market error, return, benchmark
    [74, 70, 71, 100, 'yes', 0.0676, 0.09, 40.85, 42.86],
    [74, 70, 71, 0, 'yes', 0.5476, 0.49, -100, -100],
    [40, 60, 41, 0, 'no', 0.16, 0.36, 143.9, -100],
    [40, 60, 41, 35, 'no', 0.0025, 0.0625, 58.54, -41.67],
  ] as const)(
    'thesis %i, market %i, bought at %i, paid %i',
    (
      firstThesisPrice,
      firstMarketPrice,
      entryPrice,
      settlement,
      direction,
      thesisBrier,
      marketBrier,
      returnPct,
      benchmarkPct,
    ) => {
      const edge = { firstThesisPrice, firstMarketPrice, entryPrice }
      const score = scoreOf(edge, settlement, NO_FEE)
      expect(score.direction).toBe(direction)
      expect(score.thesisBrier).toBeCloseTo(thesisBrier, 6)
      expect(score.marketBrier).toBeCloseTo(marketBrier, 6)
      expect(score.returnPct).toBeCloseTo(returnPct, 2)
      expect(score.benchmarkPct).toBeCloseTo(benchmarkPct, 2)
    },
  )

  it('is unknown in part without an entry price, and the record without edges', () => {
    const edge = { firstThesisPrice: 50, firstMarketPrice: 0, entryPrice: null }
    expect(scoreOf(edge, 100, NO_FEE)).toMatchObject({ returnPct: null, benchmarkPct: null })
    expect(trackRecordOf([])).toEqual({
      closedEdges: 0,
      winRate: null,
      avgReturnPct: null,
      benchmarkPct: null,
      brier: null,
      marketBrier: null,
    })
  })
})
