import type { Timeframe } from '../../backend/domain/prices/candle.ts'
import type { CandlesAnswer, HistoryAnswer } from '../../backend/contract/market-history.ts'
import type { QuoteBars, Tape } from '../../backend/contract/market-tape.ts'
import type { Iso } from '../../backend/contract/schemas.ts'
import { pathOf } from './path.ts'
import { LISTS, ONE_MARKET } from './queries.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Bars per page of the chart: the maximum of the route. */
export const BARS_A_PAGE = 2000

/** A page of a market's past: what ends before an instant, as known at another. */
export interface PageBounds {
  readonly before: Iso | null
  readonly asOf: Iso | null
}

export const candlesPath = (
  ticker: string,
  timeframe: Timeframe,
  { before, asOf }: PageBounds = { before: null, asOf: null },
) =>
  pathOf('/api/public/market/:ticker/candles', {
    ticker,
    timeframe,
    limit: BARS_A_PAGE,
    before,
    asOf,
  })

/** The newest page of candles. The response has no data time; its arrival time is used. */
export const candles = (
  ticker: string,
  timeframe: Timeframe,
  asOf: Iso | null = null,
): PolledQuery<CandlesAnswer> => ({
  path: candlesPath(ticker, timeframe, { before: null, asOf }),
  ...ONE_MARKET,
  // The topic carries the newest 500 bars and each change of them.
  streamedInterval: null,
  timeOf: (_body, answeredAt) => answeredAt,
})

export const quoteBarsPath = (ticker: string, timeframe: Timeframe, bounds: PageBounds) =>
  pathOf('/api/public/market/:ticker/quotes', {
    ticker,
    timeframe,
    limit: BARS_A_PAGE,
    before: bounds.before,
    asOf: bounds.asOf,
  })

/** The newest page of bids and asks per bar. */
export const quoteBars = (
  ticker: string,
  timeframe: Timeframe,
  asOf: Iso | null = null,
): PolledQuery<QuoteBars> => ({
  path: quoteBarsPath(ticker, timeframe, { before: null, asOf }),
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
  timeOf: (_body, answeredAt) => answeredAt,
})

const TRADES_A_PAGE = 500

export const tapePath = (ticker: string, { before, asOf }: PageBounds) =>
  pathOf('/api/public/market/:ticker/trades', { ticker, limit: TRADES_A_PAGE, before, asOf })

/** The newest trades. */
export const tape = (ticker: string, asOf: Iso | null = null): PolledQuery<Tape> => ({
  path: tapePath(ticker, { before: null, asOf }),
  interval: 5 * SECOND,
  cadence: 2 * MINUTE,
  timeOf: (_body, answeredAt) => answeredAt,
})

export const history = (ticker: string, asOf: Iso | null = null): PolledQuery<HistoryAnswer> => ({
  path: pathOf('/api/public/market/:ticker/history', { ticker, asOf }),
  ...LISTS,
  timeOf: (_body, answeredAt) => answeredAt,
})
