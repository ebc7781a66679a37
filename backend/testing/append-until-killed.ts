import { silentLogger } from '../lib/logger.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { tradeColumns } from './history-rows.ts'

/**
 * Appends batches of 500 trades to history.duckdb in the working folder, and prints each durable
 * one.
 */
const history = await openHistory({
  path: 'history.duckdb',
  memoryLimitMb: 256,
  logger: silentLogger,
})
const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
for (let batch = 0; ; batch++) {
  const rows = Array.from({ length: 500 }, (_, n) => {
    const ts = 1_763_640_000_000 + batch * 500 + n
    return { market, ts, tradeId: `${batch}-${n}`, price: 100 + (n % 50) }
  })
  await history.append({ trades: tradeColumns(rows) })
  process.stdout.write(`${batch}\n`)
}
