import type { ParamsOf } from '../../params.ts'
import { medianOf } from '../../statistics/statistics.ts'
import { HOUR, roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { markMove24h, type TradedMoves, type WorldMarket } from '../world-market.ts'

export const GAUGE_PARAMS = {
  /** Disagreement points per cent per root hour of median movement. */
  disagreementScale: 25,
  minChanges: 2,
  /** Minimum qualifying markets for the world's disagreement. */
  minQualifying: 10,
  /** The same for a theme or region. */
  minQualifyingOfTheme: 5,
  /** How long the last known disagreement is carried forward, ms. */
  carry: (6 * HOUR) as Millis,
  /** Minimum daily move of the mark that counts for breadth, cents. */
  breadthMove: 10,
  /** Minimum days with data for activity. */
  minBaselineDays: 3,
} as const

/**
 * Movement of one market from its traded prices at equal steps, oldest first; NaN is unknown and
 * skipped. Null below two known prices. Changes 1, −1, 2, 0, −1 in one hour give sigma 2.646.
 * Trades are recorded completely for the time before a start, quotes are not: a movement of quotes
 * would rise with each start.
 * @param hours span of the prices
 */
export function tradedMoves(prices: ArrayLike<number>, hours: number): TradedMoves | null {
  let [previousMark, squares, changes, count] = [NaN, 0, 0, 0]
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] ?? NaN
    if (Number.isNaN(price)) continue
    count += 1
    const change = count === 1 ? 0 : roundTo(price - previousMark, 4)
    if (change !== 0) changes += 1
    squares += change * change
    previousMark = price
  }
  return count < 2 ? null : { sigma: Math.sqrt(squares / hours), changes }
}

/** The last measured disagreement. */
export interface MeasuredDisagreement {
  readonly value: number
  readonly at: Millis
}

export interface Disagreement {
  /** 0 to 100. */
  readonly value: number | null
  /** Median movement, cents per root hour, 1 decimal; null when too few markets moved. */
  readonly sigma: number | null
  readonly qualifying: number
  /** When `value` was measured; before `at` when it is carried. */
  readonly measured: MeasuredDisagreement | null
}

/** Disagreement of a median movement in cents per root hour: 1.68 gives 42. */
export const disagreementOf = (
  sigma: number,
  params: ParamsOf<typeof GAUGE_PARAMS> = GAUGE_PARAMS,
): number => roundTo(Math.min(100, params.disagreementScale * sigma), 0)

/**
 * Gauge B1: how far traded prices moved in the last day, by the median market. With too few markets the
 * last measured value is carried forward for six hours.
 * @param min minimum of qualifying markets
 * @param last the newest measured value; null for none, or where nothing is carried (themes)
 */
export function measureDisagreement(
  markets: readonly WorldMarket[],
  at: Millis,
  min: number,
  last: MeasuredDisagreement | null,
  params: ParamsOf<typeof GAUGE_PARAMS> = GAUGE_PARAMS,
): Disagreement {
  const sigmas: number[] = []
  for (const { tradedMoves: moves } of markets) {
    if (moves !== null && moves.changes >= params.minChanges) sigmas.push(moves.sigma)
  }
  const qualifying = sigmas.length
  const sigma = medianOf(sigmas)
  if (sigma !== null && qualifying >= min) {
    const value = disagreementOf(sigma, params)
    return { value, sigma: roundTo(sigma, 1), qualifying, measured: { value, at } }
  }
  const carriedReading = last !== null && at - last.at <= params.carry ? last : null
  return { value: carriedReading?.value ?? null, sigma: null, qualifying, measured: carriedReading }
}

export interface Breadth {
  /** −1 to 1, 2 decimals. */
  readonly value: number
  readonly up: number
  readonly down: number
  readonly total: number
}

/** Net share of up against down moves: 1401 and 1068 give 0.13; 0 when nothing moved. */
export const breadthOf = (up: number, down: number): number =>
  up + down === 0 ? 0 : roundTo((up - down) / (up + down), 2)

/** Gauge B3: markets whose mark rose by 10¢ or more in 24 hours against those that fell. */
export function measureBreadth(
  markets: readonly WorldMarket[],
  params: ParamsOf<typeof GAUGE_PARAMS> = GAUGE_PARAMS,
): Breadth {
  let [up, down] = [0, 0]
  for (const market of markets) {
    const move = markMove24h(market)
    if (move === null) continue
    if (move >= params.breadthMove) up += 1
    else if (move <= -params.breadthMove) down += 1
  }
  return { value: breadthOf(up, down), up, down, total: up + down }
}

export interface Activity {
  /** 0 to 100. */
  readonly value: number | null
  readonly changes24h: number | null
  /** Days of the baseline with fewer changes. */
  readonly below: number
  readonly days: number
}

/**
 * Gauge B4: share of the last 30 days with strictly fewer changes of traded prices than now.
 * @param changes24h null when trades of the last 24 hours are not known completely
 * @param baseline counts at t − 24 h × 1…30; null for a day without data
 */
export function measureActivity(
  changes24h: number | null,
  baseline: readonly (number | null)[],
  params: ParamsOf<typeof GAUGE_PARAMS> = GAUGE_PARAMS,
): Activity {
  const present = baseline.filter((count) => count !== null)
  const lowerCount = changes24h === null ? 0 : present.filter((count) => count < changes24h).length
  const days = present.length
  const isKnown = changes24h !== null && days >= params.minBaselineDays
  const value = isKnown ? roundTo((100 * lowerCount) / days, 0) : null
  return { value, changes24h, below: lowerCount, days }
}
