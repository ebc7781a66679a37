import { openReaderDatabase } from '../../backend/ingest/import/reader-database.ts'

/** A batch of generated trades, spread evenly over markets of their own. */
export interface MadeTrades {
  readonly markets: number
  readonly rows: number
  /** Unix ms of the first; the next ones follow a second apart. */
  readonly from: number
}

/**
 * Writes trades as a Parquet file of our own export's layout; `name` is the prefix of their
 * tickers.
 */
export async function writeTrades(
  file: string,
  name: string,
  { markets, rows, from }: MadeTrades,
): Promise<void> {
  const engine = await openReaderDatabase({ memoryLimitMb: 512, tempDir: `${file}.tmp` })
  try {
    await engine.connection.run(`
      copy (
        select 'venue_a' as venue, '${name}-' || n % ${markets} as ticker,
               ${from} + n * 1000 as ts_ms, ${from} + n * 1000 + 1000 as known_at_ms,
               'imported' as origin, '${name}-' || n as trade_id,
               1 + n * 7919 % 9999 as price_e4, (1 + n % 1000) * 1000000 as size_e6,
               if(n % 2 = 0, 'yes', 'no') as taker_side, false as is_block
          from range(${rows}) t(n)
      ) to '${file}' (format parquet)`)
  } finally {
    engine.close()
  }
}
