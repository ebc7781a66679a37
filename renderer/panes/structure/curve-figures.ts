import type { YieldPoint } from '../../../backend/contract/indices.ts'

/** One price per tenor, in cents. */
export interface TenorPrice {
  readonly tenorDays: number
  readonly price: number
}

/**
 * Prices by tenor, nearest first: contracts of one tenor are averaged, weighted by volume where it
 * is known.
 */
export function tenorsOf(points: readonly YieldPoint[]): readonly TenorPrice[] {
  const priced = points.flatMap(({ tenorDays, price, volume24h }) =>
    price === null ? [] : [{ tenorDays, price, volume: volume24h ?? 0 }],
  )
  return [...Map.groupBy(priced, ({ tenorDays }) => tenorDays)]
    .map(([tenorDays, group]) => {
      const volume = group.reduce((sum, point) => sum + point.volume, 0)
      const weighted = group.reduce((sum, point) => sum + point.price * point.volume, 0)
      const plain = group.reduce((sum, point) => sum + point.price, 0) / group.length
      return { tenorDays, price: volume > 0 ? weighted / volume : plain }
    })
    .sort((left, right) => left.tenorDays - right.tenorDays)
}

const DAYS = 30

/**
 * Slope of a curve in percentage points for 30 days, by least squares; null for one tenor. The
 * tenors differ.
 * Methodology F1.
 */
export function slopeOf(tenors: readonly TenorPrice[]): number | null {
  const n = tenors.length
  const meanX = tenors.reduce((sum, { tenorDays }) => sum + tenorDays, 0) / n
  const meanY = tenors.reduce((sum, { price }) => sum + price, 0) / n
  const spread = tenors.reduce((sum, { tenorDays }) => sum + (tenorDays - meanX) ** 2, 0)
  if (n < 2) return null
  const shared = tenors.reduce(
    (sum, { tenorDays, price }) => sum + (tenorDays - meanX) * (price - meanY),
    0,
  )
  return (shared / spread) * DAYS
}

/**
 * The conditional probability of each tenor given that no earlier one resolved, 0 to 1, for
 * questions "by a date"; null for the first tenor and after a certainty. Negative: a later deadline
 * is priced below an earlier one.
 */
export const hazardsOf = (tenors: readonly TenorPrice[]): readonly (number | null)[] =>
  tenors.map(({ price }, index) => {
    const previous = tenors[index - 1]
    if (previous === undefined || previous.price >= 100) return null
    return (price - previous.price) / (100 - previous.price)
  })
