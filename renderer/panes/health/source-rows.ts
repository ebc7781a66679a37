import { byVenue, VENUES, venueName } from '../../../backend/domain/venue.ts'
import type { ComponentStatus, Status } from '../../../backend/contract/operations.ts'
import { formatAge, isoOf } from '../../lib/format.ts'
import type { LinkText } from '../../shell/window/link-text.ts'

/** The state of one source. */
export interface SourceRow {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly tone: 'ok' | 'late' | 'error' | 'faint'
  /** For sorting, worst first. */
  readonly rank: number
  /** As text; an en dash when the source has no data of its own. */
  readonly age: string
  readonly ageMs: number | null
  readonly lastOkAt: string | null
  readonly note: string
}

interface HealthInputs {
  readonly status: Status | null
  /** Age of the status in milliseconds. */
  readonly statusAge: number
  /** The service answered before and does not now. */
  readonly isLost: boolean
  readonly link: LinkText
  /** Service time of the socket's last frame. */
  readonly arrivedAt: number | null
  readonly now: number
}

const NAMES: Readonly<Record<string, string>> = {
  ...byVenue(venueName),
  database: 'Operational database',
  history: 'History',
  computed: 'Computed data',
}
const STATES: Readonly<Record<ComponentStatus, Pick<SourceRow, 'state' | 'tone' | 'rank'>>> = {
  operational: { state: 'OK', tone: 'ok', rank: 2 },
  degraded: { state: 'late', tone: 'late', rank: 1 },
  outage: { state: 'down', tone: 'error', rank: 0 },
}
/** Not in use: it was never connected, and that is not a fault. */
const ABSENT = { state: 'not connected', tone: 'faint', rank: 1 } as const
const UNKNOWN = { state: 'unknown', tone: 'error', rank: 0 } as const

const TONES = { ok: ['ok', 2], faint: ['faint', 1], late: ['late', 1] } as const

/**
 * Every source with its state and age: those that the service lists, and the page's two
 * connections.
 */
export function sourceRows(inputs: HealthInputs): readonly SourceRow[] {
  const { status, statusAge, isLost, link, arrivedAt, now } = inputs
  const [tone, rank] = TONES[link.tone]
  const streamAge = arrivedAt === null ? null : Math.max(0, now - arrivedAt)
  const stream: SourceRow = {
    id: 'stream',
    name: 'Live updates',
    state: link.text.toLowerCase(),
    tone,
    rank,
    age: formatAge(streamAge),
    ageMs: streamAge,
    note: link.help,
    lastOkAt: arrivedAt === null ? null : isoOf(arrivedAt),
  }
  const parts = (status?.components ?? []).map((part): SourceRow => {
    const isAbsent =
      VENUES.some((venue) => venue === part.name) &&
      part.status === 'operational' &&
      part.lastOkAt === null
    const ageMs = part.dataAgeSeconds === null ? null : part.dataAgeSeconds * 1000 + statusAge
    return {
      id: part.name,
      name: NAMES[part.name] ?? part.name,
      ...(isLost ? UNKNOWN : isAbsent ? ABSENT : STATES[part.status]),
      age: formatAge(ageMs),
      ageMs,
      lastOkAt: part.lastOkAt,
      note: part.message ?? '',
    }
  })
  return [...parts, stream]
}

/** Overall state, in one sentence. */
export function healthSentence(rows: readonly SourceRow[]): string {
  const degradedRows = rows.filter(({ tone }) => tone === 'late' || tone === 'error')
  const absentRows = rows.filter(({ state }) => state === ABSENT.state)
  if (degradedRows.length === 0 && absentRows.length > 0) {
    return `${absentRows.map(({ name }) => name).join(' and ')} not connected: stored data only. The rest is OK.`
  }
  if (degradedRows.length === 0) return `All ${rows.length} sources are OK.`
  const parts = degradedRows.map(({ name, state }) => `${name} ${state}`)
  return `${degradedRows.length} of ${rows.length} sources have problems: ${parts.join(', ')}.`
}
