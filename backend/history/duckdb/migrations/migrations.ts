import type { DuckDBConnection } from '@duckdb/node-api'
import { NewerVersionError } from '../../../lib/errors.ts'
import type { Migration } from './migration.ts'
import { catalogue } from './0002_catalogue.ts'
import { changeKnowledge } from './0004_change_knowledge.ts'
import { context } from './0005_context.ts'
import { continuity } from './0003_continuity.ts'
import { importSteps } from './0008_import_steps.ts'
import { queryViews } from './0007_query_views.ts'
import { servedMigration } from './0006_served.ts'
import { ticks } from './0001_ticks.ts'

const MIGRATIONS: readonly Migration[] = [
  ticks,
  catalogue,
  continuity,
  changeKnowledge,
  context,
  servedMigration,
  queryViews,
  importSteps,
]

/** Number of the schema that this version reads and writes. */
export const HISTORY_SCHEMA: number = MIGRATIONS.at(-1)?.number ?? 0

/**
 * Brings a history to the newest schema, in transactions that are each followed by a checkpoint, so
 * that the log never has to replay a change of the schema: one for each step, and a single one for
 * a new history, whose tables are empty. Throws WrittenByNewer for a history that a newer version
 * of the program wrote.
 * @param lastMigration the last step taken
 */
export async function migrate(
  connection: DuckDBConnection,
  lastMigration = HISTORY_SCHEMA,
): Promise<void> {
  const appliedVersion = await appliedNumber(connection)
  if (appliedVersion !== null && appliedVersion > HISTORY_SCHEMA) {
    throw new NewerVersionError(
      `The history has schema ${appliedVersion}, this version knows up to ${HISTORY_SCHEMA}: a newer version wrote it`,
    )
  }
  const pendingMigrations = MIGRATIONS.filter(
    ({ number }) => number > (appliedVersion ?? 0) && number <= lastMigration,
  )
  if (pendingMigrations.length === 0) return
  if (appliedVersion !== null)
    for (const step of pendingMigrations) await applyMigration([step], connection)
  else
    await applyMigration(pendingMigrations, connection, [
      'create table schema_version (number integer)',
    ])
}

async function applyMigration(
  steps: readonly Migration[],
  connection: DuckDBConnection,
  earlierStatements: readonly string[] = [],
): Promise<void> {
  await connection.run('begin transaction')
  try {
    for (const statement of earlierStatements) await connection.run(statement)
    for (const { number, statements } of steps) {
      for (const statement of statements) await connection.run(statement)
      await connection.run('insert into schema_version values ($1)', [number])
    }
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback')
    throw error
  }
  await connection.run('checkpoint')
}

/** Null for a new history. */
async function appliedNumber(connection: DuckDBConnection): Promise<number | null> {
  const versionReader = await connection.runAndReadAll(
    `select count(*)::integer from duckdb_tables()
      where database_name = current_database() and table_name = 'schema_version'`,
  )
  if (versionReader.getRows()[0]?.[0] === 0) return null
  const rows = await connection.runAndReadAll(
    'select coalesce(max(number), 0)::integer from schema_version',
  )
  return Number(rows.getRows()[0]?.[0] ?? 0)
}
