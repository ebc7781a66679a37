import { describe, expect, it } from 'vitest'
import { GarbageCollectionTrigger, processMemory } from './garbage.ts'

const MB = 1_048_576
const MINUTE = 60_000

/** A process whose memory and time are set by hand. */
function triggerAt(resident: number) {
  const state = { resident: resident * MB, now: 0, collected: 0 }
  const memory = {
    resident: () => state.resident,
    collect: () => {
      state.collected += 1
    },
  }
  return { state, trigger: new GarbageCollectionTrigger(memory, () => state.now) }
}

describe('the garbage collection trigger', () => {
  it('ignores a process that does not grow', () => {
    const { state, trigger } = triggerAt(400)
    for (let minute = 0; minute < 60; minute++) {
      state.now = minute * MINUTE
      state.resident = (400 + (minute % 2) * 60) * MB
      expect(trigger.collectIfDue()).toBe(false)
    }
  })

  it('collects when memory has grown over the level of the last collection, and sets the new level', () => {
    const { state, trigger } = triggerAt(1_000)
    expect(trigger.collectIfDue()).toBe(false)
    state.resident = 1_251 * MB
    expect(trigger.collectIfDue()).toBe(true)
    state.now = 11 * MINUTE
    state.resident = 800 * MB
    expect(trigger.collectIfDue()).toBe(false)
    state.resident = 1_001 * MB
    expect(trigger.collectIfDue()).toBe(true)
    expect(state.collected).toBe(2)
  })

  it('uses the minimum since then as the level, since memory is released late', () => {
    const { state, trigger } = triggerAt(1_000)
    trigger.collectIfDue()
    state.resident = 1_400 * MB
    expect(trigger.collectIfDue()).toBe(true)
    state.now = 11 * MINUTE
    state.resident = 1_300 * MB
    expect(trigger.collectIfDue()).toBe(false)
    state.resident = 700 * MB
    expect(trigger.collectIfDue()).toBe(false)
    state.resident = 900 * MB
    expect(trigger.collectIfDue()).toBe(true)
  })

  it('waits ten minutes between collections, however memory grows', () => {
    const { state, trigger } = triggerAt(500)
    trigger.collectIfDue()
    let collections = 0
    for (let second = 0; second < 3_600; second += 30) {
      state.now = second * 1_000
      state.resident += 100 * MB
      if (trigger.collectIfDue()) collections += 1
    }
    expect(collections).toBeLessThanOrEqual(6)
    expect(collections).toBeGreaterThan(1)
  })

  it('frees unreferenced memory in this process', async () => {
    const memory = processMemory()
    const weak = new WeakRef({ of: 'nobody' })
    // A reference that was just made is held until this turn of the loop ends.
    await new Promise((resolve) => setImmediate(resolve))
    memory.collect()
    expect(weak.deref()).toBeUndefined()
    expect(memory.resident()).toBeGreaterThan(MB)
  })
})
