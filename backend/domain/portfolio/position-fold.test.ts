import { expect, it } from 'vitest'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { foldPosition, PositionFold, type FoldedEntry } from './position-fold.ts'

const fill = (
  action: 'buy' | 'sell',
  direction: 'yes' | 'no',
  [contracts, cents, feeDollars]: readonly [number, number, number],
  at = 1,
): FoldedEntry => ({
  eventType: 'fill',
  occurredAt: at as Millis,
  action,
  direction,
  result: null,
  size: (contracts * 1e6) as SizeE6,
  price: (cents * 100) as PriceE4,
  fee: (feeDollars * 1e6) as MoneyE6,
})

it('[portfolio.fold.lots] closes the oldest lots, fees of both legs shared by size', () => {
  const fold = new PositionFold()
  expect(fold.take(fill('buy', 'yes', [100, 40, 1.68]))).toBeNull()
  expect(fold.take(fill('buy', 'yes', [50, 46, 0.87], 2))).toBeNull()
  // The example of methodology J1: 394.2 cents.
  expect(fold.take(fill('sell', 'yes', [60, 50, 1.05], 3))).toBe(3.942e6)
  const position = fold.position()
  expect(position).toMatchObject({ status: 'open', direction: 'yes', size: 90e6 })
  expect((position?.cost ?? 0) / 90e6).toBeCloseTo(0.4333, 4)
})

it('[portfolio.fold.lots] nets the other side at 100 minus its price', () => {
  const fold = new PositionFold()
  fold.take(fill('buy', 'yes', [10, 40, 0]))
  expect(fold.take(fill('buy', 'no', [15, 55, 0], 2))).toBe(0.5e6)
  expect(fold.position()).toMatchObject({ direction: 'no', size: 5e6, cost: 2.75e6, openedAt: 2 })
})

it.each([
  ['yes', 10_000, 6e6, 'settled'],
  ['no', 0, -4e6, 'settled'],
  ['void', null, 0, 'settled'],
] as const)('[portfolio.fold.lots] settles %s', (result, price, realized, status) => {
  const fold = new PositionFold()
  fold.take(fill('buy', 'yes', [10, 40, 0]))
  const size = 10e6 as SizeE6
  const settlement: FoldedEntry = {
    eventType: 'settlement',
    occurredAt: 9 as Millis,
    action: null,
    direction: 'yes',
    result,
    size,
    price: price as PriceE4 | null,
    fee: 0 as MoneyE6,
  }
  expect(fold.take(settlement)).toBe(realized)
  expect(fold.position()).toMatchObject({ status, size: 0, closedAt: 9, realized })
})

it('is null before the first fill', () => {
  expect(foldPosition([])).toBeNull()
})
