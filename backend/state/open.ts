import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, SqliteAdapter, SqliteDialect } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { StoreFailed, NewerVersionError } from '../lib/errors.ts'
import { feedsImportsIncidents } from './migrations/0001_feeds_imports_incidents.ts'
import { access } from './migrations/0002_access.ts'
import { feedAlive } from './migrations/0003_feed_alive.ts'
import { exports } from './migrations/0004_exports.ts'
import { content } from './migrations/0005_content.ts'
import { accounts } from './migrations/0006_accounts.ts'
import { issuerEmail } from './migrations/0007_issuer_email.ts'
import { panels } from './migrations/0008_panels.ts'
import { backtests } from './migrations/0009_backtests.ts'
import { portfolio } from './migrations/0010_portfolio.ts'
import { resumedImports } from './migrations/0011_resumed_imports.ts'
import { watch } from './migrations/0012_watch.ts'
import { forum } from './migrations/0014_forum.ts'
import { theses } from './migrations/0015_theses.ts'
import { thesisStates } from './migrations/0016_thesis_states.ts'
import { webhooks } from './migrations/0018_webhooks.ts'
import { alertItems } from './migrations/0019_alert_items.ts'
import { autopilot } from './migrations/0020_autopilot.ts'
import { portfolioTexts } from './migrations/0021_portfolio_texts.ts'
import { venueCredentials } from './migrations/0022_venue_credentials.ts'
import { chartDrawings } from './migrations/0023_chart_drawings.ts'
import { liveOrders } from './migrations/0024_live_orders.ts'
import { pageSettings } from './migrations/0025_page_settings.ts'
import { liveAccounts } from './migrations/0026_live_accounts.ts'
import { ledgerByMarket } from './migrations/0027_ledger_by_market.ts'
import { accountMarks } from './migrations/0028_account_marks.ts'
import { dueDeliveries } from './migrations/0029_due_deliveries.ts'
import { pausedHeartbeats } from './migrations/0030_paused_heartbeats.ts'
import { kyselyDatabase } from './node-sqlite.ts'
import type { StateSchema } from './schema.ts'

export type State = Kysely<StateSchema>

/** Numbered, in order, never edited once released. */
const MIGRATIONS: Record<string, Migration> = {
  '0001_feeds_imports_incidents': feedsImportsIncidents,
  '0002_access': access,
  '0003_feed_alive': feedAlive,
  '0004_exports': exports,
  '0005_content': content,
  '0006_accounts': accounts,
  '0007_issuer_email': issuerEmail,
  '0008_panels': panels,
  '0009_backtests': backtests,
  '0010_portfolio': portfolio,
  '0011_resumed_imports': resumedImports,
  '0012_watch': watch,
  '0014_forum': forum,
  '0015_theses': theses,
  '0016_thesis_states': thesisStates,
  '0018_webhooks': webhooks,
  '0019_alert_items': alertItems,
  '0020_autopilot': autopilot,
  '0021_portfolio_texts': portfolioTexts,
  '0022_venue_credentials': venueCredentials,
  '0023_chart_drawings': chartDrawings,
  '0024_live_orders': liveOrders,
  '0025_page_settings': pageSettings,
  '0026_live_accounts': liveAccounts,
  '0027_ledger_by_market': ledgerByMarket,
  '0028_account_marks': accountMarks,
  '0029_due_deliveries': dueDeliveries,
  '0030_paused_heartbeats': pausedHeartbeats,
}

/** Names of the migrations that this version knows, in order. */
export const STATE_MIGRATIONS: readonly string[] = Object.keys(MIGRATIONS).sort()

/**
 * SQLite rolls back schema changes with their transaction. Kysely does not rely on that: a process
 * that dies between two statements would leave a partial migration.
 */
class MigratesWhole extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true
      }
    })()
  }
}

/**
 * Opens the operational rows, creating and migrating the file as needed. WAL with
 * synchronous=FULL: acknowledged commits survive a power cut.
 * @param path a file, or ':memory:'
 * @param through the last migration to run; the newest by default
 * @param onCommit called after every commit, before it is acknowledged; when given, only the
 * caller checkpoints the log
 * @throws StoreFailed when the file cannot be opened, WrittenByNewer when a newer version wrote it
 */
export async function openState(
  path: string,
  through?: string,
  onCommit?: () => void,
): Promise<State> {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true })
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma trusted_schema = off',
    )
    if (onCommit !== undefined) database.exec('pragma wal_autocheckpoint = 0')
  } catch (cause) {
    throw new StoreFailed(`the state file ${path} could not be opened: ${messageOf(cause)}`, {
      cause,
    })
  }
  const newer = migrationsOf(database).findLast((name) => !STATE_MIGRATIONS.includes(name))
  if (newer !== undefined) {
    database.close()
    throw newerState(newer)
  }
  const state = new Kysely<StateSchema>({
    dialect: new MigratesWhole({ database: kyselyDatabase(database, onCommit) }),
  })
  const migrator = new Migrator({
    db: state,
    provider: { getMigrations: () => Promise.resolve(MIGRATIONS) },
  })
  const { error } = await (through === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(through))
  if (error !== undefined) {
    await state.destroy()
    throw new StoreFailed(`the state file ${path} could not be migrated: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return state
}

/** Opens rows that are removed with their process, and need not survive a power cut. */
export async function openScratchState(path: string): Promise<State> {
  const state = await openState(path)
  await sql`pragma synchronous = off`.execute(state)
  return state
}

/** Names of the migrations applied to a file, in order; none in a new one. */
export function migrationsOf(database: DatabaseSync): string[] {
  const table = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'")
    .get()
  if (table === undefined) return []
  const rows = database.prepare('select name from kysely_migration order by name').all()
  return rows.map(({ name }) => String(name))
}

export const newerState = (schema: string): NewerVersionError =>
  new NewerVersionError(
    `The operational rows have schema ${schema}, this version knows up to ${STATE_MIGRATIONS.at(-1)}: a newer version wrote them`,
  )

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
