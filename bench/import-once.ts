import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { createImportHost } from '../backend/ingest/import/import-host.ts'
import { createImporter } from '../backend/ingest/import/importer.ts'
import { silentLogger } from '../backend/lib/logger.ts'

/** Result of one side of the comparison, in a process of its own. */
export interface ImportOnce {
  readonly ms: number
  readonly rows: number
  readonly peakRssMb: number
}

const [side = 'ours', folder = '', ...files] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const measure = side === 'ours' ? importAll : readAndSort
const { ms, rows } = await measure(folder, files)
const once: ImportOnce = { ms, rows, peakRssMb: peakRss() }
process.stdout.write(`${JSON.stringify(once)}\n`)

/** Our import of these files into an empty history. */
async function importAll(dataDir: string, paths: readonly string[]) {
  const path = join(dataDir, 'history.duckdb')
  const history = await openHistory({ path, dataDir, logger: silentLogger })
  const importer = createImporter({ host: createImportHost(history), dataDir })
  const started = performance.now()
  const request = { paths, venue: null, kind: null, dryRun: false }
  const reports = await importer.importFiles(request, new AbortController().signal)
  const ms = performance.now() - started
  const failed = reports.find((report) => report.error !== null)
  if (failed !== undefined) throw new Error(`${failed.path}: ${failed.error ?? ''}`)
  await history.close()
  return { ms, rows: reports.reduce((sum, report) => sum + report.rowsTaken, 0) }
}

/** DuckDB's own read-and-sort of the same files into a file of its own. */
async function readAndSort(dataDir: string, paths: readonly string[]) {
  const instance = await DuckDBInstance.create(join(dataDir, 'sorted.duckdb'), {
    memory_limit: '1200MB',
    threads: '2',
    temp_directory: join(dataDir, 'spilled'),
  })
  const connection = await instance.connect()
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ')
  const started = performance.now()
  await connection.run(
    `create table quotes as select * from read_parquet([${list}]) order by slug, ts`,
  )
  const ms = performance.now() - started
  const count = await connection.runAndReadAll('select count(*)::double from quotes')
  connection.closeSync()
  instance.closeSync()
  return { ms, rows: Number(count.getRows()[0]?.[0] ?? 0) }
}

/** Peak memory of the process, in MB; ru_maxrss without procfs. */
function peakRss(): number {
  try {
    const status = readFileSync('/proc/self/status', 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return Math.round(process.resourceUsage().maxRSS / 1024)
  }
}
