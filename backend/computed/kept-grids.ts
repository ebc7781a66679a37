import type { Grid } from './grid/grid.ts'

/** So many grids are kept whatever their size, */
const LEAST = 4
/** and more as long as they hold no more markets together. */
const MOST_MARKETS = 20_000

/** Grids of past instants, newest use last: questions about the past come many to an instant. */
export class KeptGrids {
  readonly #grids = new Map<number, Promise<Grid>>()
  readonly #sizes = new Map<number, number>()

  /** The kept grid of an instant, or the one that `build` makes; a failure is not kept. */
  of(at: number, build: () => Promise<Grid>): Promise<Grid> {
    const grid = this.#grids.get(at) ?? this.#begin(at, build())
    this.#grids.delete(at)
    this.#grids.set(at, grid)
    return grid
  }

  /** Keeps a grid that was made elsewhere. */
  put(grid: Grid): void {
    this.#grids.delete(grid.at)
    this.#grids.set(grid.at, Promise.resolve(grid))
    this.#sizes.set(grid.at, grid.markets.size)
    this.#drop()
  }

  clear(): void {
    this.#grids.clear()
    this.#sizes.clear()
  }

  #begin(at: number, built: Promise<Grid>): Promise<Grid> {
    built.then(
      ({ markets }) => {
        if (this.#grids.get(at) !== built) return
        this.#sizes.set(at, markets.size)
        this.#drop()
      },
      () => {
        if (this.#grids.get(at) === built) this.#grids.delete(at)
      },
    )
    return built
  }

  #drop(): void {
    let markets = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
    for (const at of this.#grids.keys()) {
      if (this.#grids.size <= LEAST || markets <= MOST_MARKETS) return
      markets -= this.#sizes.get(at) ?? 0
      this.#grids.delete(at)
      this.#sizes.delete(at)
    }
  }
}
