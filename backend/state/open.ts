import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { StoreFailed } from '../lib/errors.ts'
import { feedsImportsIncidents } from './migrations/0001_feeds_imports_incidents.ts'
import { access } from './migrations/0002_access.ts'
import { feedAlive } from './migrations/0003_feed_alive.ts'
import { exports } from './migrations/0004_exports.ts'
import { kyselyDatabase } from './node-sqlite.ts'
import type { StateSchema } from './schema.ts'

export type State = Kysely<StateSchema>

/** Numbered, in order, never edited once released. */
const MIGRATIONS: Record<string, Migration> = {
  '0001_feeds_imports_incidents': feedsImportsIncidents,
  '0002_access': access,
  '0003_feed_alive': feedAlive,
  '0004_exports': exports,
}

/**
 * Opens the operational rows, creating and migrating the file as needed. WAL with
 * synchronous=FULL: what is acknowledged survives a power cut.
 * @param path a file, or ':memory:'
 * @throws StoreFailed when the file cannot be opened or was written by a newer version
 */
export async function openState(path: string): Promise<State> {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true })
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off',
    )
  } catch (cause) {
    throw new StoreFailed(`the state file ${path} could not be opened: ${messageOf(cause)}`, {
      cause,
    })
  }
  const state = new Kysely<StateSchema>({
    dialect: new SqliteDialect({ database: kyselyDatabase(database) }),
  })
  const migrator = new Migrator({
    db: state,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await state.destroy()
    throw new StoreFailed(`the state file ${path} could not be migrated: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return state
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
