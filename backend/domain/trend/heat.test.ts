import { describe, expect, it } from 'vitest'
import { heatOf, percentilesOf } from './heat.ts'

describe('heat', () => {
  it('is 58 for a surprise of 2, a change of 10 cents and percentile .9', () => {
    expect(heatOf({ volumeRatio: 2, change24h: 10, volumePercentile: 0.9 })).toBe(58)
  })

  it('treats a fall like a rise and a low volume like the usual one', () => {
    expect(heatOf({ volumeRatio: -3, change24h: -10, volumePercentile: 0.9 })).toBe(33)
    expect(heatOf({ volumeRatio: 0, change24h: 10, volumePercentile: 0.9 })).toBe(33)
  })

  it('adds nothing for unknown values', () => {
    expect(heatOf({ volumeRatio: null, change24h: null, volumePercentile: null })).toBe(0)
  })

  it('stays within 0 to 100', () => {
    expect(heatOf({ volumeRatio: 1e9, change24h: 1e9, volumePercentile: 1 })).toBe(100)
  })
})

describe('percentiles', () => {
  it('are shares of values not above', () => {
    expect(percentilesOf([10, null, 30, 10, 20])).toEqual([0.5, null, 1, 0.5, 0.75])
  })

  it('of an empty list are empty', () => {
    expect(percentilesOf([])).toEqual([])
    expect(percentilesOf([null])).toEqual([null])
  })
})
