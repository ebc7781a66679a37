import { expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
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
  fee: Math.round(feeDollars * 1e6) as MoneyE6,
})

it('[portfolio.fold.lots] closes the oldest lots, fees of both legs shared by size', () => {
  const fold = new PositionFold()
  expect(fold.apply(fill('buy', 'yes', [100, 40, 1.68]))).toBeNull()
  expect(fold.apply(fill('buy', 'yes', [50, 46, 0.87], 2))).toBeNull()
  // The example of methodology J1: 394.2 cents.
  expect(fold.apply(fill('sell', 'yes', [60, 50, 1.05], 3))).toBe(3.942e6)
  const position = fold.position()
  expect(position).toMatchObject({ status: 'open', direction: 'yes', size: 90e6 })
  expect((position?.cost ?? 0) / 90e6).toBeCloseTo(0.4333, 4)
})

it('[portfolio.fold.lots] nets the other side at 100 minus its price', () => {
  const fold = new PositionFold()
  fold.apply(fill('buy', 'yes', [10, 40, 0]))
  expect(fold.apply(fill('buy', 'no', [15, 55, 0], 2))).toBe(0.5e6)
  expect(fold.position()).toMatchObject({ direction: 'no', size: 5e6, cost: 2.75e6, openedAt: 2 })
})

it.each([
  ['yes', 10_000, 6e6, 'settled'],
  ['no', 0, -4e6, 'settled'],
  ['void', null, 0, 'settled'],
] as const)('[portfolio.fold.lots] settles %s', (result, price, realized, status) => {
  const fold = new PositionFold()
  fold.apply(fill('buy', 'yes', [10, 40, 0]))
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
  expect(fold.apply(settlement)).toBe(realized)
  expect(fold.position()).toMatchObject({ status, size: 0, closedAt: 9, realized })
})

it('is null before the first fill', () => {
  expect(foldPosition([])).toBeNull()
})

interface Traded {
  readonly action: 'buy' | 'sell'
  readonly direction: 'yes' | 'no'
  readonly contracts: number
  readonly cents: number
  /** 1e-6 dollars for each contract. */
  readonly unitFee: number
  /** Cents of YES that the market pays in place of the fill; null for a fill. */
  readonly settles: number | 'void' | null
}
const histories = fc.array(
  fc.record<Traded>({
    action: fc.constantFrom('buy', 'sell'),
    direction: fc.constantFrom('yes', 'no'),
    contracts: fc.integer({ min: 1, max: 40 }),
    cents: fc.integer({ min: 1, max: 99 }),
    unitFee: fc.integer({ min: 0, max: 17_500 }),
    settles: fc.oneof(
      { weight: 12, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom(0, 37, 100, 'void' as const) },
    ),
  }),
  { minLength: 1, maxLength: 40 },
)
const entryOf = (row: Traded, at: number): FoldedEntry => {
  const { action, direction, contracts, cents, unitFee, settles } = row
  if (settles === null) {
    return fill(action, direction, [contracts, cents, (contracts * unitFee) / 1e6], at)
  }
  return {
    ...fill(action, 'yes', [contracts, cents, 0], at),
    eventType: 'settlement',
    action: null,
    price: settles === 'void' ? null : ((settles * 100) as PriceE4),
    result: settles === 'void' ? 'void' : null,
  }
}

/** Contract by contract in integers of any size: each meets the oldest one of the other side. */
function oracle(rows: readonly Traded[]) {
  let queue: { readonly isYes: boolean; readonly paid: bigint; readonly fee: bigint }[] = []
  let [realized, fees] = [0n, 0n]
  const micros = (cents: number): bigint => BigInt(cents) * 10_000n
  for (const { action, direction, contracts, cents, unitFee, settles } of rows) {
    if (settles !== null) {
      for (const { isYes, paid, fee } of queue) {
        const payout = settles === 'void' ? paid : micros(isYes ? settles : 100 - settles)
        realized += payout - paid - fee
      }
      queue = []
      continue
    }
    const isYes = (direction === 'yes') === (action === 'buy')
    const paid = micros(action === 'buy' ? cents : 100 - cents)
    const fee = BigInt(unitFee)
    fees += fee * BigInt(contracts)
    for (let n = 0; n < contracts; n += 1) {
      const oldest = queue[0]
      if (oldest === undefined || oldest.isYes === isYes) queue.push({ isYes, paid, fee })
      else {
        queue = queue.slice(1)
        realized += 1_000_000n - paid - oldest.paid - fee - oldest.fee
      }
    }
  }
  const cost = queue.reduce((sum, { paid }) => sum + paid, 0n)
  return { size: BigInt(queue.length) * 1_000_000n, cost, realized, fees }
}

it('[portfolio.fold.exact] equals a computation contract by contract', () => {
  fc.assert(
    fc.property(histories, (rows) => {
      const fold = new PositionFold()
      const gains = rows.map((row, index) => fold.apply(entryOf(row, index)) ?? 0)
      const position = fold.position()
      const expected = oracle(rows)
      const { size = 0, cost = 0, realized = 0, fees = 0 } = position ?? {}
      expect({
        size: BigInt(size),
        cost: BigInt(cost),
        realized: BigInt(realized),
        fees: BigInt(fees),
      }).toEqual(expected)
      const sum = gains.reduce((before, gain) => before + BigInt(gain), 0n)
      expect(sum).toBe(expected.realized)
    }),
    { numRuns: 1_000 },
  )
})
