import { describe, expect, it, vi } from 'vitest'
import { PageClock, sleepAwareTime } from './clock.svelte.ts'

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

it('the clock of the page follows the service, and ticks once a second [terminal.live.clock]', () => {
  vi.useFakeTimers()
  const at = { wall: 1_000, monotonic: 10 }
  const clock = new PageClock({ wall: () => at.wall, monotonic: () => at.monotonic })
  clock.synchronise(5_000)
  expect([clock.now, clock.read(), clock.machine()]).toEqual([5_000, 5_000, 1_000])
  at.wall += 300
  at.monotonic += 300
  expect([clock.now, clock.read(), clock.steady]).toEqual([5_000, 5_300, 10])
  // The service's clock is set back: its newest word is the time.
  clock.synchronise(2_000)
  expect(clock.read()).toBe(2_000)
  const stop = clock.start()
  at.wall += 700
  vi.advanceTimersByTime(999)
  expect(clock.now).toBe(2_000)
  vi.advanceTimersByTime(1)
  expect([clock.now, clock.steady]).toEqual([2_700, 310])
  stop()
  at.wall += 1_000
  vi.advanceTimersByTime(5_000)
  expect(clock.now).toBe(2_700)
  vi.useRealTimers()
})
