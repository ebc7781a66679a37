import { mix, unit } from '../randomness.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { quoteAt, stepStart, tickAt } from './quote.ts'

/** Price in 1e-4 dollars and size in hundredths of contracts. */
export type Level = readonly [price: number, size: number]
/** A book on the YES scale, best first. */
export interface SimBook {
  readonly at: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

/** The complete book of a market at an instant; it changes only at the market's steps. */
export function bookAt(market: SimMarket, at: number): SimBook {
  const stepAt = stepStart(market, at)
  const { bid, ask } = quoteAt(market, at)
  return {
    at: stepAt,
    bids: bid <= 0 ? [] : levels(market, stepAt, bid, -1),
    asks: ask >= 10_000 ? [] : levels(market, stepAt, ask, 1),
  }
}

function levels(market: SimMarket, at: number, best: number, direction: 1 | -1): Level[] {
  const depth = market.tradesPerDay > 100 ? 14 : market.tradesPerDay > 15 ? 8 : 4
  const fills: Level[] = []
  let price = best
  for (
    let step = 0;
    fills.length < depth && step < depth * 3 && price > 0 && price < 10_000;
    step++
  ) {
    const levelKey = mix(mix(market.key, price), direction)
    if (step === 0 || unit(levelKey, 1) < 0.72)
      fills.push([price, sizeOf(market, levelKey, at, step)])
    const tick = tickAt(market, direction === 1 ? price : price - 1, at)
    price += direction * tick
  }
  return fills
}

/** Orders rest at a level for a while, so that one step changes a few levels and not all. */
function sizeOf(market: SimMarket, levelKey: number, at: number, step: number): number {
  const rest = market.step * (2 + (levelKey % 30))
  const stay = Math.floor((at + (levelKey % 65_536)) / rest)
  const randomValue = unit(mix(levelKey, 2), stay)
  const crowd = 40 + 14 * Math.sqrt(market.tradesPerDay)
  const size = crowd * (0.15 + 2.2 * randomValue * randomValue) * (1 + Math.min(step, 8) * 0.25)
  return market.venue === 'venue_b' ? Math.round(size * 100) : Math.max(1, Math.round(size)) * 100
}

/** The level changes from one book to another; size 0 removes a level. */
export function changedLevels(
  before: readonly Level[],
  after: readonly Level[],
): { price: number; size: number; change: number }[] {
  const old = new Map(before)
  const changes: { price: number; size: number; change: number }[] = []
  for (const [price, size] of after) {
    const oldSize = old.get(price) ?? 0
    if (oldSize !== size) changes.push({ price, size, change: size - oldSize })
    old.delete(price)
  }
  for (const [price, size] of old) changes.push({ price, size: 0, change: -size })
  return changes
}
