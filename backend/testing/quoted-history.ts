import { HOUR, MINUTE, type Millis } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { WholeHistory } from '../history/history.ts'
import { silentLogger } from '../lib/logger.ts'
import { quoteColumns } from './history-rows.ts'
import { marketFacts } from './market-facts.ts'

export const QUOTED_FROM = Date.parse('2026-08-03T00:00:00Z') as Millis
export const QUOTED_TO = (QUOTED_FROM + 20 * HOUR) as Millis

/** A history in memory with one listed market and 200 quotes of it, five minutes apart. */
export async function quotedHistory(): Promise<WholeHistory> {
  const history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX-0' }])
  const openTime = (QUOTED_FROM - HOUR) as Millis
  const facts = marketFacts({
    ticker: 'KX-0',
    eventId: 'E0',
    openTime,
    closeTime: (QUOTED_FROM + 40 * HOUR) as Millis,
  })
  await history.append({
    facts: [{ market, knownAt: openTime, facts }],
    quotes: quoteColumns(
      Array.from({ length: 200 }, (_, n) => ({
        market,
        ts: QUOTED_FROM + n * 5 * MINUTE,
        lag: 1_000,
        bid: 4_000 + (n % 10) * 100,
        ask: 4_200 + (n % 10) * 100,
        bidSize: 100_000_000,
        askSize: 100_000_000,
      })),
    ),
  })
  return history
}
