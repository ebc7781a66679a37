import { LRUCache } from 'lru-cache'
import type { WorldSnapshot } from '../../computed/context-engine.ts'
import type { StoredSnapshot } from '../../computed/world/stored-snapshot.ts'
import type { Millis } from '../../domain/units.ts'
import { regionOf } from '../../domain/world/regions/region.ts'
import type { Snapshot } from '../../domain/world/snapshot.ts'
import { NotReady } from '../../lib/errors.ts'
import type { Deltas } from './deltas.ts'
import type { WorldDeps } from './world.deps.ts'
import type { WorldService } from './world.service.ts'

/** Snapshots per topic from which a delta for a slow reader can be computed. */
const MAX_STORED_ENDS = 5
/** Number of topics whose snapshots are cached. */
const MAX_CACHED_PATHS = 200

/** The latest snapshots of a path, and the deltas between them. */
interface PathHistory {
  readonly ends: StoredSnapshot[]
  /** Deltas by both instants. */
  readonly deltas: Map<string, object>
}

const segmentsOf = (path: string): string[] => (path === '' ? [] : path.split('/'))

const endOf = (snapshot: Snapshot, { world }: WorldSnapshot): StoredSnapshot => ({
  at: world.at,
  baseline: world.baseline,
  label: snapshot.regime.label,
  gauges: snapshot.regime.signals,
  value: snapshot.index.value,
  salient: snapshot.salient,
  movers: snapshot.movers,
})

/**
 * The world as socket topics: the world, topics, groups and series. Words can be queried but not
 * followed.
 */
export function createWorldTopics(
  { context }: Pick<WorldDeps, 'context'>,
  world: Pick<WorldService, 'current'>,
  deltas: Deltas,
) {
  const followedPaths = new LRUCache<string, PathHistory>({ max: MAX_CACHED_PATHS })
  const listeners = new Set<(at: Millis) => void>()
  let newest: WorldSnapshot | null = null
  const stop = context.onWorld((worldSnapshot) => {
    newest = worldSnapshot
    for (const receive of listeners) receive(worldSnapshot.world.at)
  })

  const historyOf = (path: string): PathHistory => {
    const existing = followedPaths.get(path) ?? { ends: [], deltas: new Map() }
    followedPaths.set(path, existing)
    return existing
  }

  return {
    knows(path: string): boolean {
      const region = newest === null ? null : regionOf(segmentsOf(path), newest.world.series)
      return region !== null && region.steps.every(({ kind }) => kind !== 'keyword')
    },
    /** The newest snapshot of a path; deltas from it can be computed later. */
    async latest(path: string): Promise<{ readonly at: Millis; readonly data: object }> {
      if (newest === null) throw new NotReady('The first world snapshot is being computed')
      const worldSnapshot = newest
      const { at } = worldSnapshot.world
      const { snapshot, region, data } = await world.current(segmentsOf(path), worldSnapshot)
      const history = historyOf(path)
      if (history.ends.every((end) => end.at < at)) {
        const to = endOf(snapshot, worldSnapshot)
        const topicUpdates = await Promise.all(
          history.ends.map(async (from) => {
            const delta = await deltas.deltaBetween(from, to, region)
            return [`${from.at} ${at}`, { ...delta, latencyMs: 0, salient: to.salient }] as const
          }),
        )
        for (const [key, delta] of topicUpdates) history.deltas.set(key, delta)
        history.ends.push(to)
        if (history.ends.length > MAX_STORED_ENDS) dropOldest(history)
      }
      return { at, data }
    },
    deltaBetween: (path: string, from: Millis, to: Millis): object | null =>
      followedPaths.get(path)?.deltas.get(`${from} ${to}`) ?? null,
    onStored(listener: (at: Millis) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: stop,
  }
}

function dropOldest({ ends, deltas }: PathHistory): void {
  const expiredEnd = ends.shift()
  if (expiredEnd === undefined) return
  for (const key of deltas.keys()) if (key.startsWith(`${expiredEnd.at} `)) deltas.delete(key)
}
