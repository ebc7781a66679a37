/**
 * Appends batches to the history of the working folder until it is killed, and prints the number of
 * each batch once it is durable. Sometimes hours are sorted and the log is checkpointed, as in a
 * service.
 */
import { writeSync } from 'node:fs'
import type { Millis } from '../../backend/domain/units.ts'
import { DurableHistory } from '../../backend/history/recovery/durable-history.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { BATCH_SPAN, batchOf, FIRST_TS } from './killed-batches.ts'

const SORT_EVERY = 7
const FOLD_EVERY = 11

const durable = await DurableHistory.open({
  path: 'history.duckdb',
  dataDir: '.',
  memoryLimitMb: 256,
  logger: silentLogger,
  clock: systemClock,
  wasClean: true,
  onDamage: (damage) => {
    throw new Error(damage.summary)
  },
})
const history = durable.store
const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
const { trades, lastTs } = await history.size()
const next = trades === 0 || lastTs === null ? 0 : Math.floor((lastTs - FIRST_TS) / BATCH_SPAN) + 1
for (let batch = next; ; batch++) {
  await history.append(batchOf(market, batch))
  writeSync(1, `${batch}\n`)
  if (batch % SORT_EVERY === 0) await history.sortClosedHours(Number.MAX_SAFE_INTEGER as Millis)
  if (batch % FOLD_EVERY === 0) {
    await durable.withConnection((connection) => connection.run('checkpoint')).catch(() => {})
  }
}
