import type { MarketView } from '../../../computed/board/market-board.ts'
import { moneyOf } from '../../../domain/backtest/broker/fill-model.ts'
import { feeOfFill, generalTerms } from '../../../domain/fees.ts'
import {
  cancelText,
  orderInContracts,
  type LiveOrder,
} from '../../../domain/portfolio/live-order.ts'
import type { NewLedgerEntry } from '../../../domain/portfolio/ledger.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import type { Millis, MoneyE6, SizeE6 } from '../../../domain/units.ts'
import type { Venue } from '../../../domain/venue.ts'
import { newId } from '../../../lib/ids.ts'
import type { TradingVenue, VenueFill } from '../../../venues/trading.ts'
import { ImportFields } from '../bookkeeping/import-fields.ts'
import { IMPORT_FORMATS } from '../bookkeeping/import.service.ts'
import { basisOf } from '../intent-basis.ts'

/**
 * The ledger entry of a payout, a row as the venue sends it.
 * @throws InvalidInput naming the field that cannot be read
 */
export async function settlementEntry(
  venue: TradingVenue,
  fillValue: unknown,
  viewOf: (ticker: string) => Promise<MarketView | null>,
  now: Millis,
): Promise<NewLedgerEntry> {
  const fields = new ImportFields(fillValue)
  const tickerField = fields.raw('ticker', 'market_ticker', 'condition_id')
  const view = typeof tickerField === 'string' ? await viewOf(canonicalTicker(tickerField)) : null
  const context = { now, marketOf: () => view, ordinalOf: () => 0 }
  const { kind, clientOrderId, venueTradeId, thesisId, strategyId, ...row } = IMPORT_FORMATS[
    venue
  ].settlement(fields, context)
  return {
    ...row,
    id: newId('ple', row.occurredAt),
    eventType: kind,
    mode: 'live',
    epoch: 0,
    source: 'reconcile',
    venue,
    marketTitle: view?.facts.title ?? null,
    category: view?.facts.category ?? null,
    slippage: null,
    realized: null,
    ...(clientOrderId !== null && { clientOrderId }),
    ...(venueTradeId !== null && { venueTradeId }),
    ...basisOf({ thesisId, strategyId }),
    tickId: null,
    intentId: null,
    confidence: 'unknown',
    note: null,
    payload: {},
  }
}

/** Title and category of a market, for its entries. */
export interface FillMarket {
  readonly title: string
  readonly category: string
}

/** The ledger entry of a fill. One of an own order carries its attribution and is in its terms. */
export function fillEntry(
  venue: Venue,
  venueFill: VenueFill,
  order: LiveOrder | null,
  market: FillMarket | null,
): NewLedgerEntry {
  const { size, liquidity, at } = venueFill
  const estimatedFee = feeOfFill(generalTerms(venue), {
    at,
    side: venueFill.action,
    role: liquidity ?? 'taker',
    price: venueFill.price,
    size,
  })
  const fee = venueFill.fee ?? estimatedFee.fee
  const { action, direction, price, cashDelta } = orderInContracts(order, { ...venueFill, fee })
  const worseBy =
    order === null ? null : action === 'buy' ? price - order.limit : order.limit - price
  return {
    id: newId('ple', at),
    eventType: 'fill',
    mode: 'live',
    epoch: 0,
    source: order?.source ?? 'reconcile',
    occurredAt: at,
    venue,
    ticker: venueFill.ticker,
    marketTitle: order?.marketTitle ?? market?.title ?? null,
    category: order?.category ?? market?.category ?? null,
    action,
    direction,
    size,
    price,
    cashDelta,
    fee,
    slippage:
      worseBy === null
        ? null
        : ((Math.sign(worseBy) * moneyOf(Math.abs(worseBy), size)) as MoneyE6),
    realized: null,
    result: null,
    orderId: venueFill.orderId,
    ...(order !== null && { clientOrderId: order.clientOrderId }),
    venueTradeId: venueFill.key.slice('a:fill:'.length),
    liquidity,
    tickId: order?.tickId ?? null,
    intentId: order?.intentId ?? null,
    ...basisOf(order ?? { thesisId: null, strategyId: null }),
    ...(order !== null && order.viewId !== null && { viewId: order.viewId }),
    confidence: order === null ? 'unknown' : 'exact',
    key: venueFill.key,
    note: null,
    payload: { ...order?.payload, ...(venueFill.fee === null && { isEstimated: true }) },
  }
}

/** The ledger entry of the rest of an order that rested and was cancelled: it moves no money. */
export const cancellationEntry = (order: LiveOrder, at: Millis): NewLedgerEntry => ({
  id: newId('ple', at),
  eventType: 'cancellation',
  mode: 'live',
  epoch: 0,
  source: order.source,
  occurredAt: at,
  venue: order.venue,
  ticker: order.ticker,
  marketTitle: order.marketTitle,
  category: order.category,
  action: order.action,
  direction: order.direction,
  size: (order.size - order.filled) as SizeE6,
  price: order.limit,
  cashDelta: 0 as MoneyE6,
  fee: 0 as MoneyE6,
  slippage: null,
  realized: null,
  result: null,
  orderId: order.venueOrderId,
  clientOrderId: order.clientOrderId,
  liquidity: null,
  tickId: order.tickId,
  intentId: order.intentId,
  ...basisOf(order),
  ...(order.viewId !== null && { viewId: order.viewId }),
  confidence: 'exact',
  key: `c:${order.clientOrderId}`,
  note: cancelText(order),
  payload: {},
})
