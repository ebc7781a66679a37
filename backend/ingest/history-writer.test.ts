import { describe, expect, it } from 'vitest'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { traded } from '../testing/venue-events.ts'
import { HistoryWriter } from './history-writer.ts'

const LANES = 8
const PAGE = 1_000
const PAGES_EACH = 12
const TURN = () => new Promise((resolve) => setImmediate(resolve))

describe('the queue of the history writer', () => {
  it('stays bounded with a slow disk during a backfill', async () => {
    const clock = new FakeClock()
    const sizes: number[] = []
    const append = async ({ trades }: HistoryBatch): Promise<void> => {
      for (let turn = 0; turn < 50; turn++) await TURN()
      sizes.push(trades?.tradeId.length ?? 0)
    }
    const history = { append } as unknown as HistoryStore
    const writer = new HistoryWriter({ history, clock, log: silentLogger })
    const event = traded(clock.now(), {})
    const lane = async (): Promise<void> => {
      for (let page = 0; page < PAGES_EACH; page++) {
        for (let row = 0; row < PAGE; row++) writer.pending.add(1, event)
        await writer.makeRoom()
        await TURN()
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    await writer.close()
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(LANES * PAGES_EACH * PAGE)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000 + 2 * LANES * PAGE)
  })
})
