import type { ServedDecision, ServedTick, ServedTrade } from '../../contract/orders/ticks.ts'
import { leftAlignedColumn, marketColumn, right } from '../reads/market-columns.ts'
import type { Screen } from '../reads/screen.ts'
import {
  amount,
  cents,
  dollars,
  lines,
  minute,
  table,
  text,
  type Column,
} from '../terminal/output.ts'

type Gate = ServedDecision['gates'][number]

const usd = (value: number | null): string => dollars(value === null ? null : value / 100)
const filledCount = ({ actions }: ServedTick): number =>
  actions.filter(({ filledQuantity }) => filledQuantity > 0).length
const orderOf = ({ action, direction }: ServedDecision): string =>
  text(`${action ?? ''} ${direction ?? ''}`)
const statusOf = ({ status, skipReason }: ServedTick): string =>
  text(skipReason === null ? status : `${status}: ${skipReason}`)
const figure = (value: Gate['value']): string =>
  typeof value === 'number' ? amount(value) : text(value)

export const TICK_COLUMNS: readonly Column<ServedTick>[] = [
  leftAlignedColumn('Started', (row) => minute(row.tickAt)),
  leftAlignedColumn('Trigger', (row) => text(row.trigger)),
  leftAlignedColumn('Status', statusOf),
  right('Orders', (row) => amount(row.actionsCount)),
  right('Filled', (row) => amount(filledCount(row))),
  right('Value', (row) => usd(row.portfolioValueCents)),
  leftAlignedColumn('Note', (row) => text(row.error ?? row.handoffNote), 60),
  leftAlignedColumn('Id', (row) => text(row.id)),
]

export const TRADE_COLUMNS: readonly Column<ServedTrade>[] = [
  marketColumn((row) => row.marketTitle),
  leftAlignedColumn('Order', (row) => text(row.direction.replace('_', ' '))),
  leftAlignedColumn('Mode', (row) => text(row.mode)),
  right('Contracts', (row) => amount(row.quantity)),
  right('Entry', (row) => cents(row.entryPriceCents)),
  right('Exit', (row) => cents(row.exitPriceCents)),
  right('Realised', (row) => usd(row.realizedPnlCents)),
  leftAlignedColumn('Status', (row) => text(row.status)),
  leftAlignedColumn('Why', (row) => text(row.exitReason ?? row.rationale), 40),
  leftAlignedColumn('Opened', (row) => minute(row.openedAt)),
  leftAlignedColumn('Closed', (row) => minute(row.closedAt)),
]

const DECISIONS: readonly Column<ServedDecision>[] = [
  marketColumn((row) => row.marketTitle),
  right('#', (row) => amount(row.n)),
  leftAlignedColumn('Kind', (row) => text(row.kind)),
  leftAlignedColumn('Order', orderOf),
  right('Filled', (row) =>
    row.quantity === null ? text(null) : `${amount(row.filledQuantity)} of ${amount(row.quantity)}`,
  ),
  right('Limit', (row) => cents(row.limitPriceCents)),
  right('Average', (row) => cents(row.avgFillPriceCents)),
  leftAlignedColumn('Outcome', (row) => text(row.outcome)),
  leftAlignedColumn('Reason', (row) => text(row.reason), 60),
  leftAlignedColumn('Error', (row) => text(row.error), 60),
]

const GATES: readonly Column<Gate>[] = [
  leftAlignedColumn('Gate', (row) => text(row.gate)),
  leftAlignedColumn('Result', (row) => (row.passed ? 'passed' : 'failed')),
  right('Value', (row) => figure(row.value)),
  right('Limit', (row) => figure(row.limit)),
  leftAlignedColumn('Note', (row) => text(row.note), 60),
]

/** A tick with its decisions and their outcomes. */
export function tickText(tick: ServedTick, screen: Screen): string {
  const { decisions, error, handoffNote } = tick
  const pairs: (readonly [string, string])[] = [
    ['id', text(tick.id)],
    ['started', minute(tick.tickAt)],
    ['trigger', text(tick.trigger)],
    ['status', statusOf(tick)],
    ['value', usd(tick.portfolioValueCents)],
  ]
  if (handoffNote !== null) pairs.push(['note', text(handoffNote)])
  if (error !== null) pairs.push(['error', text(error)])
  const summary = lines(pairs)
  return decisions.length === 0
    ? `${summary}\nNothing was decided.`
    : `${summary}\n\n${table(decisions, DECISIONS, screen)}`
}

/** The gates of each order of a tick. */
export const gatesText = ({ actions }: ServedTick, screen: Screen): string =>
  actions
    .map((action) => {
      const order = `${action.n}. ${orderOf(action)} ${amount(action.quantity)} ${text(action.marketId)}`
      const gates =
        action.gates.length === 0 ? 'No gate was evaluated.' : table(action.gates, GATES, screen)
      return `\n\n${order}\n${gates}`
    })
    .join('')
