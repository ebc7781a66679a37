import type { Report } from '../../api/backtest-types.ts'
import { formatNumber, formatUsd, MISSING } from '../../lib/format.ts'
import { formatGain, formatShare, nearNumber, percentText } from './run-words.ts'

/** A quantity of a report: what it is called, how it reads, and how two of them differ. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly valueOf: (report: Report) => number | null
  readonly text: (value: number | null) => string
  /** How a difference reads; absent where `text` does with a sign. */
  readonly gap?: (difference: number) => string
}

const DAY_MS = 86_400_000
const usd = (value: number | null): string => formatUsd(value)
const gain = (value: number | null): string => formatGain(value)
const share = (value: number | null): string => formatShare(value)
const ratio = (value: number | null): string => (value === null ? MISSING : nearNumber(value, 2))
const count = (value: number | null): string => formatNumber(value, 0)
const days = (value: number | null): string =>
  value === null ? MISSING : `${nearNumber(value, 1)} d`
const points = (difference: number): string => `${percentText(difference)} points`

/** In the order in which a reader asks; money in dollars. */
export const METRICS: readonly Metric[] = [
  {
    name: 'Profit',
    help: 'After fees; open positions as marked',
    valueOf: (r) => r.profit,
    text: gain,
  },
  {
    ...{ name: 'Return', help: 'Of the whole range', text: share, gap: points },
    valueOf: (r) => r.returns.totalReturn,
  },
  { name: 'Fees', help: 'Those of the venues, fill by fill', valueOf: (r) => r.fees, text: usd },
  {
    ...{
      name: 'Slippage',
      help: 'Lost between the touch at the decision and the price that was had',
    },
    ...{ valueOf: (r: Report) => r.slippage, text: usd },
  },
  {
    name: 'Realised',
    help: 'Of what was closed or settled',
    valueOf: (r) => r.realised,
    text: gain,
  },
  {
    ...{ name: 'Unrealised', help: 'Of what is still held, marked and not settled' },
    ...{ valueOf: (r: Report) => r.unrealised, text: gain },
  },
  {
    ...{ name: 'Max drawdown', help: 'Of equity by the hour', text: share, gap: points },
    valueOf: (r) => Math.abs(r.maxDrawdown),
  },
  {
    ...{ name: 'Longest drawdown', help: 'Until the high was reached again', text: days },
    valueOf: (r) => r.longestDrawdownMs / DAY_MS,
  },
  {
    name: 'Sharpe',
    help: 'A year of daily returns',
    valueOf: (r) => r.returns.sharpe,
    text: ratio,
  },
  {
    ...{ name: 'Sharpe, adjusted', help: 'Corrected for days that hang together (Lo 2002)' },
    ...{ valueOf: (r: Report) => r.returns.sharpeAdjusted, text: ratio },
  },
  {
    name: 'Sortino',
    help: 'A year of daily returns',
    valueOf: (r) => r.returns.sortino,
    text: ratio,
  },
  {
    ...{
      name: 'Exposure',
      help: 'Mean cost of what is held over equity',
      text: share,
      gap: points,
    },
    valueOf: (r) => r.exposure,
  },
  {
    ...{ name: 'Turnover', help: 'Traded over mean equity, a day', text: share, gap: points },
    valueOf: (r) => r.turnover,
  },
  { name: 'Trades', help: 'Fills', valueOf: (r) => r.trades, text: count },
  { name: 'Contracts', help: 'Of all fills', valueOf: (r) => r.contracts, text: count },
  {
    name: 'Markets traded',
    help: 'Of those in scope',
    valueOf: (r) => r.tradedMarkets,
    text: count,
  },
  {
    ...{ name: 'Hit rate', help: 'Of positions that were closed', text: share, gap: points },
    valueOf: (r) => r.hitRate,
  },
  {
    ...{
      name: 'Held',
      help: 'Mean time of what was closed',
      valueOf: (r: Report) => r.meanHoldingDays,
    },
    text: days,
  },
  {
    ...{ name: 'Entry Brier', help: 'Of entry prices against outcomes; 0.25 is a coin' },
    ...{ valueOf: (r: Report) => r.entries?.brier ?? null, text: (v) => formatNumber(v, 3) },
  },
  {
    ...{ name: 'Maker', help: 'Share of fills that rested', text: share, gap: points },
    valueOf: (r) => r.makerShare,
  },
  {
    ...{
      name: 'Estimated',
      help: 'Share of fills that met no size on file',
      text: share,
      gap: points,
    },
    valueOf: (r) => r.estimatedShare,
  },
]

/** One quantity of two reports. */
export interface ComparedMetric {
  readonly name: string
  readonly help: string
  readonly a: string
  readonly b: string
  /** Second less first. */
  readonly difference: string
}

const signed = (text: string, value: number): string => (value > 0 && !text.startsWith('+') ? `+${text}` : text) // prettier-ignore

export const comparedMetrics = (first: Report, second: Report): readonly ComparedMetric[] =>
  METRICS.map(({ name, help, valueOf, text, gap = text }) => {
    const [a, b] = [valueOf(first), valueOf(second)]
    const apart = a === null || b === null ? null : b - a
    const difference = apart === null ? MISSING : signed(gap(apart), apart)
    return { name, help, a: text(a), b: text(b), difference }
  })

/** What two runs do not have in common, so that their figures are not alike. */
export function unlikeness(first: Report, second: Report): readonly string[] {
  const names = new Set([...Object.keys(first.params), ...Object.keys(second.params)])
  const own = (report: Report, name: string): string =>
    Object.hasOwn(report.params, name) ? String(report.params[name]) : MISSING
  return [
    ...(first.strategy === second.strategy ? [] : ['the strategy']),
    ...(first.from === second.from && first.to === second.to ? [] : ['the range']),
    ...(first.scope === second.scope ? [] : [`the markets (${first.scope} and ${second.scope})`]),
    ...(first.startCash === second.startCash ? [] : ['the cash they begin with']),
    ...(first.seed === second.seed ? [] : ['the seed']),
    ...(JSON.stringify(first.model) === JSON.stringify(second.model) ? [] : ['the model of fills']),
    ...(first.strategy === second.strategy
      ? [...names]
          .filter((name) => own(first, name) !== own(second, name))
          .map((name) => `${name} (${own(first, name)} and ${own(second, name)})`)
      : []),
  ]
}
