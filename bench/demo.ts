import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchRow } from './bench-row.ts'
import { startService, type RunningService } from './service.ts'

const POLL_MS = 50

/** Seconds since `started`, and processor seconds of the service and the simulator. */
interface Reading {
  readonly wall: number
  readonly processor: number | null
}

const readingOf = (service: RunningService, started: number): Reading => {
  const spent = service.processorTime()
  return {
    wall: (performance.now() - started) / 1_000,
    processor: spent === null ? null : spent / 1_000,
  }
}

/** Resolves when a route no longer answers 503. */
async function untilAnswered({ url }: RunningService, path: string): Promise<void> {
  while ((await fetch(new URL(path, url))).status === 503) await pause(POLL_MS)
}

/** First start of the demo: to the ready line, to its stored history and to the first context. */
export async function benchDemo(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-demo-'))
  const flags = ['--source', 'demo', '--seed', '7', '--data', folder]
  const started = performance.now()
  const service = await startService(flags)
  const ready = readingOf(service, started)
  try {
    await untilAnswered(service, '/readyz')
    const loaded = readingOf(service, started)
    await untilAnswered(service, '/api/agent/world')
    const context = readingOf(service, started)
    await service.stop()
    const resumed = performance.now()
    const second = await startService(flags)
    const again = readingOf(second, resumed)
    await second.stop()
    return [
      ...rowsOf('demo, to the ready line', ready, '≤ 4 s'),
      ...rowsOf('demo, 90 days of history ready', loaded, '≤ 20 s'),
      ...rowsOf('demo, to the first context', context, '≤ 15 s'),
      ...rowsOf('demo started again, to the ready line', again, '≤ 4 s'),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rowsOf(name: string, { wall, processor }: Reading, goal: string): BenchRow[] {
  const row = { baseline: null, ratio: null, unit: 's' }
  const spent = { ...row, name: `${name}, processor time`, goal: '–', note: 'with the simulator' }
  return [
    { ...row, name, ours: wall, goal, note: null },
    ...(processor === null ? [] : [{ ...spent, ours: processor }]),
  ]
}
