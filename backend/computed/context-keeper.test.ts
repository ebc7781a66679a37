import { describe, expect, it, vi } from 'vitest'
import { MINUTE, type Millis } from '../domain/units.ts'
import { StoreFailed } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeBoard } from '../testing/fake-board.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { createContextKeeper } from './context-keeper.ts'
import { ReferencePrices } from './board/reference-prices.ts'
import { SnapshotPublicationLog } from './snapshot/snapshot-publication-log.ts'

const START = '2026-11-20T14:03:00Z'

/** A keeper over a history that never answers. */
function keeperThatWaits(history = fakeHistory({})) {
  const clock = new FakeClock(START)
  const board = new FakeBoard()
  let receive = (): void => {}
  const requested = new Promise<void>((resolve) => (receive = resolve))
  board.at = () => {
    receive()
    return new Promise(() => {})
  }
  const served = new SnapshotPublicationLog({ store: history, clock, log: silentLogger })
  const keeper = createContextKeeper({
    history,
    board,
    served,
    clock,
    reference: new ReferencePrices(history),
    log: silentLogger,
  })
  return { keeper, requested, history, clock, now: () => clock.now() }
}

describe('a keeper of the context', () => {
  it('starts once a history that failed at first succeeds', async () => {
    const history = fakeHistory({})
    vi.spyOn(history, 'servedAt').mockRejectedValueOnce(new StoreFailed('no memory'))
    const { keeper, requested, clock } = keeperThatWaits(history)
    const stopping = new AbortController()
    const running = keeper.run(stopping.signal)
    await eventually(() => clock.advance(MINUTE).then(() => expect(keeper.isBusy).toBe(true)))
    await requested
    stopping.abort()
    await running
    await keeper.close()
  })
})

describe('a keeper of the context that is stopped', () => {
  it('does not wait for a snapshot in progress, and records the end of service', async () => {
    const { keeper, requested, history, now } = keeperThatWaits()
    const stopping = new AbortController()
    const running = keeper.run(stopping.signal)
    await requested
    expect(keeper.isBusy).toBe(true)
    stopping.abort()
    await running
    expect((await history.servedAt(now()))?.isRunning).toBe(false)
    await keeper.close()
  })

  it('does not wait for a read of the past', async () => {
    const { keeper } = keeperThatWaits()
    const stopping = new AbortController()
    const reading = keeper.readPast(stopping.signal)
    expect(keeper.isReadingPast).toBe(true)
    stopping.abort(new Error('the service stops'))
    await expect(reading).rejects.toThrow('the service stops')
    expect(keeper.isReadingPast).toBe(false)
    await keeper.close()
  })

  it('serves nothing that is computed after its end', async () => {
    const history = fakeHistory({})
    const clock = new FakeClock(START)
    const served = new SnapshotPublicationLog({ store: history, clock, log: silentLogger })
    await served.begin()
    await served.end()
    served.recordContext(clock.now(), true)
    await served.end()
    expect(await history.servedAt((clock.now() + 1) as Millis)).toMatchObject({
      isRunning: false,
      contextAt: null,
    })
  })
})
