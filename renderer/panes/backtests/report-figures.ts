import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import { formatNumber, formatUsd, MISSING } from '../../lib/format.ts'
import { formatGain, formatShare, percentText } from './run-labels.ts'

/** A quantity of a report: its name, its text, and the text of a difference. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly valueOf: (report: RunReport) => number | null
  readonly text: (value: number | null) => string
  /** Text of a difference; absent when `text` with a sign is enough. */
  readonly differenceText?: (difference: number) => string
}

const DAY_MS = 86_400_000
const usd = (value: number | null): string => formatUsd(value)
const gain = (value: number | null): string => formatGain(value)
const share = (value: number | null): string => formatShare(value)
const ratio = (value: number | null): string => formatNumber(value, 2)
const count = (value: number | null): string => formatNumber(value, 0)
const days = (value: number | null): string =>
  value === null ? MISSING : `${formatNumber(value, 1)} d`
const points = (difference: number): string => `${percentText(difference)} points`

/** In order of interest; money in dollars. */
export const METRICS: readonly Metric[] = [
  {
    name: 'Profit',
    help: 'After fees; open positions at mark',
    valueOf: (r) => r.profit,
    text: gain,
  },
  {
    name: 'Return',
    help: 'Over the whole range',
    text: share,
    differenceText: points,
    valueOf: (r) => r.returns.totalReturn,
  },
  { name: 'Fees', help: 'Venue fees, per fill', valueOf: (r) => r.fees, text: usd },
  {
    name: 'Slippage',
    help: 'Fill price minus best price at the decision, as a cost',
    valueOf: (r) => r.slippage,
    text: usd,
  },
  {
    name: 'Realised',
    help: 'Closed or settled positions',
    valueOf: (r) => r.realised,
    text: gain,
  },
  {
    name: 'Unrealised',
    help: 'Open positions at mark, not settled',
    valueOf: (r) => r.unrealised,
    text: gain,
  },
  {
    name: 'Max drawdown',
    help: 'Hourly equity',
    text: share,
    differenceText: points,
    valueOf: (r) => Math.abs(r.maxDrawdown),
  },
  {
    name: 'Longest drawdown',
    help: 'Time until the previous peak was reached again',
    text: days,
    valueOf: (r) => r.longestDrawdownMs / DAY_MS,
  },
  {
    name: 'Sharpe',
    help: 'Daily returns, annualised',
    valueOf: (r) => r.returns.sharpe,
    text: ratio,
  },
  {
    name: 'Sharpe, adjusted',
    help: 'Corrected for autocorrelated daily returns (Lo 2002)',
    valueOf: (r) => r.returns.sharpeAdjusted,
    text: ratio,
  },
  {
    name: 'Sortino',
    help: 'Daily returns, annualised',
    valueOf: (r) => r.returns.sortino,
    text: ratio,
  },
  {
    name: 'Exposure',
    help: 'Mean cost of open positions over equity',
    text: share,
    differenceText: points,
    valueOf: (r) => r.exposure,
  },
  {
    name: 'Turnover',
    help: 'Traded value over mean equity, per day',
    text: share,
    differenceText: points,
    valueOf: (r) => r.turnover,
  },
  { name: 'Trades', help: 'Fills', valueOf: (r) => r.trades, text: count },
  { name: 'Contracts', help: 'All fills', valueOf: (r) => r.contracts, text: count },
  {
    name: 'Markets traded',
    help: 'Of the markets in scope',
    valueOf: (r) => r.tradedMarkets,
    text: count,
  },
  {
    name: 'Hit rate',
    help: 'Closed positions with a profit',
    text: share,
    differenceText: points,
    valueOf: (r) => r.hitRate,
  },
  {
    name: 'Holding time',
    help: 'Mean of closed positions',
    valueOf: (r) => r.meanHoldingDays,
    text: days,
  },
  {
    name: 'Entry Brier',
    help: 'Entry prices versus outcomes; 0.25 is a coin flip',
    valueOf: (r) => r.entries?.brier ?? null,
    text: (v) => formatNumber(v, 3),
  },
  {
    name: 'Maker',
    help: 'Share of fills by resting orders',
    text: share,
    differenceText: points,
    valueOf: (r) => r.makerShare,
  },
  {
    name: 'Estimated',
    help: 'Share of fills with an assumed size (none recorded)',
    text: share,
    differenceText: points,
    valueOf: (r) => r.estimatedShare,
  },
]

/** One quantity of two reports. */
export interface ComparedMetric {
  readonly name: string
  readonly help: string
  readonly a: string
  readonly b: string
  /** Second minus first. */
  readonly difference: string
}

const withSign = (text: string, value: number): string =>
  value > 0 && !text.startsWith('+') ? `+${text}` : text

export const comparedMetrics = (first: RunReport, second: RunReport): readonly ComparedMetric[] =>
  METRICS.map(({ name, help, valueOf, text, differenceText = text }) => {
    const [a, b] = [valueOf(first), valueOf(second)]
    const delta = a === null || b === null ? null : b - a
    const difference = delta === null ? MISSING : withSign(differenceText(delta), delta)
    return { name, help, a: text(a), b: text(b), difference }
  })
