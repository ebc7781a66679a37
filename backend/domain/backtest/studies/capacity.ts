import type { BarRows, BookRows, EventWindow, QuoteRows, TradeRows } from '../event-columns.ts'
import type { FillModel } from '../fill-model.ts'
import type { MoneyE6 } from '../../units.ts'

/** Times the size at which a run is played again (methodology L2). */
export const SIZE_MULTIPLES = [2, 4, 8] as const

/** What a run came to at a multiple of its size; dollars and contracts of that size. */
export interface CapacityStep {
  readonly multiple: number
  readonly profit: number
  readonly trades: number
  readonly contracts: number
}

/** How the profit of a run fades with its size. */
export interface Capacity {
  /** Ascending, that of the run itself first. */
  readonly steps: readonly CapacityStep[]
  /** Multiple at which the net profit is half of what it is at 1; null where it never is. */
  readonly halvesAt: number | null
  /** The same of the net profit for each unit of size: money that grows no more is spread thinner. */
  readonly perUnitHalvesAt: number | null
  /** Why there is no answer, or none within the multiples. */
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
  const most = steps.at(-1)?.multiple ?? 1
  const why = halvesAt === null ? `the profit did not halve up to ${most} times the size` : null
  return { steps, halvesAt, perUnitHalvesAt, why }
}

/** Multiple at which a figure first falls to a level, on straight lines between the runs. */
function crossing(
  steps: readonly CapacityStep[],
  of: (step: CapacityStep) => number,
  level: number,
): number | null {
  for (const [i, step] of steps.entries()) {
    const before = steps[i - 1]
    if (before === undefined || of(step) > level) continue
    const share = (of(before) - level) / (of(before) - of(step))
    return before.multiple + share * (step.multiple - before.multiple)
  }
  return null
}

/**
 * A market as orders of `times` the size find it: every size on file is divided, so that the same
 * orders weigh as much. What comes of it, times `times`, is what the larger orders come to. Volumes of
 * bars stay, since nothing is filled from them.
 */
export function thinned(window: EventWindow, times: number): EventWindow {
  if (times === 1) return window
  const thin = (sizes: Float64Array): Float64Array => sizes.map((size) => Math.round(size / times))
  const both = <Rows extends QuoteRows | BookRows>(rows: Rows | null): Rows | null =>
    rows === null ? null : { ...rows, bidSize: thin(rows.bidSize), askSize: thin(rows.askSize) }
  const trades: TradeRows | null =
    window.trades === null ? null : { ...window.trades, size: thin(window.trades.size) }
  const bars: BarRows | null = window.bars
  return { until: window.until, trades, quotes: both(window.quotes), books: both(window.books), bars } // prettier-ignore
}

/** The settings of a model that are sizes, for a market that is thinned. */
export const thinnedModel = (model: FillModel, times: number): FillModel => ({
  ...model,
  assumedLevelContracts: model.assumedLevelContracts / times,
  leastContracts: model.leastContracts / times,
  // A cent of rounding weighs less on a larger order.
  feeGrid: (model.feeGrid / times) as MoneyE6,
})
