import { broken, doubtful, sound, type DoctorCheck } from '../../domain/doctor-check.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Doctor } from './doctor.schema.ts'
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

/** What a running service knows of itself. */
export function createDoctorService(deps: {
  dataDir: string
  history: Pick<HistoryStore, 'gaps' | 'size'>
  stateAnswers: () => Promise<boolean>
  parts: () => readonly ServicePart[]
  providers: () => Doctor['providers']
  clock: Clock
}): DoctorService {
  const { dataDir, history, stateAnswers, parts, providers, clock } = deps
  const historyCheck = async (): Promise<DoctorCheck> => {
    try {
      const { markets, trades, quotes } = await history.size()
      return sound('history', `open: ${markets} markets, ${trades} trades, ${quotes} quotes`)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return broken('history', message, ASK_AGAIN)
    }
  }
  const coverage = async (now: Millis): Promise<DoctorCheck[]> => {
    const from = (now - COVERAGE_SPAN) as Millis
    const query = { venue: null, from, to: now, asOf: now, limit: MOST_GAPS }
    return history.gaps(query).then(coverageChecks, () => [])
  }
  return {
    async checks() {
      const now = clock.now()
      const checks = [
        await historyCheck(),
        (await stateAnswers())
          ? sound('state', 'open')
          : broken('state', 'the operational rows cannot be read', ASK_AGAIN),
        copiesCheck(dataDir, now),
        ...(await coverage(now)),
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
        providers: providers(),
        folder: { path: dataDir, bytes: await folderSize(dataDir) },
      }
    },
  }
}
