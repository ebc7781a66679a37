import type { BarRows, BookRows, EventWindow, QuoteRows, TradeRows } from '../event-columns.ts'
import type { FillModel } from '../broker/fill-model.ts'
import type { MoneyE6 } from '../../units.ts'

/** Multiples of the size at which a run is repeated (methodology L2). */
export const SIZE_MULTIPLES = [2, 4, 8] as const

/** Result of a run at a multiple of its size; dollars and contracts of that size. */
export interface CapacityStep {
  readonly multiple: number
  readonly profit: number
  readonly trades: number
  readonly contracts: number
}

/** How the profit of a run declines with its size. */
export interface Capacity {
  /** Ascending, starting with the run itself. */
  readonly steps: readonly CapacityStep[]
  /** Multiple at which the net profit is half of that at 1; null when it never is. */
  readonly halvesAt: number | null
  /**
   * The same for the net profit per unit of size. It falls even when the total profit no longer
   * grows.
   */
  readonly perUnitHalvesAt: number | null
  /** Why there is no result, or none within the multiples. */
  readonly why: string | null
}

/** @param steps ascending by multiple, 1 first */
export function capacityOf(steps: readonly CapacityStep[]): Capacity {
  const first = steps[0]
  if (first === undefined || first.profit <= 0) {
    return { steps, halvesAt: null, perUnitHalvesAt: null, why: 'there is no profit to halve' }
  }
  const halvesAt = crossing(steps, ({ profit }) => profit, first.profit / 2)
  const perUnit = ({ profit, multiple }: CapacityStep): number => profit / multiple
  const perUnitHalvesAt = crossing(steps, perUnit, first.profit / 2)
  const max = steps.at(-1)?.multiple ?? 1
  const reason = halvesAt === null ? `the profit did not halve up to ${max} times the size` : null
  return { steps, halvesAt, perUnitHalvesAt, why: reason }
}

/** Multiple at which a figure first falls to a level, interpolated linearly between the runs. */
function crossing(
  steps: readonly CapacityStep[],
  valueOf: (step: CapacityStep) => number,
  level: number,
): number | null {
  for (const [i, step] of steps.entries()) {
    const previous = steps[i - 1]
    if (previous === undefined || valueOf(step) > level) continue
    const share = (valueOf(previous) - level) / (valueOf(previous) - valueOf(step))
    return previous.multiple + share * (step.multiple - previous.multiple)
  }
  return null
}

/**
 * Divides every recorded size by `times`, so that the same orders weigh as much as orders of
 * `times` the size. Multiply the result by `times` to get that of the larger orders. Volumes of
 * bars are unchanged, since nothing is filled from them.
 */
export function scaledDown(window: EventWindow, times: number): EventWindow {
  if (times === 1) return window
  const thinnedSizes = (sizes: Float64Array): Float64Array =>
    sizes.map((size) => Math.round(size / times))
  const both = <Rows extends QuoteRows | BookRows>(rows: Rows | null): Rows | null =>
    rows === null
      ? null
      : { ...rows, bidSize: thinnedSizes(rows.bidSize), askSize: thinnedSizes(rows.askSize) }
  const trades: TradeRows | null =
    window.trades === null ? null : { ...window.trades, size: thinnedSizes(window.trades.size) }
  const bars: BarRows | null = window.bars
  return {
    until: window.until,
    trades,
    quotes: both(window.quotes),
    books: both(window.books),
    bars,
  }
}

/** The fill model for a thinned market: its settings that are sizes are divided. */
export const scaledDownModel = (model: FillModel, times: number): FillModel => ({
  ...model,
  assumedLevelContracts: model.assumedLevelContracts / times,
  leastContracts: model.leastContracts / times,
  // Rounding to a cent weighs less on a larger order.
  feeGrid: (model.feeGrid / times) as MoneyE6,
})
