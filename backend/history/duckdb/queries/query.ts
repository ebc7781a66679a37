import { statSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { StoreFailed } from '../../../lib/errors.ts'
import { QUERY_VIEWS } from '../../query-views.ts'
import type { ViewFile } from '../../statements/messages.ts'
import { scanSql } from '../../statements/scan-sql.ts'
import type { StatementFolder } from '../../statements/statement-host.ts'
import type { ViewScan } from '../../statements/view-scan.ts'
import type { Session } from '../engine/connections.ts'
import { quoteText } from '../engine/engine.ts'

const CHECK_EVERY_MS = 50
const MB = 1024 * 1024

/**
 * Writes the rows that a user's statement reads as Parquet files, all from one snapshot. Only reads
 * of the documented views with simple conditions run here; the statement itself runs in another
 * process.
 * @returns null when the rows exceed the limit of a statement
 * @throws StoreFailed when they cannot be read, or the signal aborts
 */
export async function writeViewRows(
  session: Session,
  scans: readonly ViewScan[],
  { path, limits, signal }: StatementFolder,
): Promise<readonly ViewFile[] | null> {
  const { connection } = session
  const files = scans.map((scan, index): ViewFile & { readonly sql: string } => {
    const view = QUERY_VIEWS.find(({ name }) => name === scan.view)
    if (view === undefined) throw new StoreFailed(`There is no view ${scan.view}`)
    const file = join(path, `${index}.parquet`)
    return { view: view.name, columns: scan.columns, path: file, sql: scanSql(scan, view) }
  })
  const { bavail, bsize } = statfsSync(path)
  // The service needs the remaining disk space more than a statement does.
  const diskBudget = Math.min(limits.diskMb * MB, (bavail * bsize) / 2)
  const diskLimitExceeded = new AbortController()
  const stop = (): void => connection.interrupt()
  const watch = setInterval(() => {
    if (sizeOf(files) <= diskBudget) return
    diskLimitExceeded.abort()
    stop()
  }, CHECK_EVERY_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await connection.run('begin transaction read only')
    try {
      for (const { sql, path: file } of files) {
        signal.throwIfAborted()
        const options = 'format parquet, compression uncompressed, use_tmp_file false'
        await connection.run(`copy (${sql}) to ${quoteText(file)} (${options})`)
      }
    } finally {
      await connection.run('rollback').catch(() => {})
    }
    return sizeOf(files) > diskBudget ? null : files.map(({ sql: _, ...file }) => file)
  } catch (error) {
    if (diskLimitExceeded.signal.aborted) return null
    throw error
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', stop)
  }
}

const sizeOf = (files: readonly { readonly path: string }[]): number =>
  files.reduce((sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
