import type { Millis } from '../../backend/domain/units.ts'
import type { HistoryStore } from '../../backend/history/history-store.ts'
import type { MarketId } from '../../backend/history/market-key.ts'
import { quoteColumns, tradeColumns } from '../../backend/testing/history-rows.ts'

/** Rows of each kind in a batch of the killed writer, and their times. */
export const ROWS = 60
export const FIRST_TS = 1_763_640_000_000
export const BATCH_SPAN = 1_000

/** Trades and quotes, so that a partial batch is detected. */
export const batchOf = (market: MarketId, batch: number) => {
  const times = Array.from({ length: ROWS }, (_, row) => FIRST_TS + batch * BATCH_SPAN + row)
  return {
    trades: tradeColumns(
      times.map((ts, row) => ({ market, ts, tradeId: `${batch}-${row}`, price: 100 + row })),
    ),
    quotes: quoteColumns(
      times.map((ts, row) => ({
        market,
        ts,
        bid: 100 + row,
        ask: 200 + row,
        bidSize: 1,
        askSize: 1,
      })),
    ),
  }
}

/** State after a kill. */
export interface KeptBatches {
  /** Batches 0 to this number are complete, without a gap; -1 when none is. */
  readonly through: number
  /** Batches with only some of their rows. */
  readonly half: number
}

/** Reads the batches of a writer back. */
export async function keptBatches(history: HistoryStore): Promise<KeptBatches> {
  const market = history.marketIdOf('KX')?.market
  if (market === undefined) return { through: -1, half: 0 }
  const all = { market, from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }
  const rows = new Map<number, number>()
  const count = ({ ts }: { readonly ts: number }): void => {
    const batch = Math.floor((ts - FIRST_TS) / BATCH_SPAN)
    rows.set(batch, (rows.get(batch) ?? 0) + 1)
  }
  for (const trade of await history.trades(all)) count(trade)
  for (const quote of await history.quotes(all)) count(quote)
  const half = [...rows.values()].filter((found) => found !== 2 * ROWS).length
  let through = -1
  while (rows.get(through + 1) === 2 * ROWS) through += 1
  return { through, half }
}
