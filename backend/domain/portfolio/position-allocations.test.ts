import { expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { PositionAllocations } from './position-allocations.ts'
import { PositionFold } from './position-fold.ts'

const entry = (
  action: 'buy' | 'sell',
  contracts: number,
  strategyId?: string,
  direction: 'yes' | 'no' = 'yes',
) => ({
  eventType: 'fill' as const,
  occurredAt: 1 as Millis,
  action,
  direction,
  size: (contracts * 1e6) as SizeE6,
  price: 4_000 as PriceE4,
  fee: 0 as MoneyE6,
  result: null,
  ...(strategyId !== undefined && { thesisId: 't1', strategyId }),
})
const SETTLED = { ...entry('buy', 1), eventType: 'settlement' as const, action: null }

function heldAfter(...entries: (ReturnType<typeof entry> | typeof SETTLED)[]): string[] {
  const parts = new PositionAllocations()
  for (const one of entries) parts.apply(one)
  return parts.open.map(({ strategyId, size }) => `${strategyId ?? 'none'} ${size / 1e6}`)
}

it.each([
  ['each strategy what it bought', [entry('buy', 5), entry('buy', 10, 'a')], ['none 5', 'a 10']],
  [
    'a second purchase of a strategy with its first',
    [entry('buy', 5, 'a'), entry('buy', 3, 'b'), entry('buy', 2, 'a')],
    ['a 7', 'b 3'],
  ],
  [
    'the others after a sale of one strategy',
    [entry('buy', 5, 'a'), entry('buy', 5, 'b'), entry('sell', 5, 'b')],
    ['a 5'],
  ],
  [
    'less of the oldest after a sale for nothing that is held',
    [entry('buy', 5, 'a'), entry('buy', 5, 'b'), entry('sell', 6)],
    ['b 4'],
  ],
  [
    'the rest of a purchase of the other side',
    [entry('buy', 5, 'a'), entry('buy', 8, 'b', 'no')],
    ['b 3'],
  ],
  ['nothing after a settlement', [entry('buy', 5, 'a'), SETTLED], []],
])('[portfolio.fold.parts] holds %s', (_, entries, held) => {
  expect(heldAfter(...entries)).toEqual(held)
})

it('[portfolio.fold.parts] add up to the position, whatever is traded', () => {
  const trades = fc.record({
    action: fc.constantFrom('buy', 'sell'),
    direction: fc.constantFrom('yes', 'no'),
    contracts: fc.integer({ min: 1, max: 20 }),
    strategyId: fc.constantFrom(undefined, 'a', 'b', 'c'),
  })
  fc.assert(
    fc.property(fc.array(trades, { maxLength: 40 }), (history) => {
      const [fold, parts] = [new PositionFold(), new PositionAllocations()]
      for (const { action, contracts, strategyId, direction } of history) {
        const one = entry(action, contracts, strategyId, direction)
        fold.apply(one)
        parts.apply(one)
        const held = parts.open.reduce((sum, { size }) => sum + size, 0)
        expect(held).toBe(fold.position()?.size ?? 0)
        expect(parts.open.every(({ size }) => size > 0)).toBe(true)
      }
    }),
  )
})
