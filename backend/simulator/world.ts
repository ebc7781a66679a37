import type { Catalogue } from './catalogue/catalogue.ts'
import type { Tape } from './tape/trades.ts'

/** An unscheduled announcement of the venue about one market. */
export interface Announcement {
  readonly at: number
  readonly market: string
  /** Type and further fields of venue_a's lifecycle message. */
  readonly type: string
  readonly details: object
}

/** The listings of both venues, their trades, and their unscheduled announcements. */
export interface World {
  readonly catalogue: Catalogue
  readonly tape: Tape
  readonly announcements: Announcement[]
}
