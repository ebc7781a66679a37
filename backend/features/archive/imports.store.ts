import type { FileReport } from '../../domain/import-report.ts'
import type { Millis } from '../../domain/units.ts'
import { UNFINISHED, type JobRecord, type JobState, type JobStore } from '../../lib/job-queue.ts'
import type { State } from '../../state/open.ts'

/** One import as it is remembered; it outlives the process that ran it. */
export interface ImportRecord extends JobRecord {
  readonly files: readonly FileReport[]
}

export interface ImportsStore extends JobStore<ImportRecord> {
  /** Imports that were waiting or under way when the process ended did not finish. */
  failUnfinished(endedAt: Millis): Promise<void>
}

export function createImportsStore(state: State): ImportsStore {
  const rowOf = ({ files, ...record }: ImportRecord) => ({
    state: record.state,
    files: JSON.stringify(files),
    started_at: record.startedAt,
    ended_at: record.endedAt,
  })
  return {
    async find(id) {
      const row = await state
        .selectFrom('import_run')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        id: row.id,
        state: row.state as JobState,
        files: JSON.parse(row.files) as FileReport[],
        startedAt: row.started_at as Millis | null,
        endedAt: row.ended_at as Millis | null,
      }
    },
    async add(record, createdAt) {
      await state
        .insertInto('import_run')
        .values({ id: record.id, ...rowOf(record), created_at: createdAt })
        .execute()
    },
    async save(record) {
      await state.updateTable('import_run').set(rowOf(record)).where('id', '=', record.id).execute()
    },
    async failUnfinished(endedAt) {
      await state
        .updateTable('import_run')
        .set({ state: 'failed', ended_at: endedAt })
        .where('state', 'in', UNFINISHED)
        .execute()
    },
  }
}
