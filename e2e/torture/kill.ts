import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Damage } from '../../backend/domain/history-damage.ts'
import { DurableHistory } from '../../backend/history/recovery/durable-history.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf, quantile, type Chance } from './chance.ts'
import { endWithUs, scratchFolder } from './leftovers.ts'
import { keptBatches } from './killed-batches.ts'

const WRITER = join(import.meta.dirname, 'kill-writer.ts')
/** A folder is used for this many rounds, so that reading it back stays cheap. */
const ROUNDS_A_FOLDER = 25
/** Writes of a round for the n-th-write kills: opening, appends, sorting, checkpoint. */
const WRITES = 60
const MAX_BATCHES = 30

/**
 * A writer is killed with SIGKILL alternately at a random moment after a random batch, and at its
 * n-th write to the history or its log, with increasing n. Every acknowledged batch must be stored,
 * and none partially.
 */
export const kill: TortureCampaign = {
  name: 'kill',
  about: 'F1: kill -9 while batches are written',
  rounds: 500,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const canCount = spawnSync('strace', ['-V']).status === 0
    if (!canCount) log('strace is not here: every kill comes at a random moment')
    const reopenings: number[] = []
    let [lost, half, damageReports, nthWrite, damages] = [0, 0, 0, 0, 0]
    let folder = ''
    try {
      for (let round = 0; round < rounds; round++) {
        if (round % ROUNDS_A_FOLDER === 0) {
          if (folder !== '') rmSync(folder, { recursive: true, force: true })
          folder = scratchFolder('kill')
        }
        const atWrite = canCount && round % 2 === 1 ? 1 + (Math.floor(round / 2) % WRITES) : null
        if (atWrite !== null) nthWrite += 1
        const last = await writeUntilKilled(folder, atWrite, chance)
        if (last !== null) damageReports += 1
        const after = await readBack(folder)
        reopenings.push(after.took)
        damages += after.damages.length
        for (const { reason } of after.damages) {
          const how = atWrite === null ? 'at a random moment' : `at write ${atWrite}`
          log(`kill ${round + 1}, ${how}, was taken for damage: ${reason}`)
        }
        half += after.half
        if (last !== null && after.through < last) lost += last - after.through
        if (round % 25 === 24) log(`${round + 1} kills, lost ${lost}, half ${half}`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const p99 = Math.round(quantile(reopenings, 0.99))
    return [
      { name: 'kills', value: rounds },
      { name: 'kills at an n-th write', value: nthWrite },
      { name: 'kills after an acknowledged batch', value: damageReports },
      { name: 'acknowledged batches lost', value: lost, goal: '0', met: lost === 0 },
      { name: 'half batches', value: half, goal: '0', met: half === 0 },
      { name: 'taken for damage', value: damages, goal: '0', met: damages === 0 },
      { name: 'reopen p50, ms', value: Math.round(quantile(reopenings, 0.5)) },
      { name: 'reopen p99, ms', value: p99, goal: '< 2000', met: p99 < 2_000 },
    ]
  },
}

/** The number of the last acknowledged batch, or null. */
async function writeUntilKilled(
  folder: string,
  atWrite: number | null,
  chance: Chance,
): Promise<number | null> {
  const traced = ['history.duckdb', 'history.duckdb.wal', 'history.duckdb.new'].flatMap((name) => [
    '-P',
    join(folder, name),
  ])
  const injected = ['write', 'pwrite64'].flatMap((call) => [
    '-e',
    `inject=${call}:signal=KILL:when=${atWrite ?? 0}`,
  ])
  const [command, ...args] =
    atWrite === null
      ? [process.execPath, WRITER]
      : [
          'strace',
          '-f',
          '-qq',
          '-o',
          '/dev/null',
          ...traced,
          '-e',
          'trace=write,pwrite64',
          ...injected,
          process.execPath,
          WRITER,
        ]
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = once(child, 'exit')
  const killAll = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  endWithUs(child, killAll)
  const batches = 1 + chance.integer(MAX_BATCHES)
  const later = chance.integer(20)
  let [last, seen] = [-1, 0]
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    seen += 1
    if (atWrite === null && seen === batches) void systemClock.sleep(later).then(killAll)
    // The writer must not run for ever when the expected write never occurs.
    if (atWrite !== null && seen > 10 * MAX_BATCHES) killAll()
  }
  await ended
  killAll()
  return last < 0 ? null : last
}

async function readBack(folder: string) {
  const damages: Damage[] = []
  const startedAt = systemClock.monotonic()
  const durable = await DurableHistory.open({
    path: join(folder, 'history.duckdb'),
    dataDir: folder,
    memoryLimitMb: 256,
    logger: silentLogger,
    clock: systemClock,
    wasClean: false,
    onDamage: (damage) => damages.push(damage),
  })
  const took = systemClock.monotonic() - startedAt
  const kept = await keptBatches(durable.store)
  await durable.store.close()
  return { ...kept, took, damages }
}
