import type { Catalogue } from './catalogue/catalogue.ts'
import type { Tape } from './tape/trades.ts'

/** A word of the venue on one market that follows from no schedule. */
export interface Announcement {
  readonly at: number
  readonly market: string
  /** Type and further fields of venue_a's lifecycle message. */
  readonly type: string
  readonly details: object
}

/** What both venues list, what is traded, and what was announced beyond it. */
export interface World {
  readonly catalogue: Catalogue
  readonly tape: Tape
  readonly announcements: Announcement[]
}
