import { SECOND, type Millis } from '../../domain/units.ts'
import { WORLD_INTERVAL, worldContextAt } from '../../domain/world/world.ts'

/** Rows of an instant arrive shortly after it. */
export const SETTLE_DELAY = (2 * SECOND) as Millis

/** When the next world snapshot is computed: shortly after the next five-minute instant. */
export function nextWorldSnapshotAt(now: Millis): Millis {
  const dueAt = worldContextAt(now) + SETTLE_DELAY
  return (dueAt > now ? dueAt : dueAt + WORLD_INTERVAL) as Millis
}
