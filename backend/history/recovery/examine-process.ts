/** A process of its own that reads one history without writing anything. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { systemClock } from '../../lib/clock.ts'
import { Session } from '../duckdb/engine/connections.ts'
import { gapsOf } from '../duckdb/coverage/coverage.ts'
import { HISTORY_SCHEMA } from '../duckdb/migrations/migrations.ts'
import { serveTask } from './child-task.ts'
import type { ExamineTask, ExamineReport } from './examine-history.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import { walkTables } from './walk.ts'
import { hasWriteRecords, isMarkedAsRecorded, judgeWrites } from './write-record.ts'

/** The first schema that keeps coverage. */
const COVERAGE_SCHEMA = 3

serveTask((task) =>
  examine(task as ExamineTask).catch((error: unknown): ExamineReport => ({
    outcome: failureKindOf(error) === 'held' ? 'held' : 'damaged',
    message: messagesOf(error),
  })),
)

async function examine({ path, budget, from, now }: ExamineTask): Promise<ExamineReport> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: 'READ_ONLY',
    enable_external_access: 'false',
  })
  try {
    const connection = await instance.connect()
    const problem = await problemOfRecords(connection, path)
    if (problem !== null) return { outcome: 'damaged', message: problem }
    const deadline = systemClock.monotonic() + budget
    const whole = await walkTables(connection, () => systemClock.monotonic() < deadline)
    const read = await connection.runAndReadAll('select max(number)::integer from schema_version')
    const schema = Number(read.getRows()[0]?.[0] ?? 0)
    const gaps =
      schema < COVERAGE_SCHEMA
        ? []
        : await gapsOf(new Session(connection), {
            venue: null,
            from,
            to: now,
            asOf: now,
            limit: 10_000,
          })
    return { outcome: 'sound', schema, isNewer: schema > HISTORY_SCHEMA, whole, gaps }
  } finally {
    instance.closeSync()
  }
}

/**
 * Damage that the next start will report although every block matches its checksum; null for none.
 */
async function problemOfRecords(
  connection: DuckDBConnection,
  path: string,
): Promise<string | null> {
  const { kind } = judgeWrites(path)
  if (kind === 'older') return 'the file was replaced by an older one'
  if (kind === 'log-cut') return 'the log lost acknowledged writes'
  const areGone = !hasWriteRecords(path) && (await isMarkedAsRecorded(connection))
  return areGone ? 'the records of its writes are gone' : null
}
