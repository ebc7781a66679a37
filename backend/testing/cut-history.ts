import { copyFileSync, rmSync } from 'node:fs'
import { openEngine, quoteText } from '../history/duckdb/engine/engine.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { silentLogger } from '../lib/logger.ts'

const TICKS = ['trade', 'quote', 'book', 'candle', 'activity']
/** Tables other than ticks, and when a row of theirs became known. */
const KNOWN_WHEN: readonly (readonly [table: string, knownAt: string])[] = [
  ['market_version', 'known_at'],
  ['change_event', 'coalesce(known_at, happened_at)'],
  ['coverage', 'known_at'],
  ['trade_correction', 'known_at'],
  ['index_reading', 'coalesce(known_at, computed_at)'],
  ['world_snapshot', 'computed_at'],
  ['regime_label', 'computed_at'],
  ['judgement', 'computed_at'],
  ['context_served', 'served_at'],
]

/**
 * Creates a history with exactly the rows that another knew at an instant, row by row as if they
 * had just arrived. Both are closed.
 */
export async function cutHistory(source: string, target: string, at: number): Promise<void> {
  await (await openHistory({ path: target, logger: silentLogger })).close()
  const whole = `${target}.whole`
  copyFileSync(source, whole)
  const engine = await openEngine({ path: target })
  const connection = engine.writer
  try {
    await connection.run(`attach ${quoteText(whole)} as whole (read_only)`)
    const [name] = (await connection.runAndReadAll('select current_database()')).getRows()[0] ?? []
    const cut = `"${String(name)}".main`
    await connection.run('use whole')
    await connection.run(`insert into ${cut}.market select * from market order by id`)
    for (const kind of TICKS) {
      await connection.run(
        `insert into ${cut}.${kind}_recent select * exclude (part, seq) from ${kind}_all
          where ts + lag <= ${at} order by ts, lag, part, seq`,
      )
    }
    for (const [table, knownAt] of KNOWN_WHEN) {
      await connection.run(
        `insert into ${cut}.${table} by name select * from ${table}
          where ${knownAt} <= ${at} order by rowid`,
      )
    }
  } finally {
    engine.close()
    rmSync(whole)
  }
}
