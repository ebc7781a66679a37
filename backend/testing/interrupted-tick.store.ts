import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Tick } from '../domain/portfolio/tick.ts'

/** Returns the row of a tick to an earlier phase, as a kill would leave it. */
export function interruptTick(dataDir: string, id: string, change: Partial<Tick>): void {
  const state = new DatabaseSync(join(dataDir, 'state.sqlite'))
  const row = state.prepare('select record from tick where id = ?').get(id)
  const tick = JSON.parse(String(row?.['record'])) as Tick
  const next = { ...tick, status: 'running', finishedAt: null, ...change }
  const update = state.prepare("update tick set status = 'running', record = ? where id = ?")
  update.run(JSON.stringify(next), id)
  state.close()
}
