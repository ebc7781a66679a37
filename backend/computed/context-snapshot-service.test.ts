import { afterEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, type Millis } from '../domain/units.ts'
import { StoreFailed } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeBoard } from '../testing/fake-board.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { contextSnapshotOf } from '../testing/snapshot-builders.ts'
import { createContextSnapshotService } from './context-snapshot-service.ts'
import { ReferencePrices } from './board/reference-prices.ts'
import { ContextSnapshotBuilder } from './snapshot/context-snapshot-builder.ts'
import { SnapshotPublicationLog } from './snapshot/snapshot-publication-log.ts'

const START = '2026-11-20T14:03:00Z'

/** A service over a history that never answers. */
function waitingService(history = fakeHistory({})) {
  const clock = new FakeClock(START)
  const board = new FakeBoard()
  let receive = (): void => {}
  const requested = new Promise<void>((resolve) => (receive = resolve))
  board.at = () => {
    receive()
    return new Promise(() => {})
  }
  const served = new SnapshotPublicationLog({ store: history, clock, log: silentLogger })
  const service = createContextSnapshotService({
    history,
    board,
    served,
    clock,
    reference: new ReferencePrices(history),
    log: silentLogger,
  })
  return { service, requested, history, clock, now: () => clock.now() }
}

describe('the context snapshot service', () => {
  it('starts once a history that failed at first succeeds', async () => {
    const history = fakeHistory({})
    vi.spyOn(history, 'servedAt').mockRejectedValueOnce(new StoreFailed('no memory'))
    const { service, requested, clock } = waitingService(history)
    const stopping = new AbortController()
    const running = service.run(stopping.signal)
    await eventually(() => clock.advance(MINUTE).then(() => expect(service.isBusy).toBe(true)))
    await requested
    stopping.abort()
    await running
    await service.close()
  })
})

describe('the context snapshot service after older rows arrived', () => {
  it('rebuilds the current snapshot even if the first attempt fails', async () => {
    const history = fakeHistory({})
    const clock = new FakeClock(START)
    const served = new SnapshotPublicationLog({ store: history, clock, log: silentLogger })
    const service = createContextSnapshotService({
      history,
      served,
      clock,
      board: new FakeBoard(),
      reference: new ReferencePrices(history),
      log: silentLogger,
    })
    const stopping = new AbortController()
    const running = service.run(stopping.signal)
    await eventually(() => service.snapshot(null))
    await service.idle()
    const before = await service.snapshot(null)
    service.invalidateHistory(true)
    vi.spyOn(history, 'appendContext').mockRejectedValueOnce(new StoreFailed('no memory'))
    await eventually(async () => {
      await clock.advance(MINUTE)
      await service.idle()
      expect(await service.snapshot(null)).not.toBe(before)
    })
    expect((await service.snapshot(null)).at).toBe(before.at)
    stopping.abort()
    await running
    await service.close()
  })
})

describe('the context snapshot service when older rows arrive during a build', () => {
  afterEach(() => vi.restoreAllMocks())

  it('builds again without what that build read', async () => {
    const history = fakeHistory({})
    const clock = new FakeClock(START)
    const served = new SnapshotPublicationLog({ store: history, clock, log: silentLogger })
    const service = createContextSnapshotService({
      history,
      served,
      clock,
      board: new FakeBoard(),
      reference: new ReferencePrices(history),
      log: silentLogger,
    })
    const build = vi.spyOn(ContextSnapshotBuilder.prototype, 'build')
    const invalidate = vi.spyOn(ContextSnapshotBuilder.prototype, 'invalidate')
    const invalidationsBeforeBuild: number[] = []
    let duringBuild = NaN
    build.mockImplementation((at) => {
      invalidationsBeforeBuild.push(invalidate.mock.calls.length)
      if (build.mock.calls.length === 1) service.invalidateHistory(true)
      if (build.mock.calls.length === 1) duringBuild = invalidate.mock.calls.length
      return Promise.resolve({ ...contextSnapshotOf([]), at })
    })
    const stopping = new AbortController()
    const running = service.run(stopping.signal)
    await eventually(async () => {
      await clock.advance(MINUTE)
      expect(invalidationsBeforeBuild).toHaveLength(2)
    })
    expect(invalidationsBeforeBuild[1]).toBeGreaterThan(duringBuild)
    stopping.abort()
    await running
    await service.close()
  })
})

describe('the context snapshot service after a stop', () => {
  it('does not wait for a snapshot in progress, and records the end of service', async () => {
    const { service, requested, history, now } = waitingService()
    const stopping = new AbortController()
    const running = service.run(stopping.signal)
    await requested
    expect(service.isBusy).toBe(true)
    stopping.abort()
    await running
    expect((await history.servedAt(now()))?.isRunning).toBe(false)
    await service.close()
  })

  it('does not wait for a read of the past', async () => {
    const { service } = waitingService()
    const stopping = new AbortController()
    const reading = service.readPast(stopping.signal)
    expect(service.isReadingPast).toBe(true)
    stopping.abort(new Error('the service stops'))
    await expect(reading).rejects.toThrow('the service stops')
    expect(service.isReadingPast).toBe(false)
    await service.close()
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
