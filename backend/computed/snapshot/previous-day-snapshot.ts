import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import type { ContextEngine } from '../context-engine.ts'
import type { ContextSnapshot } from './context-snapshot.ts'
import type { SnapshotPublicationLog } from './snapshot-publication-log.ts'

/** The snapshot a day before another one. */
export interface PreviousDaySnapshot {
  /**
   * The snapshot a day before `snapshot`. Null for the present while it is being computed, because
   * that takes longer than a response may; it is computed before `snapshot` is served, so only
   * after rows arrived late.
   */
  snapshotBefore(snapshot: ContextSnapshot | null, isNow: boolean): Promise<ContextSnapshot | null>
  /** Computes it ahead for a snapshot that is or will be served. */
  prepare(snapshot: ContextSnapshot): Promise<void>
  /** Whether it is computed. */
  isReadyFor(snapshot: ContextSnapshot): boolean
}

interface PreviousDay {
  readonly snapshot: ContextSnapshot
  readonly working: Promise<void>
  earlier: ContextSnapshot | null
}

/**
 * Keeps the snapshot a day before the current one; every answer about the last 24 hours uses it.
 */
export function createPreviousDaySnapshot(
  context: Pick<ContextEngine, 'contextSnapshotOf'>,
  publicationLog: Pick<SnapshotPublicationLog, 'at' | 'recordPreviousDay'>,
): PreviousDaySnapshot {
  let current: PreviousDay | null = null
  const snapshotDayBefore = (snapshot: ContextSnapshot): Promise<ContextSnapshot> =>
    context.contextSnapshotOf((snapshot.at - DAY) as Millis)

  const previousDayOf = (snapshot: ContextSnapshot): PreviousDay => {
    if (current?.snapshot === snapshot) return current
    const work = async (): Promise<void> => {
      try {
        previousDay.earlier = await snapshotDayBefore(snapshot)
        publicationLog.recordPreviousDay(snapshot.at)
      } catch {
        // The next request tries again.
        if (current === previousDay) current = null
      }
    }
    const previousDay: PreviousDay = {
      snapshot,
      earlier: null,
      working: Promise.resolve().then(work),
    }
    current = previousDay
    return previousDay
  }

  return {
    async snapshotBefore(snapshot, isNow) {
      if (snapshot === null) return null
      if (!isNow) {
        return snapshotDayBefore(snapshot)
      }
      const previousDay = previousDayOf(snapshot)
      const turn = new Promise<void>((resolve) => setImmediate(resolve))
      await Promise.race([previousDay.working, turn])
      return previousDay.earlier
    },
    async prepare(snapshot) {
      await previousDayOf(snapshot).working
    },
    isReadyFor: (snapshot) => current?.snapshot === snapshot && current.earlier !== null,
  }
}
