import {
  failedCheck,
  warningCheck,
  passedCheck,
  type DoctorCheck,
} from '../../domain/doctor-check.ts'
import type { Venue } from '../../domain/market.ts'
import { MINUTE, type Millis } from '../../domain/units.ts'
import { venueName } from '../../domain/venue.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { fullDiskOf, FREE_SPACE_ADVICE } from '../../lib/files/disk-room.ts'
import type { Doctor } from '../../contract/operations.ts'
import { feedStates, type VenueConnection } from './feed-states.ts'
import { folderSize } from './folder-size.ts'
import { copiesCheck, COVERAGE_SPAN, coverageChecks, lossCheck } from './store-checks.ts'

/** A component of the service as the status page reports it. */
export interface ServicePart {
  readonly name: string
  readonly status: 'operational' | 'degraded' | 'outage'
  readonly message: string | null
}

export interface DoctorService {
  checks(): Promise<Doctor>
}

const AUTOMATIC_RETRY = 'The service retries automatically; see its log for the cause'
const MAX_GAPS = 10_000
/** Time span over which row lag is measured. */
const LAG_SPAN = 15 * MINUTE

/** Diagnostics of a running service. */
export function createDoctorService(deps: {
  dataDir: string
  history: Pick<HistoryStore, 'arrivalLag' | 'gaps' | 'size'>
  isStateReadable: () => Promise<boolean>
  parts: () => readonly ServicePart[]
  /** Null for a venue without a connection. */
  health: (venue: Venue) => VenueConnection | null
  providers: () => Doctor['providers']
  clock: Clock
}): DoctorService {
  const { dataDir, history, isStateReadable, parts, health, providers, clock } = deps
  /** The check of a component reported as not working; null if it works. */
  const partCheck = (name: string, part: string): DoctorCheck | null => {
    const servicePart = parts().find((candidate) => candidate.name === part)
    if (servicePart === undefined || servicePart.status === 'operational') return null
    const fix = fullDiskOf(dataDir) === null ? AUTOMATIC_RETRY : FREE_SPACE_ADVICE
    const check = servicePart.status === 'outage' ? failedCheck : warningCheck
    return check(name, servicePart.message ?? servicePart.status, fix)
  }
  const historyCheck = async (): Promise<DoctorCheck> => {
    const check = partCheck('history', 'history')
    if (check?.state === 'fail') return check
    try {
      const { markets, trades, quotes } = await history.size()
      return passedCheck('history', `open: ${markets} markets, ${trades} trades, ${quotes} quotes`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return failedCheck('history', message, AUTOMATIC_RETRY)
    }
  }
  const stateCheck = async (): Promise<DoctorCheck> => {
    const check = partCheck('state', 'database')
    if (check?.state === 'fail') return check
    if (await isStateReadable()) return passedCheck('state', 'open')
    return failedCheck('state', 'the operational rows cannot be read', AUTOMATIC_RETRY)
  }
  /** Null if the history does not answer, which is a check of its own. */
  const gapsUntil = (now: Millis): Promise<readonly CoverageRow[] | null> => {
    const from = (now - COVERAGE_SPAN) as Millis
    const query = { venue: null, from, to: now, asOf: now, limit: MAX_GAPS }
    return history.gaps(query).catch(() => null)
  }
  const lagsUntil = (now: Millis) =>
    history.arrivalLag({ from: (now - LAG_SPAN) as Millis, to: now }).catch(() => [])
  return {
    async checks() {
      const now = clock.now()
      const gaps = await gapsUntil(now)
      const checks = [
        await historyCheck(),
        await stateCheck(),
        copiesCheck(dataDir, now),
        lossCheck(dataDir),
        ...(gaps === null ? [] : coverageChecks(gaps)),
        ...parts()
          .filter(({ name }) => !['history', 'database'].includes(name))
          .map(({ name, status, message }) => {
            const text = message ?? status
            const title = `source ${venueName(name)}`
            if (status === 'operational') return passedCheck(title, text)
            if (status === 'degraded') return warningCheck(title, text, AUTOMATIC_RETRY)
            return failedCheck(title, text, AUTOMATIC_RETRY)
          }),
      ]
      return {
        ok: !checks.some(({ state }) => state === 'fail'),
        checks,
        feeds: gaps === null ? [] : feedStates({ gaps, lags: await lagsUntil(now), health }),
        providers: providers(),
        folder: { path: dataDir, bytes: await folderSize(dataDir) },
      }
    },
  }
}
