import type { ServedTrade } from '../../../backend/contract/orders/ticks.ts'

/** A trade of the autopilot or of an intent, or one that was reported. Prices are cents of the side. */
export interface TradeRow {
  readonly id: string
  readonly at: string
  readonly marketId: string
  readonly marketTitle: string
  readonly side: 'YES' | 'NO'
  /** Contracts. */
  readonly quantity: number
  readonly entryCents: number
  readonly exitCents: number | null
  /** After fees; null while it is open. */
  readonly resultCents: number | null
  readonly feesCents: number
  readonly source: 'autopilot' | 'intent' | 'you'
  readonly endedText: string
  readonly reason: string
}

const EXIT_LABELS: Readonly<Record<NonNullable<ServedTrade['exitReason']>, string>> = {
  take_profit: 'take profit',
  stop_loss: 'stop loss',
  thesis_exit: 'thesis',
  settlement: 'settlement',
  manual: 'a sale',
}

/** A trade that the user reported belongs to no tick and no intent. */
const sourceOf = ({ intentId, tickId }: ServedTrade): TradeRow['source'] =>
  intentId !== null ? 'intent' : tickId !== null ? 'autopilot' : 'you'

const rowOf = (trade: ServedTrade): TradeRow => ({
  id: trade.id,
  at: trade.openedAt,
  marketId: trade.marketId,
  marketTitle: trade.marketTitle,
  side: trade.direction === 'buy_yes' ? 'YES' : 'NO',
  quantity: trade.quantity,
  entryCents: trade.entryPriceCents,
  exitCents: trade.exitPriceCents,
  resultCents: trade.realizedPnlCents,
  feesCents: trade.feesCents,
  source: sourceOf(trade),
  endedText:
    trade.exitReason === null
      ? trade.status === 'open'
        ? 'open'
        : 'closed'
      : EXIT_LABELS[trade.exitReason],
  reason: trade.rationale ?? '',
})

/**
 * Trades as rows of a table, newest first.
 * @param by `autopilot` or `intents`; `both` also includes reported trades
 */
export const tradeRows = (journal: readonly ServedTrade[], by: string): readonly TradeRow[] =>
  journal
    .map(rowOf)
    .filter(({ source }) => by === 'both' || by === (source === 'intent' ? 'intents' : source))
    .toSorted((left, right) => right.at.localeCompare(left.at))

/** Sums of rows; money in cents. */
export function tradeSums(rows: readonly TradeRow[]) {
  const results = rows.flatMap(({ resultCents }) => resultCents ?? [])
  const sum = (values: readonly number[]): number =>
    values.reduce((total, value) => total + value, 0)
  return {
    result: sum(results),
    fees: sum(rows.map(({ feesCents }) => feesCents)),
    ended: results.length,
    won: results.filter((result) => result > 0).length,
  }
}
