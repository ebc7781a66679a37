import type { Venue } from '../../domain/market.ts'
import {
  LASTING_KINDS,
  LIFE_KINDS,
  CONNECTION_KINDS,
  MESSAGE_KINDS,
  REQUEST_KINDS,
  SUDDEN_KINDS,
  TOPICS,
  WRONG_VALUES,
} from './fault.ts'
import type { FaultKind, ScheduledFault } from './fault.ts'

const KINDS: readonly FaultKind[] = [
  ...REQUEST_KINDS,
  ...MESSAGE_KINDS,
  ...CONNECTION_KINDS,
  ...LIFE_KINDS,
]
const VENUES: readonly Venue[] = ['venue_a', 'venue_b']
/** Kinds that only one of the venues supports, and the reason. */
const ONLY: Partial<Record<FaultKind, { venue: Venue; since: string }>> = {
  'correct-trade': { venue: 'venue_a', since: 'venue_b has no trade ids' },
  'error-frame': { venue: 'venue_a', since: 'venue_b sends no error frames' },
  'wrong-hash': { venue: 'venue_b', since: 'venue_a sends no hashes' },
}
const DEFAULT_SPAN = 5_000
/** Default milliseconds of the kinds that need them. */
const MILLISECONDS: Partial<Record<FaultKind, number>> = {
  'slow-body': 1_000,
  'reconnect-storm': 1_000,
  'late-trade': 180_000,
  'clock-skew': 120_000,
}
const WIDTH: Partial<Record<FaultKind, number>> = { reorder: 4, 'short-pages': 10 }
const OVERSIZED = { body: 64_000_000, frame: 20_000_000 } as const

/** The steps of `POST /control/script`; an error message when one of them is not a fault. */
export function parseScript(body: unknown): ScheduledFault[] | string {
  const steps = isRecord(body) ? body['steps'] : null
  if (!Array.isArray(steps)) return 'steps must be a list'
  const faults: ScheduledFault[] = []
  for (const [index, step] of steps.entries()) {
    const fault = parseFault(step)
    if (typeof fault === 'string') return `steps[${index}]: ${fault}`
    faults.push(fault)
  }
  return faults
}

/**
 * One fault of `POST /control/faults` or one step of a script; an error message when it is invalid.
 */
export function parseFault(body: unknown): ScheduledFault | string {
  if (!isRecord(body)) return 'the body must be an object'
  const venue = VENUES.find((candidate) => candidate === body['venue'])
  const kind = KINDS.find((candidate) => candidate === body['kind'])
  if (venue === undefined) return 'venue must be venue_a or venue_b'
  if (kind === undefined) return 'kind is unknown'
  const allowedFilter = ONLY[kind]
  if (allowedFilter !== undefined && allowedFilter.venue !== venue) return allowedFilter.since
  const route = routeOf(body['route'])
  if (typeof route === 'string') return route
  const number = (name: string, fallback: number): number =>
    typeof body[name] === 'number' ? body[name] : fallback
  const optional = (name: string): number | null =>
    typeof body[name] === 'number' ? body[name] : null
  const milliseconds = number('milliseconds', MILLISECONDS[kind] ?? DEFAULT_SPAN)
  const lasts = LASTING_KINDS.has(kind)
  const forMs = optional('forMs') ?? (lasts ? spanOf(kind, milliseconds) : null)
  return {
    at: number('at', 0),
    afterRequests: optional('afterRequests'),
    fault: {
      venue,
      kind,
      route,
      milliseconds,
      forMs,
      count: optional('count') ?? (forMs === null || happensOnce(kind) ? 1 : null),
      markets: nameSet(body['markets']),
      about: topicsOf(body['about']),
      alsoRest: body['alsoRest'] === true,
      status: number('status', kind === 'html' ? 403 : 429),
      retryAfter: optional('retryAfter'),
      retryAsDate: body['retryAsDate'] === true,
      bytes: number('bytes', kind === 'oversized' ? OVERSIZED.body : OVERSIZED.frame),
      width: number('width', WIDTH[kind] ?? 1),
      growth: number('growth', 0.5),
      field: typeof body['field'] === 'string' ? body['field'] : null,
      becomes: WRONG_VALUES.find((candidate) => candidate === body['becomes']) ?? null,
      offset: number('offset', -300),
    },
  }
}

/** For these kinds a given span is the duration of their effect. */
const happensOnce = (kind: FaultKind): boolean => SUDDEN_KINDS.some((sudden) => sudden === kind)

/**
 * A skewed clock is permanent by default; for other kinds a single given span is their duration.
 */
const spanOf = (kind: FaultKind, milliseconds: number): number | null =>
  kind === 'clock-skew' || kind === 'zoned-times'
    ? Infinity
    : kind === 'reconnect-storm'
      ? DEFAULT_SPAN
      : milliseconds

function routeOf(value: unknown): RegExp | null | string {
  if (typeof value !== 'string') return null
  try {
    return new RegExp(value)
  } catch {
    return 'route must be a regular expression'
  }
}

function nameSet(value: unknown): ReadonlySet<string> | null {
  if (!Array.isArray(value)) return null
  return new Set(value.filter((item): item is string => typeof item === 'string'))
}

function topicsOf(value: unknown): ScheduledFault['fault']['about'] {
  const names = nameSet(value)
  return names === null ? null : new Set(TOPICS.filter((topic) => names.has(topic)))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
