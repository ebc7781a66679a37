import fc from '../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { squarify, tileBeside } from './squarify.ts'

const ROOM = { x: 0, y: 0, width: 600, height: 400 }

describe('squarify', () => {
  it('matches the layout of the example in the paper', () => {
    const tiles = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 })
    expect(tiles.slice(0, 2)).toEqual([
      { x: 0, y: 0, width: 3, height: 2 },
      { x: 0, y: 2, width: 3, height: 2 },
    ])
  })

  it('fills the area in proportion, without overlap', () => {
    const weights = fc
      .array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 40 })
      .map((values) => values.toSorted((left, right) => right - left))
    fc.assert(
      fc.property(weights, (values) => {
        const tiles = squarify(values, ROOM)
        const total = values.reduce((sum, value) => sum + value, 0)
        expect(tiles).toHaveLength(values.length)
        tiles.forEach(({ x, y, width, height }, index) => {
          expect(width * height).toBeCloseTo((values[index]! / total) * 240_000, 3)
          expect(x).toBeGreaterThanOrEqual(-1e-6)
          expect(y).toBeGreaterThanOrEqual(-1e-6)
          expect(x + width).toBeLessThanOrEqual(600 + 1e-6)
          expect(y + height).toBeLessThanOrEqual(400 + 1e-6)
          for (const other of tiles.slice(index + 1)) {
            const wide = Math.min(x + width, other.x + other.width) - Math.max(x, other.x)
            const high = Math.min(y + height, other.y + other.height) - Math.max(y, other.y)
            expect(Math.min(wide, high)).toBeLessThan(1e-6)
          }
        })
      }),
      { numRuns: 50 },
    )
  })

  it('has no tiles without weights or area', () => {
    expect(squarify([], ROOM)).toEqual([])
    expect(squarify([1], { ...ROOM, width: 0 })).toEqual([])
  })
})

describe('tileBeside', () => {
  const tiles = squarify([4, 4, 4, 4], { x: 0, y: 0, width: 4, height: 4 })

  it('returns the next tile in a direction, and stops at the edge', () => {
    const [first] = tiles
    expect(first).toMatchObject({ x: 0, y: 0 })
    expect(tileBeside(tiles, 0, 'left')).toBeNull()
    expect(tiles[tileBeside(tiles, 0, 'down')!]).toMatchObject({ x: 0 })
    expect(tiles[tileBeside(tiles, 0, 'right')!]).toMatchObject({ y: 0 })
  })

  // A tall tile, a flat one above a higher one, and another tall one.
  const uneven = [
    { x: 0, y: 0, width: 4, height: 8 },
    { x: 4, y: 0, width: 4, height: 2 },
    { x: 4, y: 2, width: 4, height: 6 },
    { x: 8, y: 0, width: 2, height: 8 },
  ]
  it.each([
    [0, 'right', 2],
    [0, 'left', null],
    [1, 'left', 0],
    [1, 'down', 2],
    [1, 'right', 3],
    [2, 'up', 1],
    [2, 'left', 0],
    [2, 'down', null],
    [3, 'left', 2],
    [3, 'up', 1],
    [9, 'left', null],
  ] as const)('from tile %s %s is tile %s, the nearest by its middle', (from, way, to) => {
    expect(tileBeside(uneven, from, way)).toBe(to)
  })
})
