import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import type { BacktestRun } from '../../../backend/contract/backtests.ts'
import { formatCents, formatNumber, isoOf } from '../../lib/format.ts'
import type { FillMark } from '../../shell/links/fill-marks.svelte.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

export type Trade = RunReport['tradeList'][number]

const DAY_MS = 86_400_000
/** The hourly bars that a chart loads first cover about this span. */
const DAYS_OF_HOURS = 80

const markOf = (trade: Trade, index: number): FillMark => {
  const size = formatNumber(trade.contracts, 2)
  const side = trade.side.toUpperCase()
  return {
    id: `fill-${index}`,
    time: trade.at / 1_000,
    at: isoOf(trade.at),
    label: `${trade.action} ${size} ${side} ${formatCents(trade.price)}`,
    title: `${trade.action === 'buy' ? 'Bought' : 'Sold'} ${size} ${side} at ${formatCents(trade.price)} as ${trade.role}${trade.tag === '' ? '' : `, ${trade.tag}`}`,
  }
}

/** Fills of a run by market, in the order of the list. */
function marksOf(trades: readonly Trade[]): ReadonlyMap<string, readonly FillMark[]> {
  const byTicker = new Map<string, FillMark[]>()
  for (const [index, trade] of trades.entries()) {
    const marketMarks = byTicker.get(trade.ticker) ?? []
    marketMarks.push(markOf(trade, index))
    byTicker.set(trade.ticker, marketMarks)
  }
  return byTicker
}

/** Opens a trade on the chart of its market, with all fills of the run in that market marked. */
export function openFill(
  terminal: Terminal,
  pane: Pane,
  run: Pick<BacktestRun, 'id'>,
  trades: readonly Trade[],
  trade: Trade,
): void {
  const byTicker = marksOf(trades)
  const index = trades.indexOf(trade)
  const openedMark = byTicker.get(trade.ticker)?.find(({ id }) => id === `fill-${index}`)
  if (openedMark === undefined) return
  terminal.fillMarks.setRun(pane.link, { run: run.id, byTicker, fill: openedMark })
  const isOld = terminal.live.clock.read() - trade.at > DAYS_OF_HOURS * DAY_MS
  terminal.focusMarket(pane.link, trade.ticker)
  terminal.openVerb('GP', pane.link, {
    verb: 'GP',
    subject: { kind: 'focus' },
    args: { timeframe: isOld ? '1d' : '1h' },
    filters: [],
    venue: null,
    flags: [],
    sink: null,
  })
}
