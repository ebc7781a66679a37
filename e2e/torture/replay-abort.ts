import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Millis } from '../../backend/domain/units.ts'
import { DurableHistory } from '../../backend/history/recovery/durable-history.ts'
import { messagesOf } from '../../backend/history/recovery/failure-kind.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf, quantile, type Chance } from './chance.ts'
import { scratchFolder } from './leftovers.ts'
import { batchOf, keptBatches } from './killed-batches.ts'

const BATCHES = 30
/** Damage to the log; each results in a log that no process wrote. */
const DAMAGES = ['cut', 'garbage inside', 'garbage behind', 'zeroes at the end', 'nothing'] as const

/**
 * The log of a killed history contains schema changes, an index and rows, and is then truncated or
 * overwritten in places. The history opens nevertheless, with complete and consecutive batches from
 * the first; overwritten parts are reported as damage.
 */
export const replayAbort: TortureCampaign = {
  name: 'replay-abort',
  about: 'F4: a log that cannot be replayed',
  rounds: 100,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const root = scratchFolder('replay')
    let [boots, half, silent, damageReports] = [0, 0, 0, 0]
    const openings: number[] = []
    try {
      await makeImage(root)
      for (let round = 0; round < rounds; round++) {
        const damage = DAMAGES[round % DAMAGES.length] ?? 'cut'
        const folder = join(root, 'struck')
        rmSync(folder, { recursive: true, force: true })
        cpSync(join(root, 'image'), folder, { recursive: true })
        damageLog(join(folder, 'history.duckdb.wal'), damage, chance)
        try {
          const after = await openAndRead(folder)
          boots += 1
          openings.push(after.took)
          half += after.half
          damageReports += after.damages > 0 ? 1 : 0
          // A truncated log looks like an interrupted write; all other losses must be reported.
          if (after.through < BATCHES - 1 && damage !== 'cut' && after.damages === 0) silent += 1
        } catch (error) {
          log(`round ${round}, ${damage}: ${messagesOf(error)}`)
        }
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
    return [
      { name: 'attempts', value: rounds },
      { name: 'boots', value: boots, goal: 'all', met: boots === rounds },
      { name: 'reported as damage', value: damageReports },
      { name: 'half batches', value: half, goal: '0', met: half === 0 },
      { name: 'batches lost silently', value: silent, goal: '0', met: silent === 0 },
      { name: 'opening p99, ms', value: Math.round(quantile(openings, 0.99)) },
    ]
  },
}

const open = (folder: string, onDamage: () => void): Promise<DurableHistory> =>
  DurableHistory.open({
    path: join(folder, 'history.duckdb'),
    dataDir: folder,
    memoryLimitMb: 256,
    logger: silentLogger,
    clock: systemClock,
    wasClean: false,
    onDamage,
  })

async function makeImage(root: string): Promise<void> {
  const folder = join(root, 'work')
  mkdirSync(folder)
  const durable = await open(folder, () => {})
  const history = durable.store
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
  const half = BATCHES / 2
  for (let batch = 0; batch < half; batch++) await history.append(batchOf(market, batch))
  await history.sortClosedHours(Number.MAX_SAFE_INTEGER as Millis)
  await durable.withConnection(async (connection) => {
    await connection.run('checkpoint')
    await connection.run('create table schema_trial (id integer, name varchar)')
    await connection.run("insert into schema_trial select i, 'n' || i from range(1000) as t(i)")
    await connection.run('create index trial_by_id on schema_trial (id)')
    await connection.run('alter table schema_trial add column more bigint default 7')
  })
  for (let batch = half; batch < BATCHES; batch++) await history.append(batchOf(market, batch))
  cpSync(folder, join(root, 'image'), { recursive: true })
  await history.close()
}

function damageLog(log: string, damage: (typeof DAMAGES)[number], chance: Chance): void {
  const content = readFileSync(log)
  const noise = Buffer.from(
    Array.from({ length: 1 + chance.integer(400) }, () => chance.integer(256)),
  )
  const at = chance.integer(content.length)
  switch (damage) {
    case 'nothing':
      return
    case 'cut':
      return writeFileSync(log, content.subarray(0, at))
    case 'garbage inside':
      noise.copy(content, at)
      return writeFileSync(log, content)
    case 'garbage behind':
      return writeFileSync(log, Buffer.concat([content, noise]))
    case 'zeroes at the end':
      return writeFileSync(log, Buffer.concat([content, Buffer.alloc(noise.length)]))
  }
}

async function openAndRead(folder: string) {
  let damages = 0
  const startedAt = systemClock.monotonic()
  const durable = await open(folder, () => (damages += 1))
  const took = systemClock.monotonic() - startedAt
  const kept = await keptBatches(durable.store)
  await durable.store.close()
  return { ...kept, damages, took }
}
