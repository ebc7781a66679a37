import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { liquidityIndex, themeLiquidity, themeScore } from './theme-liquidity.ts'
import type { MarketLiquidity } from './theme-liquidity.ts'

const market = (ticker: string, more: Partial<MarketLiquidity> = {}): MarketLiquidity => ({
  ticker,
  theme: 'oil',
  liquidityScore: 'low',
  volume24hUsd: 100,
  volume24hUsdDayAgo: 80,
  openInterestUsd: 1_000,
  bidDepthUsd: 500,
  askDepthUsd: 300,
  spread: 2,
  ...more,
})

describe('F3: liquidity by theme', () => {
  it('has the worked example', () => {
    expect(liquidityIndex(0.4, 0.3, 300_000)).toBeCloseTo(46.25, 12)
    expect(themeScore(46.25)).toBe('medium')
    expect([60, 59.9, 30, 29.9].map((index) => themeScore(index))).toEqual([
      'high',
      'medium',
      'medium',
      'low',
    ])
  })
  it('sums the known values of its markets', () => {
    const [oil] = themeLiquidity([
      market('B', { liquidityScore: 'high', spread: 1 }),
      market('A', { volume24hUsd: null, bidDepthUsd: null, spread: null }),
      market('C', { volume24hUsd: 200, volume24hUsdDayAgo: null, askDepthUsd: 900, spread: 4 }),
      market('D', { liquidityScore: 'medium', openInterestUsd: null }),
    ])
    expect(oil).toMatchObject({
      marketCount: 4,
      volume24hUsd: 400,
      openInterestUsd: 3_000,
      depthUsd: 1_100,
      medianSpread: 2,
      shares: { high: 0.25, medium: 0.25, low: 0.5 },
      change24hPct: 66.67,
    })
    expect(oil?.top.map(({ ticker }) => ticker)).toEqual(['C', 'B', 'D'])
  })
  it('is null for values unknown in all its markets', () => {
    const unknown = market('A', {
      volume24hUsd: null,
      volume24hUsdDayAgo: null,
      openInterestUsd: null,
      bidDepthUsd: null,
      spread: null,
    })
    expect(themeLiquidity([unknown])[0]).toMatchObject({
      volume24hUsd: null,
      openInterestUsd: null,
      depthUsd: null,
      medianSpread: null,
      change24hPct: null,
      liquidityScore: 'low',
    })
    expect(themeLiquidity([market('A', { volume24hUsdDayAgo: 0 })])[0]?.change24hPct).toBeNull()
    expect(themeLiquidity([])).toEqual([])
  })
  it('has the busiest theme first, then by name, unknown volume last', () => {
    const themes = themeLiquidity([
      market('A', { theme: 'x', volume24hUsd: null }),
      market('B', { theme: 'c' }),
      market('C', { theme: 'b' }),
      market('D', { theme: 'a', volume24hUsd: 900 }),
    ])
    expect(themes.map(({ theme }) => theme).join('')).toBe('abcx')
  })
  it('does not depend on the order of the markets, and counts each once', () => {
    const any = fc.record({
      theme: fc.constantFrom('a', 'b', 'c'),
      volume: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      score: fc.constantFrom('high', 'medium', 'low'),
    })
    fc.assert(
      fc.property(fc.array(any), (list) => {
        const markets = list.map(({ theme, volume, score }, i) =>
          market(`T${i}`, { theme, volume24hUsd: volume, liquidityScore: score }),
        )
        const themes = themeLiquidity(markets)
        expect(themeLiquidity(markets.toReversed())).toEqual(themes)
        expect(themes.reduce((sum, { marketCount }) => sum + marketCount, 0)).toBe(list.length)
        for (const { index, shares } of themes) {
          expect(index).toBeGreaterThanOrEqual(0)
          expect(index).toBeLessThanOrEqual(100)
          expect(shares.high + shares.medium + shares.low).toBeCloseTo(1, 12)
        }
      }),
    )
  })
})
