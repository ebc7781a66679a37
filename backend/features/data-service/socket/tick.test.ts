import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../lib/clock.ts'
import type { Millis } from '../../../domain/units.ts'
import { Tick } from './tick.ts'

/** A tick on a clock that only its work advances, and the waits it requested. */
function workingTick(span: number) {
  let now = 0
  const waits: number[] = []
  const clock: Clock = {
    now: () => now as Millis,
    monotonic: () => now,
    sleep(wait) {
      waits.push(wait)
      now += wait
      return Promise.resolve()
    },
  }
  const { signal } = new AbortController()
  const tick = new Tick({ clock, span, signal, work: () => {} })
  const report = async (cost: number): Promise<void> => {
    tick.writeLater({ flush: () => (now += cost) })
    await turn()
    await turn()
  }
  return { tick, report, waits }
}

describe('a tick', () => {
  it('waits longer for more changes, the more expensive sending is', async () => {
    const { report, waits } = workingTick(5)
    for (const cost of [1, 1, 1, 1, 1]) await report(cost)
    expect(waits.at(-1)).toBe(4)
    for (const cost of [3, 3, 3, 3, 3]) await report(cost)
    expect(waits.at(-1)).toBe(5)
  })

  it('does not wait after a single slow flush', async () => {
    const { report, waits } = workingTick(5)
    for (const cost of [0.01, 0.01, 0.01, 8, 0.01, 0.01]) await report(cost)
    expect(waits).toEqual([])
  })

  it('writes before other work of the same turn', async () => {
    const { tick } = workingTick(5)
    const order: string[] = []
    await new Promise<void>((resolve) => {
      setImmediate(() => tick.writeLater({ flush: () => order.push('told') }))
      setImmediate(() => resolve(void order.push('other work')))
    })
    expect(order).toEqual(['told', 'other work'])
  })

  it('keeps waiting after one cheap flush among expensive ones', async () => {
    const { report, waits } = workingTick(5)
    for (const cost of [2, 2, 2, 2]) await report(cost)
    const before = waits.length
    for (const cost of [0.01, 2, 2]) await report(cost)
    expect(waits.length).toBe(before + 3)
  })
})
