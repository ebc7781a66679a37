import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { openDurableState } from '../../backend/state/durable-state.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf, type Chance } from './chance.ts'
import { importRow } from './killed-rows.ts'
import { endWithUs, scratchFolder } from './leftovers.ts'

const WRITER = join(import.meta.dirname, 'kill-state-writer.ts')
const ROUNDS_A_FOLDER = 50
const MAX_ROWS = 60

/**
 * A writer of operational rows, which opens and closes its file all the time, is killed at a random
 * moment. Every acknowledged row must exist once, and no kill may be mistaken for damage.
 */
export const killState: TortureCampaign = {
  name: 'kill-state',
  about: 'F1: kill -9 while operational rows are written and their log is folded in',
  rounds: 500,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    let [acknowledged, lost, wrong, damages] = [0, 0, 0, 0]
    let folder = ''
    let last = -1
    try {
      for (let round = 0; round < rounds; round++) {
        if (round % ROUNDS_A_FOLDER === 0) {
          if (folder !== '') rmSync(folder, { recursive: true, force: true })
          folder = scratchFolder('kill-state')
          last = -1
        }
        const acknowledgements = await writeUntilKilled(folder, chance)
        acknowledged += Math.max(0, acknowledgements - last)
        last = Math.max(last, acknowledgements)
        const found = await readBack(folder)
        if (found.damage !== null) {
          damages += 1
          log(`kill ${round + 1} was taken for damage: ${found.damage.summary}`)
        }
        lost += Math.max(0, last + 1 - found.rows)
        wrong += found.wrong
        last = Math.max(last, found.rows - 1)
        if (round % 50 === 49) log(`${round + 1} kills, lost ${lost}, taken for damage ${damages}`)
      }
    } finally {
      if (folder !== '') rmSync(folder, { recursive: true, force: true })
    }
    return [
      { name: 'kills', value: rounds },
      { name: 'rows acknowledged', value: acknowledged },
      { name: 'acknowledged rows lost', value: lost, goal: '0', met: lost === 0 },
      { name: 'rows that are wrong', value: wrong, goal: '0', met: wrong === 0 },
      { name: 'taken for damage', value: damages, goal: '0', met: damages === 0 },
    ]
  },
}

/** The number of the last row that was acknowledged, -1 without one. */
async function writeUntilKilled(folder: string, chance: Chance): Promise<number> {
  const child = spawn(process.execPath, [WRITER], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child, () => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const rows = chance.integer(MAX_ROWS)
  const later = chance.integer(10)
  let [last, seen] = [-1, 0]
  const strike = (): void => void systemClock.sleep(later).then(() => child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (seen === rows) strike()
    seen += 1
  }
  const [code] = (await ended) as [number | null]
  if (code !== null) throw new Error(`the writer ended by itself with ${code}`)
  return last
}

/** Rows are numbered without a gap, so that their count identifies them. */
async function readBack(folder: string) {
  const operational = await openDurableState(join(folder, 'state.sqlite'), {
    now: () => systemClock.now(),
    logger: silentLogger,
  })
  const { state, damage } = operational
  const rows = await state.selectFrom('import_run').selectAll().orderBy('created_at').execute()
  await operational.close()
  const wrong = rows.filter(
    (row, index) => JSON.stringify(row) !== JSON.stringify({ ...row, ...importRow(index) }),
  )
  return { damage, rows: rows.length, wrong: wrong.length }
}
