import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchRow } from './bench-row.ts'
import { backfilled, startService } from './service.ts'

/** First start of the demo: to the ready line, and to 90 days of stored history. */
export async function benchDemo(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-demo-'))
  const started = performance.now()
  const service = await startService(['--source', 'demo', '--seed', '7', '--data', folder])
  try {
    await backfilled(folder)
    const ready = performance.now() - started
    const row = { baseline: null, ratio: null, unit: 's', note: null }
    return [
      { ...row, name: 'demo, to the ready line', ours: service.readyAfter / 1_000, goal: '–' },
      { ...row, name: 'demo, 90 days of history ready', ours: ready / 1_000, goal: '≤ 20 s' },
    ]
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
