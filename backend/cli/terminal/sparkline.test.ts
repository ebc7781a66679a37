import { describe, expect, it } from 'vitest'
import { sparkline } from './sparkline.ts'

describe('sparkline', () => {
  it.each([
    [[1, 2, 3, 4, 5, 6, 7, 8], '▁▂▃▄▅▆▇█'],
    [[0, null, 10], '▁ █'],
    [[5, 5, 5], '▄▄▄'],
    [[-3, 0, 3], '▁▅█'],
    [[null, null], '  '],
    [[], ''],
  ])('draws %j as “%s”', (values, drawn) => expect(sparkline(values)).toBe(drawn))

  it('keeps the last known value of each bucket when there are too many', () => {
    expect(sparkline([9, 1, 9, null, 8, 8], 3)).toBe('▁█▇')
    const many = Array.from({ length: 1_000 }, (_, n) => n)
    expect(Array.from(sparkline(many, 60))).toHaveLength(60)
  })
})
