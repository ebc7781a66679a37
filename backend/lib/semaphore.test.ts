import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { NotReady } from './errors.ts'
import { createSemaphore } from './semaphore.ts'

function scene(waiting = 10) {
  const clock = new FakeClock()
  const semaphore = createSemaphore(
    { permits: 2, maxWait: 5_000, maxQueued: waiting, refusal: 'full' },
    clock,
  )
  const started: number[] = []
  const finish = new Map<number, () => void>()
  const run = (id: number) =>
    semaphore.run(async () => {
      started.push(id)
      await new Promise<void>((resolve) => finish.set(id, resolve))
      return id
    })
  return { clock, semaphore, started, run, finish: (id: number) => finish.get(id)?.() }
}

describe('the semaphore', () => {
  it('runs two at a time, the rest in order of arrival', async () => {
    const { clock, started, run, finish } = scene()
    const results = [1, 2, 3, 4].map(run)
    await clock.advance(0)
    expect(started).toEqual([1, 2])
    finish(2)
    await clock.advance(0)
    expect(started).toEqual([1, 2, 3])
    finish(1)
    await clock.advance(0)
    finish(3)
    finish(4)
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  })

  it('rejects what waited too long and what finds the queue full', async () => {
    const { clock, started, run, finish } = scene(1)
    const first = [run(1), run(2)]
    const waited = run(3).catch((error: unknown) => error)
    await expect(run(4)).rejects.toThrow(NotReady)
    await clock.advance(5_000)
    expect(await waited).toBeInstanceOf(NotReady)
    finish(1)
    finish(2)
    await Promise.all(first)
    expect(started).toEqual([1, 2])
  })

  it('is released after work that failed', async () => {
    const { semaphore } = scene()
    for (let round = 0; round < 3; round += 1) {
      await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await semaphore.run(() => Promise.resolve('yes'))).toBe('yes')
  })
})
