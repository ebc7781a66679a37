import type { Selectable } from 'kysely'
import type { FileReport, ImportRequest } from '../../domain/import-report.ts'
import type { Millis } from '../../domain/units.ts'
import { UNFINISHED_STATES } from '../../domain/job-state.ts'
import type { JobRecord, JobStore } from '../../lib/job-queue.ts'
import type { JobState } from '../../domain/job-state.ts'
import type { State } from '../../state/open.ts'
import type { ImportRunTable } from '../../state/schema.ts'

/** A stored import; it outlives the process that ran it. */
export interface ImportRecord extends JobRecord {
  readonly files: readonly FileReport[]
  /** Null for imports of earlier versions, which cannot be resumed. */
  readonly request: ImportRequest | null
  /** How often the service ended while the import ran. */
  readonly interruptions: number
}

export interface ImportsStore extends JobStore<ImportRecord> {
  /** Imports that were waiting or under way when the process ended, in the order of their requests. */
  unfinishedImports(): Promise<ImportRecord[]>
}

export function createImportsStore(state: State): ImportsStore {
  const rowOf = ({ files, request, ...record }: ImportRecord) => ({
    state: record.state,
    files: JSON.stringify(files),
    request: request === null ? null : JSON.stringify(request),
    interruptions: record.interruptions,
    started_at: record.startedAt,
    ended_at: record.endedAt,
  })
  const recordOf = (row: ImportRunRow): ImportRecord => ({
    id: row.id,
    state: row.state as JobState,
    files: JSON.parse(row.files) as FileReport[],
    request: row.request === null ? null : (JSON.parse(row.request) as ImportRequest),
    interruptions: row.interruptions,
    startedAt: row.started_at as Millis | null,
    endedAt: row.ended_at as Millis | null,
  })
  return {
    async find(id) {
      const row = await state
        .selectFrom('import_run')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? null : recordOf(row)
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
    async unfinishedImports() {
      const rows = await state
        .selectFrom('import_run')
        .selectAll()
        .where('state', 'in', UNFINISHED_STATES)
        // Of one millisecond the one that runs comes first.
        .orderBy('created_at')
        .orderBy('started_at', (ob) => ob.asc().nullsLast())
        .execute()
      return rows.map(recordOf)
    },
  }
}

type ImportRunRow = Selectable<ImportRunTable>
