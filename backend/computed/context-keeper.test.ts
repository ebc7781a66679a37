import { describe, expect, it, vi } from 'vitest'
import { MINUTE, type Millis } from '../domain/units.ts'
import { StoreFailed } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeBoard } from '../testing/fake-board.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { createContextKeeper } from './context-keeper.ts'
import { ReferencePrices } from './reference-prices.ts'
import { ServedLog } from './served-log.ts'

const START = '2026-11-20T14:03:00Z'

/** A keeper over a history that is asked and never answers. */
function keeperThatWaits(history = fakeHistory({})) {
  const clock = new FakeClock(START)
  const board = new FakeBoard()
  let hear = (): void => {}
  const asked = new Promise<void>((resolve) => (hear = resolve))
  board.at = () => {
    hear()
    return new Promise(() => {})
  }
  const served = new ServedLog({ store: history, clock, log: silentLogger })
  const keeper = createContextKeeper({
    ...{ history, board, served, clock },
    reference: new ReferencePrices(history),
    log: silentLogger,
  })
  return { keeper, asked, history, clock, now: () => clock.now() }
}

describe('a keeper of the context', () => {
  it('begins when a history that cannot answer at first can', async () => {
    const history = fakeHistory({})
    vi.spyOn(history, 'servedAt').mockRejectedValueOnce(new StoreFailed('no memory'))
    const { keeper, asked, clock } = keeperThatWaits(history)
    const stopping = new AbortController()
    const running = keeper.run(stopping.signal)
    await eventually(() => clock.advance(MINUTE).then(() => expect(keeper.isBusy).toBe(true)))
    await asked
    stopping.abort()
    await running
    await keeper.close()
  })
})

describe('a keeper of the context that is stopped', () => {
  it('waits for no grid that is being worked out, and says that nobody is answered', async () => {
    const { keeper, asked, history, now } = keeperThatWaits()
    const stopping = new AbortController()
    const running = keeper.run(stopping.signal)
    await asked
    expect(keeper.isBusy).toBe(true)
    stopping.abort()
    await running
    expect((await history.servedAt(now()))?.isRunning).toBe(false)
    await keeper.close()
  })

  it('waits for no reading of the past', async () => {
    const { keeper } = keeperThatWaits()
    const stopping = new AbortController()
    const reading = keeper.readPast(stopping.signal)
    expect(keeper.isReadingPast).toBe(true)
    stopping.abort(new Error('the service stops'))
    await expect(reading).rejects.toThrow('the service stops')
    expect(keeper.isReadingPast).toBe(false)
    await keeper.close()
  })

  it('serves nothing that stands after its end', async () => {
    const history = fakeHistory({})
    const clock = new FakeClock(START)
    const served = new ServedLog({ store: history, clock, log: silentLogger })
    await served.begin()
    await served.end()
    served.noteGrid(clock.now(), true)
    await served.end()
    expect(await history.servedAt((clock.now() + 1) as Millis)).toMatchObject({
      isRunning: false,
      gridAt: null,
    })
  })
})
