import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { depthUsd, LIQUIDITY_WEIGHTS, liquidityScore } from './liquidity.ts'
import { sizeOfContracts } from '../units.ts'
import type { Cents, PriceE4 } from '../units.ts'
import { volumeUsd } from './volume.ts'

const score = (
  spread: number | null,
  bidDepthUsd: number | null,
  askDepthUsd: number | null,
  volume24hUsd: number | null = null,
) => liquidityScore({ spread: spread as Cents | null, bidDepthUsd, askDepthUsd, volume24hUsd })
const levels = (...sizes: number[]) =>
  sizes.map((size, index) => ({ price: (2_200 - index) as PriceE4, size: sizeOfContracts(size) }))

describe('depth', () => {
  it('sums the best five levels, as recorded', () => {
    expect(depthUsd(levels(548, 49, 158, 5_000, 1_005))).toBe(6_760)
    expect(depthUsd(levels(6, 114, 1_025, 500, 1))).toBe(1_646)
    expect(depthUsd(levels(1, 1, 1, 1, 1, 1_000))).toBe(5)
  })
  it('is unknown for an unknown book and 0 for an empty side', () => {
    expect(depthUsd(null)).toBeNull()
    expect(depthUsd([])).toBe(0)
  })
})

describe('liquidity score', () => {
  it.each([
    [1, 6_760, 1_646, null, 'high'],
    [4, 300, 900, null, 'medium'],
    [4, 300, 90, null, 'low'],
    [3, 1_000, 1_000, null, 'high'],
    [3, 999, 5_000, null, 'medium'],
    [5, 200, 200, null, 'medium'],
    [5.01, 9_000, 9_000, null, 'low'],
    [null, 9_000, 9_000, 90_000, 'low'],
    [1, 0, 9_000, 90_000, 'low'],
    [3, null, null, 10_000, 'high'],
    [3, null, 5_000, 9_999, 'medium'],
    [5, null, null, 1_000, 'medium'],
    [5, null, null, 999, 'low'],
    [1, null, null, null, 'low'],
  ] as const)(
    'of spread %s, depths %s / %s, volume %s is %s',
    (spread, bid, ask, volume, expected) => {
      expect(score(spread, bid, ask, volume)).toBe(expected)
    },
  )
  it('never falls when a book gets tighter and deeper', () => {
    const depth = fc.integer({ min: 0, max: 3_000 })
    const more = fc.integer({ min: 0, max: 2_000 })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 }),
        depth,
        more,
        more,
        (spread, bid, extra, tighter) => {
          const before = LIQUIDITY_WEIGHTS[score(spread, bid, bid)]
          const after = LIQUIDITY_WEIGHTS[score(spread - tighter / 1_000, bid + extra, bid + extra)]
          expect(after).toBeGreaterThanOrEqual(before)
        },
      ),
    )
  })
})

describe('dollar volume', () => {
  it('uses dollars as they are and values contracts at the price', () => {
    expect(volumeUsd(500, 'usd', null)).toBe(500)
    expect(volumeUsd(500, 'contracts', 22 as Cents)).toBe(110)
    expect(volumeUsd(500, 'contracts', null)).toBeNull()
    expect(volumeUsd(null, 'contracts', 22 as Cents)).toBeNull()
    expect(volumeUsd(null, 'usd', 22 as Cents)).toBeNull()
  })
})
