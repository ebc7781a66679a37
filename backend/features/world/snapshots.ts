import type { PortfolioOverlay } from '../../contract/portfolio.ts'
import { pairEdgesOf } from '../../computed/world/snapshot-relations.ts'
import type { SalientItem, Snapshot } from '../../domain/world/snapshot.ts'
import { snapshotSteps } from '../../domain/world/snapshot.ts'
import type { World } from '../../domain/world/world.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { runCooperatively } from '../../lib/process/run-cooperatively.ts'
import type { RegionSnapshot } from './region-snapshot.ts'

/** Number of items, and levels of regions below. */
export interface SnapshotSize {
  readonly limit: number
  readonly depth: number
}

/** The first ticker of an item; null if it is about no market. */
export function tickerOfItem({ body }: Pick<SalientItem, 'body'>): string | null {
  if ('ticker' in body) return body.ticker
  return 'laggingTicker' in body ? body.laggingTicker : null
}

/** The first ticker in a list of items. */
export const firstTicker = (items: readonly SalientItem[]): string | null =>
  items.reduce<string | null>((ticker, item) => ticker ?? tickerOfItem(item), null)

/** Snapshots of places, each computed once per world. */
export function createSnapshots(urls: Urls, monotonic: () => number) {
  const cache = new WeakMap<World, Map<string, Promise<Snapshot>>>()

  const make = async (
    regionSnapshot: RegionSnapshot,
    { limit, depth }: SnapshotSize,
  ): Promise<Snapshot> => {
    const { worldSnapshot, region, scope, reading } = regionSnapshot
    const { world, snapshot: contextSnapshot } = worldSnapshot
    const [then, valueDayAgo] =
      scope === null
        ? [null, null]
        : await Promise.all([
            worldSnapshot.readingAtBaseline(scope),
            worldSnapshot.valueDayAgo(scope),
          ])
    const steps = snapshotSteps(world, region, {
      index: reading,
      gaugesThen: then,
      shift: scope === null ? null : (world.shifts.get(scope) ?? null),
      valueDayAgo,
      limit,
      depth,
      addresses: urls,
      edges: { theses: new Map(), crossVenue: pairEdgesOf(contextSnapshot) },
    })
    return roundedSnapshot(await runCooperatively(steps, monotonic))
  }

  return {
    /** The snapshot of a region with this many items and levels of regions. */
    get(regionSnapshot: RegionSnapshot, size: SnapshotSize): Promise<Snapshot> {
      const { world } = regionSnapshot.worldSnapshot
      const existing = cache.get(world) ?? new Map<string, Promise<Snapshot>>()
      cache.set(world, existing)
      const key = `${regionSnapshot.region.path.join('/')} ${size.limit} ${size.depth}`
      const snapshot = existing.get(key) ?? make(regionSnapshot, size)
      existing.set(key, snapshot)
      snapshot.catch(() => existing.delete(key))
      return snapshot
    },
  }
}
export type Snapshots = ReturnType<typeof createSnapshots>

/** Rounds numbers for the response; the domain leaves ratios unrounded. */
const roundedSnapshot = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  movers: snapshot.movers.map((mover) => ({ ...mover, volumeZ: roundOrNull(mover.volumeZ, 3) })),
  opportunities: snapshot.opportunities.map((opportunity) => ({
    ...opportunity,
    yieldPct: roundOrNull(opportunity.yieldPct),
    residualVr: roundOrNull(opportunity.residualVr, 3),
  })),
})

/**
 * Adds the fields that need positions or providers.
 * @param portfolio positions of the requester; null for an anonymous one
 */
export function snapshotBody(snapshot: Snapshot, portfolio: PortfolioOverlay | null) {
  const positionByTicker = new Map(
    portfolio?.positions.map((position) => [position.ticker, position]),
  )
  const opportunities = snapshot.opportunities.map((opportunity) => {
    const position = positionByTicker.get(opportunity.ticker)
    const overlay = {
      currentPositionSize: position?.quantity ?? 0,
      currentPositionDirection: position?.direction ?? null,
    }
    return {
      ...opportunity,
      alreadyPositioned: position !== undefined,
      ...(portfolio === null ? {} : overlay),
    }
  })
  return { ...snapshot, opportunities, traditional: [], ...(portfolio !== null && { portfolio }) }
}

/** The compact form: items without scores, two links each. */
export const compactItems = (items: readonly SalientItem[]) =>
  items.map(({ score: _score, pull, ...item }) => ({ ...item, pull: pull.slice(0, 2) }))
