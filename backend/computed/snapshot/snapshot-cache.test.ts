import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { SnapshotCache } from './snapshot-cache.ts'
import type { ContextSnapshot } from './context-snapshot.ts'

const MARKETS = Array.from({ length: 3_000 }, (_, n) =>
  marketQuantities({ view: marketView({ market: n, facts: { ticker: `KX${n}` } }) }),
)
const whole = contextSnapshotOf(MARKETS)
const empty = contextSnapshotOf([])
const snapshotAt = (snapshot: ContextSnapshot, at: number): ContextSnapshot => ({
  ...snapshot,
  at: at as Millis,
})

/** How often each instant was built when all are requested twice. */
async function builtTwice(snapshot: ContextSnapshot, count: number): Promise<number[]> {
  const snapshots = new SnapshotCache()
  const built = new Array<number>(count).fill(0)
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < count; index++) {
      await snapshots.getOrBuild(index, () => {
        built[index] = (built[index] ?? 0) + 1
        return Promise.resolve(snapshotAt(snapshot, index))
      })
    }
  }
  return built
}

describe('cached snapshots', () => {
  it('are many when they are small', async () => {
    expect(await builtTwice(empty, 50)).toEqual(new Array(50).fill(1))
  })

  it('are few when they are large, four at least', async () => {
    expect(await builtTwice(whole, 4)).toEqual([1, 1, 1, 1])
    expect(await builtTwice(whole, 12)).toEqual(new Array(12).fill(2))
  })

  it('are built again after a failure', async () => {
    const snapshots = new SnapshotCache()
    await expect(
      snapshots.getOrBuild(1, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken')
    expect(await snapshots.getOrBuild(1, () => Promise.resolve(empty))).toBe(empty)
  })

  it('are dropped when the past changed, including those being built', async () => {
    const snapshots = new SnapshotCache()
    const { promise, resolve } = Promise.withResolvers<ContextSnapshot>()
    const requested = snapshots.getOrBuild(1, () => promise)
    snapshots.clear()
    resolve(empty)
    await requested
    const again = snapshotAt(whole, 1)
    expect(await snapshots.getOrBuild(1, () => Promise.resolve(again))).toBe(again)
  })
})
