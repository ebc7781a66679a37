import type { MarketView } from '../../../computed/board/market-board.ts'
import { moneyOf, otherSide } from '../../../domain/backtest/broker/fill-model.ts'
import type { MarketResult, Side, Ticker } from '../../../domain/market.ts'
import type { LedgerEntry } from '../../../domain/portfolio/ledger.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../../domain/units.ts'

export type ImportKind = 'fill' | 'settlement'

/** A row of a venue as a ledger entry has it, before its market and attribution are known. */
export interface ImportedRow {
  readonly kind: ImportKind
  readonly key: string
  readonly occurredAt: Millis
  readonly ticker: Ticker
  readonly action: 'buy' | 'sell' | null
  readonly direction: Side
  readonly size: SizeE6
  /** Of the direction's side; for a settlement its payout, null for a void. */
  readonly price: PriceE4 | null
  readonly cashDelta: MoneyE6
  readonly fee: MoneyE6
  readonly result: MarketResult | null
  readonly orderId: string | null
  readonly clientOrderId: string | null
  readonly venueTradeId: string | null
  readonly liquidity: LedgerEntry['liquidity']
  readonly thesisId: string | null
  readonly strategyId: string | null
}

/** Context for reading a row. */
export interface ReadContext {
  readonly now: Millis
  /** The market of a ticker; null when it is not known. */
  readonly marketOf: (ticker: Ticker) => MarketView | null
  /** Number of earlier rows of the request with the same key, which is counted. */
  readonly ordinalOf: (key: string) => number
}

/** Fields of a row by which a repeated one is recognised as the same. */
const CONTENT = [
  'occurredAt',
  'ticker',
  'action',
  'direction',
  'size',
  'price',
  'cashDelta',
  'fee',
  'result',
] as const

type Content = Pick<LedgerEntry, (typeof CONTENT)[number]>

/**
 * Whether two rows of one key state the same. A sale of YES is the same trade as a purchase of NO:
 * a fill that was booked as the venue reports it is later imported in the terms of its order.
 */
export const isSameContent = (a: Content, b: Content): boolean =>
  hasContentOf(a, b) || hasContentOf(onOtherSide(a), b)

const hasContentOf = (a: Content, b: Content): boolean =>
  CONTENT.every((name) => a[name] === b[name])

/** A fill in terms of the other side of its market; anything else as it is. */
function onOtherSide(fill: Content): Content {
  const { action, direction, size, price } = fill
  if (action === null || direction === null || size === null || price === null) return fill
  const other = otherSide(price)
  const cost = moneyOf(other, size)
  return {
    ...fill,
    action: action === 'buy' ? 'sell' : 'buy',
    direction: direction === 'yes' ? 'no' : 'yes',
    price: other,
    cashDelta: ((action === 'buy' ? cost : 0 - cost) - fill.fee) as MoneyE6,
  }
}
