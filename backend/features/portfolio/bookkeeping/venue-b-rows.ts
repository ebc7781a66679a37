import { moneyOf } from '../../../domain/backtest/broker/fill-model.ts'
import { canonicalTicker, type Side } from '../../../domain/market.ts'
import type { MoneyE6, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { missing, notNegative, positive, type ImportFields } from './import-fields.ts'
import type { ImportedRow, ReadContext } from './imported-row.ts'

const MAX_LENGTH = 128
/** Sides by the index of their outcome. */
const SIDES: readonly Side[] = ['yes', 'no']
const CONDITION = ['conditionId', 'condition_id', 'market'] as const

/** A trade of the venue's activity. @throws InvalidInput with the first fault */
export function venueBFill(fields: ImportFields, context: ReadContext): ImportedRow {
  const condition = fields.hash(...CONDITION)
  const { direction, token } = outcomeIn(fields, condition, context)
  const side = fields.requiredChoice(['BUY', 'SELL'], 'side')
  const size = positive(fields.scaled(6, 'size'), 'size') as SizeE6
  const price = (fields.scaled(4, 'price') ?? missing('price')) as PriceE4
  if (price <= 0 || price >= 10_000) throw new InvalidInput('price must be above 0 and below 1')
  const occurredAt = fields.time(context.now, 'timestamp')
  const hash = fields.hash('transactionHash', 'transaction_hash')
  const id = fields.text(MAX_LENGTH, 'id', 'trade_id')
  const fee = notNegative(fields.scaled(6, 'feeUsd', 'fee') ?? 0, 'feeUsd') as MoneyE6
  const cost = moneyOf(price, size)
  const row = {
    kind: 'fill' as const,
    occurredAt,
    ticker: canonicalTicker(condition),
    action: side === 'BUY' ? ('buy' as const) : ('sell' as const),
    direction,
    size,
    price,
    fee,
    cashDelta: ((side === 'BUY' ? 0 - cost : cost) - fee) as MoneyE6,
    result: null,
    orderId: fields.text(MAX_LENGTH, 'orderId', 'order_id'),
    clientOrderId: null,
    venueTradeId: id ?? hash,
    liquidity: null,
    thesisId: fields.text(MAX_LENGTH, 'thesisId'),
    strategyId: fields.text(MAX_LENGTH, 'strategyId'),
  }
  if (id !== null) return { ...row, key: `b:fill:${id}` }
  const key = `b:fill:${hash}:${token}:${side}:${price / 10_000}:${size / 1e6}`
  return { ...row, key: `${key}:${context.ordinalOf(key)}` }
}

/** A redemption. @throws InvalidInput with the first fault */
export function venueBSettlement(fields: ImportFields, context: ReadContext): ImportedRow {
  const condition = fields.hash(...CONDITION)
  const hash = fields.hash('transactionHash', 'transaction_hash')
  const occurredAt = fields.time(context.now, 'timestamp')
  const { direction } = outcomeIn(fields, condition, context)
  const size = positive(fields.scaled(6, 'size'), 'size') as SizeE6
  const payoutUsd = fields.scaled(6, 'payoutUsd', 'usdc_size', 'usdcSize') ?? missing('payoutUsd')
  const payout = notNegative(payoutUsd, 'payoutUsd')
  if (payout > size) throw new InvalidInput('payoutUsd must be at most a dollar a share')
  const price = Math.round((payout / size) * 10_000) as PriceE4
  return {
    kind: 'settlement',
    key: `b:settle:${hash}:${condition}:${SIDES.indexOf(direction)}`,
    occurredAt,
    ticker: canonicalTicker(condition),
    action: null,
    direction,
    size,
    price,
    fee: 0 as MoneyE6,
    cashDelta: payout as MoneyE6,
    result: resultOf(direction, price),
    orderId: null,
    clientOrderId: null,
    venueTradeId: hash,
    liquidity: null,
    thesisId: null,
    strategyId: null,
  }
}

/** The outcome of a row, by the token of a known market or by its index. */
function outcomeIn(fields: ImportFields, condition: string, { marketOf }: ReadContext) {
  const token = fields.text(MAX_LENGTH, 'tokenId', 'token_id', 'asset', 'asset_id')
  const assets = marketOf(canonicalTicker(condition))?.facts.assetIds ?? []
  const statedIndex = outcomeIndexIn(fields)
  if (token === null && statedIndex === null) return missing('outcomeIndex')
  const tokenIndex = token === null ? null : assets.indexOf(token)
  if (tokenIndex !== null && tokenIndex < 0 && (assets.length > 0 || statedIndex === null)) {
    throw new InvalidInput('tokenId does not belong to a known market')
  }
  const index = tokenIndex !== null && tokenIndex >= 0 ? tokenIndex : statedIndex
  const direction = SIDES[index ?? -1]
  if (direction === undefined || index === null)
    throw new InvalidInput('outcomeIndex must be 0 or 1')
  if (statedIndex !== null && statedIndex !== index)
    throw new InvalidInput('outcomeIndex does not match tokenId')
  return { direction, token: token ?? assets[index] ?? `${condition}:${index}` }
}

function outcomeIndexIn(fields: ImportFields): number | null {
  const tenths = fields.scaled(1, 'outcomeIndex', 'outcome_index')
  if (tenths !== null) {
    if (tenths !== 0 && tenths !== 10) throw new InvalidInput('outcomeIndex must be 0 or 1')
    return tenths / 10
  }
  const outcomeText = fields.choice(['Yes', 'No'], 'outcome')
  return outcomeText === null ? null : outcomeText === 'Yes' ? 0 : 1
}

const resultOf = (direction: Side, price: PriceE4) => {
  if (price === 10_000) return direction
  return price === 0
    ? direction === 'yes'
      ? ('no' as const)
      : ('yes' as const)
    : ('scalar' as const)
}
