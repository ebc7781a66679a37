import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type {
  EventWindow,
  FactsVersion,
  TradeRows,
} from '../backend/domain/backtest/event-columns.ts'
import { DAY, HOUR, type Millis } from '../backend/domain/units.ts'
import type { HistoryImports } from '../backend/history/history-copies.ts'
import type { WholeHistory } from '../backend/history/history.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'
import { T0 } from './scratch-history.ts'
import type { Ticks } from './tight-loop.ts'

export const MARKETS = 5_000
/** About one in half a minute. */
export const TICKS_PER_MARKET = 4_000
const TICK_MS = 30_000
export const FROM = (T0 - 1) as Millis
export const TO = (T0 + Math.ceil((TICKS_PER_MARKET * TICK_MS) / HOUR) * HOUR) as Millis
export const KEYS = Array.from({ length: MARKETS }, (_, n) => ({
  venue: 'venue_a' as const,
  ticker: `KXB-${String(n).padStart(6, '0')}`,
}))

/**
 * Imports trades of all markets, sorted by market: whole cents, known at once, no two of a market
 * at one instant, so that an order is filled by the tick after its decision.
 */
export async function adoptTicks(
  history: HistoryImports,
  folder: string,
  first: number,
): Promise<void> {
  const file = join(folder, 'staged.parquet')
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1000MB' })
  const connection = await instance.connect()
  await connection.run(
    `copy (select m::integer as market, ${T0} + k * ${TICK_MS} + (hash(m * 4000 + k) % ${TICK_MS})::bigint as ts,
                  0 as lag, 3 as origin, m || '-' || k as trade_id,
                  100 + 100 * (hash(k * 31 + m) % 98)::integer as price,
                  1000000 * (1 + k % 40) as size, k % 3 as taker, false as is_block
             from range(${first}, ${first + MARKETS}) a(m), range(${TICKS_PER_MARKET}) b(k)
            order by market, ts)
       to '${file.replaceAll("'", "''")}' (format parquet)`,
  )
  connection.closeSync()
  instance.closeSync()
  await history.adopt('trades', file)
  rmSync(file)
}

/** Versions of markets that open before the range; they settle in its last second. */
export function versionsOf(ticks: Ticks): FactsVersion[] {
  const last = new Float64Array(MARKETS)
  for (let i = 0; i < ticks.price.length; i++) last[ticks.market[i] as number] = ticks.price[i] ?? 0
  const facts = (n: number) =>
    marketFacts({ ...KEYS[n], openTime: (T0 - DAY) as Millis, closeTime: null })
  const all = KEYS.map((_, market) => market)
  return [
    ...all.map((market) => ({ market, knownAt: FROM, facts: facts(market) })),
    ...all.map((market) => ({
      market,
      knownAt: TO,
      facts: {
        ...facts(market),
        status: 'settled' as const,
        result: (last[market] ?? 0) >= 5_000 ? ('yes' as const) : ('no' as const),
      },
    })),
  ]
}

/** All trades of windows, one array a column. */
export function joined(windows: readonly EventWindow[]): Ticks & Pick<TradeRows, 'ts'> {
  const rows = windows.flatMap(({ trades }) => (trades === null ? [] : [trades]))
  const count = rows.reduce((sum, { known }) => sum + known.length, 0)
  const all = {
    known: new Float64Array(count),
    ts: new Float64Array(count),
    market: new Int32Array(count),
    price: new Int32Array(count),
  }
  let at = 0
  for (const part of rows) {
    all.known.set(part.known, at)
    all.ts.set(part.ts, at)
    all.market.set(part.market, at)
    all.price.set(part.price, at)
    at += part.known.length
  }
  return all
}

export async function windowsOf(
  history: WholeHistory,
  markets: readonly number[],
): Promise<EventWindow[]> {
  const windows: EventWindow[] = []
  for await (const window of history.eventWindows({
    from: FROM,
    to: TO,
    markets,
    feeds: ['trades'],
  }))
    windows.push(window)
  return windows
}
