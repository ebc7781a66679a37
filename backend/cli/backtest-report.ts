import { studyLines, type Study } from './backtest-study.ts'
import type { JobRun } from './job.ts'
import { lines, table, text, type Column } from './output.ts'

interface Interval {
  readonly low: number
  readonly high: number
}
export interface Report {
  readonly strategy: string
  readonly profit: number
  readonly fees: number
  readonly trades: number
  readonly events: number
  readonly markets: number
  readonly maxDrawdown: number
  readonly hitRate: number | null
  readonly returns: { readonly sharpe: number | null; readonly totalReturn: number }
  readonly entries: { readonly brier: number; readonly n: number } | null
  readonly invalidatedBy: readonly string[]
  readonly realised: number
  readonly intervals: {
    readonly daily: { readonly sharpe: Interval | null } | null
    readonly perEvent: {
      readonly realised: Interval | null
      readonly hitRate: Interval | null
    } | null
  }
  readonly capacity: {
    readonly steps: readonly { readonly multiple: number; readonly profit: number }[]
    readonly halvesAt: number | null
    readonly why: string | null
  } | null
  readonly study: Study | null
}
/** A backtest as the service tells of it. */
export interface Run extends JobRun {
  readonly id: string
  readonly strategy: string
  readonly progress: number
  readonly error: string | null
  readonly createdAt: string
  readonly profit?: number | null
  readonly trades?: number | null
  readonly report?: Report | null
  readonly files?: readonly string[]
}

export const usd = (value: number | null): string =>
  value === null ? '–' : `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`
const percent = (value: number | null): string =>
  value === null ? '–' : `${(value * 100).toFixed(2)} %`

/** A figure with what chance could make of it, where that is told. */
const within = (
  value: number | null,
  interval: Interval | null | undefined,
  said: (value: number) => string,
): string => {
  if (value === null) return '–'
  if (interval === null || interval === undefined) return said(value)
  return `${said(value)} (95 %: ${said(interval.low)} to ${said(interval.high)})`
}

const capacityOf = ({ capacity }: Report): readonly (readonly [string, string])[] => {
  if (capacity === null) return []
  const { steps, halvesAt, why } = capacity
  const profits = steps.map(({ multiple, profit }) => `×${multiple} ${usd(profit)}`).join(', ')
  const half = halvesAt === null ? (why ?? '–') : `halves at ${halvesAt.toFixed(1)} times`
  return [['capacity', `${profits}; ${half}`]]
}

/** The figures of a report, name by name. */
export const factsOf = (report: Report): readonly (readonly [string, string])[] => [
  ['profit', usd(report.profit)],
  ['return', percent(report.returns.totalReturn)],
  ['sharpe', within(report.returns.sharpe, report.intervals.daily?.sharpe, (x) => x.toFixed(2))],
  ['max drawdown', percent(report.maxDrawdown)],
  ['realised', within(report.realised, report.intervals.perEvent?.realised, usd)],
  ['hit rate', within(report.hitRate, report.intervals.perEvent?.hitRate, percent)],
  ['entry brier', report.entries === null ? '–' : `${report.entries.brier.toFixed(4)} (${report.entries.n})`], // prettier-ignore
  ['fees', usd(report.fees)],
  ['trades', String(report.trades)],
  ['markets', String(report.markets)],
  ['events', String(report.events)],
  ...capacityOf(report),
]

/** A run as lines. */
export function told(run: Run): string {
  const { report } = run
  const head: readonly (readonly [string, string])[] = [
    ['id', text(run.id)],
    ['strategy', text(run.strategy)],
    ['state', `${run.state}${run.error === null ? '' : `: ${text(run.error)}`}`],
  ]
  if (report === null || report === undefined) return lines([...head])
  return lines([
    ...head,
    ...factsOf(report),
    ...(report.study === null ? [] : studyLines(report.study)),
    ...report.invalidatedBy.map((why) => ['mind', text(why)] as const),
    ...(run.files ?? []).map((file) => ['file', text(file)] as const),
  ])
}

/** Two runs side by side. */
export function compared(runs: readonly Run[]): string {
  const [first, second] = runs.map(({ report }) => (report ? factsOf(report) : []))
  const rows = (first ?? []).map(([name, value], i) => ({ name, value, other: second?.[i]?.[1] ?? '–' })) // prettier-ignore
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: '', of: ({ name }) => text(name) },
    { title: runs[0]?.strategy ?? 'A', of: ({ value }) => text(value) },
    { title: runs[1]?.strategy ?? 'B', of: ({ other }) => text(other) },
  ]
  return table(rows, columns)
}
