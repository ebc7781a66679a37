import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'

/** An empty history in memory, and the id of its one market. */
export async function openMarketHistory(): Promise<{
  readonly history: HistoryStore
  readonly market: number
}> {
  const history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
  return { history, market }
}
