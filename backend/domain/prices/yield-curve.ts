import { impliedYieldYes, tauAt } from './indicators.ts'
import type { Ticker, Venue } from '../market.ts'
import type { ParamsOf } from '../params.ts'
import { meanOf, slopeOf } from '../statistics/statistics.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Constants of yield curves (methodology F1). */
export const CURVE_PARAMS = {
  /** Range in cents below which a curve is flat. */
  flatRange: 3,
  /** Cents by which an inner point exceeds both ends. */
  hump: 5,
  minContracts: 2,
  slopeDays: 30,
} as const
export type CurveParams = ParamsOf<typeof CURVE_PARAMS>

/** One live contract of a family of dates. */
export interface CurveContract {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  /** Venue event, or stem of the series after its period is stripped (see `seriesStem`). */
  readonly family: string
  readonly closeTime: Millis | null
  readonly price: Cents | null
  readonly volume24h: number | null
}

export interface CurvePoint {
  readonly ticker: Ticker
  readonly title: string
  readonly tenorDays: number
  readonly price: Cents
  /** Implied yield of YES, percent a year. */
  readonly iy: number | null
  readonly volume24h: number | null
  readonly closeTime: Millis
}

export type CurveShape = 'up' | 'flat' | 'inverted' | 'humped'

export interface YieldCurve {
  readonly family: string
  readonly venue: Venue
  readonly shape: CurveShape
  /** Percentage points per 30 days, not rounded; null for one tenor. */
  readonly slope: number | null
  readonly distinctTenorCount: number
  readonly totalVolume24h: number | null
  /** Simple mean, 2 decimals. */
  readonly avgPrice: Cents
  /** By tenor, then ticker. */
  readonly points: readonly CurvePoint[]
  /**
   * Probability of each further tenor given none before, from the second tenor on; negative is an
   * arbitrage.
   */
  readonly hazards: readonly (number | null)[]
}

/** Price of one contract at its tenor, in cents. */
type PricedTenor = Pick<CurvePoint, 'tenorDays' | 'volume24h'> & { readonly price: number }

/** Probability in cents at one tenor. */
export interface TenorPrice {
  readonly tenorDays: number
  readonly price: number
}

/**
 * One price per tenor, ascending: contracts of one tenor are merged, weighted by volume where it
 * is known.
 */
export function pricesByTenor(points: readonly PricedTenor[]): TenorPrice[] {
  const tenors = new Map<number, PricedTenor[]>()
  for (const point of points) {
    const group = tenors.get(point.tenorDays)
    if (group === undefined) tenors.set(point.tenorDays, [point])
    else group.push(point)
  }
  return [...tenors]
    .sort(([a], [b]) => a - b)
    .map(([tenorDays, group]) => {
      const volume = group.reduce((sum, point) => sum + (point.volume24h ?? 0), 0)
      const weightedSum = group.reduce(
        (sum, point) => sum + point.price * (point.volume24h ?? 0),
        0,
      )
      const price =
        volume > 0 ? weightedSum / volume : (meanOf(group.map((point) => point.price)) ?? 0)
      return { tenorDays, price }
    })
}

/** Slope of a curve in percentage points per 30 days; null for one tenor. */
export function curveSlope(
  tenors: readonly TenorPrice[],
  params: CurveParams = CURVE_PARAMS,
): number | null {
  const slope = slopeOf(tenors.map(({ tenorDays, price }) => [tenorDays, price] as const))
  return slope === null ? null : slope * params.slopeDays
}

/**
 * The first shape whose condition holds: flat by range, humped by an inner point, up, inverted,
 * flat.
 */
export function curveShape(
  tenors: readonly TenorPrice[],
  params: CurveParams = CURVE_PARAMS,
): CurveShape {
  const prices = tenors.map(({ price }) => price)
  const [first, last] = [prices[0], prices.at(-1)]
  if (first === undefined || last === undefined) return 'flat'
  if (Math.max(...prices) - Math.min(...prices) < params.flatRange) return 'flat'
  const inner = prices.slice(1, -1)
  if (inner.some((price) => price >= Math.max(first, last) + params.hump)) return 'humped'
  const slope = curveSlope(tenors, params) ?? 0
  return slope > 0 ? 'up' : slope < 0 ? 'inverted' : 'flat'
}

/** Forward hazards of a "by date" ladder, one fewer than tenors; null after a certainty. */
export const forwardHazards = (tenors: readonly TenorPrice[]): (number | null)[] =>
  tenors.slice(1).map(({ price }, index) => {
    const probability = (tenors[index]?.price ?? 0) / 100
    return probability >= 1 ? null : (price / 100 - probability) / (1 - probability)
  })

function curveOf(
  contracts: readonly CurveContract[],
  at: Millis,
  params: CurveParams,
): YieldCurve | null {
  const points = contracts
    .flatMap(({ closeTime, price, ...rest }): CurvePoint[] => {
      const tau = tauAt(closeTime, at)
      if (closeTime === null || tau === null || price === null) return []
      const { ticker, title, volume24h } = rest
      const iy = impliedYieldYes(price, tau)
      return [{ ticker, title, tenorDays: Math.round(tau), price, iy, volume24h, closeTime }]
    })
    .sort((a, b) => a.tenorDays - b.tenorDays || (a.ticker < b.ticker ? -1 : 1))
  const [contract] = contracts
  if (contract === undefined || points.length < params.minContracts) return null
  const tenors = pricesByTenor(points)
  const volumes = points.flatMap(({ volume24h }) => (volume24h === null ? [] : [volume24h]))
  const average = meanOf(points.map(({ price }) => price)) ?? 0
  return {
    family: contract.family,
    venue: contract.venue,
    shape: curveShape(tenors, params),
    slope: curveSlope(tenors, params),
    distinctTenorCount: tenors.length,
    totalVolume24h: volumes.length === 0 ? null : volumes.reduce((sum, volume) => sum + volume, 0),
    avgPrice: roundTo(average, 2) as Cents,
    points,
    hazards: forwardHazards(tenors),
  }
}

/**
 * Curves of price against time to close, one per family of a venue with two or more live
 * contracts (methodology F1); no interpolation.
 * @returns by 24 h volume descending, unknown last, then venue and family
 */
export function yieldCurves(
  contracts: readonly CurveContract[],
  at: Millis,
  params: CurveParams = CURVE_PARAMS,
): YieldCurve[] {
  return [...Map.groupBy(contracts, ({ venue, family }) => `${venue} ${family}`)]
    .flatMap(([key, family]) => {
      const curve = curveOf(family, at, params)
      return curve === null ? [] : [{ key, curve }]
    })
    .sort(
      (a, b) =>
        (b.curve.totalVolume24h ?? -1) - (a.curve.totalVolume24h ?? -1) || (a.key < b.key ? -1 : 1),
    )
    .map(({ curve }) => curve)
}
