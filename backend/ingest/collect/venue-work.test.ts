import { beforeEach, describe, expect, it } from 'vitest'
import { SECOND } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { VenueWork } from './venue-work.ts'

describe('the work on a venue', () => {
  let clock: FakeClock
  let work: VenueWork
  let stop: AbortController
  /** Seconds from the start at which the work was tried. */
  let tries: number[]
  let isFailing: boolean
  const does = (): Promise<void> => {
    tries.push(clock.monotonic() / SECOND)
    return isFailing ? Promise.reject(new Error('no response')) : Promise.resolve()
  }
  beforeEach(() => {
    clock = new FakeClock()
    work = new VenueWork(clock, silentLogger)
    stop = new AbortController()
    tries = []
    isFailing = false
  })

  it('is retried after a delay that doubles up to a minute', async () => {
    isFailing = true
    const done = work.runUntilDone('task', does, stop.signal)
    await clock.advance(0)
    await clock.advance(250 * SECOND)
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    isFailing = false
    await clock.advance(60 * SECOND)
    await done
    expect(tries.slice(10)).toEqual([303])
  })

  it('is repeated from the end of each run, with a fresh delay after a failed one', async () => {
    work.repeat('task', 10 * SECOND, does, stop.signal)
    await clock.advance(20 * SECOND)
    expect(tries).toEqual([10, 20])
    isFailing = true
    await clock.advance(13 * SECOND)
    expect(tries.slice(2)).toEqual([30, 31, 33])
    isFailing = false
    await clock.advance(4 * SECOND)
    isFailing = true
    await clock.advance(11 * SECOND)
    expect(tries.slice(5)).toEqual([37, 47, 48])
    stop.abort()
    await work.whenIdle()
    await clock.advance(1_000 * SECOND)
    expect(tries).toHaveLength(8)
  })

  it('ends when all of its tasks have ended, also those started meanwhile or failed', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    work.spawn(first.promise.then(() => work.spawn(second.promise)))
    let isIdle = false
    const idle = work.whenIdle().then(() => (isIdle = true))
    first.resolve()
    await clock.advance(0)
    expect(isIdle).toBe(false)
    second.resolve()
    await idle
    await work.whenIdle()
  })
})
