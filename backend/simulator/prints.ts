import type { Venue } from '../domain/market.ts'
import { fillOf } from './venue-b/fills.ts'
import { tradeIdOf } from './venue-a/wire.ts'
import type { World } from './world.ts'
import { tradesWithin } from './tape/trade-feed.ts'

/** One trade as a reader should have it in the end. */
export interface Print {
  readonly ticker: string
  readonly at: number
  /** YES price in 1e-4 dollars. */
  readonly price: number
  /** 1e-6 contracts. */
  readonly size: number
  /** venue_a: the trade's id. venue_b: the hash of its transaction, which may contain two. */
  readonly id: string
}

/** All trades of a venue with `from < at <= to`, by market, ascending. */
export const printsOf = (
  { catalogue, tape }: World,
  venue: Venue,
  from: number,
  to: number,
): Print[] =>
  catalogue.markets(venue, to).flatMap((market) =>
    market.closeAt <= from
      ? []
      : tradesWithin(market, from, to, tape).map((trade) => ({
          ticker: market.id,
          at: trade.at,
          price: trade.price,
          size: trade.size * 10_000,
          id: venue === 'venue_a' ? tradeIdOf(trade) : fillOf(trade).transaction,
        })),
  )
