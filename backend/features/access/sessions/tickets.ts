import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Millis } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'

const LIFETIME = 60_000
const MAX_TICKETS = 8

/** One-time tickets that open the page as the local owner; only their SHA-256 is stored. */
export interface Tickets {
  issue(): { readonly ticket: string; readonly expiresAt: Millis }
  /** Whether the ticket is valid; the call consumes it. */
  redeem(ticket: string): boolean
}

const digestOf = (ticket: string): string => hash('sha256', ticket, 'base64url')

/** In memory only: a restart invalidates them. A ninth ticket drops the oldest. */
export function createTickets(clock: Clock): Tickets {
  const expiryByTicket = new LRUCache<string, number>({ max: MAX_TICKETS })
  return {
    issue() {
      const ticket = randomBytes(32).toString('base64url')
      expiryByTicket.set(digestOf(ticket), clock.monotonic() + LIFETIME)
      return { ticket, expiresAt: (clock.now() + LIFETIME) as Millis }
    },
    redeem(ticket) {
      const digest = digestOf(ticket)
      const endsAt = expiryByTicket.get(digest)
      expiryByTicket.delete(digest)
      return endsAt !== undefined && clock.monotonic() < endsAt
    },
  }
}
