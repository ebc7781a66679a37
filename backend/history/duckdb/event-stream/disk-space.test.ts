import { expect, it, vi } from 'vitest'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { tradeColumns } from '../../../testing/history-rows.ts'
import { openHistory } from '../open.ts'

/** The free bytes that the disk reports. */
const disk = { free: 1e6 }
vi.mock('node:fs/promises', async (original) => ({
  ...(await original()),
  statfs: () => Promise.resolve({ bavail: disk.free, bsize: 1 }),
}))

it('[backtest.source.room] rejects a run without room on the disk and reports what to change', async () => {
  const history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  const T0 = Date.parse('2026-11-18T00:00:00Z')
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KX-1' }])
  const rows = Array.from({ length: 50 }, (_, n) => ({
    market,
    ts: T0 + n * MINUTE,
    tradeId: `t${n}`,
    price: 1 + n,
  }))
  await history.append({ trades: tradeColumns(rows) })
  const query = {
    from: (T0 - 1) as Millis,
    to: (T0 + 60 * MINUTE) as Millis,
    markets: [market],
    feeds: ['trades'] as const,
  }
  await expect(history.openEventStream(query)).rejects.toThrow(
    /GB are free: choose a shorter range or fewer markets/,
  )
  // The service continues, and the run succeeds once there is space.
  disk.free = 1e9
  const stream = await history.openEventStream(query)
  expect(stream.rows).toBe(50)
  await stream.close()
  await history.close()
})
