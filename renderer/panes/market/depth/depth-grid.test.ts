import { describe, expect, it } from 'vitest'
import type { DepthBars } from '../../../../backend/contract/market-tape.ts'
import { formatMoment } from '../../../lib/format.ts'
import { COLOURS, recordedContext } from '../../../testing/recorded-canvas.ts'
import { depthPlaceAt, depthText, depthTimes, drawDepth } from './depth-drawing.ts'
import {
  depthGrid,
  depthSentence,
  pointWithin,
  shadeOf,
  type DepthColumn,
  type DepthGrid,
  type DepthPoint,
} from './depth-grid.ts'

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

  it('has columns before the first known book that are missing, and the whole scale without sizes', () => {
    const grid = depthGrid(answer([bar(0, [], []), bar(1, [], [])], [[0.5, 1]]))
    expect(grid).toMatchObject({ low: 0, high: 100, largest: 0 })
    // A gap that ends where a bar begins is not in that bar.
    expect(grid?.columns.map(({ isGap }) => isGap)).toEqual([true, false])
    expect(grid === null ? '' : depthSentence(grid)).toContain('1 with a feed gap')
    const later = depthGrid(answer([bar(0, [], [])], [[1, 2]]))
    expect(later?.columns[0]?.isGap).toBe(false)
    expect(later === null ? '' : depthSentence(later)).toMatch(/no gaps$/)
  })

  it('is absent without books, and its places stay within it', () => {
    expect(depthGrid(answer([]))).toBeNull()
    const grid = depthGrid(answer([bar(0, [[40, 5]], [[44, 5]])]))
    if (grid === null) throw new Error('no grid')
    expect(pointWithin(grid, { column: 7, price: 99 })).toEqual({ column: 0, price: 44 })
    expect(pointWithin(grid, { column: -7, price: 1 })).toEqual({ column: 0, price: 40 })
    expect([shadeOf(0, 10), shadeOf(10, 10), shadeOf(20, 10), shadeOf(5, 0)]).toEqual([
      0.12, 1, 1, 0,
    ])
    expect(shadeOf(25, 100)).toBeCloseTo(0.56)
  })
})

describe('the drawing of the book over time', () => {
  const NOW = T0 * 1_000
  const when = (hours: number) => formatMoment(at(hours), NOW)
  const column = (hours: number, more: Partial<DepthColumn> = {}): DepthColumn => ({
    time: T0 + hours * 3_600,
    isGap: false,
    cells: [],
    ...more,
  })
  const cells = [
    { price: 40, side: 'bid' as const, size: 9 },
    { price: 42, side: 'ask' as const, size: 2.25 },
  ]
  const grid: DepthGrid = {
    columns: [
      column(0, { cells }),
      column(1, { isGap: true, cells: null }),
      column(2, { isGap: true, cells }),
    ],
    low: 40,
    high: 42,
    largest: 9,
  }
  const drawn = (
    shown: DepthGrid,
    plot: { width: number; height: number },
    place: DepthPoint | null,
  ) => {
    const { context, calls } = recordedContext()
    drawDepth(context, shown, plot, COLOURS, place)
    return calls
  }

  it('has a cell each size, stripes in gaps, prices and a frame around the place', () => {
    const book = (x: number) => [
      'globalAlpha=1',
      'fillStyle=up',
      `fillRect ${x} 12 10.5 5.5`,
      'globalAlpha=1',
      'globalAlpha=0.56',
      'fillStyle=down',
      `fillRect ${x} 0 10.5 5.5`,
      'globalAlpha=1',
    ]
    const stripes = (x: number) => [
      'fillStyle=gap',
      ...[0, 6, 12].map((y) => `fillRect ${x} ${y} 10 2`),
    ]
    expect(drawn(grid, { width: 30, height: 18 }, { column: 1, price: 41 })).toEqual([
      ...book(0),
      ...stripes(10),
      ...stripes(20),
      ...book(20),
      'fillStyle=text',
      'font=11px Sans',
      'textBaseline=middle',
      // Every third cent has room for its price.
      'fillText 40¢ 36 15',
      'strokeStyle=text',
      'lineWidth=1.5',
      'strokeRect 10 6 10 6',
    ])
    expect(drawn(grid, { width: 30, height: 18 }, null).at(-1)).toMatch(/^fillText/)
  })

  it('labels each cent where there is room, and keeps cells visible where there is none', () => {
    const texts = (plot: { width: number; height: number }) =>
      drawn(grid, plot, null).filter((call) => call.startsWith('fillText'))
    expect(texts({ width: 30, height: 48 })).toEqual([
      'fillText 40¢ 36 40',
      'fillText 41¢ 36 24',
      'fillText 42¢ 36 8',
    ])
    const tiny = drawn(grid, { width: 3, height: 3 }, { column: 0, price: 40 })
    expect(tiny).toContain('fillRect 0 2 1.5 1')
    expect(tiny.at(-1)).toBe('strokeRect 0 2 3 3')
  })

  it.each<readonly [DepthPoint, string | null]>([
    [{ column: 0, price: 40 }, `${when(0)}, 40¢: bid 9 contracts`],
    [{ column: 0, price: 41 }, `${when(0)}, 41¢: no size`],
    [{ column: 1, price: 41 }, `${when(1)}: feed gap, no book`],
    [{ column: 2, price: 42 }, `${when(2)}, 42¢: ask 2.3 contracts, feed gap`],
    [{ column: 3, price: 42 }, null],
  ])('reads %j as text', (place, text) => {
    expect(depthText(grid, place, NOW)).toBe(text)
  })

  it('has the place under the pointer, and the times of its first, middle and last bar', () => {
    const plot = { width: 30, height: 60 }
    expect(depthPlaceAt(grid, plot, 0, 0)).toEqual({ column: 0, price: 42 })
    expect(depthPlaceAt(grid, plot, 29, 59)).toEqual({ column: 2, price: 40 })
    expect(depthPlaceAt(grid, plot, 10, 20)).toEqual({ column: 1, price: 41 })
    const four = { ...grid, columns: [0, 1, 2, 3].map((hours) => column(hours)) }
    expect([...depthTimes(four, NOW)]).toEqual([when(0), when(1), when(3)])
    const one = { ...grid, columns: [column(0)] }
    expect([...depthTimes(one, NOW)]).toEqual([when(0)])
  })
})
