import type { Checks, Readiness } from '../../contract/operations.ts'
import { byVenue, VENUES } from '../../domain/venue.ts'

/** Current state of a component of the service. */
export interface Part {
  readonly name: string
  readonly status: 'operational' | 'degraded' | 'outage'
  readonly dataAgeSeconds: number | null
  readonly message: string | null
}

export interface ReadinessDeps {
  /** Components of the service; those without a readiness check are ignored. */
  readonly parts: () => readonly Part[]
  /** Whether the data source is chosen; until then no venue counts. */
  readonly isOpened: () => boolean
  /** False until the first load has finished. */
  readonly isLoaded: () => boolean
  /** Whether the state database can be read. */
  readonly databaseAnswers: () => Promise<boolean>
}

type Check = Checks['database']

const passedCheck = { ok: true, message: null, ageSeconds: null } satisfies Check
const failedCheck = (message: string): Check => ({ ok: false, message, ageSeconds: null })

/** Readiness of the service: the database, the history, and one venue or its stored data. */
export function createReadiness(deps: ReadinessDeps) {
  const checkOf = (part: Part | undefined, isFit: (status: Part['status']) => boolean): Check =>
    part === undefined
      ? passedCheck
      : { ok: isFit(part.status), message: part.message, ageSeconds: part.dataAgeSeconds }

  return {
    async readiness(): Promise<Readiness> {
      const parts = new Map(deps.parts().map((part) => [part.name, part]))
      const works = (name: string): Check =>
        checkOf(parts.get(name), (status) => status !== 'outage')
      const venue = (name: string): Check =>
        deps.isOpened() ? works(name) : failedCheck('Not open yet')
      const checks: Checks = {
        database: (await deps.databaseAnswers())
          ? works('database')
          : failedCheck('The operational rows cannot be read'),
        history: deps.isLoaded()
          ? works('history')
          : failedCheck('The first data is not loaded yet; retry in a few seconds'),
        ...byVenue(venue),
        computed: checkOf(parts.get('computed'), (status) => status === 'operational'),
      }
      const missing = [
        ...(checks.database.ok ? [] : ['the database']),
        ...(checks.history.ok ? [] : ['the history']),
        ...(VENUES.some((id) => checks[id].ok) ? [] : ['a venue']),
      ]
      if (missing.length === 0) return { status: 'ready', checks }
      const error = `Not ready: waits for ${missing.join(', ')}`
      return { status: 'not_ready', error, code: 'NOT_READY', checks }
    },
  }
}
export type ReadinessService = ReturnType<typeof createReadiness>
