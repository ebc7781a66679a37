import { sumOf } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'

export interface PriceLevelsParams {
  /** A close is extreme when it is the highest or lowest within this many closes on both sides. */
  readonly reach: number
  /** Maximum price difference, cents, within one level. */
  readonly width: number
  readonly minTouches: number
  readonly max: number
}
export const PRICE_LEVELS_PARAMS: PriceLevelsParams = {
  reach: 12,
  width: 2,
  minTouches: 2,
  max: 6,
}

/** A price at which a market turned more than once. */
export interface PriceLevel {
  /** Mean of the touches, cents, 2 decimals. */
  readonly price: Cents
  readonly kind: 'support' | 'resistance'
  readonly touches: number
}

/**
 * Closes that are the highest or lowest within `reach` closes on both sides. A price that does not
 * move for hours touches once: later equal closes of the same plateau do not count again.
 */
export function turningCloses(closes: readonly number[], windowBars: number): number[] {
  const turns: number[] = []
  for (let i = windowBars; i < closes.length - windowBars; i++) {
    const close = closes[i] ?? NaN
    if (i > windowBars && closes[i - 1] === close) continue
    let [high, low] = [-Infinity, Infinity]
    for (let j = i - windowBars; j <= i + windowBars; j++) {
      high = Math.max(high, closes[j] ?? -Infinity)
      low = Math.min(low, closes[j] ?? Infinity)
    }
    if (high !== low && (close === high || close === low)) turns.push(close)
  }
  return turns
}

/**
 * Support below and resistance above a price. Turning closes are grouped while no two of a group
 * are further apart than the width. Groups of two or more count; those with most touches come first
 * (ties: nearer to the price, then lower), returned highest price first. Empty without a price.
 * Methodology A13.
 * @param closes hourly closes of 30 days, oldest first, gaps filled
 */
export function priceLevels(
  closes: readonly number[],
  price: Cents | null,
  params: PriceLevelsParams = PRICE_LEVELS_PARAMS,
): PriceLevel[] {
  if (price === null) return []
  const groups: number[][] = []
  for (const close of turningCloses(closes, params.reach).sort((a, b) => a - b)) {
    const group = groups.at(-1)
    if (group !== undefined && roundTo(close - (group[0] ?? close), 6) <= params.width) {
      group.push(close)
    } else groups.push([close])
  }
  return groups
    .filter((group) => group.length >= params.minTouches)
    .map((group) => ({ price: roundTo(sumOf(group) / group.length, 2), touches: group.length }))
    .filter((level) => level.price !== price)
    .sort(
      (a, b) =>
        b.touches - a.touches || distance(a, price) - distance(b, price) || a.price - b.price,
    )
    .slice(0, params.max)
    .sort((a, b) => b.price - a.price)
    .map((level) => ({
      price: level.price as Cents,
      kind: level.price < price ? 'support' : 'resistance',
      touches: level.touches,
    }))
}

const distance = (level: { readonly price: number }, price: number): number =>
  Math.abs(level.price - price)
