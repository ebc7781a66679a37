import { describe, expect, it } from 'vitest'
import { takerFee } from '../../../backend/domain/fees.ts'
import type { Cents } from '../../../backend/domain/units.ts'
import type { Candle } from '../../../backend/contract/market-history.ts'
import { bestTrade, spreadHistory } from './pair-spread.ts'

const bar = (hour: number, close: number, gap = false): Candle => ({
  t: hour * 3_600,
  at: `hour ${hour}`,
  o: close,
  h: close,
  l: close,
  c: close,
  v: 1,
  ...(gap ? { gap: true as const } : {}),
})
const a = (...candles: Candle[]) => ({ venue: 'venue_a' as const, candles })
const b = (...candles: Candle[]) => ({ venue: 'venue_b' as const, candles })

describe('spreadHistory', () => {
  it('starts when both are priced, and carries prices forward', () => {
    const points = spreadHistory(a(bar(1, 50), bar(3, 52)), b(bar(2, 50)), false)
    expect(points.map(({ t, gap }) => [t / 3_600, gap])).toEqual([
      [2, 0],
      [3, 2],
    ])
    expect(points[0]?.net).toBeCloseTo(-2.75, 9)
  })

  it('inverts the price of an inverted question', () => {
    const [point] = spreadHistory(a(bar(1, 60)), b(bar(1, 45)), true)
    expect(point).toMatchObject({ price: 60, otherPrice: 55, gap: 5 })
  })

  it('is unknown across a feed gap', () => {
    const points = spreadHistory(a(bar(1, 50), bar(2, 51, true)), b(bar(1, 40), bar(3, 41)), false)
    expect(points.map(({ gap, net }) => [gap, net === null])).toEqual([
      [10, false],
      [null, true],
      [null, true],
    ])
  })

  it('is empty without both', () => {
    expect(spreadHistory(a(bar(1, 50)), b(), false)).toEqual([])
  })
})

describe('bestTrade', () => {
  const quoted = (venue: 'venue_a' | 'venue_b', bid: number, ask: number, size = 10) => ({
    venue,
    bidLevels: [{ price: bid, size }],
    askLevels: [{ price: ask, size }],
  })

  it('buys the cheaper and sells the more expensive one', () => {
    const trade = bestTrade(quoted('venue_a', 38, 40), quoted('venue_b', 48, 50, 4), false)
    expect(trade).toMatchObject({ buyYes: 'market', size: 4 })
    expect(trade?.net).toBeCloseTo(
      8 - takerFee('venue_a', 40 as Cents) - takerFee('venue_b', 48 as Cents),
      9,
    )
    expect(bestTrade(quoted('venue_a', 48, 50), quoted('venue_b', 38, 40), false)?.buyYes).toBe(
      'other',
    )
  })

  it('inverts the book of an inverted question', () => {
    const trade = bestTrade(quoted('venue_a', 38, 40), quoted('venue_b', 50, 52), true)
    expect(trade?.buyYes).toBe('market')
    expect(trade?.net).toBeCloseTo(
      8 - takerFee('venue_a', 40 as Cents) - takerFee('venue_b', 48 as Cents),
      9,
    )
  })

  it('may be a loss, and is unknown without a book', () => {
    expect(
      bestTrade(quoted('venue_a', 49, 51), quoted('venue_b', 49, 51), false)?.net,
    ).toBeLessThan(0)
    expect(
      bestTrade({ venue: 'venue_a', bidLevels: [] }, quoted('venue_b', 1, 2), false),
    ).toBeNull()
  })
})
