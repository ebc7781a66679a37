import { describe, expect, it } from 'vitest'
import { RecentIds } from './dedupe.ts'

describe('recent ids', () => {
  it('knows an id again while a whole generation of others came since', () => {
    const ids = new RecentIds(100)
    expect(ids.add('first')).toBe(true)
    for (let index = 0; index < 100; index += 1) ids.add(`other ${index}`)
    expect(ids.add('first')).toBe(false)
  })

  it('forgets in the end, and never holds more than two generations', () => {
    const ids = new RecentIds(100)
    ids.add('first')
    for (let index = 0; index < 1_000; index += 1) {
      ids.add(`other ${index}`)
      expect(ids.size).toBeLessThanOrEqual(200)
    }
    expect(ids.add('first')).toBe(true)
  })
})
