import { existsSync, rmSync, statSync } from 'node:fs'
import { VENUES } from '../../domain/market.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { moveDurably } from '../../lib/durable-file.ts'
import { COVERAGE_FEEDS } from '../coverage.ts'
import { openEngine, type Engine } from '../duckdb/engine.ts'
import { historyOn, type HistoryOptions } from '../duckdb/open.ts'
import type { WholeHistory } from '../history.ts'
import type { Damage } from '../../domain/damage.ts'
import { DayFiles } from './day-files.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import { probeHistory, type Probe, type ProbeReport } from './probe-host.ts'
import { cutLogDamage, recover } from './recover.ts'

export interface DurableOptions extends HistoryOptions {
  readonly dataDir: string
  readonly clock: Clock
  /** The last stop left the file in order: it is opened without a probe. */
  readonly wasClean: boolean
  /** Told of every recovery, at start and later, once the history stands again. */
  readonly onDamage: (damage: Damage) => void
}

/**
 * Milliseconds that a probe may read; what it does not reach is read slowly while the service runs. A
 * small file is read whole in less, however busy the machine is.
 */
const PROBE_BUDGET = 1_000
const SMALL_FILE = 64 * 1024 * 1024
const SMALL_FILE_BUDGET = 30_000
/** Rows reach us this much later than they happened at most, as a rule. */
const LATEST = HOUR

/** The engine's words for a block whose checksum does not fit. */
export const DAMAGED_BLOCK = /corrupt database file/i

export interface Opened {
  readonly engine: Engine
  readonly history: WholeHistory
}

export interface Checked {
  readonly opened: Opened
  readonly damage: Damage | null
  /** Whether every block was read on the way. */
  readonly walked: boolean
}

/**
 * Opens the history behind a probe and recovers it first when the probe finds it damaged.
 * @param known damage that was noticed already
 * @param probe a process that waits for this; absent: one is started
 */
export async function openChecked(
  options: DurableOptions,
  isTrusted: boolean,
  known: string | null = null,
  probe?: Probe,
): Promise<Checked> {
  const { path, dataDir, clock, logger } = options
  let reason = known
  let probed: ProbeReport | null = null
  if (!isTrusted && reason === null && existsSync(path)) {
    const budget = statSync(path).size <= SMALL_FILE ? SMALL_FILE_BUDGET : PROBE_BUDGET
    probed = await probeHistory({ dataDir, path, budget, now: clock.now() }, probe)
    if (probed.outcome === 'damaged') reason = probed.message
  }
  if (!existsSync(path) && new DayFiles(dataDir).all().length > 0) reason = 'the file is missing'
  let damage: Damage | null = null
  if (probed?.outcome === 'sound' && probed.keptLog !== null) {
    damage = cutLogDamage(clock.now(), 'an entry of the log had a damaged length', probed.keptLog)
  }
  let opened: Opened | null = null
  if (reason === null) {
    try {
      opened = await openOnce(options)
    } catch (error) {
      if (failureKindOf(error) !== 'damaged') throw error
      reason = messagesOf(error)
    }
  }
  if (opened === null) {
    logger.error({ reason }, 'the history is damaged and is recovered')
    damage = await recover({ dataDir, path, now: clock.now(), reason: reason ?? '' })
    opened = await openOnce(options)
  }
  if (damage !== null) {
    if (damage.isLogCut) await stateGap(opened.history, damage.at)
    logger.error({ ...damage }, damage.summary)
  }
  const walked = isTrusted || damage !== null || (probed?.outcome === 'sound' && probed.whole)
  return { opened, damage, walked }
}

async function openOnce(options: DurableOptions): Promise<Opened> {
  if (!existsSync(options.path)) await makeFile(options)
  const engine = await openEngine({ ...options, foldsItself: false })
  return { engine, history: await historyOn(engine, options) }
}

/**
 * Makes an empty history under another name first: a file that a kill left without its headers would
 * look like a damaged one, while whatever stands under its own name was whole once.
 */
async function makeFile({ path, dataDir }: DurableOptions): Promise<void> {
  const fresh = `${path}.new`
  let engine: Engine
  try {
    engine = await openEngine({ path: fresh, dataDir })
  } catch (error) {
    if (failureKindOf(error) !== 'damaged') throw error
    rmSync(fresh, { force: true })
    engine = await openEngine({ path: fresh, dataDir })
  }
  engine.close()
  // Another process may have been faster; what it made is opened, or found to be held.
  if (existsSync(path)) rmSync(fresh, { force: true })
  else moveDurably(fresh, path)
}

/** After a cut log: everything from a while before the newest row that is left may miss something. */
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
