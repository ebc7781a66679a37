import type { ThesisPosition } from '../../contract/theses/holdings.ts'
import { toneOf } from '../reads/screen.ts'
import { amount, cents, dollars, minute, text, type Column } from '../terminal/output.ts'
import { marketColumn } from '../reads/market-columns.ts'

/** Profit that was or would be realised, dollars. */
const profitOf = ({ realizedPnlCents, unrealizedPnlCents }: ThesisPosition): number | null => {
  const profit = realizedPnlCents ?? unrealizedPnlCents
  return profit === null ? null : profit / 100
}

export const POSITION_COLUMNS: readonly Column<ThesisPosition>[] = [
  marketColumn((row) => row.marketTitle, 90),
  { title: 'Side', cell: (row) => row.direction },
  { title: 'State', cell: (row) => row.exitReason ?? row.status },
  { title: 'Size', cell: (row) => amount(row.size), align: 'right' },
  { title: 'Entry', cell: (row) => cents(row.entryPrice), align: 'right' },
  { title: 'Now', cell: (row) => cents(row.exitPrice ?? row.currentPrice), align: 'right' },
  {
    title: 'PnL',
    cell: (row) => dollars(profitOf(row)),
    align: 'right',
    tone: (row) => toneOf(profitOf(row)),
  },
  { title: 'Opened', cell: (row) => minute(row.openedAt) },
  { title: 'Ticker', cell: (row) => text(row.externalMarketId) },
  { title: 'Id', cell: (row) => text(row.id) },
]
