import { join } from 'node:path'
import {
  failedCheck,
  warningCheck,
  passedCheck,
  type DoctorCheck,
} from '../../domain/doctor-check.ts'
import { VENUES } from '../../domain/market.ts'
import { venueName } from '../../domain/venue.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import { HISTORY_SCHEMA } from '../../history/duckdb/migrations/migrations.ts'
import { dateOfDay, DayFiles } from '../../history/recovery/day-files.ts'
import { examineHistory } from '../../history/recovery/examine-history.ts'
import { openLosses } from '../../lib/files/damage-journal.ts'
import { wasUsed } from '../../lib/files/folder-use.ts'
import { isoOf } from '../../lib/clock.ts'
import { planStateRepair } from '../../state/repair-state.ts'
import { examineState } from '../../state/state-file.ts'
import { gapCounts } from './feed-states.ts'

/** Time span over which coverage is reported. */
export const COVERAGE_SPAN = (7 * DAY) as Millis
const BUDGET = 20_000
/** A closed day is copied within hours; being this many days behind is a fault. */
const DAYS_BEHIND = 2
const RESTORE = 'Start the service, which recovers it; or: augury restore FOLDER --force'
const ACCEPT =
  'Restore a backup (augury restore FOLDER --force), or accept it: augury doctor --accept-loss'
const UPDATE = 'Update Augury, or choose another folder with --data DIR'

/** Checks the stores of a data folder while no service has it open; changes nothing. */
export async function checkStoreFiles(dataDir: string, now: Millis): Promise<DoctorCheck[]> {
  const from = (now - COVERAGE_SPAN) as Millis
  const path = join(dataDir, 'history.duckdb')
  const report = await examineHistory({ path, budget: BUDGET, from, now })
  const checks: DoctorCheck[] = []
  if (report.outcome === 'absent' && wasUsed(dataDir)) {
    checks.push(failedCheck('history', 'damaged: the file is missing', RESTORE))
  } else if (report.outcome === 'absent') {
    checks.push(warningCheck('history', 'does not exist yet', 'Start the service: augury serve'))
  } else if (report.outcome === 'held') {
    const stop = 'Stop the process that has it open, or wait until it responds'
    checks.push(failedCheck('history', `another process has it open: ${report.message}`, stop))
  } else if (report.outcome === 'damaged') {
    checks.push(failedCheck('history', `damaged: ${firstLine(report.message)}`, RESTORE))
  } else if (report.isNewer) {
    const text = `schema ${report.schema} is newer than this version’s, ${HISTORY_SCHEMA}`
    checks.push(failedCheck('history', text, UPDATE))
  } else {
    const read = report.whole
      ? 'every block matches its checksum'
      : 'no damage in the part that was read'
    checks.push(passedCheck('history', `schema ${report.schema}, ${read}`))
  }
  checks.push(stateCheck(dataDir, now), copiesCheck(dataDir, now), lossCheck(dataDir))
  if (report.outcome === 'sound') checks.push(...coverageChecks(report.gaps))
  return checks
}

/** Losses of a damaged store that the owner has not accepted. */
export function lossCheck(dataDir: string): DoctorCheck {
  const openStoreLosses = openLosses(dataDir)
  if (openStoreLosses.length === 0)
    return passedCheck('losses', 'no losses that you have not accepted')
  const text = openStoreLosses.map(({ at, missing }) => `found ${isoOf(at)}: ${missing}`).join('; ')
  return failedCheck('losses', text, ACCEPT)
}

function stateCheck(dataDir: string, now: Millis): DoctorCheck {
  const path = join(dataDir, 'state.sqlite')
  const repair = planStateRepair(path, now, wasUsed(dataDir))
  if (repair !== null) {
    const { reason, missing } = repair.damage
    const outcome = missing === null ? 'no losses' : missing
    return failedCheck('state', `damaged: ${reason}; ${outcome}`, RESTORE)
  }
  const stateReport = examineState(path)
  if (stateReport === null) {
    return warningCheck('state', 'does not exist yet', 'Start the service: augury serve')
  }
  if (stateReport.problem !== null)
    return failedCheck('state', `damaged: ${firstLine(stateReport.problem)}`, RESTORE)
  if (stateReport.isNewer)
    return failedCheck('state', `schema ${stateReport.schema} is newer than this version’s`, UPDATE)
  return passedCheck('state', `schema ${stateReport.schema}, the SQLite check passed`)
}

/**
 * State of the Parquet copies of closed days: how recent they are, and how many must be rewritten.
 */
export function copiesCheck(dataDir: string, now: Millis): DoctorCheck {
  const name = 'day copies'
  const files = new DayFiles(dataDir)
  const all = files.all()
  const dirty = all.filter((file) => file.dirty).length
  if (all.length === 0) return passedCheck(name, 'none yet; a day is copied after it has ended')
  const copiedThroughDay = Math.max(files.through, ...all.map(({ day }) => day))
  const text = `${all.length} files, the newest of ${dateOfDay(copiedThroughDay)}, ${dirty} to be written again`
  const isBehind = Math.floor(now / DAY) - copiedThroughDay > DAYS_BEHIND
  if (!isBehind && dirty === 0) return passedCheck(name, text)
  return warningCheck(name, text, 'They are written while the service runs: augury serve')
}

/** One check per venue and feed: unrepaired and repaired gaps of the last days. */
export function coverageChecks(gaps: readonly CoverageRow[]): DoctorCheck[] {
  const days = COVERAGE_SPAN / DAY
  return VENUES.flatMap((venue) =>
    COVERAGE_FEEDS.map((feed) => {
      const gapsOfFeed = gaps.filter((row) => row.venue === venue && row.feed === feed)
      const { found, unrepaired, open } = gapCounts(gapsOfFeed)
      const name = `coverage ${venueName(venue)} ${feed}`
      const text = `${found} gaps in ${days} days, ${unrepaired} not repaired, ${open} open`
      if (unrepaired === 0) return passedCheck(name, text)
      const fix =
        feed === 'trades'
          ? 'Trades are backfilled while the service runs, if the venue still has them'
          : 'Past quotes cannot be backfilled; bars that cross the gap are marked'
      return warningCheck(name, text, fix)
    }),
  )
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 200) ?? ''
