import type { Checks, Readiness } from './readiness.schema.ts'

/** A part of the service as it is now. */
export interface Part {
  readonly name: string
  readonly status: 'operational' | 'degraded' | 'outage'
  readonly dataAgeSeconds: number | null
  readonly message: string | null
}

export interface ReadinessDeps {
  /** The parts of the service; those without a check of their own are passed over. */
  readonly parts: () => readonly Part[]
  /** Whether it is decided where data come from: until then no venue counts. */
  readonly isOpened: () => boolean
  /** False until the first load is finished. */
  readonly isLoaded: () => boolean
  /** Whether the operational rows can be read. */
  readonly databaseAnswers: () => Promise<boolean>
}

type Check = Checks['database']

const passed = { ok: true, message: null, ageSeconds: null } satisfies Check
const failed = (message: string): Check => ({ ok: false, message, ageSeconds: null })

/** Whether the service can answer: the database, the history, and one venue or what is stored of it. */
export function createReadiness(deps: ReadinessDeps) {
  const checkOf = (part: Part | undefined, isFit: (status: Part['status']) => boolean): Check =>
    part === undefined
      ? passed
      : { ok: isFit(part.status), message: part.message, ageSeconds: part.dataAgeSeconds }

  return {
    async readiness(): Promise<Readiness> {
      const parts = new Map(deps.parts().map((part) => [part.name, part]))
      const works = (name: string): Check =>
        checkOf(parts.get(name), (status) => status !== 'outage')
      const venue = (name: string): Check =>
        deps.isOpened() ? works(name) : failed('Not opened yet')
      const checks: Checks = {
        database: (await deps.databaseAnswers())
          ? works('database')
          : failed('The operational rows cannot be read'),
        history: deps.isLoaded() ? works('history') : failed('The first load is unfinished'),
        venue_a: venue('venue_a'),
        venue_b: venue('venue_b'),
        computed: checkOf(parts.get('computed'), (status) => status === 'operational'),
      }
      const missing = [
        ...(checks.database.ok ? [] : ['the database']),
        ...(checks.history.ok ? [] : ['the history']),
        ...(checks.venue_a.ok || checks.venue_b.ok ? [] : ['a venue']),
      ]
      if (missing.length === 0) return { status: 'ready', checks }
      const error = `Not ready: waits for ${missing.join(', ')}`
      return { status: 'not_ready', error, code: 'NOT_READY', checks }
    },
  }
}
export type ReadinessService = ReturnType<typeof createReadiness>
