import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { runTask } from './child-task.ts'
import { BACKUP_TABLES } from './copied-kinds.ts'
import { DayFiles } from './day-files.ts'
import { CATALOGUE } from './history-backup.ts'
import type { RebuildTask, RebuildReport } from './rebuild.ts'

const REBUILD = fileURLToPath(new URL('./rebuild-process.ts', import.meta.url))
const MAX_DURATION = 6 * 3_600_000

/**
 * Builds `history.duckdb` in `folder` from the copied files in `folder/parquet`, and keeps those of
 * closed days as the copies of the new history. Returns its number of rows.
 * @throws StoreFailed when a file differs from what was copied
 */
export async function restoreHistory(
  folder: string,
  copy: { readonly at: Millis; readonly closedThrough: number },
): Promise<number> {
  const catalogue = join(folder, 'parquet', CATALOGUE)
  const task: RebuildTask = {
    dataDir: folder,
    into: join(folder, 'history.duckdb'),
    damaged: null,
    catalogue,
    historyStart: copy.at,
    now: copy.at,
  }
  const { answer, failure } = await runTask<RebuildReport>(REBUILD, task, MAX_DURATION)
  if (answer === null) throw new StoreFailed(`The history could not be restored (${failure})`)
  if (answer.lost.length > 0) {
    throw new StoreFailed(
      'The history was not restored: files of the backup are missing or damaged. Nothing was changed.',
    )
  }
  keepClosedDays(folder, copy.closedThrough)
  for (const name of [catalogue, join(folder, 'tmp')])
    rmSync(name, { recursive: true, force: true })
  return answer.fromCopies
}

/**
 * The file of an open day is not a copy of that day, because more rows will arrive; nor is a file
 * of a kind whose rows expire.
 */
function keepClosedDays(folder: string, closedThrough: number): void {
  const copies = new DayFiles(folder)
  const thinnedDays = new Set(
    BACKUP_TABLES.filter(({ isThinned }) => isThinned).map(({ kind }) => kind),
  )
  const closedFiles = copies
    .all()
    .filter(({ day, kind }) => day <= closedThrough && !thinnedDays.has(kind))
  for (const file of copies.all()) {
    if (!closedFiles.includes(file)) rmSync(copies.pathOf(file), { force: true })
  }
  rmSync(join(folder, 'parquet', 'days.jsonl'))
  const dayFiles = new DayFiles(folder)
  for (const file of closedFiles) dayFiles.put(file)
  dayFiles.recordThrough(closedThrough)
}
