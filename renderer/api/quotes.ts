import type { LiveTicker } from './types.ts'

/** Quotes by ticker; the map is replaced whole with each answer, never changed. */
export const byTicker = (quotes: readonly LiveTicker[]): ReadonlyMap<string, LiveTicker> =>
  new Map(quotes.map((quote) => [quote.ticker, quote]))
