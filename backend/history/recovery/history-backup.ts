import { linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { DAY, type Millis } from '../../domain/units.ts'
import { quoteText } from '../duckdb/engine/engine.ts'
import { HISTORY_SCHEMA } from '../duckdb/migrations/migrations.ts'
import { BACKUP_TABLES, venueIn, type BackupTable } from './copied-kinds.ts'
import { sortedRowsOf, type DailyBackups, type WithConnection } from './day-copies.ts'
import { DayFiles, dayOf, nameOfDay, sha256Of, type DayKey } from './day-files.ts'

/** Name of the file with the markets and their ids, below `parquet`. */
export const CATALOGUE = 'markets.parquet'

/** One file of a copied history; `path` is relative to the copy. */
export interface CopiedFile {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

export interface HistoryCopy {
  readonly schema: number
  /**
   * The instant of the backup: it contains everything known by then, and possibly some later rows.
   */
  readonly at: Millis
  /** Days up to this one were closed by then; the files of later days are partial. */
  readonly closedThrough: number
  readonly files: readonly CopiedFile[]
}

export interface CopyWork {
  readonly signal: AbortSignal
  /** Called after each file with the number of finished files and the total. */
  readonly onFile: (filesDone: number, fileCount: number) => void
}

interface Day {
  readonly kind: BackupTable
  readonly key: DayKey
  readonly rows: number
}

/**
 * Copies a history in use into `folder`, a folder inside the data folder, as Parquet files by day,
 * venue and kind: rows of one snapshot, concurrently with readers and writers. Files of closed days
 * with exactly the rows of the snapshot are linked instead of written.
 * @param deps.at an instant up to which all known rows are stored
 * @throws the signal's reason when it is aborted; the caller removes the partial files
 */
export async function copyHistory(
  deps: { copies: DailyBackups; withConnection: WithConnection; at: Millis },
  folder: string,
  work: CopyWork,
): Promise<HistoryCopy> {
  const { copies, withConnection, at } = deps
  return withConnection(async (connection) => {
    const stop = () => connection.interrupt()
    work.signal.addEventListener('abort', stop)
    try {
      await connection.run('begin transaction')
      // The snapshot of a transaction is that of its first statement.
      await connection.run('select count(*) from market')
      const closedThrough = dayOf(copies.openFrom) - 1
      const copier = new SnapshotCopier(connection, copies.files, folder)
      const files = await copier.run(work)
      copier.recordThrough(dayOf(at))
      return { schema: HISTORY_SCHEMA, at, closedThrough, files: [...files, await notesOf(folder)] }
    } catch (error) {
      work.signal.throwIfAborted()
      throw error
    } finally {
      work.signal.removeEventListener('abort', stop)
      await connection.run('rollback').catch(() => {})
    }
  })
}

const pathIn = (name: string): string => `parquet/${name}`

async function notesOf(folder: string): Promise<CopiedFile> {
  const path = pathIn('days.jsonl')
  const file = join(folder, path)
  return { path, rows: 0, bytes: statSync(file).size, sha256: await sha256Of(file) }
}

class SnapshotCopier {
  readonly #connection: DuckDBConnection
  /** Copies of closed days beside the history. */
  readonly #dayFiles: DayFiles
  readonly #copiedFiles: DayFiles
  readonly #folder: string
  #lastDay = -Infinity

  constructor(connection: DuckDBConnection, dayFiles: DayFiles, folder: string) {
    this.#connection = connection
    this.#dayFiles = dayFiles
    this.#folder = folder
    mkdirSync(join(folder, 'parquet'), { recursive: true, mode: 0o700 })
    this.#copiedFiles = new DayFiles(folder)
  }

  async run({ signal, onFile }: CopyWork): Promise<CopiedFile[]> {
    const days = await this.#days()
    const files = [await this.#copyCatalogue()]
    onFile(0, days.length)
    for (const [index, day] of days.entries()) {
      signal.throwIfAborted()
      this.#lastDay = Math.max(this.#lastDay, day.key.day)
      files.push((await this.#link(day)) ?? (await this.#write(day)))
      onFile(index + 1, days.length)
    }
    return files
  }

  /** Marks all days up to `day`, and up to the last copied one, as complete: a day without a file has no rows. */
  recordThrough(day: number): void {
    this.#copiedFiles.recordThrough(Math.max(day, this.#lastDay))
  }

  async #days(): Promise<Day[]> {
    const days: Day[] = []
    for (const kind of BACKUP_TABLES) {
      const countReader = await this.#connection.runAndReadAll(countsOf(kind))
      for (const [venue, day, rows] of countReader.getRows()) {
        const key = { kind: kind.kind, venue: String(venue), day: Number(day) }
        days.push({ kind, key, rows: Number(rows) })
      }
    }
    return days
  }

  async #copyCatalogue(): Promise<CopiedFile> {
    const path = pathIn(CATALOGUE)
    const rows = await this.#copyOut(
      'select id, venue, ticker from market order by id',
      join(this.#folder, path),
    )
    return this.#fileAt(path, rows)
  }

  /**
   * Rows are append-only, so an intact file with the row count of the snapshot has its rows.
   */
  async #link({ key, rows }: Day): Promise<CopiedFile | null> {
    const dayFile = this.#dayFiles.get(key)
    if (dayFile === null || dayFile.rows !== rows || dayFile.sha256 === '') return null
    const path = pathIn(nameOfDay(key))
    const target = join(this.#folder, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    try {
      linkSync(this.#dayFiles.pathOf(dayFile), target)
    } catch {
      // No links on this file system, or the file is missing: the history has its rows.
      return null
    }
    const file = await this.#fileAt(path, rows)
    if (file.sha256 !== dayFile.sha256) return null
    this.#copiedFiles.put({ ...key, rows, sha256: file.sha256, dirty: false })
    return file
  }

  async #write({ kind, key }: Day): Promise<CopiedFile> {
    const path = pathIn(nameOfDay(key))
    const target = join(this.#folder, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    // A damaged file may be linked here: writing to it would change the one beside the history.
    rmSync(target, { force: true })
    const rows = await this.#copyOut(sortedRowsOf(kind, key), target)
    const file = await this.#fileAt(path, rows)
    this.#copiedFiles.put({ ...key, rows, sha256: file.sha256, dirty: false })
    return file
  }

  async #copyOut(select: string, target: string): Promise<number> {
    const rowReader = await this.#connection.runAndReadAll(
      `copy (${select}) to ${quoteText(target)} (format parquet, compression zstd)`,
    )
    return Number(rowReader.getRows()[0]?.[0] ?? 0)
  }

  async #fileAt(path: string, rows: number): Promise<CopiedFile> {
    const file = join(this.#folder, path)
    return { path, rows, bytes: statSync(file).size, sha256: await sha256Of(file) }
  }
}

/** Rows of each venue and day, by one pass over the time column. */
function countsOf(kind: BackupTable): string {
  const { from, time, owner } = kind
  const isMarkets = owner === 'market'
  return `select ${isMarkets ? 'm.venue' : venueIn(kind, 'r')}, r.${time} // ${DAY} as day, count(*)
    from ${from} as r ${isMarkets ? 'join market as m on m.id = r.market' : ''}
   group by all order by day, 1`
}
