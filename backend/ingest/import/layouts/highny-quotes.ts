import { SECOND } from '../../../domain/units.ts'
import type { TableLayout } from '../reading.ts'
import { stageTicks } from '../staging/stage-ticks.ts'

/**
 * The file states no time zone. It is US Pacific time: the first row of each of its 18 events is
 * between 07:00 and 07:18 local time, and these markets open at 15:00 UTC. In Eastern time they
 * would have been quoted three hours before they opened.
 */
const ZONE = 'America/Los_Angeles'
const local = 'try_cast(ts as timestamp)'
const instant = `timezone('${ZONE}', ${local})`
const cents = (column: string): string => `try_cast(${column} as double)`
const noCents = (column: string) =>
  [
    `${column} is not a price from 0 to 100`,
    `not coalesce(${cents(column)} between 0 and 100, false)`,
  ] as const
const e4 = (sql: string): string => `round((${sql}) * 100)::integer`

/**
 * Best bids of both legs of temperature markets at every change, in cents; the YES ask is a dollar
 * minus the best NO bid. A bid of 0 is an empty side. Several rows of one millisecond keep their
 * order.
 */
export const highnyQuotes: TableLayout = {
  name: 'kalshi_highny_quotes',
  venue: 'venue_a',
  columns: ['ts', 'market_ticker', 'best_yes_bid', 'best_no_bid', 'implied_yes_ask'],
  rank: 3,
  read: (table, reading) =>
    stageTicks(
      table,
      {
        kind: 'quotes',
        venue: `'venue_a'`,
        market: 'market_ticker',
        ts: `epoch_ms(${instant})`,
        refusals: [
          ['market_ticker is missing', `coalesce(market_ticker::varchar, '') = ''`],
          ['ts is not a time', `${local} is null or not isfinite(${local})`],
          noCents('best_yes_bid'),
          noCents('best_no_bid'),
        ],
        columns: [
          ['lag', `${SECOND}::bigint`],
          ['origin', '3::utinyint'],
          ['bid', `nullif(${e4(cents('best_yes_bid'))}, 0)`],
          ['ask', `nullif(10000 - ${e4(cents('best_no_bid'))}, 10000)`],
          ['bid_size', 'null::bigint'],
          ['ask_size', 'null::bigint'],
        ],
        identity: ['bid', 'ask'],
        order: `epoch_us(${local})`,
      },
      reading,
    ),
}
