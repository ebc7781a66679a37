import type { Millis } from '../../domain/units.ts'
import { NotReady } from '../../lib/errors.ts'
import type { ContextEngine, WorldSnapshot } from '../context-engine.ts'
import type { ContextSnapshot } from './context-snapshot.ts'

/** Returns the value at an instant; null for a past one before the first value. */
async function unlessTooEarly<T>(asOf: Millis | null, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (asOf !== null && error instanceof NotReady) return null
    throw error
  }
}

/**
 * The newest snapshot at or before `asOf`, or now for null; null when there is none in the past.
 * @throws NotReady for now, before the first one
 */
export const contextSnapshotAsOf = (
  context: Pick<ContextEngine, 'snapshot'>,
  asOf: Millis | null,
): Promise<ContextSnapshot | null> => unlessTooEarly(asOf, () => context.snapshot(asOf))

/**
 * The newest world at or before `asOf`, or now for null; null when there is none in the past.
 * @throws NotReady for now, before the first one
 */
export const worldAsOf = (
  context: Pick<ContextEngine, 'world'>,
  asOf: Millis | null,
): Promise<WorldSnapshot | null> => unlessTooEarly(asOf, () => context.world(asOf))
