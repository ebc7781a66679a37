import fc from '../../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import { Lots, type Lot } from './lots.ts'

const MARKETS = 40
const step = fc.record({
  market: fc.integer({ min: 0, max: MARKETS - 1 }),
  adds: fc.boolean(),
  size: fc.integer({ min: 1, max: 9 }),
})

it('[backtest.lots] keeps the lots of each market in order when entries are reused', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const lots = new Lots()
      const expected = Array.from({ length: MARKETS }, (): Lot[] => [])
      for (const [n, { market, adds, size }] of steps.entries()) {
        const known = expected[market] as Lot[]
        const [oldest] = known
        if (adds || oldest === undefined) {
          const lot: Lot = {
            side: n % 2 === 0 ? 'yes' : 'no',
            size: size as SizeE6,
            price: n as PriceE4,
            fee: -n as MoneyE6,
            openedAt: (1e12 + n) as Millis,
            tag: n % 5,
          }
          lots.add(market, lot)
          known.push(lot)
        } else {
          const rest = Math.max(0, oldest.size - size) as SizeE6
          lots.reduceOldest(market, rest, n as MoneyE6)
          if (rest === 0) known.shift()
          else known[0] = { ...oldest, size: rest, fee: n as MoneyE6 }
        }
      }
      expect(expected.map((_, market) => lots.get(market))).toEqual(expected)
      const held = [...expected.keys()].filter((market) => expected[market]?.length !== 0)
      expect(lots.markets()).toEqual(held)
    }),
  )
})
