import { SECOND, type Millis } from '../domain/units.ts'
import { WORLD_GRID, worldGridAt } from '../domain/world/world.ts'

/** Rows of an instant come a moment after it. */
export const SETTLING = (2 * SECOND) as Millis

/** When the next world is worked out: a moment after the next five-minute instant. */
export function nextWorldDue(now: Millis): Millis {
  const due = worldGridAt(now) + SETTLING
  return (due > now ? due : due + WORLD_GRID) as Millis
}
