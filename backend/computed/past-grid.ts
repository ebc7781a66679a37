import type { Millis } from '../domain/units.ts'
import { NotReady } from '../lib/errors.ts'
import type { ContextEngine, WorldBucket } from './context-engine.ts'
import type { Grid } from './grid/grid.ts'

/** What there is at an instant; null for a past one at which there was nothing yet. */
async function unlessTooEarly<T>(asOf: Millis | null, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (asOf !== null && error instanceof NotReady) return null
    throw error
  }
}

/**
 * The newest grid at or before `asOf`, or now for null; null when the past knows none.
 * @throws NotReady now, before the first one stands
 */
export const gridThen = (
  context: Pick<ContextEngine, 'grid'>,
  asOf: Millis | null,
): Promise<Grid | null> => unlessTooEarly(asOf, () => context.grid(asOf))

/**
 * The newest world at or before `asOf`, or now for null; null when the past knows none.
 * @throws NotReady now, before the first one stands
 */
export const worldThen = (
  context: Pick<ContextEngine, 'world'>,
  asOf: Millis | null,
): Promise<WorldBucket | null> => unlessTooEarly(asOf, () => context.world(asOf))
