import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SECOND } from '../domain/units.ts'
import { silentLogger } from '../lib/logger.ts'
import { openState } from '../state/open.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { readConfig } from './config.ts'
import { createServiceHealth } from './service-condition.ts'

it('the check of the service is repeated after a file of the folder could not be read', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-condition-'))
  const state = await openState(':memory:')
  const clock = new FakeClock()
  let checks = 0
  const health = createServiceHealth({
    config: readConfig(['--data', dataDir], {}),
    stores: { state } as never,
    data: {
      board: { ready: true },
      history: fakeHistory({}),
      pipeline: () => ({ accepted: 0, storedAt: null, failure: null }),
      health: () => {
        checks += 1
        return null
      },
    } as never,
    context: { engine: { onWorld: () => () => {} } } as never,
    feeds: () => null,
    hasLanguageModel: () => false,
    clock,
    log: silentLogger,
  })
  const stopping = new AbortController()
  const journal = join(dataDir, 'damage.jsonl')
  try {
    // A folder in its place cannot be read as a file.
    mkdirSync(journal)
    const watching = health.watch(stopping.signal)
    await clock.advance(20 * SECOND)
    expect(checks).toBe(0)
    rmSync(journal, { recursive: true })
    await clock.advance(20 * SECOND)
    expect(checks).toBeGreaterThan(0)
    stopping.abort()
    await watching
  } finally {
    await state.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
