import type { Ticker, Venue } from '../../domain/market.ts'
import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { tickerOf } from '../../http/request/ticker.ts'
import type { MarketId } from '../../history/market-key.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Instant, MarketsDeps } from './markets.deps.ts'

export interface LocatedMarket {
  readonly market: MarketId
  readonly venue: Venue
  readonly ticker: Ticker
}
export type LocateMarket = (
  text: string,
  venue: Venue | null,
  instant: Instant,
) => Promise<LocatedMarket>

/**
 * Finds the id and names of a market without its other state. At a past instant it is found if it
 * was described or had bars by then: recordings may contain prices of markets without a
 * description.
 */
export const marketLocator =
  ({ history, board }: MarketsDeps): LocateMarket =>
  async (text, venue, { asOf }) => {
    const ticker = tickerOf(text)
    const storedId = history.marketIdOf(ticker)
    const storedView = storedId === null || asOf !== null ? await board.market(ticker, asOf) : null
    const marketId =
      storedView === null ? storedId : { market: storedView.market, venue: storedView.facts.venue }
    if (marketId === null || (venue !== null && venue !== marketId.venue)) {
      throw new NotFound('Market not found')
    }
    if (asOf !== null && storedView === null) {
      const bars = { market: marketId.market, width: DAY, asOf, before: (asOf + 1) as Millis }
      const [bar] = await history.candles({ ...bars, limit: 1 })
      if (bar === undefined) throw new NotFound('Market not found')
    }
    return { ...marketId, ticker: history.keyOf(marketId.market).ticker }
  }
