import { pairEdgesOf } from '../../computed/world/grid-relations.ts'
import type { SalientItem, Snapshot } from '../../domain/world/snapshot.ts'
import { snapshotSteps } from '../../domain/world/snapshot.ts'
import type { World } from '../../domain/world/world.ts'
import { rounded } from '../../http/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { inSlices } from '../../lib/slices.ts'
import type { Place } from './place.ts'

export interface Extent {
  readonly limit: number
  readonly depth: number
}

/** The ticker that an item names first; null for one that is about no market. */
export function tickerOfItem({ body }: Pick<SalientItem, 'body'>): string | null {
  if ('ticker' in body) return body.ticker
  return 'laggingTicker' in body ? body.laggingTicker : null
}

/** The first ticker that a list of items names. */
export const firstTicker = (items: readonly SalientItem[]): string | null =>
  items.reduce<string | null>((found, item) => found ?? tickerOfItem(item), null)

/** Snapshots of places, each made once as long as its world stands. */
export function createSnapshots(urls: Urls, monotonic: () => number) {
  const made = new WeakMap<World, Map<string, Promise<Snapshot>>>()

  const make = async (place: Place, { limit, depth }: Extent): Promise<Snapshot> => {
    const { bucket, region, scope, reading } = place
    const { world, grid } = bucket
    const [then, valueDayAgo] =
      scope === null
        ? [null, null]
        : await Promise.all([bucket.readingAtBaseline(scope), bucket.valueDayAgo(scope)])
    const steps = snapshotSteps(world, region, {
      index: reading,
      gaugesThen: then,
      shift: scope === null ? null : (world.shifts.get(scope) ?? null),
      valueDayAgo,
      limit,
      depth,
      addresses: urls,
      edges: { theses: new Map(), crossVenue: pairEdgesOf(grid) },
    })
    return served(await inSlices(steps, monotonic))
  }

  return {
    /** The snapshot of a place with so many items and levels of regions. */
    of(place: Place, extent: Extent): Promise<Snapshot> {
      const { world } = place.bucket
      const known = made.get(world) ?? new Map<string, Promise<Snapshot>>()
      made.set(world, known)
      const key = `${place.region.path.join('/')} ${extent.limit} ${extent.depth}`
      const snapshot = known.get(key) ?? make(place, extent)
      known.set(key, snapshot)
      snapshot.catch(() => known.delete(key))
      return snapshot
    },
  }
}
export type Snapshots = ReturnType<typeof createSnapshots>

/** Numbers as they are served; the domain leaves ratios unrounded. */
const served = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  movers: snapshot.movers.map((mover) => ({ ...mover, volumeZ: rounded(mover.volumeZ, 3) })),
  opportunities: snapshot.opportunities.map((chance) => ({
    ...chance,
    yieldPct: rounded(chance.yieldPct),
    residualVr: rounded(chance.residualVr, 3),
  })),
})

/** What a snapshot's JSON holds besides: without a position nobody is positioned, and sources that are not there say nothing. */
export const snapshotBody = (snapshot: Snapshot) => ({
  ...snapshot,
  opportunities: snapshot.opportunities.map((chance) => ({ ...chance, alreadyPositioned: false })),
  traditional: [],
})

/** The short form: items without their scores, two threads each. */
export const compactItems = (items: readonly SalientItem[]) =>
  items.map(({ score: _score, pull, ...item }) => ({ ...item, pull: pull.slice(0, 2) }))
