import { broken, doubtful, sound, type DoctorCheck } from '../../domain/doctor-check.ts'
import type { Venue } from '../../domain/market.ts'
import { MINUTE, type Millis } from '../../domain/units.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Doctor } from './doctor.schema.ts'
import { feedStates, type VenueHearing } from './feed-states.ts'
import { folderSize } from './folder-size.ts'
import { copiesCheck, COVERAGE_SPAN, coverageChecks } from './store-checks.ts'

/** A part of the service as the status page tells it. */
export interface ServicePart {
  readonly name: string
  readonly status: 'operational' | 'degraded' | 'outage'
  readonly message: string | null
}

export interface DoctorService {
  checks(): Promise<Doctor>
}

const ASK_AGAIN = 'It is tried again by itself; the log of the service says why'
const MOST_GAPS = 10_000
/** How far back it is told how late rows come. */
const LAG_SPAN = 15 * MINUTE

/** What a running service knows of itself. */
export function createDoctorService(deps: {
  dataDir: string
  history: Pick<HistoryStore, 'arrivalLag' | 'gaps' | 'size'>
  stateAnswers: () => Promise<boolean>
  parts: () => readonly ServicePart[]
  /** Null for a venue that nothing listens to. */
  health: (venue: Venue) => VenueHearing | null
  providers: () => Doctor['providers']
  clock: Clock
}): DoctorService {
  const { dataDir, history, stateAnswers, parts, health, providers, clock } = deps
  const historyCheck = async (): Promise<DoctorCheck> => {
    try {
      const { markets, trades, quotes } = await history.size()
      return sound('history', `open: ${markets} markets, ${trades} trades, ${quotes} quotes`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return broken('history', message, ASK_AGAIN)
    }
  }
  /** Null when the history does not answer, which is a check of its own. */
  const gapsUntil = (now: Millis): Promise<readonly CoverageRow[] | null> => {
    const from = (now - COVERAGE_SPAN) as Millis
    const query = { venue: null, from, to: now, asOf: now, limit: MOST_GAPS }
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
        (await stateAnswers())
          ? sound('state', 'open')
          : broken('state', 'the operational rows cannot be read', ASK_AGAIN),
        copiesCheck(dataDir, now),
        ...(gaps === null ? [] : coverageChecks(gaps)),
        ...parts()
          .filter(({ name }) => !['history', 'database'].includes(name))
          .map(({ name, status, message }) => {
            const told = message ?? status
            if (status === 'operational') return sound(`source ${name}`, told)
            if (status === 'degraded') return doubtful(`source ${name}`, told, ASK_AGAIN)
            return broken(`source ${name}`, told, ASK_AGAIN)
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
