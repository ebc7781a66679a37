import type { LiveTicker } from '../../backend/contract/markets.ts'

/** Quotes by ticker; each answer replaces the map, which is never mutated. */
export const byTicker = (quotes: readonly LiveTicker[]): ReadonlyMap<string, LiveTicker> =>
  new Map(quotes.map((quote) => [quote.ticker, quote]))
