import type { Interval } from '../../statistics/statistics.ts'
import { number, percent, table, usd } from '../report/report-markup.ts'
import type { RunReport } from '../report/report.ts'
import type { Capacity } from './capacity.ts'

/** Confidence intervals (bootstrap) as markup. */
export function intervalsHtml({ intervals, ...report }: RunReport): string {
  const { daily, perEvent, draws, meanBlockDays, seed } = intervals
  const row = (
    name: string,
    value: number | null,
    interval: Interval | null,
    format: (value: number) => string,
  ): string[] => [
    name,
    value === null ? '–' : format(value),
    interval === null ? '–' : `${format(interval.low)} to ${format(interval.high)}`,
  ]
  const ratio = (value: number): string => number(value)
  const share = (value: number): string => percent(value, 2)
  const rows = [
    ...(daily === null
      ? []
      : [
          row('Return', report.returns.totalReturn, daily.totalReturn, share),
          row('Sharpe (annual)', report.returns.sharpe, daily.sharpe, ratio),
          row('Sortino (annual)', report.returns.sortino, daily.sortino, ratio),
          row('Max drawdown', report.maxDrawdown, daily.maxDrawdown, share),
        ]),
    ...(perEvent === null
      ? []
      : [
          row('Realised', report.realised, perEvent.realised, usd),
          row(
            'Realised per lot',
            report.closedLots === 0 ? null : report.realised / report.closedLots,
            perEvent.realisedPerLot,
            usd,
          ),
          row('Hit rate', report.hitRate, perEvent.hitRate, share),
          row('Entry Brier', report.entries?.brier ?? null, perEvent.entryBrier, (value) =>
            number(value, 4),
          ),
        ]),
  ]
  const missing = [
    ...(daily === null ? [`${intervals.days} days of returns are fewer than 20`] : []),
    ...(perEvent === null ? [`${intervals.events} events are fewer than 20`] : []),
  ]
  const method = `95 % of ${draws.toLocaleString('en')} draws, seed ${seed}: days in blocks of ${meanBlockDays} on average, lots by event.`
  return `<h2>Confidence intervals (bootstrap)</h2><p class="dim">${method}${
    missing.length === 0 ? '' : ` No interval where ${missing.join(' and ')}.`
  }</p>${rows.length === 0 ? '' : table(['Figure', 'Value', '95 %'], rows)}`
}

/** How the profit declines with size, as markup. */
export function capacityHtml({ steps, halvesAt, perUnitHalvesAt, why }: Capacity): string {
  const multipleText = (multiple: number | null): string =>
    multiple === null ? 'not within these sizes' : `at ${number(multiple, 1)} times`
  return `<h2>Capacity</h2><p>Net profit halves: ${multipleText(halvesAt)}; for each unit of size: ${multipleText(perUnitHalvesAt)}.${
    why === null ? '' : ` <span class="dim">${why}</span>`
  }</p>${table(
    ['Size', 'Profit', 'Per unit', 'Trades', 'Contracts'],
    steps.map(({ multiple, profit, trades, contracts }) => [
      `× ${multiple}`,
      usd(profit),
      usd(profit / multiple),
      String(trades),
      number(contracts, 0),
    ]),
  )}`
}
