import { expect, it } from 'vitest'
import { DAY } from '../../../domain/units.ts'
import { marketsWithRows } from './queries.ts'

const T0 = 1_000 * DAY
/** Markets with trades, and one that has quotes as well. */
const spans = {
  all: (kind: string) =>
    new Map(
      kind === 'trade'
        ? [
            [20, { first: T0, last: T0 + DAY }],
            [3, { first: T0 + 5 * DAY, last: T0 + 6 * DAY }],
          ]
        : [[20, { first: T0, last: T0 }]],
    ),
}
const found = (from: number, to: number) =>
  marketsWithRows(spans as never, { feeds: ['trades', 'quotes'], from, to } as never)

it('markets that may have events in a span are named once, in the order of their ids', () => {
  expect(found(T0, T0 + 9 * DAY)).toEqual([3, 20])
  expect(found(T0, T0 + 5 * DAY - 1)).toEqual([20])
  expect(found(T0, T0 + 5 * DAY)).toEqual([3, 20])
  expect(found(T0 - DAY, T0 - 1)).toEqual([])
})

it('a row may become known up to a day after it happened', () => {
  expect(found(T0 + 2 * DAY, T0 + 3 * DAY)).toEqual([20])
  expect(found(T0 + 2 * DAY + 1, T0 + 3 * DAY)).toEqual([])
})
