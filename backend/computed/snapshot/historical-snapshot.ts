import type { Millis } from '../../domain/units.ts'
import { NotReady } from '../../lib/errors.ts'
import type { ContextEngine, WorldSnapshot } from '../context-engine.ts'
import type { ContextSnapshot } from './context-snapshot.ts'

/** Returns null where there is no value yet. */
async function unlessTooEarly<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof NotReady) return null
    throw error
  }
}

/** The newest snapshot at or before `asOf`, or now for null; null before the first one. */
export const contextSnapshotIfAny = (
  context: Pick<ContextEngine, 'snapshot'>,
  asOf: Millis | null,
): Promise<ContextSnapshot | null> => unlessTooEarly(() => context.snapshot(asOf))

/**
 * The newest snapshot at or before `asOf`, or now for null; null when there is none in the past.
 * @throws NotReady for now, before the first one
 */
export const contextSnapshotAsOf = (
  context: Pick<ContextEngine, 'snapshot'>,
  asOf: Millis | null,
): Promise<ContextSnapshot | null> =>
  asOf === null ? context.snapshot(null) : contextSnapshotIfAny(context, asOf)

/**
 * The newest world at or before `asOf`, or now for null; null when there is none in the past.
 * @throws NotReady for now, before the first one
 */
export const worldAsOf = (
  context: Pick<ContextEngine, 'world'>,
  asOf: Millis | null,
): Promise<WorldSnapshot | null> =>
  asOf === null ? context.world(null) : unlessTooEarly(() => context.world(asOf))
