import type { Venue } from '../domain/market.ts'

/** How a venue can be told to misbehave. The first four strike requests, the others messages. */
export type FaultKind =
  'status' | 'delay' | 'truncate' | 'html' | 'freeze' | 'drop' | 'duplicate' | 'gap'
const REQUEST_FAULTS: readonly FaultKind[] = ['status', 'delay', 'truncate', 'html']
const MESSAGE_FAULTS: readonly FaultKind[] = ['freeze', 'drop', 'duplicate', 'gap']

export interface Fault {
  readonly venue: Venue
  readonly kind: FaultKind
  /** `status`: the status to answer, 429 unless told. */
  readonly status: number
  /** `status`: seconds for the Retry-After header; null sends none. */
  readonly retryAfter: number | null
  /** `delay` and `freeze`: for how long. */
  readonly milliseconds: number
}

/** Faults that wait to strike, each as often as it was asked for. */
export class Faults {
  #waiting: { fault: Fault; left: number }[] = []

  add(fault: Fault, count: number): void {
    this.#waiting.push({ fault, left: count })
  }

  clear(): void {
    this.#waiting = []
  }

  /** The fault that strikes the next request of a venue, used up by asking; null for none. */
  forRequest(venue: Venue): Fault | null {
    return this.#take(venue, REQUEST_FAULTS)
  }

  /** The fault that strikes the next message of a venue, used up by asking; null for none. */
  forMessage(venue: Venue): Fault | null {
    return this.#waiting.length === 0 ? null : this.#take(venue, MESSAGE_FAULTS)
  }

  #take(venue: Venue, kinds: readonly FaultKind[]): Fault | null {
    const next = this.#waiting.find(
      ({ fault }) => fault.venue === venue && kinds.includes(fault.kind),
    )
    if (next === undefined) return null
    next.left -= 1
    if (next.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== next)
    return next.fault
  }
}

/** A fault and its count from the body of `POST /control/faults`; a sentence when it is no such thing. */
export function parseFault(body: unknown): { fault: Fault; count: number } | string {
  if (typeof body !== 'object' || body === null) return 'the body must be an object'
  const given = body as Record<string, unknown>
  const kind = [...REQUEST_FAULTS, ...MESSAGE_FAULTS].find((known) => known === given['kind'])
  const venue = given['venue']
  if (venue !== 'venue_a' && venue !== 'venue_b') return 'venue must be venue_a or venue_b'
  if (kind === undefined) return 'kind is unknown'
  const number = (name: string, otherwise: number): number =>
    typeof given[name] === 'number' ? given[name] : otherwise
  const retryAfter = typeof given['retryAfter'] === 'number' ? given['retryAfter'] : null
  return {
    fault: {
      venue,
      kind,
      retryAfter,
      status: number('status', 429),
      milliseconds: number('milliseconds', 5_000),
    },
    count: number('count', 1),
  }
}
