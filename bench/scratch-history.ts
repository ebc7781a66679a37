import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { MINUTE } from '../backend/domain/units.ts'
import { openEngine } from '../backend/history/duckdb/engine/engine.ts'
import { historyOn } from '../backend/history/duckdb/open.ts'
import type { HistoryImports } from '../backend/history/history-copies.ts'
import type { HistoryStore } from '../backend/history/history-store.ts'
import { silentLogger } from '../backend/lib/logger.ts'

/** Start of the generated trades. */
export const T0 = Date.parse('2026-08-01T00:00:00Z')
/** Generated trades of each market, about one in half a minute. */
export const TICKS_PER_MARKET = 4_000
const MEMORY_MB = 1_000
/** Markets per staged file. */
const MARKETS_AT_ONCE = 5_000

/** Runs `work` in a folder that is removed afterwards. */
export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A history on disk, and a bare connection to the same file. */
export interface Opened {
  readonly history: HistoryStore & HistoryImports
  readonly raw: DuckDBConnection
  readonly close: () => Promise<void>
}
export async function openIn(folder: string): Promise<Opened> {
  const options = {
    path: join(folder, 'history.duckdb'),
    memoryLimitMb: MEMORY_MB,
    logger: silentLogger,
  }
  const engine = await openEngine(options)
  const raw = await engine.connect()
  const history = await historyOn(engine, options)
  return {
    history,
    raw,
    async close() {
      raw.closeSync()
      await history.close()
    },
  }
}

/**
 * Imports the generated trades of markets `from` to `to`; their keys must be registered in this
 * order.
 * @returns ms spent importing
 */
export async function adoptTrades(
  history: HistoryImports,
  folder: string,
  from: number,
  to: number,
): Promise<number> {
  let spent = 0
  for (let first = from; first < to; first += MARKETS_AT_ONCE) {
    const file = join(folder, 'staged.parquet')
    await stageTrades(file, first, Math.min(MARKETS_AT_ONCE, to - first))
    const started = performance.now()
    await history.adopt('trades', file)
    spent += performance.now() - started
    rmSync(file)
  }
  return spent
}

/** Stages generated trades as a sorted Parquet file, with an engine of its own. */
async function stageTrades(file: string, firstMarket: number, markets: number): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: `${MEMORY_MB}MB` })
  const connection = await instance.connect()
  await connection.run(
    `copy (select m::integer as market, ${T0} + k * ${MINUTE / 2} + (hash(m * 4000 + k) % 30000)::bigint as ts,
                  1000 as lag, 3 as origin, m || '-' || k as trade_id,
                  100 + (hash(k * 31 + m) % 9000)::integer as price,
                  1000000 * (1 + k % 40) as size, k % 3 as taker, k % 50 = 0 as is_block
             from range(${firstMarket}, ${firstMarket + markets}) a(m), range(${TICKS_PER_MARKET}) b(k)
            order by market, ts)
       to '${file.replaceAll("'", "''")}' (format parquet)`,
  )
  connection.closeSync()
  instance.closeSync()
}
