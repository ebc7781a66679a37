import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchRow } from './bench-row.ts'
import { median } from './rounds.ts'
import { backfilled, startService } from './service.ts'

const KILLS = 40
/** The service writes for this long before it is killed, a little longer each time. */
const WRITES_FOR = 300
const LONGER = 40
const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '500']

/** From the start of the process to its ready line after a SIGKILL among writes (F1). */
export async function benchReopen(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-reopen-'))
  const data = ['--data', folder]
  const killed: number[] = []
  const clean: number[] = []
  const reopen = async (): Promise<number> => {
    const service = await startService(['--source', 'none', ...data])
    await service.stop()
    return service.readyAfter
  }
  try {
    const first = await startService([...DEMO, ...data])
    await backfilled(folder)
    await first.kill()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const writing = await startService([...DEMO, ...data])
      await pause(WRITES_FOR + kill * LONGER)
      await writing.kill()
      killed.push(await reopen())
      clean.push(await reopen())
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const p99 = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.ceil(0.99 * values.length) - 1] ?? Number.NaN
  const against = (name: string, pick: (values: readonly number[]) => number, goal: string) => ({
    name,
    ours: pick(killed),
    baseline: pick(clean),
    unit: 'ms',
    ratio: pick(killed) / pick(clean),
    goal,
    note: `${KILLS} kills while the demo is written; baseline: the same folder after a clean stop`,
  })
  return [
    against('ready again after kill -9, p50', median, '–'),
    against('ready again after kill -9, p99', p99, '< 2,000 ms'),
  ]
}
