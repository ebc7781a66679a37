import { describe, expect, it } from 'vitest'
import { rangesOf } from './row-ranges.ts'

describe('the rows of each market in a column', () => {
  it.each([
    ['no rows', [], []],
    ['one row', [7], [[7, [0, 1]]]],
    [
      'several markets, in the order of the column',
      [9, 9, 9, 2, 5, 5],
      [
        [9, [0, 3]],
        [2, [3, 4]],
        [5, [4, 6]],
      ],
    ],
  ])('%s', (_case, column, ranges) => {
    expect([...rangesOf(Int32Array.from(column))]).toEqual(ranges)
  })
})
