import { existsSync, rmSync, statSync } from 'node:fs'
import { VENUES } from '../../domain/market.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { moveDurably } from '../../lib/files/durable-file.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import { openEngine, type Engine } from '../duckdb/engine/engine.ts'
import { historyOn, type HistoryOptions } from '../duckdb/open.ts'
import type { WholeHistory } from '../history.ts'
import type { Damage } from '../../domain/history-damage.ts'
import { DayFiles } from './day-files.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import { probeHistory, type Probe, type ProbeReport } from './probe-host.ts'
import { keepDamagedLog } from '../../lib/files/quarantine.ts'
import { cutLogDamage, lostEndDamage, lostRecordsDamage, recover } from './recover.ts'
import { hasWriteRecords, isMarkedAsRecorded, judgeWrites } from './write-record.ts'

export interface DurableOptions extends HistoryOptions {
  readonly dataDir: string
  readonly clock: Clock
  /** The last stop was clean: the file is opened without a probe. */
  readonly wasClean: boolean
  /** Whether other files in the folder show that it was in use, so that the history must exist. */
  readonly isFolderUsed?: boolean
  /** Called after every recovery, at start and later, once the history is usable again. */
  readonly onDamage: (damage: Damage) => void
}

/**
 * Time limit of a probe in ms; the remaining blocks are read slowly while the service runs. A small
 * file is read completely in less, however busy the machine is.
 */
const PROBE_BUDGET = 1_000
const SMALL_FILE = 64 * 1024 * 1024
const SMALL_FILE_BUDGET = 30_000
/** Rows usually become known at most this long after they happened. */
const LATEST = HOUR

/** The engine's message for a block with a wrong checksum. */
export const DAMAGED_BLOCK = /corrupt database file/i

export interface OpenedHistory {
  readonly engine: Engine
  readonly history: WholeHistory
}

export interface CheckedHistory {
  readonly opened: OpenedHistory
  readonly damage: Damage | null
  /** Whether every block was read. */
  readonly walked: boolean
}

/**
 * Opens the history after a probe, and recovers it first when the probe finds damage.
 * @param knownDamage damage that was detected already
 * @param probe an idle process for this; absent: one is started
 */
export async function openChecked(
  options: DurableOptions,
  isTrusted: boolean,
  knownDamage: string | null = null,
  probe?: Probe,
): Promise<CheckedHistory> {
  const { path, dataDir, clock, logger } = options
  const verdict = judgeWrites(path)
  const hadRecords = hasWriteRecords(path)
  const isFileMissing = !existsSync(path)
  let reason = knownDamage
  if (verdict.kind === 'older') reason ??= 'the file was replaced by an older one'
  if (isFileMissing && (options.isFolderUsed === true || hasCopies(dataDir))) {
    reason = 'the file is missing'
  }
  // The engine replays a damaged log up to the error and deletes it, so a copy is kept before it
  // opens.
  const cutLog = verdict.kind === 'log-cut' && existsSync(`${path}.wal`)
  const quarantinedLog = cutLog ? keepDamagedLog(path, clock.now()) : null
  let probeReport: ProbeReport | null = null
  if (!isTrusted && reason === null && existsSync(path)) {
    const budget = statSync(path).size <= SMALL_FILE ? SMALL_FILE_BUDGET : PROBE_BUDGET
    probeReport = await probeHistory({ dataDir, path, budget, now: clock.now() }, probe)
    if (probeReport.outcome === 'damaged') reason = probeReport.message
  }
  let damage: Damage | null = null
  if (probeReport?.outcome === 'sound' && probeReport.damagedLogCopy !== null) {
    damage = cutLogDamage(
      clock.now(),
      'an entry of the log had a damaged length',
      probeReport.damagedLogCopy,
    )
  }
  if (verdict.kind === 'log-cut') damage = lostEndDamage(clock.now(), verdict, quarantinedLog)
  let openHistory: OpenedHistory | null = null
  if (reason === null) {
    try {
      openHistory = await openOnce(options)
    } catch (error) {
      if (failureKindOf(error) !== 'damaged') throw error
      reason = messagesOf(error)
    }
  }
  if (openHistory === null) {
    logger.error({ reason }, 'the history is damaged and is recovered')
    damage = await recover({ dataDir, path, now: clock.now(), reason: reason ?? '' })
    openHistory = await openOnce(options)
  } else if (
    !hadRecords &&
    damage === null &&
    (await isMarkedAsRecorded(openHistory.engine.writer))
  ) {
    damage = lostRecordsDamage(clock.now(), path)
  }
  if (damage !== null) {
    if (damage.isLogCut || verdict.kind === 'older') await stateGap(openHistory.history, damage.at)
    logger.error({ ...damage }, damage.summary)
  }
  const isWalked =
    isTrusted || damage !== null || (probeReport?.outcome === 'sound' && probeReport.whole)
  return { opened: openHistory, damage, walked: isWalked }
}

const hasCopies = (dataDir: string): boolean => new DayFiles(dataDir).all().length > 0

async function openOnce(options: DurableOptions): Promise<OpenedHistory> {
  if (!existsSync(options.path)) await makeFile(options)
  const engine = await openEngine({ ...options, checkpointsAutomatically: false })
  return { engine, history: await historyOn(engine, options) }
}

/**
 * Creates an empty history under a temporary name first: a file without headers, left by a kill,
 * would look like a damaged one, whereas a file with its final name was complete once.
 */
async function makeFile({ path, dataDir }: DurableOptions): Promise<void> {
  const newPath = `${path}.new`
  let engine: Engine
  try {
    engine = await openEngine({ path: newPath, dataDir })
  } catch (error) {
    if (failureKindOf(error) !== 'damaged') throw error
    rmSync(newPath, { force: true })
    engine = await openEngine({ path: newPath, dataDir })
  }
  engine.close()
  // Another process may have created it first; that one is opened, or found to be locked.
  if (existsSync(path)) rmSync(newPath, { force: true })
  else moveDurably(newPath, path)
}

/**
 * After a truncated log, everything from a while before the newest remaining row may be incomplete.
 */
async function stateGap(history: WholeHistory, now: Millis): Promise<void> {
  const { lastTs } = await history.size()
  const from = (Math.min(lastTs ?? now, now) - LATEST) as Millis
  await history.append({
    coverage: VENUES.flatMap((venue) =>
      COVERAGE_FEEDS.map((feed) => ({
        venue,
        market: null,
        feed,
        state: 'gap' as const,
        from,
        to: now,
        knownAt: now,
        reason: 'lost with a damaged log of the history',
      })),
    ),
  })
}
