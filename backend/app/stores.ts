import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { Damage } from '../domain/history-damage.ts'
import { VENUES } from '../domain/market.ts'
import { MINUTE, type Millis } from '../domain/units.ts'
import type { WholeHistory } from '../history/history.ts'
import {
  HISTORY_FILE,
  markCleanStop,
  sameStamp,
  stampOf,
  consumeCleanStop,
} from '../history/recovery/clean-stop.ts'
import { DailyBackups } from '../history/recovery/day-copies.ts'
import { withDayWatch } from '../history/recovery/day-watch.ts'
import { DurableHistory } from '../history/recovery/durable-history.ts'
import { copyHistory, type CopyWork, type HistoryCopy } from '../history/recovery/history-backup.ts'
import { failureKindOf, messagesOf } from '../history/recovery/failure-kind.ts'
import { hasPendingRestore, consumePendingRestore } from '../history/recovery/pending-restore.ts'
import { probeHistory, type Probe } from '../history/recovery/probe-host.ts'
import { sleepUnless, systemClock, type Clock } from '../lib/clock.ts'
import { recordDamage } from '../lib/files/damage-journal.ts'
import { wasUsed } from '../lib/files/folder-use.ts'
import { NewerVersionError } from '../lib/errors.ts'
import { readLaunch, removeLaunch } from '../lib/files/launch-file.ts'
import { DataFolderProblem } from '../lib/process/start-problems.ts'
import type { Logger } from '../lib/logger.ts'
import { openDurableState } from '../state/durable-state.ts'
import { createFeedsStore } from '../state/feeds.store.ts'
import { whileLocked } from '../state/folder-lock.ts'
import type { State } from '../state/open.ts'
import { sealPathOf } from '../state/seal.ts'
import { copyState, refuseNewerState } from '../state/state-file.ts'

/** Keeps the whole process under 2 GB while a hundred million rows are imported and sorted. */
export const HISTORY_MEMORY_MB = 1_024

const STATE_FILE = 'state.sqlite'
/** Backups are written here before they are moved to their place. */
const UNFINISHED_BACKUPS = 'backup'

/** Everything on disk, opened. */
export interface Stores {
  readonly history: WholeHistory
  readonly state: State
  /** Maintenance beside reads and writes; in-memory stores need none. */
  readonly upkeep?: StoreUpkeep
  close(): Promise<void>
}

export interface StoreUpkeep {
  readonly copies: DailyBackups
  /**
   * Reports every damaged store that was recovered, including those found while opening. One
   * listener.
   */
  onDamage(listener: (damage: Damage) => void): void
  /**
   * Copies everything stored into an empty folder inside the data folder, while reads and writes
   * continue. The operational rows are slightly older than the history, so that they never claim a
   * feed was read further than it was.
   * @param flush resolves when everything accepted so far is stored
   */
  copyInto(folder: string, work: CopyWork, flush: () => Promise<void>): Promise<StoresCopy>
  /** Copies closed days and keeps logs short until the signal; resolves when no task is running. */
  run(signal: AbortSignal): Promise<void>
}

/** Content of the folder of a copy: `state.sqlite` and the files of the history. */
export interface StoresCopy {
  readonly history: HistoryCopy
  /** The newest migration of the operational rows. */
  readonly stateSchema: string
}

/**
 * Opens the stores of a data folder, creates what is missing and recovers what is damaged. The
 * history's file lock makes this process the folder's only user.
 * @param probe a process that is ready to examine the history; ended here whether it is needed or
 * not
 * @throws DataFolderProblem when the folder cannot be written or another process holds it
 */
export async function openStores(
  dataDir: string,
  log: Logger,
  clock: Clock = systemClock,
  probe?: Probe,
): Promise<Stores> {
  try {
    return await openProbed(dataDir, log, clock, probe)
  } finally {
    probe?.dismiss()
  }
}

async function openProbed(
  dataDir: string,
  log: Logger,
  clock: Clock,
  probe: Probe | undefined,
): Promise<Stores> {
  makeFolder(dataDir)
  const path = join(dataDir, HISTORY_FILE)
  const statePath = join(dataDir, STATE_FILE)
  await restoreFromBackup(dataDir, path, clock, log)
  try {
    // Checked before the history is migrated: a folder is migrated completely or left unchanged.
    refuseNewerState(statePath)
  } catch (cause) {
    throw folderProblem(dataDir, cause)
  }
  const left = stampOf(path)
  const wasClean = sameStamp(consumeCleanStop(dataDir)[HISTORY_FILE], left)
  const isFolderUsed = wasUsed(dataDir)
  // On a first start the history is created before the operational rows are sealed.
  const hadHistory = isFolderUsed || existsSync(sealPathOf(statePath))
  const damages: Damage[] = []
  let report = (damage: Damage): void => void damages.push(damage)
  const logger = log.child({ part: 'history' })
  const options = {
    path,
    memoryLimitMb: HISTORY_MEMORY_MB,
    dataDir,
    logger,
    clock,
    wasClean,
    isFolderUsed: hadHistory,
    onDamage(damage: Damage) {
      recordDamage(dataDir, damage)
      report(damage)
    },
  }
  const durable = await DurableHistory.open(options, probe).catch((cause: unknown) => {
    throw folderProblem(dataDir, cause)
  })
  try {
    // The process that wrote the file has ended: the lock is ours.
    const staleLaunch = readLaunch(dataDir)
    if (staleLaunch !== null && staleLaunch.pid !== process.pid)
      removeLaunch(dataDir, staleLaunch.pid)
    rmSync(join(dataDir, UNFINISHED_BACKUPS), { recursive: true, force: true })
    const operational = await openDurableState(statePath, {
      now: () => clock.now(),
      logger: log.child({ part: 'state' }),
      isFolderUsed,
      beforeRepair: (damage) => recordDamage(dataDir, damage),
    })
    if (operational.damage !== null) damages.push(operational.damage)
    const { state } = operational
    const { withConnection } = durable
    const copies = new DailyBackups({ dataDir, withConnection, clock, log: logger })
    const stagedPath = (stagedName: string) =>
      isAbsolute(stagedName) ? stagedName : join(dataDir, stagedName)
    const readAgain = async (damage: Damage): Promise<void> => {
      if (damage.store === 'history') await resetProgress(state)
    }
    for (const damage of damages) await readAgain(damage)
    return {
      history: withDayWatch(durable.store, copies, stagedPath),
      state,
      upkeep: {
        copies,
        onDamage(listener) {
          for (const damage of damages.splice(0)) listener(damage)
          report = (damage) => {
            readAgain(damage).catch((error: unknown) =>
              log.error({ err: error }, 'the feeds could not be reset to read again'),
            )
            listener(damage)
          }
        },
        async copyInto(folder, work, flush) {
          const { schema: stateSchema } = await copyState(statePath, join(folder, STATE_FILE))
          // More events may be accepted within this millisecond, after the flush.
          const at = (clock.now() - 1) as Millis
          await flush()
          const history = await copyHistory({ copies, withConnection, at }, folder, work)
          return { history, stateSchema }
        },
        async run(signal) {
          const tending = async (): Promise<void> => {
            while (await sleepUnless(signal, clock, MINUTE)) {
              await operational
                .maintain()
                .catch((error: unknown) => log.warn({ err: error }, 'the state was not copied'))
            }
          }
          await Promise.all([tending(), copies.run(signal)])
        },
      },
      async close() {
        await operational.close()
        await durable.store.close()
        if (durable.isFolded) markCleanStop(dataDir, [HISTORY_FILE])
      },
    }
  } catch (error) {
    await durable.store.close()
    throw error
  }
}

/**
 * Moves a staged restore into place. The history's lock shows whether a process has the folder
 * open; a probe checks it, because the existing files may be damaged.
 */
async function restoreFromBackup(
  dataDir: string,
  path: string,
  clock: Clock,
  log: Logger,
): Promise<void> {
  if (!hasPendingRestore(dataDir)) return
  const restore = await whileLocked(join(dataDir, 'run', 'restore.lock'), async () => {
    if (stampOf(path) !== null) {
      const probe = await probeHistory({ dataDir, path, budget: 0, now: clock.now() })
      if (probe.outcome === 'held') throw folderProblem(dataDir, new Error(probe.message))
    }
    return consumePendingRestore(dataDir)
  })
  if (restore === 'held') {
    throw new DataFolderProblem(`Another process is restoring ${dataDir}. Try again.`, {
      heldByOther: true,
    })
  }
  const previousFolder = restore.value
  if (previousFolder !== null) {
    log.warn({ kept: previousFolder }, 'a backup was restored; the previous content is kept')
  }
}

/**
 * Rows lost with a damaged history are fetched again, as on a first start, where the venues still
 * have them.
 */
async function resetProgress(state: State): Promise<void> {
  const feeds = createFeedsStore(state)
  for (const venue of VENUES) {
    await feeds.save(venue, { backfilledAt: null, endedUntil: null, tradesUntil: null })
  }
}

/**
 * Creates a folder and its parents. Node's recursive mkdir retries forever where the system keeps
 * answering that the parent is missing, as under /proc.
 */
function makePath(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const parentFolder = dirname(folder)
  if (parentFolder !== folder) makePath(parentFolder)
  mkdirSync(folder, { mode: 0o700 })
}

function makeFolder(dataDir: string): void {
  try {
    for (const folder of [dataDir, join(dataDir, 'run'), join(dataDir, 'import')]) {
      makePath(folder)
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DataFolderProblem(
      `The data folder ${dataDir} cannot be written (${reason}). Choose another with --data DIR.`,
      { heldByOther: false, cause },
    )
  }
}

function folderProblem(dataDir: string, cause: unknown): unknown {
  if (cause instanceof NewerVersionError) {
    return new DataFolderProblem(
      `${cause.message}. Update Augury, or choose another folder with --data DIR; ${dataDir} is left unchanged.`,
      { heldByOther: false, cause },
    )
  }
  if (failureKindOf(cause) !== 'held') return cause
  const text = messagesOf(cause)
  const launch = readLaunch(dataDir)
  const pid = /PID (\d+)/.exec(text)?.[1] ?? launch?.pid
  // The launch file of an earlier process does not describe the process that holds the folder.
  const location =
    launch === null || String(launch.pid) !== String(pid) ? '' : ` and answers at ${launch.url}`
  const holder = pid === undefined ? 'Another process' : `Process ${pid}`
  return new DataFolderProblem(
    `${holder} holds the data folder ${dataDir}${location}. Stop it, or choose another folder with --data DIR.`,
    { heldByOther: true, cause },
  )
}
