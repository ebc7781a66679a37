import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { DAY, HOUR, type Millis } from '../backend/domain/units.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { openTape } from '../backend/history/duckdb/point-in-time/tape.ts'
import type { WholeHistory } from '../backend/history/history.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { cutHistory } from '../backend/testing/cut-history.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'
import type { BenchRow } from './bench-row.ts'
import { inScratch, T0 } from './scratch-history.ts'

const MARKETS = 2_000
const TRADES_PER_MARKET = 2_500
const DAYS = 365
const AT = (T0 - HOUR) as Millis
const MEMORY_MB = 1_408
const ROUNDS = 3

/** A year of trades of each market, sorted like an import. */
async function recordYear(folder: string, path: string): Promise<void> {
  const history = await openHistory({ path, memoryLimitMb: MEMORY_MB, logger: silentLogger })
  const keys = Array.from({ length: MARKETS }, (_, n) => ({
    venue: 'venue_a' as const,
    ticker: `KXY-${n}`,
  }))
  const from = T0 - DAYS * DAY
  const ids = await history.marketIds(keys)
  await history.append({
    facts: ids.map((market, n) => ({
      market,
      knownAt: from as Millis,
      facts: marketFacts({ ticker: `KXY-${n}`, openTime: from as Millis, closeTime: null }),
    })),
  })
  const [file, step] = [
    join(folder, 'staged.parquet'),
    Math.floor((DAYS * DAY) / TRADES_PER_MARKET),
  ]
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1000MB' })
  const connection = await instance.connect()
  await connection.run(
    `copy (select m::integer as market, ${from} + k::bigint * ${step} + (hash(m * 4000 + k) % ${step})::bigint as ts,
                  (hash(k, m) % 400)::bigint as lag, 0 as origin, m || '-' || k as trade_id,
                  100 + (hash(k * 31 + m) % 9000)::integer as price,
                  1000000 * (1 + k % 40) as size, k % 3 as taker, k % 50 = 0 as is_block
             from range(${MARKETS}) a(m), range(${TRADES_PER_MARKET}) b(k) order by market, ts)
       to '${file.replaceAll("'", "''")}' (format parquet)`,
  )
  connection.closeSync()
  instance.closeSync()
  await history.adopt('trades', file)
  await history.close()
  rmSync(file)
}

/** Seconds until a history returns its last known state; it is then closed. */
async function secondsToAnswer(open: () => Promise<WholeHistory>): Promise<number> {
  const startedAt = performance.now()
  const history = await open()
  try {
    await history.numbersAt(AT, null)
    return (performance.now() - startedAt) / 1_000
  } finally {
    await history.close()
  }
}

/**
 * Time until the history of a replay responds, over a year of trades; and the time to copy that
 * year.
 */
export const benchReplayStart = (): Promise<BenchRow> =>
  inScratch(async (folder) => {
    const [path, started] = [join(folder, 'history.duckdb'), join(folder, 'started.duckdb')]
    await recordYear(folder, path)
    const pairs: { ours: number; copied: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const copied = await secondsToAnswer(async () => {
        await cutHistory(path, started, AT)
        const cut = await openHistory({
          path: started,
          memoryLimitMb: MEMORY_MB,
          logger: silentLogger,
        })
        await cut.sortClosedHours(AT)
        return cut
      })
      rmSync(started)
      const startedAt = performance.now()
      const tape = await openTape(path, MEMORY_MB)
      const opening = (performance.now() - startedAt) / 1_000
      const ours = await secondsToAnswer(() =>
        tape.historyAt(AT, { path: started, dataDir: folder, logger: silentLogger }),
      )
      tape.close()
      rmSync(started)
      pairs.push({ ours: opening + ours, copied })
    }
    const [median] = pairs
      .sort((a, b) => a.ours / a.copied - b.ours / b.copied)
      .slice(Math.floor(ROUNDS / 2))
    const { ours = NaN, copied = NaN } = median ?? {}
    return {
      name: `history of a replay over a year of ${(MARKETS * TRADES_PER_MARKET) / 1e6} M trades, until it answers`,
      ours,
      baseline: copied,
      unit: 's',
      ratio: copied / ours,
      goal: '≥ 10 ×',
      note: `median of ${ROUNDS}, alternating; baseline: the known rows are copied row by row and sorted`,
    }
  })
