import type { GaugeName, IndexHistory } from '../../../../backend/contract/indices.ts'
import type { ChartBar } from '../../../charts/chart-bars.ts'

type Timed = Pick<ChartBar, 'time'>

/**
 * The prices of another market in the bars of a chart, cents; null before its first bar and where
 * it has none.
 * @param isInverted the other market asks the opposite
 */
export function alignedPrices(
  bars: readonly Timed[],
  other: readonly Pick<ChartBar, 'time' | 'price'>[],
  isInverted: boolean,
): readonly (number | null)[] {
  const prices = new Map(other.map(({ time, price }) => [time, price]))
  return bars.map(({ time }) => {
    const price = prices.get(time) ?? null
    return price === null || !isInverted ? price : 100 - price
  })
}

/** The first price minus the second in each bar; null where one is unknown. */
export const differences = (
  left: readonly (number | null)[],
  right: readonly (number | null)[],
): readonly (number | null)[] =>
  left.map((value, index) => {
    const other = right[index] ?? null
    return value === null || other === null ? null : value - other
  })

/** A gauge is drawn for this many of its steps after a point. */
const MAX_STEPS = 2.5

/** A gauge in the bars of a chart, on 0 to 100; breadth is moved there from −1 to 1. */
export function alignedGauge(
  bars: readonly Timed[],
  seconds: number,
  history: Pick<IndexHistory, 'points' | 'stepSeconds'>,
  gauge: GaugeName | 'value',
): readonly (number | null)[] {
  const { points, stepSeconds } = history
  const maxAge = Math.max(seconds, stepSeconds * MAX_STEPS)
  let next = 0
  let last: { readonly at: number; readonly value: number } | null = null
  return bars.map(({ time }) => {
    for (; next < points.length; next += 1) {
      const point = points[next]
      const at = Date.parse(point?.at ?? '') / 1000
      if (point === undefined || at >= time + seconds) break
      const value = point[gauge]
      last = value === null ? null : { at, value }
    }
    if (last === null || time - last.at > maxAge) return null
    return gauge === 'breadth' ? 50 + 50 * last.value : last.value
  })
}
