import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchRow } from './bench-row.ts'
import { startService } from './service.ts'

const LIMIT_MS = 120_000

/** Whether both venues' first backfill is noted as finished. */
function isBackfilled(folder: string): boolean {
  const state = new DatabaseSync(join(folder, 'state.sqlite'), { readOnly: true })
  try {
    const rows = state.prepare('select backfilled_at from feed').all()
    return rows.length === 2 && rows.every((row) => row['backfilled_at'] !== null)
  } finally {
    state.close()
  }
}

/** First start of the demo: to the ready line, and until 90 days of history stand. */
export async function benchDemo(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-demo-'))
  const started = performance.now()
  const service = await startService(['--source', 'demo', '--seed', '7', '--data', folder])
  try {
    while (!isBackfilled(folder)) {
      if (performance.now() - started > LIMIT_MS) throw new Error('the backfill did not end')
      await pause(100)
    }
    const stands = performance.now() - started
    const row = { baseline: null, ratio: null, unit: 's', note: null }
    return [
      { ...row, name: 'demo, to the ready line', ours: service.readyAfter / 1_000, goal: '–' },
      { ...row, name: 'demo, 90 days of history stand', ours: stands / 1_000, goal: '≤ 20 s' },
    ]
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
