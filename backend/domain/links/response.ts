import { clamp } from '../statistics/statistics.ts'
import type { Cents } from '../units.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

/** Response estimated from history, shrunk towards its prior. */
export interface ResponseCoefficient {
  /** Cents of j per cent of i. */
  readonly beta: number
  /** Hours in which i moved by a cent or more. */
  readonly n: number
}

/**
 * Response of j to i (methodology D2): slope through the origin over the hours in which i moved,
 * with the prior weighted as twenty more hours. Unknown hours are NaN and ignored.
 * @param changesI hourly mark changes of i, cents; of the same hours as those of j
 */
export function responseCoefficient(
  changesI: Float64Array,
  changesJ: Float64Array,
  prior: number,
  params: LinkParams = LINK_PARAMS,
): ResponseCoefficient {
  let [n, products, squares] = [0, 0, 0]
  for (let hour = 0; hour < changesI.length; hour++) {
    const [x, y] = [changesI[hour] ?? Number.NaN, changesJ[hour] ?? Number.NaN]
    if (Number.isNaN(x) || Number.isNaN(y) || Math.abs(x) < params.minMove) continue
    n += 1
    products += x * y
    squares += x * x
  }
  return { beta: shrunkBeta(squares === 0 ? prior : products / squares, n, prior, params), n }
}

/** An estimate from n hours, shrunk towards its prior and clamped to ±1.5. */
export const shrunkBeta = (
  estimate: number,
  n: number,
  prior: number,
  params: LinkParams = LINK_PARAMS,
): number =>
  clamp(
    (n * estimate + params.priorHours * prior) / (n + params.priorHours),
    -params.maxBeta,
    params.maxBeta,
  )

/**
 * Response of one exclusive outcome to another: a loss of i is distributed over the others in
 * proportion. Null when i was at 100, because there are no others then.
 * @param before marks before the move
 */
export const exclusiveBeta = (beforeI: Cents, beforeJ: Cents): number | null =>
  beforeI >= 100 ? null : (0 - beforeJ) / (100 - beforeI)
