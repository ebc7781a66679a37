import { describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { systemClock } from './clock.ts'
import { VirtualClock } from './virtual-clock.ts'

const START = 1_000_000 as Millis

describe('the clock of a replay', () => {
  // [replay.clock.virtual]
  it('wakes sleepers in order of their times, and not before', async () => {
    const clock = new VirtualClock(START, systemClock)
    const woken: string[] = []
    const sleeping = [
      clock.sleep(300).then(() => woken.push('late')),
      clock.sleep(100).then(() => woken.push('early')),
    ]
    expect(clock.nextDue).toBe(START + 100)
    clock.moveTo((START + 99) as Millis)
    expect(clock.wake()).toBe(0)
    clock.moveTo((START + 300) as Millis)
    expect(clock.wake()).toBe(2)
    await Promise.all(sleeping)
    expect(woken).toEqual(['early', 'late'])
    expect(clock.nextDue).toBeNull()
  })

  it('removes a sleeper when its signal aborts', async () => {
    const clock = new VirtualClock(START, systemClock)
    const stop = new AbortController()
    const sleeping = clock.sleep(50, stop.signal)
    stop.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    expect(clock.nextDue).toBeNull()
  })

  it('never goes back', () => {
    const clock = new VirtualClock(START, systemClock)
    expect(() => clock.moveTo((START - 1) as Millis)).toThrow('has passed')
  })
})
