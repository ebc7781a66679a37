import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import { silentLogger } from '../../lib/logger.ts'
import { END, openImportFolder, type ImportFolder } from '../../testing/import-folder.ts'
import { createImportHost } from './import-host.ts'
import { createImporter } from './importer.ts'

const IMPORT_ONCE = join(import.meta.dirname, '../../../bench/import-once.ts')
const MARKETS = 40
/** Times of the quotes of each file; nothing of the last one is adopted when the kill comes. */
const TIMES = [3_000, 3_000, 100]
const ROWS = TIMES.reduce((sum, times) => sum + times, 0) * MARKETS

let whole: ImportFolder
beforeEach(async () => {
  whole = await openImportFolder()
})
afterEach(() => whole.close())

/** A day of quotes of all markets, with volumes that change. */
const dayOf = (times: number, day: number): Promise<string> =>
  whole.parquet(
    `day-${day}.parquet`,
    `select timestamp '2026-07-1${day} 00:00:00' + to_seconds(n * 20) as ts, 'm-' || m as slug,
            'sports' as category, 0.4 + (n % 10) / 100 as bid, 0.6 as ask, null::double as mid,
            null::double as spread, (n // 50)::double as volume24hr, 1 as segment
       from range(${times}) as times(n), range(${MARKETS}) as markets(m)`,
  )

/** Whether the n-th file of an import below a data folder is staged and not adopted yet. */
function staged(folder: string, n: number): boolean {
  try {
    return readdirSync(join(folder, 'import/staged')).some((name) => name.startsWith(`${n}-`))
  } catch {
    return false
  }
}

describe('an import that was killed', () => {
  it('is completed by the next one, and equals an uninterrupted one', async () => {
    const paths = await Promise.all(TIMES.map(dayOf))
    const cut = join(whole.path, 'cut')
    mkdirSync(cut)
    const child = spawn(process.execPath, [IMPORT_ONCE, 'ours', cut, ...paths], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    // The second file is staged while the first is being adopted, or just after.
    await vi.waitFor(() => expect(staged(cut, 3)).toBe(true), {
      timeout: 200_000,
      interval: 2,
    })
    child.kill('SIGKILL')
    await ended

    const history = await openHistory({
      path: join(cut, 'history.duckdb'),
      dataDir: cut,
      logger: silentLogger,
    })
    const before = (await history.size()).quotes
    expect(before).toBeLessThan(ROWS)
    const importer = createImporter({ host: createImportHost(history), dataDir: cut })
    const reports = await importer.importFiles(
      { paths, venue: null, kind: null, dryRun: false },
      new AbortController().signal,
    )
    expect(reports.map(({ error }) => error)).toEqual([null, null, null])
    expect(reports.reduce((sum, { rowsKnown }) => sum + rowsKnown, 0)).toBe(before)
    await whole.importFiles(paths)

    expect(await history.size()).toEqual(await whole.history.size())
    for (const ticker of ['M-0', 'M-17', `M-${MARKETS - 1}`]) {
      const all = { from: 0 as Millis, to: END, asOf: END }
      const market = history.marketIdOf(ticker)?.market ?? -1
      const other = whole.idOf(ticker)
      expect(await history.quotes({ ...all, market })).toEqual(
        await whole.history.quotes({ ...all, market: other }),
      )
      const [numbers] = await history.numbersAt(END, [market])
      const [expected] = await whole.history.numbersAt(END, [other])
      expect(numbers?.activity).toEqual(expected?.activity)
    }
    await history.close()
  })
})
