import { roundTo, type Millis } from '../../domain/units.ts'
import type { DeltaEnd } from '../../domain/world/delta/delta.ts'
import type { Gauges, IndexReading } from '../../domain/world/gauges/index-reading.ts'
import { regimeSentence } from '../../domain/world/salient/regime-sentence.ts'
import type { Region } from '../../domain/world/regions/region.ts'
import type { Emission, EmissionMemory } from '../../domain/world/salient/salient.ts'
import { salientItems, type SalientItem } from '../../domain/world/snapshot.ts'
import { moversOf, type Mover } from '../../domain/world/world-lists.ts'
import { marketsIn, type World } from '../../domain/world/world.ts'
import type { SnapshotRow } from '../../history/context-store.ts'

/** Key of the rows with the stored state of items; no region has this name. */
export const MEMORY_REGION = '#memory'

/** Number of items in a stored snapshot: the default of the route. */
export const STORED_ITEMS = 10

/** Addresses in stored bodies are relative to the root of the service. */
export const STORED_ADDRESSES = { baseUrl: '', appUrl: '' } as const

/** A stored snapshot with the fields that deltas, histories and feeds use. */
export interface StoredSnapshot {
  readonly at: Millis
  readonly baseline: { readonly at: Millis; readonly reason: string }
  readonly label: string
  readonly gauges: Gauges
  readonly value: number | null
  readonly salient: readonly SalientItem[]
  readonly movers: readonly Mover[]
}

type StoredBody = Omit<StoredSnapshot, 'at'>

/** The stored row of a region's snapshot. */
export function snapshotRow(
  scope: string,
  world: World,
  region: Region,
  reading: IndexReading,
): SnapshotRow {
  const { at, baseline } = world
  const { value, disagreement, geoRisk, breadth, activity } = reading
  const gauges = { disagreement, geoRisk, breadth, activity }
  const shift = world.shifts.get(scope) ?? null
  const movers = moversOf(marketsIn(world.markets, region), STORED_ADDRESSES)
  const body: StoredBody = {
    baseline,
    label: regimeSentence(gauges),
    gauges,
    value,
    salient: salientItems(world, region, shift, STORED_ITEMS, STORED_ADDRESSES),
    movers: movers.map((mover) => ({ ...mover, volumeZ: roundRatio(mover.volumeZ) })),
  }
  return { region: scope, at, body: JSON.stringify(body) }
}

const roundRatio = (ratio: number | null): number | null =>
  ratio === null ? null : roundTo(ratio, 3)

/** A stored snapshot with absolute addresses of the service as it runs now. */
export function storedSnapshotOf(row: SnapshotRow, baseUrl: string): StoredSnapshot {
  const body = JSON.parse(row.body) as StoredBody
  return {
    ...body,
    at: row.at,
    salient: body.salient.map((item) => ({
      ...item,
      pull: item.pull.map((pull) => ({ ...pull, url: `${baseUrl}${pull.url}` })),
    })),
    movers: body.movers.map((mover) => ({ ...mover, url: `${baseUrl}${mover.url}` })),
  }
}

export const deltaEndOf = ({
  at,
  label,
  gauges,
  value,
  salient,
  movers,
}: StoredSnapshot): DeltaEnd => ({
  at,
  label,
  gauges,
  value,
  salient,
  movers,
})

/**
 * The item state of a world snapshot as a row: per item its id, strength, and seconds before the
 * snapshot.
 */
export function memoryRow(memory: EmissionMemory, at: Millis): SnapshotRow {
  const items = [...memory].map(
    ([id, { since, x, lastAt }]) => `${id} ${x} ${(at - since) / 1_000} ${(at - lastAt) / 1_000}`,
  )
  return { region: MEMORY_REGION, at, body: JSON.stringify(items) }
}

/** Parses the item state of a row. */
export function memoryOf(row: SnapshotRow): EmissionMemory {
  const items = JSON.parse(row.body) as readonly string[]
  const memory = new Map<string, Emission>()
  for (const item of items) {
    const [id = '', x = '', since = '', last = ''] = item.split(' ')
    memory.set(id, {
      x: Number(x),
      since: (row.at - Number(since) * 1_000) as Millis,
      lastAt: (row.at - Number(last) * 1_000) as Millis,
    })
  }
  return memory
}
