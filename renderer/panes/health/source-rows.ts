import type { ServiceStatus, ComponentStatus } from '../../api/types.ts'
import { formatAge, isoOf } from '../../lib/format.ts'
import type { LinkText } from '../../shell/link-text.ts'

/** One source as the page knows it now. */
export interface SourceRow {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly tone: 'ok' | 'late' | 'error' | 'faint'
  /** For sorting, worst first. */
  readonly rank: number
  /** As text; an en dash where the source has no data of its own. */
  readonly age: string
  readonly ageMs: number | null
  readonly lastOkAt: string | null
  readonly note: string
}

interface Told {
  readonly status: ServiceStatus | null
  /** How long ago that was, in milliseconds. */
  readonly since: number
  /** The service answered before and does not now. */
  readonly isLost: boolean
  readonly link: LinkText
  /** When the socket was last heard, in the service's time. */
  readonly heardAt: number | null
  readonly now: number
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ venue_a: 'Venue A', venue_b: 'Venue B', database: 'Operational rows', history: 'History' },
  computed: 'Computed answers',
}
const STATES: Readonly<Record<ComponentStatus, Pick<SourceRow, 'state' | 'tone' | 'rank'>>> = {
  operational: { state: 'in order', tone: 'ok', rank: 2 },
  degraded: { state: 'late', tone: 'late', rank: 1 },
  outage: { state: 'down', tone: 'error', rank: 0 },
}
/** Nothing is asked of it: it was never in order, and nothing is wrong with it. */
const ABSENT = { state: 'not connected', tone: 'faint', rank: 1 } as const
const VENUE_PARTS = ['venue_a', 'venue_b']
const UNKNOWN = { state: 'not known now', tone: 'error', rank: 0 } as const

const TONES = { ok: ['ok', 2], faint: ['faint', 1], late: ['late', 1] } as const

/** Every source with its state and age: those the service names, and the page's own two lines. */
export function sourceRows(told: Told): readonly SourceRow[] {
  const { status, since, isLost, link, heardAt, now } = told
  const [tone, rank] = TONES[link.tone]
  const heard = heardAt === null ? null : Math.max(0, now - heardAt)
  const stream: SourceRow = {
    ...{ id: 'stream', name: 'Live updates', state: link.text.toLowerCase(), tone, rank },
    ...{ age: formatAge(heard), ageMs: heard, note: link.help },
    lastOkAt: heardAt === null ? null : isoOf(heardAt),
  }
  const parts = (status?.components ?? []).map((part): SourceRow => {
    const isAbsent =
      VENUE_PARTS.includes(part.name) && part.status === 'operational' && part.lastOkAt === null
    const ageMs = part.dataAgeSeconds === null ? null : part.dataAgeSeconds * 1000 + since
    return {
      ...{ id: part.name, name: NAMES[part.name] ?? part.name },
      ...(isLost ? UNKNOWN : isAbsent ? ABSENT : STATES[part.status]),
      ...{ age: formatAge(ageMs), ageMs, lastOkAt: part.lastOkAt },
      note: part.message ?? '',
    }
  })
  return [...parts, stream]
}

/** How everything is, in one sentence. */
export function healthSentence(rows: readonly SourceRow[]): string {
  const troubled = rows.filter(({ tone }) => tone === 'late' || tone === 'error')
  const absent = rows.filter(({ state }) => state === ABSENT.state)
  if (troubled.length === 0 && absent.length > 0) {
    return `${absent.map(({ name }) => name).join(' and ')} not connected: stored data only. The rest is in order.`
  }
  if (troubled.length === 0) return `All ${rows.length} sources are in order.`
  const parts = troubled.map(({ name, state }) => `${name} ${state}`)
  return `${troubled.length} of ${rows.length} sources need a look: ${parts.join(', ')}.`
}
