import type { Report } from '../../api/backtest-types.ts'
import { formatNumber, formatUsd } from '../../lib/format.ts'
import { formatGain, formatShare } from './run-words.ts'

interface Bounds {
  readonly low: number
  readonly high: number
}
type Named = Readonly<Record<string, Bounds | null | undefined>>

/** Parts that a report may hold or not: they are drawn when they are there. */
interface Extras {
  readonly intervals?: { readonly daily: Named | null; readonly perEvent: Named | null }
  readonly capacity?: {
    readonly steps: readonly {
      readonly multiple: number
      readonly profit: number
      readonly trades: number
      readonly contracts: number
    }[]
    readonly halvesAt: number | null
    readonly why: string | null
  } | null
}

/** Whatever the service is: one of another version may tell more, or less. */
const extrasOf = (report: Report): Extras => report as unknown as Extras

export interface IntervalRow {
  readonly name: string
  readonly from: string
  readonly to: string
}

const ratio = (value: number): string => formatNumber(value, 2)
const share = (value: number): string => formatShare(value)
const KNOWN: readonly (readonly [
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
  ['realisedPerLot', 'perEvent', 'Realised a position', (value) => formatGain(value)],
  ['entryBrier', 'perEvent', 'Entry Brier', (value) => formatNumber(value, 3)],
]

/** How far chance alone could move the figures; none where the report does not tell. */
export function intervalRows(report: Report): readonly IntervalRow[] {
  const { intervals } = extrasOf(report)
  if (intervals === undefined) return []
  return KNOWN.flatMap(([field, group, name, text]) => {
    const bounds = intervals[group]?.[field] ?? null
    return bounds === null ? [] : [{ name, from: text(bounds.low), to: text(bounds.high) }]
  })
}

export interface Fading {
  readonly rows: readonly { readonly id: string; readonly cells: readonly string[] }[]
  readonly words: string
}

/** How the profit fades with size; null where it was not asked for. */
export function fadingOf(report: Report): Fading | null {
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
    words:
      capacity.halvesAt === null
        ? `Half of the profit: ${capacity.why ?? 'unknown'}.`
        : `Half of the profit is left at ${formatNumber(capacity.halvesAt, 1)} times the size.`,
  }
}
