import type { ContextSnapshot } from './context-snapshot.ts'

/** Number of snapshots that are cached however large they are. */
const MIN_ENTRIES = 4
/** Total number of markets up to which further snapshots are cached. */
const MAX_MARKETS = 20_000

/** LRU cache of past context snapshots, because many requests concern the same past instant. */
export class SnapshotCache {
  readonly #snapshots = new Map<number, Promise<ContextSnapshot>>()
  readonly #sizes = new Map<number, number>()

  /**
   * The cached snapshot of an instant, or the one that `build` returns; a failure is not cached.
   */
  getOrBuild(at: number, build: () => Promise<ContextSnapshot>): Promise<ContextSnapshot> {
    const snapshot = this.#snapshots.get(at) ?? this.#begin(at, build())
    this.#snapshots.delete(at)
    this.#snapshots.set(at, snapshot)
    return snapshot
  }

  /** Adds a snapshot that was built elsewhere. */
  put(snapshot: ContextSnapshot): void {
    this.#snapshots.delete(snapshot.at)
    this.#snapshots.set(snapshot.at, Promise.resolve(snapshot))
    this.#sizes.set(snapshot.at, snapshot.markets.size)
    this.#drop()
  }

  clear(): void {
    this.#snapshots.clear()
    this.#sizes.clear()
  }

  #begin(at: number, build: Promise<ContextSnapshot>): Promise<ContextSnapshot> {
    build.then(
      ({ markets }) => {
        if (this.#snapshots.get(at) !== build) return
        this.#sizes.set(at, markets.size)
        this.#drop()
      },
      () => {
        if (this.#snapshots.get(at) === build) this.#snapshots.delete(at)
      },
    )
    return build
  }

  #drop(): void {
    let markets = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
    for (const at of this.#snapshots.keys()) {
      if (this.#snapshots.size <= MIN_ENTRIES || markets <= MAX_MARKETS) return
      markets -= this.#sizes.get(at) ?? 0
      this.#snapshots.delete(at)
      this.#sizes.delete(at)
    }
  }
}
