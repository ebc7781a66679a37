import { describe, expect, it } from 'vitest'
import { TopicEntries } from './topic-entries.ts'

describe('entries beyond a thousand', () => {
  it('lose those without a holder, the oldest first, and none with a holder', () => {
    const entries = new TopicEntries<{ readonly name: string }>()
    entries.subscribe(entries.getOrCreate({ name: 'held' }))
    for (let index = 0; index < 1_100; index += 1) entries.getOrCreate({ name: `t${index}` })
    entries.prune()
    const existing = (name: string): boolean => entries.get(name) !== null
    expect(existing('held')).toBe(true)
    expect([existing('t0'), existing('t100'), existing('t101'), existing('t1099')]).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('persist while there are no more than a thousand', () => {
    const entries = new TopicEntries<{ readonly name: string }>()
    for (let index = 0; index < 1_000; index += 1) entries.getOrCreate({ name: `t${index}` })
    entries.prune()
    expect(entries.get('t0')).not.toBeNull()
  })
})
