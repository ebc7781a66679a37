import { moneyOf, otherSide } from '../../../domain/backtest/broker/fill-model.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import { tradedSide } from '../../../domain/portfolio/fill-side.ts'
import { SECOND, type MoneyE6, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { missing, notNegative, positive, type ImportFields } from './import-fields.ts'
import type { ImportedRow, ReadContext } from './imported-row.ts'

const MAX_LENGTH = 128
const RESULTS = ['yes', 'no', 'scalar', 'void'] as const

/** A fill of the API or of its export. @throws InvalidInput with the first fault */
export function venueAFill(fields: ImportFields, { now }: ReadContext): ImportedRow {
  const fillId = fields.requiredText(MAX_LENGTH, 'fillId', 'fill_id', 'trade_id')
  const ticker = canonicalTicker(fields.requiredText(MAX_LENGTH, 'ticker', 'market_ticker'))
  const { action, direction: side } = requireTradedSide(fields)
  const size = positive(fields.scaled(6, 'quantity', 'count', 'count_fp'), 'quantity') as SizeE6
  const price = priceIn(fields, side)
  const fee = feeIn(fields)
  const occurredAt = fields.time(now, 'createdAt', 'created_time', 'ts')
  const cost = moneyOf(price, size)
  const isTaker = fields.flag('isTaker', 'is_taker')
  return {
    kind: 'fill',
    key: `a:fill:${fillId}`,
    occurredAt,
    ticker,
    action,
    direction: side,
    size,
    price,
    fee,
    cashDelta: ((action === 'buy' ? 0 - cost : cost) - fee) as MoneyE6,
    result: null,
    orderId: fields.text(MAX_LENGTH, 'orderId', 'order_id'),
    clientOrderId: fields.text(MAX_LENGTH, 'clientOrderId', 'client_order_id'),
    venueTradeId: fillId,
    liquidity: isTaker === null ? null : isTaker ? 'taker' : 'maker',
    thesisId: fields.text(MAX_LENGTH, 'thesisId'),
    strategyId: fields.text(MAX_LENGTH, 'strategyId'),
  }
}

/** @throws InvalidInput with the name of the missing field */
function requireTradedSide(fields: ImportFields): NonNullable<ReturnType<typeof tradedSide>> {
  const statedSides = {
    action: fields.choice(['buy', 'sell'], 'action'),
    side: fields.choice(['yes', 'no'], 'side'),
    gained: fields.choice(['yes', 'no'], 'outcome_side'),
  }
  return tradedSide(statedSides) ?? missing(statedSides.side === null ? 'side' : 'action')
}

/** A settlement of a market. @throws InvalidInput with the first fault */
export function venueASettlement(fields: ImportFields, { now }: ReadContext): ImportedRow {
  const ticker = canonicalTicker(fields.requiredText(MAX_LENGTH, 'ticker', 'market_ticker'))
  const result = fields.requiredChoice(RESULTS, 'result', 'market_result')
  const occurredAt = fields.time(now, 'settledAt', 'settled_time')
  const yes = notNegative(
    fields.scaled(6, 'yesQuantity', 'yes_count', 'yes_count_fp'),
    'yesQuantity',
  )
  const no = notNegative(fields.scaled(6, 'noQuantity', 'no_count', 'no_count_fp'), 'noQuantity')
  if (yes + no === 0) throw new InvalidInput('yesQuantity or noQuantity must be above 0')
  const revenueCents = fields.scaled(4, 'revenueCents', 'revenue') ?? missing('revenueCents')
  const revenue = notNegative(revenueCents, 'revenueCents')
  const fee = feeIn(fields)
  const payout = payoutOf(result, { yes, no, revenue })
  const direction = yes >= no ? 'yes' : 'no'
  return {
    kind: 'settlement',
    key: `a:settle:${ticker}:${Math.floor(occurredAt / SECOND)}`,
    occurredAt,
    ticker,
    action: null,
    direction,
    size: Math.max(yes, no) as SizeE6,
    price: payout === null ? null : direction === 'yes' ? payout : otherSide(payout),
    fee,
    cashDelta: (revenue - fee) as MoneyE6,
    result,
    orderId: null,
    clientOrderId: null,
    venueTradeId: null,
    liquidity: null,
    thesisId: null,
    strategyId: null,
  }
}

/** Payout of a YES contract; null for a void, and for a scalar of equal sides. */
function payoutOf(
  result: (typeof RESULTS)[number],
  { yes, no, revenue }: { yes: number; no: number; revenue: number },
): PriceE4 | null {
  if (result === 'yes') return 10_000 as PriceE4
  if (result === 'no') return 0 as PriceE4
  if (result === 'void' || yes === no) return null
  const price = Math.round(((revenue - no) / (yes - no)) * 10_000)
  if (price < 0 || price > 10_000) {
    throw new InvalidInput('revenueCents must be from 0 to 100 cents a contract')
  }
  return price as PriceE4
}

function priceIn(fields: ImportFields, side: 'yes' | 'no'): PriceE4 {
  const price =
    fields.scaled(2, 'priceCents') ??
    fields.scaled(2, `${side}_price`) ??
    fields.scaled(4, `${side}_price_dollars`) ??
    missing('priceCents')
  if (price <= 0 || price >= 10_000) {
    throw new InvalidInput('priceCents must be above 0 and below 100')
  }
  return price as PriceE4
}

const feeIn = (fields: ImportFields): MoneyE6 =>
  notNegative(
    fields.scaled(4, 'feeCents') ?? fields.scaled(6, 'fee_cost') ?? 0,
    'feeCents',
  ) as MoneyE6
