import { expect, it } from 'vitest'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createPanelOutcomes } from './panel-outcomes.ts'
import type { RunResults } from './panel-runs.store.ts'

it('writes each result once when deleting old runs fails', async () => {
  const written: RunResults[] = []
  const deletions: number[] = []
  const clock = new FakeClock()
  const outcomes = createPanelOutcomes({
    store: {
      outcomes: () => Promise.resolve(new Map()),
      write: (results) => {
        written.push(results)
        return Promise.resolve()
      },
      deleteBefore: (at) => {
        deletions.push(at)
        return deletions.length === 1 ? Promise.reject(new Error('locked')) : Promise.resolve()
      },
    },
    clock,
    wallClock: clock,
    log: silentLogger,
  })
  outcomes.begin('pnl_1', 1)
  outcomes.record({
    runId: 'run_1',
    panelId: 'pnl_1',
    userId: 'usr_1',
    specVersion: 1,
    kind: 'data_health',
    trigger: 'manual',
    endedAt: clock.now(),
    elapsedMs: 3,
    failure: { reason: 'panel_execution_failed', message: 'failed' },
  })
  await outcomes.flush()
  await outcomes.flush()
  await outcomes.close()
  expect(written).toHaveLength(1)
  expect(written[0]?.errors).toHaveLength(1)
  // The next write of the day tries the deletion again.
  expect(deletions).toHaveLength(2)
})
