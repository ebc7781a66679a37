import { describe, expect, it } from 'vitest'
import type { DepthBars } from '../../../../backend/contract/market-tape.ts'
import { depthGrid, depthSentence, placeWithin, shadeOf } from './depth-grid.ts'

const T0 = Date.parse('2026-11-20T12:00:00.000Z') / 1_000
const at = (hours: number) => new Date((T0 + hours * 3_600) * 1_000).toISOString()
type Levels = readonly (readonly [number, number])[]
const bar = (hours: number, bids: Levels, asks: Levels) => ({
  t: T0 + hours * 3_600,
  at: at(hours),
  bids: bids.map(([price, size]) => ({ price, size })),
  asks: asks.map(([price, size]) => ({ price, size })),
})
const answer = (bars: readonly ReturnType<typeof bar>[], gaps: readonly [number, number][] = []) =>
  ({
    bars,
    gaps: gaps.map(([from, to]) => ({ from: at(from), to: at(to) })),
    timeframe: '1h',
  }) as unknown as DepthBars

describe('the book over time [terminal.depth.heat]', () => {
  it('stays until the next one, and not across a gap of the feed', () => {
    const grid = depthGrid(
      answer([bar(0, [[40, 5]], []), bar(2, [[41, 9]], []), bar(5, [], [[45, 1]])], [[3.5, 4.2]]),
    )
    expect(grid?.columns.map(({ cells, isGap }) => [cells?.[0]?.price ?? null, isGap])).toEqual([
      [40, false],
      [40, false],
      [41, false],
      [null, true],
      [null, true],
      [45, false],
    ])
    expect(grid).toMatchObject({ low: 40, high: 45, largest: 9 })
    expect(grid === null ? '' : depthSentence(grid)).toBe(
      'Book over 6 bars, 40 to 45¢, at most 9 contracts at a price, 2 with a feed gap',
    )
  })

  it('sums sizes by whole cent, with the sides apart', () => {
    const grid = depthGrid(
      answer([
        bar(
          0,
          [
            [40.9, 1],
            [40.2, 2],
          ],
          [[40.95, 4]],
        ),
      ]),
    )
    expect(grid?.columns[0]?.cells).toEqual([
      { side: 'bid', price: 40, size: 3 },
      { side: 'ask', price: 41, size: 4 },
    ])
  })

  it('is absent without books, and its places stay within it', () => {
    expect(depthGrid(answer([]))).toBeNull()
    const grid = depthGrid(answer([bar(0, [[40, 5]], [[44, 5]])]))
    if (grid === null) throw new Error('no grid')
    expect(placeWithin(grid, { column: 7, price: 99 })).toEqual({ column: 0, price: 44 })
    expect(placeWithin(grid, { column: -7, price: 1 })).toEqual({ column: 0, price: 40 })
    expect([shadeOf(0, 10), shadeOf(10, 10), shadeOf(5, 0)]).toEqual([0.12, 1, 0])
  })
})
