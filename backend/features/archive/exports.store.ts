import type { Millis } from '../../domain/units.ts'
import { UNFINISHED_STATES } from '../../domain/job-state.ts'
import type { JobRecord, JobStore } from '../../lib/job-queue.ts'
import type { JobState } from '../../domain/job-state.ts'
import type { State } from '../../state/open.ts'

/** A stored export; it outlives the process that ran it. */
export interface ExportRecord extends JobRecord {
  readonly rows: number
  readonly bytes: number
  readonly files: readonly string[]
  readonly error: string | null
}

export interface ExportsStore extends JobStore<ExportRecord> {
  /**
   * Marks exports as failed that were queued or running when the process ended; returns their
   * number.
   */
  failUnfinished(endedAt: Millis): Promise<number>
}

export function createExportsStore(state: State): ExportsStore {
  const rowOf = (record: ExportRecord) => ({
    state: record.state,
    row_count: record.rows,
    byte_count: record.bytes,
    files: JSON.stringify(record.files),
    error: record.error,
    started_at: record.startedAt,
    ended_at: record.endedAt,
  })
  return {
    async find(id) {
      const row = await state
        .selectFrom('export_run')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        id: row.id,
        state: row.state as JobState,
        rows: row.row_count,
        bytes: row.byte_count,
        files: JSON.parse(row.files) as string[],
        error: row.error,
        startedAt: row.started_at as Millis | null,
        endedAt: row.ended_at as Millis | null,
      }
    },
    async add(record, createdAt) {
      await state
        .insertInto('export_run')
        .values({ id: record.id, ...rowOf(record), created_at: createdAt })
        .execute()
    },
    async save(record) {
      await state.updateTable('export_run').set(rowOf(record)).where('id', '=', record.id).execute()
    },
    async failUnfinished(endedAt) {
      const { numUpdatedRows } = await state
        .updateTable('export_run')
        .set({ state: 'failed', error: 'The service stopped', ended_at: endedAt })
        .where('state', 'in', UNFINISHED_STATES)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}
