import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { recorded, type RecordExample } from './recorder.ts'

/** Exports, imports, backups and backtests. */
export async function recordJobs(
  record: RecordExample,
  ticker: string,
  folder: string,
): Promise<void> {
  const waitUntilFinished = async (operation: string, id: unknown): Promise<void> => {
    for (;;) {
      const { state } = await record(operation, { parameters: { id: String(id) } })
      if (state !== 'queued' && state !== 'running') return
      await wait(50)
    }
  }
  const { id: exported } = await record('exports.start', {
    request: { out: 'trades', kind: 'trades', format: 'csv' },
  })
  await waitUntilFinished('exports.get', exported)
  const { id: imported } = await record('imports.start', {
    request: { paths: [join(folder, 'exports', 'trades')], dryRun: true },
  })
  await waitUntilFinished('imports.get', imported)
  const backups = mkdtempSync(join(tmpdir(), 'augury-backups-'))
  const { id: backup } = await record('backups.start', {
    request: { out: join(backups, 'monday') },
  })
  await waitUntilFinished('backups.get', backup)
  const strategies = await record('backtests.strategies')
  const [strategy = ''] = strategies['strategies'] as string[]
  await record('backtests.strategy', { parameters: { name: strategy } })
  const run = {
    strategy,
    from: '2026-11-19T00:00:00.000Z',
    to: '2026-11-20T00:00:00.000Z',
    markets: [ticker],
  }
  const { id: backtest } = await record('backtests.start', { request: run })
  await waitUntilFinished('backtests.get', backtest)
  await record('backtests.trades', { parameters: { id: String(backtest) } })
  const cancelled: [string, object][] = [
    ['exports', { out: 'again', kind: 'trades', format: 'csv' }],
    ['imports', { paths: [join(folder, 'exports', 'trades')], dryRun: true }],
    ['backups', { out: join(backups, 'again') }],
    ['backtests', run],
  ]
  for (const [jobs, request] of cancelled) {
    const started = recorded.get(`${jobs}.start`)
    const { id } = await record(`${jobs}.start`, { request })
    await record(`${jobs}.cancel`, { parameters: { id: String(id) } })
    if (started !== undefined) recorded.set(`${jobs}.start`, started)
  }

  rmSync(backups, { recursive: true, force: true })
}
