import type { Venue } from '../../domain/market.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Fault, FaultKind, ScheduledFault } from './fault.ts'

/** Effects listed in the report; further ones are only counted. */
const MAX_LISTED_EFFECTS = 2_000

/** One effect of a fault. */
export interface FaultEffect {
  /** True time, ms. */
  readonly at: number
  /** Request line, or the topic of the message. */
  readonly where: string
  readonly markets: readonly string[]
  /** Number of rows or messages that it corrupted. */
  readonly corrupted: number
}

/** A fault with its effects; an entry of `GET /control/faults`. */
export interface FaultReport {
  readonly id: number
  readonly venue: Venue
  readonly kind: FaultKind
  /** When it starts; null while it waits for requests. */
  readonly from: number | null
  /** When it ends by time; null if it lasts until it is used up. */
  readonly to: number | null
  /** Remaining number of effects; null if it has a duration. */
  readonly left: number | null
  readonly state: 'waiting' | 'active' | 'over'
  readonly effectCount: number
  readonly corrupted: number
  /** Every affected market, in the order of the first effect. */
  readonly markets: readonly string[]
  readonly listedEffects: readonly FaultEffect[]
}

interface Entry {
  readonly id: number
  readonly fault: Fault
  from: number | null
  requestsLeft: number
  left: number
  effectCount: number
  corrupted: number
  readonly markets: Set<string>
  readonly listedEffects: FaultEffect[]
}

/** An active fault; `note` records its effect. */
export interface ActiveFault {
  readonly id: number
  readonly fault: Fault
  readonly from: number
  /** Number of earlier effects. */
  readonly effectCount: number
  record(location: string, markets?: readonly string[], corruptedRows?: number): void
}

/**
 * The script of a misbehaving venue: pending and active faults, and the effects of each. Times are
 * the clock's, so a test controls them by moving the clock.
 */
export class Faults {
  readonly #clock: Clock
  #entries: Entry[] = []
  #nextId = 1

  constructor(clock: Clock) {
    this.#clock = clock
  }

  schedule({ fault, at, afterRequests }: ScheduledFault): number {
    const id = this.#nextId++
    this.#entries.push({
      id,
      fault,
      from: afterRequests === null ? this.#clock.now() + at : null,
      requestsLeft: afterRequests ?? 0,
      left: fault.count ?? Infinity,
      effectCount: 0,
      corrupted: 0,
      markets: new Set(),
      listedEffects: [],
    })
    return id
  }

  /** Removes pending, active and past faults. */
  clear(): void {
    this.#entries = []
  }

  /** Ends pending and active faults; their effects stay on record. */
  stopFaults(): void {
    for (const entry of this.#entries) entry.left = 0
  }

  /** Counts a request of a venue; faults that waited for it start. */
  countRequest(venue: Venue): void {
    for (const entry of this.#entries) {
      if (entry.from !== null || entry.fault.venue !== venue) continue
      if (entry.requestsLeft === 0) entry.from = this.#clock.now()
      entry.requestsLeft -= 1
    }
  }

  /** The first active fault of these kinds that applies to a venue; null for none. */
  firstActive(
    venue: Venue,
    kinds: readonly FaultKind[],
    appliesTo: (fault: Fault) => boolean = () => true,
  ): ActiveFault | null {
    if (this.#entries.length === 0) return null
    const now = this.#clock.now()
    const entry = this.#entries.find(
      (candidate) =>
        candidate.fault.venue === venue &&
        stateOf(candidate, now) === 'active' &&
        kinds.includes(candidate.fault.kind) &&
        appliesTo(candidate.fault),
    )
    return entry === undefined ? null : this.#activeOf(entry)
  }

  report(): FaultReport[] {
    const now = this.#clock.now()
    return this.#entries.map((entry) => ({
      id: entry.id,
      venue: entry.fault.venue,
      kind: entry.fault.kind,
      from: entry.from,
      to: finiteOrNull(endOf(entry)),
      left: finiteOrNull(entry.left),
      state: stateOf(entry, now),
      effectCount: entry.effectCount,
      corrupted: entry.corrupted,
      markets: [...entry.markets],
      listedEffects: entry.listedEffects,
    }))
  }

  #activeOf(entry: Entry): ActiveFault {
    const { id, fault, from, effectCount } = entry
    return {
      id,
      fault,
      from: from ?? 0,
      effectCount,
      record: (location, markets = [], corruptedRows = 1) => {
        entry.left -= 1
        entry.effectCount += 1
        entry.corrupted += corruptedRows
        for (const market of markets) entry.markets.add(market)
        if (entry.listedEffects.length < MAX_LISTED_EFFECTS)
          entry.listedEffects.push({
            at: this.#clock.now(),
            where: location,
            markets,
            corrupted: corruptedRows,
          })
      },
    }
  }
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const endOf = ({ from, fault }: Entry): number =>
  from === null || fault.forMs === null ? Infinity : from + fault.forMs

function stateOf(entry: Entry, now: number): FaultReport['state'] {
  if (entry.left <= 0 || now >= endOf(entry)) return 'over'
  return entry.from === null || now < entry.from ? 'waiting' : 'active'
}
