import { join } from 'node:path'
import type { Millis } from '../domain/units.ts'
import { Session } from '../history/duckdb/engine/connections.ts'
import { openEngine } from '../history/duckdb/engine/engine.ts'
import { historyOn, type OpenHistory } from '../history/duckdb/open.ts'
import { jsonValue } from '../history/statements/json-value.ts'
import { silentLogger } from '../lib/logger.ts'
import { quoteColumns, tradeColumns } from './history-rows.ts'
import { marketFacts } from './market-facts.ts'

export const STATEMENTS_T0 = Date.parse('2026-11-20T12:00:00Z') as Millis
const MARKETS = 5
const ROWS = 400
/** Some rows lie after the first hour, some trades have no side, some quotes miss one. */
const TAKERS = [0, 1, 2] as const

/** A stored history, and the rows of a statement as an engine on the same file returns them. */
export interface StatementHistory {
  readonly history: OpenHistory
  /** A session of its own on the same file. */
  readonly session: Session
  /** Rows as JSON. */
  direct(sql: string): Promise<string[]>
  close(): Promise<void>
}

/** A history of five markets, whose views can be read by statements and directly. */
export async function openStatementHistory(folder: string): Promise<StatementHistory> {
  const options = {
    path: join(folder, 'history.duckdb'),
    memoryLimitMb: 256,
    logger: silentLogger,
  }
  const engine = await openEngine(options)
  const session = new Session(await engine.connect())
  const { connection } = session
  const history = await historyOn(engine, options)
  const keys = Array.from({ length: MARKETS }, (_, n) => ({
    venue: 'venue_a' as const,
    ticker: n === 0 ? `KX'S "0"` : `KX-${n}`,
  }))
  const markets = await history.marketIds(keys)
  const all = markets.flatMap((market) => Array.from({ length: ROWS }, (_, k) => ({ market, k })))
  await history.append({
    facts: markets.map((market, n) => ({
      market,
      knownAt: STATEMENTS_T0,
      facts: marketFacts({ ...keys[n], title: `Market ${n}` }),
    })),
    trades: tradeColumns(
      all.map(({ market, k }) => ({
        market,
        ts: STATEMENTS_T0 + k * 17_000 + market,
        tradeId: `${market}-${k}`,
        price: 100 + ((k * 37 + market * 11) % 97) * 100,
        size: 1_000_000 * (1 + (k % 7)),
        taker: TAKERS[k % 3] ?? 0,
        isBlock: k % 50 === 0,
      })),
    ),
    quotes: quoteColumns(
      all.map(({ market, k }) => ({
        market,
        ts: STATEMENTS_T0 + k * 23_000,
        bid: k % 11 === 0 ? null : 4_000 + k,
        ask: 4_100 + k,
      })),
    ),
  })
  return {
    history,
    session,
    async direct(sql) {
      const found = await connection.runAndReadAll(sql)
      return found.getRows().map((row) => JSON.stringify(row.map(jsonValue)))
    },
    async close() {
      session.close()
      await history.close()
    },
  }
}
