import type { YieldPoint } from '../../../backend/contract/indices.ts'
import {
  forwardHazards,
  pricesByTenor,
  type TenorPrice,
} from '../../../backend/domain/prices/yield-curve.ts'

/** Prices by tenor, nearest first; points without a price are left out. */
export const tenorsOf = (points: readonly YieldPoint[]): readonly TenorPrice[] =>
  pricesByTenor(
    points.flatMap(({ price, ...point }) => (price === null ? [] : [{ ...point, price }])),
  )

/**
 * The conditional probability of each tenor given that no earlier one resolved, 0 to 1; null for the
 * first tenor and after a certainty. Negative: a later deadline is priced below an earlier one.
 */
export const hazardsOf = (tenors: readonly TenorPrice[]): readonly (number | null)[] =>
  tenors.length === 0 ? [] : [null, ...forwardHazards(tenors)]
