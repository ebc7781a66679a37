import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../lib/logger.ts'
import { openState } from '../../state/open.ts'
import { NOON } from '../../testing/builders.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { addUser } from '../../testing/users.ts'
import { createBacktestsService, type BacktestPlayer } from './backtests.service.ts'
import { createBacktestsStore } from './backtests.store.ts'

const BODY = { strategy: 's', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }

it('queues at most 50 runs of a user, and those of others beside them', async () => {
  const state = await openState(':memory:')
  onTestFinished(() => state.destroy())
  await addUser(state, 'usr_1')
  await addUser(state, 'usr_2')
  const player: Partial<BacktestPlayer> = {
    moduleUrl: (strategy) => strategy,
    play: (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
      }),
  }
  const service = createBacktestsService({
    store: createBacktestsStore(state),
    player: player as BacktestPlayer,
    history: { storedSpan: () => Promise.resolve(null) },
    clock: new FakeClock(NOON),
    logger: silentLogger,
  })
  const start = (userId: string) => service.start({ userId, isAdmin: false }, BODY)
  const ids: string[] = []
  for (let n = 0; n < 50; n++) ids.push((await start('usr_1')).id)
  await expect(start('usr_1')).rejects.toThrow('at most 50 backtests may be queued at once')
  expect((await start('usr_2')).id).toMatch(/^bt_/)
  await service.cancel({ userId: 'usr_1', isAdmin: false }, ids[0] ?? '')
  await expect
    .poll(() =>
      start('usr_1').then(
        ({ id }) => id,
        () => '',
      ),
    )
    .toMatch(/^bt_/)
  await service.close()
})
