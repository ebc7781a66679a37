import type { Interval } from '../../statistics.ts'
import { number, percent, table, usd } from '../report-markup.ts'
import type { RunReport } from '../report.ts'
import type { Capacity } from './capacity.ts'

/** What chance alone could have made of the figures. */
export function intervalsHtml({ intervals, ...report }: RunReport): string {
  const { daily, perEvent, draws, meanBlockDays, seed } = intervals
  const row = (
    name: string,
    value: number | null,
    interval: Interval | null,
    said: (value: number) => string,
  ): string[] => [
    name,
    value === null ? '–' : said(value),
    interval === null ? '–' : `${said(interval.low)} to ${said(interval.high)}`,
  ]
  const ratio = (value: number): string => number(value)
  const share = (value: number): string => percent(value, 2)
  const rows = [
    ...(daily === null
      ? []
      : [
          row('Return', report.returns.totalReturn, daily.totalReturn, share),
          row('Sharpe a year', report.returns.sharpe, daily.sharpe, ratio),
          row('Sortino a year', report.returns.sortino, daily.sortino, ratio),
          row('Max drawdown', report.maxDrawdown, daily.maxDrawdown, share),
        ]),
    ...(perEvent === null
      ? []
      : [
          row('Realised', report.realised, perEvent.realised, usd),
          row('Realised a lot', report.closedLots === 0 ? null : report.realised / report.closedLots, perEvent.realisedPerLot, usd),
          row('Hit rate', report.hitRate, perEvent.hitRate, share),
          row('Entry Brier', report.entries?.brier ?? null, perEvent.entryBrier, (value) => number(value, 4)),
        ]), // prettier-ignore
  ]
  const missing = [
    ...(daily === null ? [`${intervals.days} days of returns are fewer than 20`] : []),
    ...(perEvent === null ? [`${intervals.events} events are fewer than 20`] : []),
  ]
  const how = `95 % of ${draws.toLocaleString('en')} draws, seed ${seed}: days in stretches of ${meanBlockDays} on average, lots by event.`
  return `<h2>What chance could make of it</h2><p class="dim">${how}${
    missing.length === 0 ? '' : ` No interval where ${missing.join(' and ')}.`
  }</p>${rows.length === 0 ? '' : table(['Figure', 'Value', '95 %'], rows)}`
}

/** How the profit fades with size. */
export function capacityHtml({ steps, halvesAt, perUnitHalvesAt, why }: Capacity): string {
  const at = (multiple: number | null): string =>
    multiple === null ? 'not within these sizes' : `at ${number(multiple, 1)} times`
  return `<h2>Capacity</h2><p>Net profit halves: ${at(halvesAt)}; for each unit of size: ${at(perUnitHalvesAt)}.${
    why === null ? '' : ` <span class="dim">${why}</span>`
  }</p>${table(
    ['Size', 'Profit', 'For each unit', 'Trades', 'Contracts'],
    steps.map(({ multiple, profit, trades, contracts }) => [
      `× ${multiple}`,
      usd(profit),
      usd(profit / multiple),
      String(trades),
      number(contracts, 0),
    ]),
  )}`
}
