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

  it('evicts a whole generation when one more id than it holds arrives', () => {
    const evictions: [string, number][][] = []
    const ids = new RecentIds<number>(2, (evicted) => evictions.push([...evicted]))
    ids.set('a', 1)
    ids.set('b', 2)
    ids.set('a', 3)
    expect(evictions).toEqual([])
    ids.set('c', 4)
    expect(evictions).toEqual([[]])
    ids.set('a', 5)
    expect(ids.size).toBe(4)
    expect(ids.get('a')).toBe(5)
    expect(ids.entries()).toEqual([
      ['a', 5],
      ['b', 2],
      ['c', 4],
    ])
    expect(ids.values()).toEqual([3, 2, 4, 5])
    ids.set('d', 6)
    expect(evictions).toEqual([
      [],
      [
        ['a', 3],
        ['b', 2],
      ],
    ])
    expect(ids.get('b')).toBeNull()
  })
})
