import { describe, expect, it } from 'vitest'
import { RecentIds } from './dedupe.ts'

describe('recent ids', () => {
  it('keeps the value of an id for a whole generation of others', () => {
    const ids = new RecentIds<string>(100)
    ids.set('first', 'said')
    for (let index = 0; index < 100; index += 1) ids.set(`other ${index}`, '')
    expect(ids.get('first')).toBe('said')
  })

  it('evicts old ids, and never holds more than two generations', () => {
    const ids = new RecentIds<string>(100)
    ids.set('first', 'said')
    for (let index = 0; index < 1_000; index += 1) {
      ids.set(`other ${index}`, '')
      expect(ids.size).toBeLessThanOrEqual(200)
    }
    expect(ids.get('first')).toBeNull()
  })

  it('keeps the last value of an id', () => {
    const ids = new RecentIds<string>(2)
    for (const value of ['one', 'two', 'three']) ids.set('same', value)
    for (const id of ['a', 'b']) ids.set(id, '')
    ids.set('same', 'four')
    expect(ids.get('same')).toBe('four')
  })
})
