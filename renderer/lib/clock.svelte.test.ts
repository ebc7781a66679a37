import { describe, expect, it } from 'vitest'
import { sleepAwareTime } from './clock.svelte.ts'

describe('the time of the page', () => {
  const machine = () => {
    const at = { counter: 50, calendar: 1_000_000 }
    return {
      at,
      time: sleepAwareTime(
        () => at.counter,
        () => at.calendar,
      ),
    }
  }

  it('follows the monotonic counter, for any resolution of the calendar clock [terminal.live.clock]', () => {
    const { at, time } = machine()
    for (let step = 1; step <= 1_000; step += 1) {
      at.counter = 50 + step * 10.5
      at.calendar = 1_000_000 + Math.round(step * 10.5)
      time.wall()
    }
    expect(time.wall()).toBeCloseTo(1_010_500, 5)
  })

  it('includes the sleep of a machine whose counter stopped [terminal.live.clock]', () => {
    const { at, time } = machine()
    at.counter += 200
    at.calendar += 3_600_000
    expect(time.wall()).toBe(4_600_000)
    at.counter += 1_000
    at.calendar += 1_000
    expect(time.wall()).toBe(4_601_000)
  })

  it('continues when the calendar clock is set back [terminal.live.clock]', () => {
    const { at, time } = machine()
    at.counter += 1_000
    at.calendar -= 3_600_000
    expect(time.wall()).toBe(1_001_000)
    at.counter += 1_000
    at.calendar += 1_000
    expect(time.wall()).toBe(1_002_000)
  })
})
