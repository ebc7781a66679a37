import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { runTask } from './child-task.ts'
import { COPIED_KINDS } from './copied-kinds.ts'
import { DayFiles } from './day-files.ts'
import { CATALOGUE } from './history-backup.ts'
import type { RebuildOrder, RebuildReport } from './rebuild.ts'

const REBUILD = fileURLToPath(new URL('./rebuild-process.ts', import.meta.url))
const LONGEST = 6 * 3_600_000

/**
 * Makes `history.duckdb` in `folder` of the copied files in `folder/parquet`, and leaves those of
 * closed days there as the copies of the new history. Returns how many rows it holds.
 * @throws StoreFailed when a file is not what was copied
 */
export async function restoreHistory(
  folder: string,
  copy: { readonly at: Millis; readonly closedThrough: number },
): Promise<number> {
  const catalogue = join(folder, 'parquet', CATALOGUE)
  const order: RebuildOrder = {
    ...{ dataDir: folder, into: join(folder, 'history.duckdb'), damaged: null, catalogue },
    ...{ bornAt: copy.at, now: copy.at },
  }
  const { answer, died } = await runTask<RebuildReport>(REBUILD, order, LONGEST)
  if (answer === null) throw new StoreFailed(`The history could not be restored (${died})`)
  if (answer.lost.length > 0) {
    throw new StoreFailed(
      'The history could not be restored whole: files of the backup are missing',
    )
  }
  keepClosedDays(folder, copy.closedThrough)
  for (const name of [catalogue, join(folder, 'tmp')])
    rmSync(name, { recursive: true, force: true })
  return answer.fromCopies
}

/**
 * A file of a day that was not over is no copy of that day: rows of it are still to come. One of rows
 * that go after a while is none either.
 */
function keepClosedDays(folder: string, closedThrough: number): void {
  const copied = new DayFiles(folder)
  const thinned = new Set(COPIED_KINDS.filter(({ isThinned }) => isThinned).map(({ kind }) => kind))
  const closed = copied.all().filter(({ day, kind }) => day <= closedThrough && !thinned.has(kind))
  for (const file of copied.all()) {
    if (!closed.includes(file)) rmSync(copied.pathOf(file), { force: true })
  }
  rmSync(join(folder, 'parquet', 'days.jsonl'))
  const kept = new DayFiles(folder)
  for (const file of closed) kept.put(file)
  kept.noteThrough(closedThrough)
}
