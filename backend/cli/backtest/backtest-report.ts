import type { BacktestRun } from '../../contract/backtests.ts'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import {
  incomparableText,
  settingDifferences,
} from '../../domain/backtest/report/setting-differences.ts'
import { studyLines } from './backtest-study.ts'
import { lines, table, text, type Column } from '../terminal/output.ts'
import { usd } from './usd.ts'

const percent = (value: number | null): string =>
  value === null ? '–' : `${(value * 100).toFixed(2)} %`

/** A figure with its confidence interval, where the report has one. */
const withInterval = (
  value: number | null,
  interval: { readonly low: number; readonly high: number } | null | undefined,
  format: (value: number) => string,
): string => {
  if (value === null) return '–'
  if (interval === null || interval === undefined) return format(value)
  return `${format(value)} (95 %: ${format(interval.low)} to ${format(interval.high)})`
}

const capacityOf = ({ capacity }: RunReport): readonly (readonly [string, string])[] => {
  if (capacity === null) return []
  const { steps, halvesAt, why } = capacity
  const profits = steps.map(({ multiple, profit }) => `×${multiple} ${usd(profit)}`).join(', ')
  const half = halvesAt === null ? (why ?? '–') : `halves at ${halvesAt.toFixed(1)} times`
  return [['capacity', `${profits}; ${half}`]]
}

/** Figures of a report with their names. */
export const factsOf = (report: RunReport): readonly (readonly [string, string])[] => [
  ['profit', usd(report.profit)],
  ['return', percent(report.returns.totalReturn)],
  [
    'sharpe',
    withInterval(report.returns.sharpe, report.intervals.daily?.sharpe, (x) => x.toFixed(2)),
  ],
  ['max drawdown', percent(report.maxDrawdown)],
  ['realised', withInterval(report.realised, report.intervals.perEvent?.realised, usd)],
  ['hit rate', withInterval(report.hitRate, report.intervals.perEvent?.hitRate, percent)],
  [
    'entry brier',
    report.entries === null ? '–' : `${report.entries.brier.toFixed(4)} (${report.entries.n})`,
  ],
  ['fees', usd(report.fees)],
  ['trades', String(report.trades)],
  ['markets', String(report.markets)],
  ['events', String(report.events)],
  ...capacityOf(report),
]

/** Formats a run as lines. */
export function formatRun(run: BacktestRun): string {
  const { report } = run
  const head: readonly (readonly [string, string])[] = [
    ['id', text(run.id)],
    ['strategy', text(run.strategy)],
    ['state', `${run.state}${run.error === null ? '' : `: ${text(run.error)}`}`],
  ]
  if (report === null) return lines([...head])
  return lines([
    ...head,
    ...factsOf(report),
    ...(report.study === null ? [] : studyLines(report.study)),
    ...report.invalidatedBy.map((reason) => ['caveat', text(reason)] as const),
    ...run.files.map((file) => ['file', text(file)] as const),
  ])
}

/** Formats two runs side by side, and why their figures are not comparable. */
export function formatComparison(runs: readonly BacktestRun[]): string {
  const [a = null, b = null] = runs.map(({ report }) => report)
  const why = a === null || b === null ? null : incomparableText(settingDifferences(a, b))
  const [first, second] = runs.map(({ report }) => (report === null ? [] : factsOf(report)))
  const rows = (first ?? []).map(([name, value], i) => ({
    name,
    value,
    other: second?.[i]?.[1] ?? '–',
  }))
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: '', cell: ({ name }) => text(name) },
    { title: runs[0]?.strategy ?? 'A', cell: ({ value }) => text(value) },
    { title: runs[1]?.strategy ?? 'B', cell: ({ other }) => text(other) },
  ]
  return table(rows, columns) + (why === null ? '' : `\n${text(why)}\n`)
}
