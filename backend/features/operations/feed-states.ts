import { VENUES, type Venue } from '../../domain/market.ts'
import { COVERAGE_FEEDS, type CoverageRow, type FeedLag } from '../../history/coverage.ts'
import type { Feed } from './doctor.schema.ts'

/** What is known of the connection to a venue, since the start. */
export interface VenueHearing {
  readonly mode: NonNullable<Feed['mode']>
  readonly requests: number
  readonly failures: number
  /** Rows that could not be read, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

/** What stands behind the feeds at one moment. */
export interface FeedReadings {
  /** Statements of gaps and repairs. */
  readonly gaps: readonly CoverageRow[]
  readonly lags: readonly FeedLag[]
  /** Null for a venue that nothing listens to. */
  readonly health: (venue: Venue) => VenueHearing | null
}

/** Every feed of every venue; requests and refused rows are those of its venue as a whole. */
export function feedStates({ gaps, lags, health }: FeedReadings): Feed[] {
  return VENUES.flatMap((venue) => {
    const heard = health(venue)
    return COVERAGE_FEEDS.map((feed): Feed => {
      const isOwn = (row: { readonly venue: Venue; readonly feed: string }) =>
        row.venue === venue && row.feed === feed
      const lag = lags.find(isOwn)
      return {
        ...{ venue, feed, mode: heard?.mode ?? null },
        lag:
          lag === undefined ? null : { medianMs: lag.medianMs, p95Ms: lag.p95Ms, rows: lag.rows },
        gaps: gapCounts(gaps.filter(isOwn)),
        requests: heard?.requests ?? null,
        failures: heard?.failures ?? null,
        refusedRows:
          heard === null ? null : Object.values(heard.skipped).reduce((sum, rows) => sum + rows, 0),
      }
    })
  })
}

/** How many gaps of one feed there are, are not filled, and last; of its statements. */
export function gapCounts(own: readonly CoverageRow[]): Feed['gaps'] {
  const repaired = own.filter(({ state }) => state === 'repaired')
  const standing = own.filter(
    (gap) => gap.state === 'gap' && !repaired.some((repair) => covers(repair, gap)),
  )
  return {
    found: own.length - repaired.length,
    standing: standing.length,
    open: standing.filter(({ to }) => to === null).length,
  }
}

const covers = (repair: CoverageRow, gap: CoverageRow): boolean =>
  (repair.market === null || repair.market === gap.market) &&
  repair.from <= gap.from &&
  gap.to !== null &&
  (repair.to === null || repair.to >= gap.to)
