import { roundTo, type Millis } from '../../domain/units.ts'
import type { DeltaEnd } from '../../domain/world/delta.ts'
import type { Gauges, IndexReading } from '../../domain/world/index-reading.ts'
import { regimeSentence } from '../../domain/world/regime-sentence.ts'
import type { Region } from '../../domain/world/region.ts'
import type { Emission, EmissionMemory } from '../../domain/world/salient.ts'
import { salientItems, type SalientItem } from '../../domain/world/snapshot.ts'
import { moversOf, type Mover } from '../../domain/world/world-lists.ts'
import { marketsIn, type World } from '../../domain/world/world.ts'
import type { SnapshotRow } from '../../history/context-store.ts'

/** Key of the rows that hold what is remembered of items; no region is called so. */
export const MEMORY_REGION = '#memory'

/** Items that a stored snapshot holds: what is served by default. */
export const STORED_ITEMS = 10

/** Addresses in stored bodies begin at the root of the service, wherever that is by then. */
export const STORED_ADDRESSES = { baseUrl: '', appUrl: '' } as const

/** A snapshot as it is kept: what deltas, histories and feeds read of it. */
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

/** What is kept of a region's snapshot. */
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
    movers: movers.map((mover) => ({ ...mover, volumeZ: rounded(mover.volumeZ) })),
  }
  return { region: scope, at, body: JSON.stringify(body) }
}

const rounded = (ratio: number | null): number | null => (ratio === null ? null : roundTo(ratio, 3))

/** A stored snapshot with the addresses of the service as it answers now. */
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

/** The memory of a bucket as a row: an item a word of id, strength, and seconds before the bucket. */
export function memoryRow(memory: EmissionMemory, at: Millis): SnapshotRow {
  const items = [...memory].map(
    ([id, { since, x, lastAt }]) => `${id} ${x} ${(at - since) / 1_000} ${(at - lastAt) / 1_000}`,
  )
  return { region: MEMORY_REGION, at, body: JSON.stringify(items) }
}

/** What a row says was remembered. */
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
