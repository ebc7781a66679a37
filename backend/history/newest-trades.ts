import { DAY, MINUTE, type Millis } from '../domain/units.ts'
import type { HistoryStore } from './history-store.ts'
import type { MarketId } from './market-key.ts'
import type { TradeRow } from './market-rows.ts'

/**
 * Time spans that are searched for trades, backwards from the end; quiet markets need the long
 * ones.
 */
const SPANS: readonly number[] = [15 * MINUTE, 3 * 60 * MINUTE, 2 * DAY, 32 * DAY, Infinity]

interface NewestQuery {
  readonly market: MarketId
  readonly to: Millis
  readonly asOf: Millis
  readonly limit: number
}

/** The newest `limit` trades up to and including `to`, newest first. */
export async function newestTrades(
  history: Pick<HistoryStore, 'trades'>,
  { market, to, asOf, limit }: NewestQuery,
): Promise<TradeRow[]> {
  const tradeRows: TradeRow[] = []
  let end = to
  for (const span of SPANS) {
    const from = Math.max(-1, to - span) as Millis
    const newest = limit - tradeRows.length
    const older = await history.trades({ market, from, to: end, asOf, newest })
    tradeRows.push(...older.reverse())
    if (tradeRows.length >= limit || from < 0) break
    end = from
  }
  return tradeRows
}
