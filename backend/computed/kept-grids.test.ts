import { describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { marketView } from '../testing/builders.ts'
import { gridMarket, gridOf } from '../testing/grid-builders.ts'
import { KeptGrids } from './kept-grids.ts'
import type { Grid } from './grid/grid.ts'

const MARKETS = Array.from({ length: 3_000 }, (_, n) =>
  gridMarket({ view: marketView({ market: n, facts: { ticker: `KX${n}` } }) }),
)
const whole = gridOf(MARKETS)
const empty = gridOf([])
const gridAt = (grid: Grid, at: number): Grid => ({ ...grid, at: at as Millis })

/** How often each instant was worked out when all are asked for twice. */
async function builtTwice(grid: Grid, count: number): Promise<number[]> {
  const grids = new KeptGrids()
  const built = new Array<number>(count).fill(0)
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < count; at++) {
      await grids.of(at, () => {
        built[at] = (built[at] ?? 0) + 1
        return Promise.resolve(gridAt(grid, at))
      })
    }
  }
  return built
}

describe('kept grids', () => {
  it('are many when they are small', async () => {
    expect(await builtTwice(empty, 50)).toEqual(new Array(50).fill(1))
  })

  it('are few when they are large, four at least', async () => {
    expect(await builtTwice(whole, 4)).toEqual([1, 1, 1, 1])
    expect(await builtTwice(whole, 12)).toEqual(new Array(12).fill(2))
  })

  it('are built again after a failure', async () => {
    const grids = new KeptGrids()
    await expect(grids.of(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await grids.of(1, () => Promise.resolve(empty))).toBe(empty)
  })

  it('are forgotten when the past changed, also those in the making', async () => {
    const grids = new KeptGrids()
    const { promise, resolve } = Promise.withResolvers<Grid>()
    const asked = grids.of(1, () => promise)
    grids.clear()
    resolve(empty)
    await asked
    const again = gridAt(whole, 1)
    expect(await grids.of(1, () => Promise.resolve(again))).toBe(again)
  })
})
