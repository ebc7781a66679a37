import { describe, expect, it } from 'vitest'
import { IdFilter } from './id-filter.ts'

describe('a filter of ids', () => {
  const idOf = (n: number) => `0x${(n * 2_654_435_761).toString(16).padStart(20, '0')}-${n}`

  it('contains all added ids, and reports few others as contained', () => {
    const filter = new IdFilter()
    for (let n = 0; n < 50_000; n++) filter.add(idOf(n))
    let [denied, claimed] = [0, 0]
    for (let n = 0; n < 50_000; n++) {
      if (!filter.mayHold(idOf(n))) denied += 1
      if (filter.mayHold(idOf(50_000 + n))) claimed += 1
    }
    expect(denied).toBe(0)
    expect(claimed).toBeLessThan(10)
  })

  it('is empty at first', () => {
    expect(new IdFilter().mayHold('one')).toBe(false)
  })
})
