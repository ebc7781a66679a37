import { describe, expect, it } from 'vitest'
import type { Calibration } from '../../../backend/contract/edges.ts'
import type { ThemeLiquidity } from '../../../backend/contract/indices.ts'
import { bucketRadius, calibrationSentence } from './calibration-labels.ts'
import { changeText, heatOf, liquiditySentence } from './liquidity-labels.ts'

describe('the sentence of a scorecard', () => {
  const bucket = (from: number, n: number, deviation: number | null) => ({
    from,
    to: from + 10,
    n,
    deviation,
    predictedMean: null,
    realizedRate: null,
    brier: null,
  })
  const card = (buckets: Calibration['buckets']) =>
    ({ sample: 120, brier: 0.139, buckets }) as Calibration

  it('names the bucket with the largest deviation, of those with enough markets', () => {
    expect(
      calibrationSentence(card([bucket(0, 40, 2), bucket(30, 9, -6.5), bucket(60, 2, 40)])),
    ).toBe(
      '120 settled markets, Brier 0.139. Largest bias at 30 to 40¢: priced 6.5¢ below the share resolved YES.',
    )
  })

  it('leaves out unknown parts', () => {
    expect(calibrationSentence(card([bucket(0, 1, 9)]))).toBe('120 settled markets, Brier 0.139.')
    const none = { sample: 0, brier: null, buckets: [] } as unknown as Calibration
    expect(calibrationSentence(none)).toBe('0 settled markets, Brier –.')
  })

  it('draws more markets larger, the most the largest', () => {
    const buckets = [{ n: 1 }, { n: 100 }]
    expect(bucketRadius(100, buckets)).toBe(13)
    expect(bucketRadius(1, buckets)).toBeCloseTo(4, 9)
  })
})

describe('labels of liquidity', () => {
  it('adds a sign to the colour, and has no colour for unknown values', () => {
    expect([12.4, -30, 0, null].map(changeText)).toEqual(['+12%', '−30%', '0%', '–'])
    expect([null, 0, -50, 900].map(heatOf)).toEqual([0, 0, 15, 30])
  })

  it('summarizes the map', () => {
    const theme = (label: string, volume24hUsd: number | null) =>
      ({ label, volume24hUsd }) as ThemeLiquidity
    expect(liquiditySentence([theme('Iran', 3_000), theme('Oil', 1_000), theme('X', null)])).toBe(
      '$4.0k traded in 24 hours over 3 themes; Iran has 75% of it',
    )
    expect(liquiditySentence([theme('X', null), theme('Oil', 2)])).toBe(
      '$2 traded in 24 hours over 2 themes; X has 0% of it',
    )
    expect(liquiditySentence([theme('X', 0)])).toBe('No trades in 24 hours')
    expect(liquiditySentence([theme('X', null)])).toMatch(/is not known yet$/)
  })
})

it('of two equal prices none is above, and buckets of five markets count', () => {
  const bucket = { from: 30, to: 40, n: 5, deviation: 6.5 }
  const card = { sample: 5, brier: 0.25, buckets: [bucket, { ...bucket, n: 4, deviation: 20 }] }
  expect(calibrationSentence(card as never)).toBe(
    '5 settled markets, Brier 0.25. Largest bias at 30 to 40¢: priced 6.5¢ above the share resolved YES.',
  )
  expect(bucketRadius(0, [{ n: 0 }])).toBe(3)
  expect(heatOf(100)).toBe(30)
})
