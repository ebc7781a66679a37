import { existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY, type Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { moveDurably } from '../../lib/files/durable-file.ts'
import { inspectWal } from '../duckdb/engine/wal.ts'
import type { Damage } from '../../domain/history-damage.ts'
import { runTask } from './child-task.ts'
import { probeHistory } from './probe-host.ts'
import { keepDamagedLog, quarantine } from '../../lib/files/quarantine.ts'
import type { RebuildTask, RebuildReport } from './rebuild.ts'
import { writeRecordsOf } from './write-record.ts'

const REBUILD = fileURLToPath(new URL('./rebuild-process.ts', import.meta.url))
/** Hours of rebuilding are better than losing the history. */
const MAX_REBUILD = 6 * 3_600_000
/**
 * A file that was moved or copied is younger than its rows; first starts backfill this much of the
 * past.
 */
const LOOKBACK = 90 * DAY

export interface Recovery {
  readonly dataDir: string
  readonly path: string
  readonly now: Millis
  readonly reason: string
}

/**
 * Makes a damaged history usable again. Damage in the log alone loses what was logged after it; any
 * other damage needs a new file built from the copies and the readable rows. The damaged files are
 * set aside, never deleted.
 */
export async function recover(recovery: Recovery): Promise<Damage> {
  const { dataDir, path, now, reason } = recovery
  const quarantinePath = cutLog(recovery)
  if (quarantinePath !== null) {
    const probeAfterCut = await probeHistory({ dataDir, path, budget: 0, now })
    if (probeAfterCut.outcome === 'sound') return cutLogDamage(now, reason, quarantinePath)
  }
  return replace(recovery)
}

/**
 * A log truncated after its last intact entry. The caller records its gap once the file is open.
 */
export const cutLogDamage = (now: Millis, reason: string, quarantinePath: string): Damage => ({
  store: 'history',
  at: now,
  reason,
  quarantined: basename(quarantinePath),
  fromCopies: 0,
  salvaged: 0,
  lost: [],
  isLogCut: true,
  missing: null,
  summary: `The log of the history was damaged and is cut at its last sound entry; the damaged one is kept as ${basename(quarantinePath)}. What came after is marked as a gap and fetched again where the venues still have it.`,
})

/** A log that lost its end without the engine noticing. */
export const lostEndDamage = (
  now: Millis,
  { writes, from, until }: { writes: number; from: Millis; until: Millis },
  quarantinePath: string | null,
): Damage => {
  const remains =
    quarantinePath === null ? '' : ` What is left of it is kept as ${basename(quarantinePath)}.`
  return {
    ...cutLogDamage(now, 'the log lost acknowledged writes', quarantinePath ?? ''),
    quarantined: quarantinePath === null ? null : basename(quarantinePath),
    summary: `The log of the history lost its end: ${writes} writes from ${isoOf(from)} to ${isoOf(until)} are gone.${remains} The time is marked as a gap and fetched again where the venues still have it.`,
  }
}

/**
 * A sound file whose records of writes are gone, so that a log that lost its end cannot be
 * detected.
 */
export const lostRecordsDamage = (now: Millis, path: string): Damage => ({
  ...cutLogDamage(now, 'the records of writes are gone', ''),
  quarantined: null,
  summary: `The records of writes (${basename(writeRecordsOf(path))}) were missing, so whether the history lost its last writes is not known. The time since its newest row is marked as a gap and fetched again where the venues still have it.`,
})

/** Truncates the log before the entry that the engine reported; null when it reported none. */
function cutLog({ path, reason, now }: Recovery): string | null {
  const badEntry = /entry at byte position (\d+)/.exec(reason)?.[1]
  if (badEntry === undefined) return null
  const chain = inspectWal(`${path}.wal`, Number(badEntry))
  if (chain.state === 'absent') return null
  const quarantinePath = keepDamagedLog(path, now)
  truncateSync(`${path}.wal`, chain.commitEnd)
  return quarantinePath
}

async function replace({ dataDir, path, now, reason }: Recovery): Promise<Damage> {
  const rebuiltPath = `${path}.rebuilt`
  const stats = statSync(path, { throwIfNoEntry: false })
  const task: RebuildTask = {
    dataDir,
    into: rebuiltPath,
    damaged: existsSync(path) ? path : null,
    historyStart: Math.min(Math.floor(stats?.birthtimeMs || now), now - LOOKBACK),
    now,
  }
  const report = await runRebuild(task)
  const quarantinePath = quarantine(path, now)
  // The write records belong to the file that was set aside.
  rmSync(writeRecordsOf(path), { force: true })
  moveDurably(rebuiltPath, path)
  const name = quarantinePath === null ? null : basename(quarantinePath)
  return {
    store: 'history',
    at: now,
    reason,
    quarantined: name,
    ...report,
    isLogCut: false,
    missing: isNothingLeft(report) ? 'The history is lost, and no copies of it were left' : null,
    summary: [
      `The history was ${name === null ? 'missing' : `damaged and is set aside as ${name}`};`,
      `${report.fromCopies} rows came back from the copies of closed days and ${report.salvaged} from the damaged file.`,
      report.lost.length === 0 ? 'Nothing is lost.' : `Marked as gaps: ${spansOf(report)}.`,
    ].join(' '),
  }
}

const isNothingLeft = ({ fromCopies, salvaged }: RebuildReport): boolean =>
  fromCopies + salvaged === 0

/** Uses the damaged file first; if the engine crashes on it, from the copies alone. */
async function runRebuild(task: RebuildTask): Promise<RebuildReport> {
  const tries = task.damaged === null ? [task] : [task, { ...task, damaged: null }]
  let last = ''
  for (const rebuildTask of tries) {
    for (const file of [task.into, `${task.into}.wal`]) rmSync(file, { force: true })
    const taskEnd = await runTask<RebuildReport>(REBUILD, rebuildTask, MAX_REBUILD)
    if (taskEnd.answer !== null) return taskEnd.answer
    last = taskEnd.failure
  }
  throw new StoreFailed(`The damaged history could not be rebuilt (${last})`)
}

const LISTED_SPANS = 5

function spansOf({ lost }: RebuildReport): string {
  const feeds = lost.filter(({ kind }) => kind === 'trades' || kind === 'quotes')
  const affectedFeeds = feeds
    .slice(0, LISTED_SPANS)
    .map(
      ({ kind, venue, from, to }) =>
        `${kind} of ${venue ?? 'all venues'} ${timeOf(from)} to ${timeOf(to)}`,
    )
  const otherCount = feeds.length - affectedFeeds.length
  return affectedFeeds.join(', ') + (otherCount > 0 ? ` and ${otherCount} more` : '')
}

const timeOf = (at: number): string => isoOf(Math.floor(at) as Millis)
