import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND, type Millis } from '../../backend/domain/units.ts'
import { DailyBackups } from '../../backend/history/recovery/day-copies.ts'
import { withDayWatch } from '../../backend/history/recovery/day-watch.ts'
import { DurableHistory } from '../../backend/history/recovery/durable-history.ts'
import { refusalOf } from '../../backend/http/errors.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { openDurableState } from '../../backend/state/durable-state.ts'
import type { State } from '../../backend/state/open.ts'
import { openStores } from '../../backend/app/stores.ts'
import type { TortureCampaign } from './campaign.ts'
import { quantile } from './chance.ts'
import { batchOf, keptBatches } from './killed-batches.ts'
import { fill, free, mountSmallDisk, unmount } from './small-disk.ts'

const DISK_MB = 48
const FULL_FOR = 2 * SECOND
const MAX_RECOVERY = 60 * SECOND
const BATCHES_BEFORE = 40
/** Every so many rounds of writing a checkpoint is forced. */
const FOLD_EVERY = 3

interface Counts {
  readsServed: number
  readsRefused: number
  writesRefused: number
  wrongRefusals: number
  stateRefused: number
}

/**
 * The stores are on a small disk that another process fills. Meanwhile batches and operational rows
 * are written, days are copied, and forced checkpoints make the engine fail. When space returns
 * everything continues without a restart.
 */
export const diskFull: TortureCampaign = {
  name: 'disk-full',
  about: 'F2: no room on the disk (needs root, to mount a small one)',
  rounds: 10,
  async run({ rounds, log }) {
    const counts: Counts = {
      readsServed: 0,
      readsRefused: 0,
      writesRefused: 0,
      wrongRefusals: 0,
      stateRefused: 0,
    }
    const recoveries: number[] = []
    let [lost, twice, unsound] = [0, 0, 0]
    for (let round = 0; round < rounds; round++) {
      const disk = mountSmallDisk(DISK_MB)
      if (disk === null) {
        log('skipped: a small disk cannot be mounted here (it needs root)')
        return [{ name: 'skipped', value: 'a small disk cannot be mounted here' }]
      }
      try {
        const damages = await fillAndFree(disk, counts, recoveries)
        const stored = await readBack(disk)
        lost += Math.max(0, damages - stored.through)
        twice += stored.half
        unsound += stored.damages
        log(`round ${round + 1}: back after ${Math.round(recoveries.at(-1) ?? NaN)} ms`)
      } finally {
        unmount(disk)
      }
    }
    const slowest = Math.round(quantile(recoveries, 1)) / 1_000
    return [
      { name: 'disks filled', value: rounds },
      { name: 'reads served while full', value: counts.readsServed },
      { name: 'reads refused while full', value: counts.readsRefused },
      { name: 'writes refused with 503', value: counts.writesRefused + counts.stateRefused },
      {
        name: 'writes refused otherwise',
        value: counts.wrongRefusals,
        goal: '0',
        met: counts.wrongRefusals === 0,
      },
      { name: 'acknowledged batches lost', value: lost, goal: '0', met: lost === 0 },
      { name: 'batches half or twice', value: twice, goal: '0', met: twice === 0 },
      { name: 'damaged files afterwards', value: unsound, goal: '0', met: unsound === 0 },
      {
        name: 'recovery at most, s',
        value: slowest,
        goal: 'without a restart',
        met: slowest * 1_000 < MAX_RECOVERY,
      },
    ]
  },
}

/** The number of the last acknowledged batch. */
async function fillAndFree(disk: string, counts: Counts, recoveries: number[]): Promise<number> {
  const parts = await openParts(join(disk, 'data'))
  const { durable, history, state, copies } = parts
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
  let damages = -1
  while (damages + 1 < BATCHES_BEFORE) await history.append(batchOf(market, ++damages))
  fill(disk)

  let strikes = 0
  const until = systemClock.monotonic() + FULL_FOR
  while (systemClock.monotonic() < until) {
    if (await refused(() => history.append(batchOf(market, damages + 1)), counts)) {
      counts.writesRefused += 1
    } else damages += 1
    if (await refused(() => noteImport(state.state, `while-full-${counts.readsServed}`), counts)) {
      counts.stateRefused += 1
    }
    await copies.copyDue(new AbortController().signal).catch(() => {})
    // The engine does not survive a checkpoint without disk space.
    if (strikes++ % FOLD_EVERY === 0) {
      await durable.withConnection((connection) => connection.run('checkpoint')).catch(() => {})
    }
    await history.sortClosedHours(Number.MAX_SAFE_INTEGER as Millis).catch(() => {})
    const read = await keptBatches(history).catch(() => null)
    if (read === null) counts.readsRefused += 1
    else counts.readsServed += 1
    fill(disk)
  }

  const freedAt = systemClock.monotonic()
  free(disk)
  while (systemClock.monotonic() - freedAt < MAX_RECOVERY) {
    const isRefused = await refused(() => history.append(batchOf(market, damages + 1)), counts)
    if (!isRefused) break
    await systemClock.sleep(20)
  }
  recoveries.push(systemClock.monotonic() - freedAt)
  damages += 1
  await noteImport(state.state, 'afterwards')
  await state.close()
  await history.close()
  return damages
}

/** The stores of a folder with access to their parts. */
async function openParts(dataDir: string) {
  mkdirSync(dataDir)
  const durable = await DurableHistory.open({
    path: join(dataDir, 'history.duckdb'),
    dataDir,
    memoryLimitMb: 256,
    logger: silentLogger,
    clock: systemClock,
    wasClean: false,
    onDamage: () => {},
  })
  const { withConnection } = durable
  const log = silentLogger
  const copies = new DailyBackups({ dataDir, withConnection, clock: systemClock, log })
  const state = await openDurableState(join(dataDir, 'state.sqlite'), {
    now: () => systemClock.now(),
    logger: log,
  })
  return { durable, state, copies, history: withDayWatch(durable.store, copies, (path) => path) }
}

/** Whether a write was rejected; a rejection other than 503 is counted separately. */
async function refused(write: () => Promise<unknown>, counts: Counts): Promise<boolean> {
  try {
    await write()
    return false
  } catch (error) {
    if (refusalOf(error)?.status !== 503) counts.wrongRefusals += 1
    return true
  }
}

const noteImport = (state: State, id: string): Promise<unknown> =>
  state
    .insertInto('import_run')
    .values({
      id,
      state: 'done',
      files: JSON.stringify('x'.repeat(100_000)),
      started_at: 1,
      ended_at: 2,
      created_at: 0,
    })
    .execute()

async function readBack(disk: string) {
  const stores = await openStores(join(disk, 'data'), silentLogger)
  let damages = 0
  stores.upkeep?.onDamage(() => (damages += 1))
  try {
    return { ...(await keptBatches(stores.history)), damages }
  } finally {
    await stores.close()
  }
}
