import type { ServedTrade } from '../../../backend/contract/orders/ticks.ts'
import type { ServedEntry } from '../../../backend/contract/portfolio.ts'

/** A trade of the autopilot, or one fill of an intent. Prices are cents of the side. */
export interface TradeRow {
  readonly id: string
  readonly at: string
  readonly marketId: string
  readonly marketTitle: string
  readonly side: 'YES' | 'NO'
  /** Contracts. */
  readonly quantity: number
  readonly entryCents: number | null
  readonly exitCents: number | null
  /** After fees; null while nothing was closed. */
  readonly resultCents: number | null
  readonly feesCents: number
  readonly source: 'autopilot' | 'intent' | 'you'
  readonly ended: string
  readonly reason: string
}

const ENDS: Readonly<Record<NonNullable<ServedTrade['exitReason']>, string>> = {
  take_profit: 'take profit',
  stop_loss: 'stop loss',
  thesis_exit: 'thesis',
  settlement: 'settlement',
  manual: 'a sale',
}

const ofJournal = (trade: ServedTrade): TradeRow => ({
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
  // A reported trade belongs to no tick.
  source: trade.tickId === null ? 'you' : 'autopilot',
  ended:
    trade.exitReason === null
      ? trade.status === 'open'
        ? 'open'
        : 'closed'
      : ENDS[trade.exitReason],
  reason: trade.rationale ?? '',
})

function ofFill(entry: ServedEntry): readonly TradeRow[] {
  const { marketId, marketTitle, direction, quantity, priceCents, action } = entry
  if (marketId === null || direction === null || quantity === null) return []
  const isBuy = action === 'buy'
  return [
    {
      id: entry.id,
      at: entry.occurredAt,
      marketId,
      marketTitle: marketTitle ?? marketId,
      side: direction === 'yes' ? 'YES' : 'NO',
      quantity,
      entryCents: isBuy ? priceCents : null,
      exitCents: isBuy ? null : priceCents,
      resultCents: entry.realizedPnlCents,
      feesCents: entry.feeCents,
      source: 'intent',
      ended: isBuy ? 'bought' : 'sold',
      reason: entry.note ?? '',
    },
  ]
}

/** Trades of the autopilot and fills of intents as rows of one table, newest first. */
export const tradeRows = (
  journal: readonly ServedTrade[],
  fills: readonly ServedEntry[],
): readonly TradeRow[] =>
  [...journal.map(ofJournal), ...fills.flatMap(ofFill)].toSorted((one, other) =>
    other.at.localeCompare(one.at),
  )

/** Sums of rows; money in cents. */
export function tradeSums(rows: readonly TradeRow[]) {
  const results = rows.flatMap(({ resultCents }) => resultCents ?? [])
  const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
  return {
    result: sum(results),
    fees: sum(rows.map(({ feesCents }) => feesCents)),
    ended: results.length,
    won: results.filter((result) => result > 0).length,
  }
}
