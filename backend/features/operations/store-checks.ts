import { join } from 'node:path'
import { broken, doubtful, sound, type DoctorCheck } from '../../domain/doctor-check.ts'
import { VENUES } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { COVERAGE_FEEDS, type CoverageRow } from '../../history/coverage.ts'
import { HISTORY_SCHEMA } from '../../history/duckdb/migrations/migrations.ts'
import { dateOfDay, DayFiles } from '../../history/recovery/day-files.ts'
import { examineHistory } from '../../history/recovery/examine-history.ts'
import { examineState } from '../../state/state-file.ts'
import { gapCounts } from './feed-states.ts'

/** How far back coverage is told. */
export const COVERAGE_SPAN = (7 * DAY) as Millis
const BUDGET = 20_000
/** A closed day is copied within hours; this many days behind is no delay any more. */
const DAYS_BEHIND = 2
const RESTORE = 'Start the service, which recovers it; or: augury restore FOLDER --force'
const UPDATE = 'Update Augury, or choose another folder with --data DIR'

/** Looks at the stores of a data folder that no service has open, changing nothing. */
export async function checkStoreFiles(dataDir: string, now: Millis): Promise<DoctorCheck[]> {
  const from = (now - COVERAGE_SPAN) as Millis
  const path = join(dataDir, 'history.duckdb')
  const report = await examineHistory({ path, budget: BUDGET, from, now })
  const checks: DoctorCheck[] = []
  if (report.outcome === 'absent') {
    checks.push(doubtful('history', 'there is none yet', 'Start the service: augury serve'))
  } else if (report.outcome === 'held') {
    const stop = 'Stop the process that holds it, or wait until it answers'
    checks.push(broken('history', `another process holds it: ${report.message}`, stop))
  } else if (report.outcome === 'damaged') {
    checks.push(broken('history', `damaged: ${firstLine(report.message)}`, RESTORE))
  } else if (report.isNewer) {
    const text = `schema ${report.schema} is newer than ours, ${HISTORY_SCHEMA}`
    checks.push(broken('history', text, UPDATE))
  } else {
    const read = report.whole ? 'every block fits its checksum' : 'sound as far as it was read'
    checks.push(sound('history', `schema ${report.schema}, ${read}`))
  }
  checks.push(stateCheck(join(dataDir, 'state.sqlite')), copiesCheck(dataDir, now))
  if (report.outcome === 'sound') checks.push(...coverageChecks(report.gaps))
  return checks
}

function stateCheck(path: string): DoctorCheck {
  const found = examineState(path)
  if (found === null) {
    return doubtful('state', 'there is none yet', 'Start the service: augury serve')
  }
  if (found.fault !== null) return broken('state', `damaged: ${firstLine(found.fault)}`, RESTORE)
  if (found.isNewer) return broken('state', `schema ${found.schema} is newer than ours`, UPDATE)
  return sound('state', `schema ${found.schema}, SQLite finds no fault`)
}

/** The Parquet copies of closed days: how new, and how many must be written again. */
export function copiesCheck(dataDir: string, now: Millis): DoctorCheck {
  const name = 'day copies'
  const files = new DayFiles(dataDir)
  const all = files.all()
  const dirty = all.filter((file) => file.dirty).length
  if (all.length === 0) return sound(name, 'none yet; a day is copied after it has ended')
  const through = Math.max(files.through, ...all.map(({ day }) => day))
  const told = `${all.length} files, the newest of ${dateOfDay(through)}, ${dirty} to be written again`
  const isBehind = Math.floor(now / DAY) - through > DAYS_BEHIND
  if (!isBehind && dirty === 0) return sound(name, told)
  return doubtful(name, told, 'They are written while the service runs: augury serve')
}

/** One line a venue and feed: gaps of the last days that stand, and those that were repaired. */
export function coverageChecks(gaps: readonly CoverageRow[]): DoctorCheck[] {
  const days = COVERAGE_SPAN / DAY
  return VENUES.flatMap((venue) =>
    COVERAGE_FEEDS.map((feed) => {
      const own = gaps.filter((row) => row.venue === venue && row.feed === feed)
      const { found, standing, open } = gapCounts(own)
      const name = `coverage ${venue} ${feed}`
      const told = `${found} gaps in ${days} days, ${standing} not repaired, ${open} open`
      if (standing === 0) return sound(name, told)
      const fix =
        feed === 'trades'
          ? 'Trades are fetched again while the service runs, where the venue still has them'
          : 'Quotes of the past cannot be fetched again; bars that cross the gap say so'
      return doubtful(name, told, fix)
    }),
  )
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 200) ?? ''
