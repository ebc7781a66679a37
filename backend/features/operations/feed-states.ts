import { VENUES, type Venue } from '../../domain/market.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import type { CoverageRow, FeedLag } from '../../history/coverage.ts'
import type { Feed } from '../../contract/operations.ts'

/** State of the connection to a venue since the start. */
export interface VenueConnection {
  readonly mode: NonNullable<Feed['mode']>
  readonly requests: number
  readonly failures: number
  /** Rows that could not be parsed, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

/** Inputs of the feed states at one moment. */
export interface FeedReadings {
  /** Coverage statements of gaps and repairs. */
  readonly gaps: readonly CoverageRow[]
  readonly lags: readonly FeedLag[]
  /** Null for a venue without a connection. */
  readonly health: (venue: Venue) => VenueConnection | null
}

/** State of every feed of every venue; requests and refused rows are per venue. */
export function feedStates({ gaps, lags, health }: FeedReadings): Feed[] {
  return VENUES.flatMap((venue) => {
    const connection = health(venue)
    return COVERAGE_FEEDS.map((feed): Feed => {
      const isOfFeed = (row: { readonly venue: Venue; readonly feed: string }) =>
        row.venue === venue && row.feed === feed
      const lag = lags.find(isOfFeed)
      return {
        venue,
        feed,
        mode: connection?.mode ?? null,
        lag:
          lag === undefined ? null : { medianMs: lag.medianMs, p95Ms: lag.p95Ms, rows: lag.rows },
        gaps: gapCounts(gaps.filter(isOfFeed)),
        requests: connection?.requests ?? null,
        failures: connection?.failures ?? null,
        refusedRows:
          connection === null
            ? null
            : Object.values(connection.skipped).reduce((sum, rows) => sum + rows, 0),
      }
    })
  })
}

/** Number of gaps of one feed: found, unrepaired and ongoing. */
export function gapCounts(statements: readonly CoverageRow[]): Feed['gaps'] {
  const repairedGaps = statements.filter(({ state }) => state === 'repaired')
  const openGaps = statements.filter(
    (gap) => gap.state === 'gap' && !repairedGaps.some((repair) => covers(repair, gap)),
  )
  return {
    found: statements.length - repairedGaps.length,
    unrepaired: openGaps.length,
    open: openGaps.filter(({ to }) => to === null).length,
  }
}

const covers = (repair: CoverageRow, gap: CoverageRow): boolean =>
  (repair.market === null || repair.market === gap.market) &&
  repair.from <= gap.from &&
  gap.to !== null &&
  (repair.to === null || repair.to >= gap.to)
