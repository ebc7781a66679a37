import type { ThesisBacktest } from '../../contract/theses/backtest.ts'
import type { Screen } from '../reads/screen.ts'
import {
  cents,
  dollars,
  lines,
  minute,
  MISSING,
  percent,
  table,
  text,
  type Column,
} from '../terminal/output.ts'
import { chance } from './thesis-text.ts'
import { marketColumn } from '../reads/market-columns.ts'

type Trade = ThesisBacktest['trades'][number]
type Reading = ThesisBacktest['confidence'][number]

const TRADE_COLUMNS: readonly Column<Trade>[] = [
  marketColumn((row) => row.market, 60),
  { title: 'Side', cell: (row) => row.direction },
  { title: 'Qty', cell: (row) => String(row.quantity), align: 'right' },
  { title: 'Opened', cell: (row) => minute(row.openedAt) },
  { title: 'Entry', cell: (row) => cents(row.entryPrice), align: 'right' },
  { title: 'Closed', cell: (row) => (row.closedAt === null ? 'open' : minute(row.closedAt)) },
  { title: 'Exit', cell: (row) => cents(row.exitPrice), align: 'right' },
  { title: 'Reason', cell: (row) => row.exitReason ?? MISSING },
  { title: 'P&L', cell: (row) => dollars(row.pnlCents / 100), align: 'right' },
]

const READING_COLUMNS: readonly Column<Reading>[] = [
  { title: 'Evaluated', cell: (row) => minute(row.at) },
  { title: 'Conf', cell: (row) => chance(row.confidence), align: 'right' },
  { title: 'Market', cell: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Summary', cell: (row) => text(row.summary), max: 90 },
]
/** Evaluations that the report prints. */
const MAX_READINGS = 12

/** The report of a backtest: result, confidence and trades. */
export function backtestText(report: ThesisBacktest, screen: Screen): string {
  const { result, confidence, trades } = report
  const every = Math.max(1, Math.ceil(confidence.length / MAX_READINGS))
  const visiblePoints = confidence.filter(
    (_, index) => index % every === 0 || index === confidence.length - 1,
  )
  const head = lines([
    ['title', text(report.title)],
    ['from', minute(report.from)],
    ['to', minute(report.to)],
    ['evaluations', `${confidence.length}, every ${report.stepMinutes / 60} h`],
    ['status', report.status],
    ['traded', report.tradedBy],
    ['trades', `${result.trades}, ${result.wins} with a profit`],
    ['profit', `${dollars(result.pnlCents / 100)} (${percent(result.returnPct)} of the cost)`],
    ['YES held', percent(result.benchmarkPct)],
    ['Brier', `${result.thesisBrier ?? MISSING}, market ${result.marketBrier ?? MISSING}`],
  ])
  const tradesText = trades.length === 0 ? 'No trades.' : table(trades, TRADE_COLUMNS, screen)
  return [
    head,
    table(visiblePoints, READING_COLUMNS, screen),
    tradesText,
    report.notes.join('\n'),
  ].join('\n\n')
}
