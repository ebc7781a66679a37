import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import { formatNumber, formatUsd } from '../../lib/format.ts'
import { formatGain, formatShare } from './run-labels.ts'

interface Bounds {
  readonly low: number
  readonly high: number
}
type BoundsByField = Readonly<Record<string, Bounds | null | undefined>>

/** Optional parts of a report. */
interface Extras extends Partial<Pick<RunReport, 'capacity'>> {
  readonly intervals?: {
    readonly daily: BoundsByField | null
    readonly perEvent: BoundsByField | null
  }
}

/** A service of another version may return more or fewer fields. */
const extrasOf = (report: RunReport): Extras => report

export interface IntervalRow {
  readonly name: string
  readonly from: string
  readonly to: string
}

const ratio = (value: number): string => formatNumber(value, 2)
const share = (value: number): string => formatShare(value)
const INTERVALS: readonly (readonly [
  string,
  'daily' | 'perEvent',
  string,
  (value: number) => string,
])[] = [
  ['totalReturn', 'daily', 'Return', share],
  ['sharpe', 'daily', 'Sharpe', ratio],
  ['sortino', 'daily', 'Sortino', ratio],
  ['maxDrawdown', 'daily', 'Max drawdown', share],
  ['hitRate', 'perEvent', 'Hit rate', share],
  ['realised', 'perEvent', 'Realised', (value) => formatGain(value)],
  ['realisedPerLot', 'perEvent', 'Realised per position', (value) => formatGain(value)],
  ['entryBrier', 'perEvent', 'Entry Brier', (value) => formatNumber(value, 3)],
]

/** Confidence intervals of the figures; none when the report does not include them. */
export function intervalRows(report: RunReport): readonly IntervalRow[] {
  const { intervals } = extrasOf(report)
  if (intervals === undefined) return []
  return INTERVALS.flatMap(([field, group, name, text]) => {
    const bounds = intervals[group]?.[field] ?? null
    return bounds === null ? [] : [{ name, from: text(bounds.low), to: text(bounds.high) }]
  })
}

export interface CapacityTable {
  readonly rows: readonly { readonly id: string; readonly cells: readonly string[] }[]
  readonly description: string
}

/** Profit by order size; null when it was not requested. */
export function capacityTableOf(report: RunReport): CapacityTable | null {
  const { capacity } = extrasOf(report)
  if (capacity === undefined || capacity === null) return null
  return {
    rows: capacity.steps.map(({ multiple, profit, trades, contracts }) => ({
      id: String(multiple),
      cells: [
        `${formatNumber(multiple, 1)} times`,
        formatGain(profit),
        formatUsd(profit / multiple),
        formatNumber(trades, 0),
        formatNumber(contracts, 0),
      ],
    })),
    description:
      capacity.halvesAt === null
        ? `Half of the profit: ${capacity.why ?? 'unknown'}.`
        : `Half of the profit is left at ${formatNumber(capacity.halvesAt, 1)} times the size.`,
  }
}
