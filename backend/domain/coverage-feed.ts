/**
 * Trades, or quotes and books. Venues keep the former and can serve them again, the latter rarely.
 */
export const COVERAGE_FEEDS = ['trades', 'quotes'] as const
export type CoverageFeed = (typeof COVERAGE_FEEDS)[number]
