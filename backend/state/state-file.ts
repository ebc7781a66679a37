import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { migrationsOf, newerState, STATE_MIGRATIONS } from './open.ts'

/** Report on a file of operational rows, read without changing it. */
export interface StateFileReport {
  /** Its newest migration; null for a file without any. */
  readonly schema: string | null
  readonly isNewer: boolean
  /** Fault found by SQLite's own check; null when there is none. */
  readonly problem: string | null
}

/**
 * Reads a file of operational rows that this process does not have open. Null when there is none.
 * A file that is not a database is reported as a fault.
 */
export function examineState(path: string): StateFileReport | null {
  if (!existsSync(path)) return null
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(addressOf(path), { readOnly: true, timeout: 1_000 })
    const migrations = migrationsOf(database)
    const checkResult = database.prepare('pragma quick_check(1)').get()?.['quick_check']
    return {
      schema: migrations.at(-1) ?? null,
      isNewer: migrations.some((name) => !STATE_MIGRATIONS.includes(name)),
      problem: checkResult === 'ok' ? null : String(checkResult),
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { schema: null, isNewer: false, problem }
  } finally {
    database?.close()
  }
}

/**
 * Without a log nothing is pending: the file is read without creating others beside it, so this
 * also works in a read-only folder.
 */
function addressOf(path: string): string | URL {
  if (existsSync(`${path}-wal`)) return path
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return address
}

/** @throws WrittenByNewer before any file beside it is touched */
export function refuseNewerState(path: string): void {
  const stateReport = examineState(path)
  if (stateReport?.isNewer === true) throw newerState(stateReport.schema ?? '')
}

/**
 * Copies the operational rows at one moment, while another connection writes.
 * @param targetPath a file that does not exist yet
 */
export async function copyState(path: string, targetPath: string): Promise<{ schema: string }> {
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    // All pages in one step: a write between two steps would restart the copy.
    await backup(source, targetPath, { rate: 0x7fffffff })
    return { schema: migrationsOf(source).at(-1) ?? '' }
  } finally {
    source.close()
  }
}
