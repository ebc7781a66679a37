import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { CooperativeYield } from './cooperative-yield.ts'

/** A clock and an event loop with times set by the test, and the recorded pauses. */
function loop() {
  const spent = { active: 0, idle: 0 }
  const rests: number[] = []
  let now = 0
  const clock = {
    monotonic: () => now,
    sleep(ms: number) {
      rests.push(ms)
      return Promise.resolve()
    },
  }
  const way = new CooperativeYield(clock, () => ({ ...spent }))
  const work = (ms: number): void => way.part(() => void (now += ms))
  const pass = (active: number, idle: number): Promise<void> => {
    spent.active += active
    spent.idle += idle
    return way.yieldIfBusy()
  }
  return { work, rests, pass, clock }
}

describe('cooperative yielding of long work', () => {
  it('continues while the event loop has time', async () => {
    const { rests, pass } = loop()
    await pass(40, 60)
    await pass(49, 51)
    expect(rests).toEqual([])
  })

  it('pauses before each piece while other work takes more than half of the loop', async () => {
    const { rests, pass } = loop()
    await pass(90, 10)
    await pass(80, 40)
    expect(rests).toEqual([100, 100])
    await pass(10, 100)
    expect(rests).toHaveLength(2)
  })

  it('evaluates no span shorter than a pause, and includes all of it', async () => {
    const { rests, pass } = loop()
    await pass(50, 0)
    await pass(40, 0)
    expect(rests).toEqual([])
    await pass(10, 0)
    expect(rests).toEqual([100])
  })

  it('does not count its own work as that of others', async () => {
    const { work, rests, pass } = loop()
    work(60)
    await pass(100, 0)
    expect(rests).toEqual([])
    await pass(100, 0)
    expect(rests).toEqual([100])
  })

  it('measures how busy the process is without it', async () => {
    const { rests, clock } = loop()
    const way = new CooperativeYield(clock)
    const end = systemClock.monotonic() + 150
    while (systemClock.monotonic() < end);
    // The test sets the duration of each turn of the loop.
    await new Promise((resolve) => setImmediate(resolve))
    await way.yieldIfBusy()
    expect(rests).toEqual([100])
  })
})
