import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { createRateMeter } from './rate-meter.ts'

it('returns growth per second over about the last minute', async () => {
  const clock = new FakeClock()
  let count = 100
  const meter = createRateMeter(() => count, clock)
  expect(meter.perSecond()).toBeNull()
  meter.sample()
  await clock.advance(500)
  expect(meter.perSecond()).toBeNull()
  await clock.advance(19_500)
  count += 200
  expect(meter.perSecond()).toBe(10)
  for (let i = 0; i < 6; i += 1) {
    meter.sample()
    await clock.advance(20_000)
  }
  // Nothing grew since then, and growth before the window is dropped.
  expect(meter.perSecond()).toBe(0)
})
