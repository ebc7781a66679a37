import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRow } from './bench-row.ts'
import type { ImportOnce } from './import-once.ts'
import { hasRecordings, recordingPath } from './recordings.ts'

const run = promisify(execFile)
const ONCE = fileURLToPath(new URL('./import-once.ts', import.meta.url))

/** Files of `pmus_quotes`, oldest first; empty when no recordings are available. */
const quoteFiles = (): string[] =>
  hasRecordings ? globSync(recordingPath('venue_b/pmus_quotes/*/*.parquet')).sort() : []

async function once(side: 'ours' | 'baseline', files: readonly string[]): Promise<ImportOnce> {
  const folder = mkdtempSync(join(tmpdir(), `augury-bench-${side}-`))
  try {
    const { stdout } = await run(process.execPath, [ONCE, side, folder, ...files])
    return JSON.parse(stdout) as ImportOnce
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Import of `pmus_quotes` against DuckDB's own read-and-sort of the same files, each in a process
 * of its own and one after the other. No rows without the recordings.
 * @param days maximum number of recorded days; all by default
 */
export async function benchImport(days = Number.POSITIVE_INFINITY): Promise<BenchRow[]> {
  const files = quoteFiles().slice(0, days)
  if (files.length === 0) return []
  const baseline = await once('baseline', files)
  const ours = await once('ours', files)
  const perSecond = ({ rows, ms }: ImportOnce): number => Math.round((rows / ms) * 1000)
  return [
    {
      name: `import of pmus_quotes, ${files.length} files, ${ours.rows} rows`,
      ours: perSecond(ours),
      baseline: perSecond(baseline),
      unit: 'rows/s',
      ratio: baseline.ms / ours.ms,
      goal: '≥ 0.7 × of create table as … order by',
      note: `${Math.round(ours.ms / 1000)} s against ${Math.round(baseline.ms / 1000)} s`,
    },
    {
      name: 'import of pmus_quotes, peak memory',
      ours: ours.peakRssMb,
      baseline: baseline.peakRssMb,
      unit: 'MB',
      ratio: null,
      goal: '< 2048 MB',
      note: null,
    },
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const days = process.argv[2]
  const rows = await benchImport(days === undefined ? undefined : Number(days))
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
}
