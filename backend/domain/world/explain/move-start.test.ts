import { expect, it } from 'vitest'
import type { Millis } from '../../units.ts'
import { largestMove } from './move-start.ts'

const moveOf = (...prices: readonly number[]) =>
  largestMove(prices.map((price, at) => ({ at: at as Millis, price })))

it.each([
  ['starts where at most a quarter is done', [40, 41, 40, 44, 52], { startedAt: 2, cents: 12 }],
  ['may start just before its end', [40, 41, 52], { startedAt: 1, cents: 12 }],
  ['starts at exactly a quarter', [40, 43, 52], { startedAt: 1, cents: 12 }],
  ['falls', [60, 58, 40], { startedAt: 1, cents: -20 }],
  ['ends at the extreme', [40, 52, 45], { startedAt: 0, cents: 12 }],
  ['begins at the lowest price', [45, 40, 52], { startedAt: 1, cents: 12 }],
  ['is the earlier one of two equal ones', [40, 50, 40], { startedAt: 0, cents: 10 }],
  ['is the larger one', [50, 45, 50, 30], { startedAt: 2, cents: -20 }],
])('a move %s', (_what, prices, move) => {
  expect(moveOf(...prices)).toEqual(move)
})

it('is null without a change', () => {
  expect([moveOf(), moveOf(40), moveOf(40, 40)]).toEqual([null, null, null])
})
