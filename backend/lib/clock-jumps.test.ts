import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { JumpingClock } from '../testing/jumping-clock.ts'
import { ClockJumps } from './clock-jumps.ts'

it('reports once by how much the wall time was set, and ignores drift', async () => {
  const base = new FakeClock()
  const clock = new JumpingClock(base)
  const steps = new ClockJumps(clock)
  await base.advance(3_600_000)
  expect(steps.takeJump()).toBe(0)
  clock.jump(-86_400_000)
  await base.advance(10_000)
  expect(steps.takeJump()).toBe(-86_400_000)
  expect(steps.takeJump()).toBe(0)
  for (let look = 0; look < 10; look += 1) {
    clock.jump(100)
    expect(steps.takeJump()).toBe(0)
  }
})
