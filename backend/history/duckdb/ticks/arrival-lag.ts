import type { Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import type { FeedLag } from '../../coverage.ts'
import { ORIGINS } from '../../history-batch.ts'
import { readDoubles, readTexts } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'

/** Live or polled rows; backfilled and imported rows do not measure the delay of a feed. */
const CURRENT = ['live', 'polled'].map((word) => ORIGINS.findIndex((origin) => origin === word))

const lagOf = (relation: string) => `
  select venue, quantile_disc(lag, 0.5)::double, quantile_disc(lag, 0.95)::double, count(*)::double
    from ${relation} join market on market.id = ${relation}.market
   where ts > $from and ts <= $to and ts + lag <= $to and origin in (${CURRENT.join(', ')})
   group by venue order by venue`

const RELATION = { trades: 'trade_all', quotes: 'quote_all' } as const

/** Delay of rows from their venue's time to the time of receipt; see the port. */
export async function arrivalLag(
  session: Session,
  span: { readonly from: Millis; readonly to: Millis },
): Promise<FeedLag[]> {
  const feedLags: FeedLag[] = []
  for (const feed of COVERAGE_FEEDS) {
    for (const chunk of await session.read(lagOf(RELATION[feed]), span)) {
      const [medians, p95s, rows] = [1, 2, 3].map((column) => readDoubles(chunk, column))
      for (const [row, venue] of readTexts(chunk, 0).entries()) {
        feedLags.push({
          venue: venue as Venue,
          feed,
          rows: rows?.[row] ?? 0,
          medianMs: (medians?.[row] ?? 0) as Millis,
          p95Ms: (p95s?.[row] ?? 0) as Millis,
        })
      }
    }
  }
  return feedLags
}
