import { canonicalTicker, type Side, type Ticker } from '../../../domain/market.ts'
import { SECOND, type MoneyE6, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { epochOf, idOf, listOf, pick, scaledOf, textOf, wireOf, type Wire } from '../../fields.ts'
import type { VenueFill, VenueOrder, VenuePosition } from '../../trading.ts'

/** The side that a token of a market is; null for a token of another market. */
export type SideOf = (ticker: Ticker, token: string) => Promise<Side | null>

const STATUSES = new Map<string, NonNullable<VenueOrder['status']>>([
  ['LIVE', 'resting'],
  ['DELAYED', 'resting'],
  ['MATCHED', 'filled'],
  ['CANCELED', 'cancelled'],
  ['CANCELLED', 'cancelled'],
  ['UNMATCHED', 'cancelled'],
])

/** A row of `/data/orders`; null without an id or a market. */
export function parseOrder(value: unknown): VenueOrder | null {
  const wire = wireOf(value)
  if (wire === null) return null
  const orderId = textOf(wire['id'])
  const ticker = textOf(wire['market'])
  if (orderId === null || ticker === null) return null
  const status = textOf(wire['status'])?.replace('ORDER_STATUS_', '') ?? ''
  const size = scaledOf(wire['original_size'], 6)
  const matchedSize = scaledOf(wire['size_matched'], 6)
  const isOpen = STATUSES.get(status) === 'resting'
  const remainingSize =
    size === null || matchedSize === null ? null : isOpen ? size - matchedSize : 0
  return {
    orderId,
    clientOrderId: null,
    ticker: canonicalTicker(ticker),
    status: STATUSES.get(status) ?? null,
    filled: matchedSize as SizeE6 | null,
    remaining: remainingSize as SizeE6 | null,
  }
}

/**
 * The fills of the account in a row of `/data/trades`. A row is a match with one taker order and
 * several maker orders, of which those of `owner` count. A match that failed on the chain is none.
 */
export async function parseTrade(
  value: unknown,
  owner: string,
  sideOf: SideOf,
): Promise<VenueFill[]> {
  const wire = wireOf(value)
  const id = textOf(wire?.['id'])
  const ticker = textOf(wire?.['market'])
  const at = epochOf(wire?.['match_time'], 'seconds')
  if (wire === null || id === null || ticker === null || at === null) return []
  if (/FAILED$/.test(textOf(wire['status']) ?? '')) return []
  const market = canonicalTicker(ticker)
  const isMaker = textOf(wire['trader_side']) === 'MAKER'
  const parts = isMaker
    ? listOf(wire['maker_orders'])
        .map(wireOf)
        .filter((part): part is Wire => part !== null && belongsTo(part, owner))
    : [wire]
  const fills: VenueFill[] = []
  for (const part of parts) {
    const token = idOf(part['asset_id'])
    const direction = token === null ? null : await sideOf(market, token)
    const size = scaledOf(pick(part, 'matched_amount', 'size'), 6)
    const price = scaledOf(part['price'], 4)
    const action = textOf(part['side'])
    const orderId = textOf(pick(part, 'order_id', 'taker_order_id'))
    if (direction === null || size === null || size <= 0 || price === null) continue
    if (action !== 'BUY' && action !== 'SELL') continue
    fills.push({
      key: parts.length > 1 ? `b:fill:${id}:${orderId ?? fills.length}` : `b:fill:${id}`,
      orderId,
      ticker: market,
      action: action === 'BUY' ? 'buy' : 'sell',
      direction,
      size: size as SizeE6,
      price: price as PriceE4,
      fee: null,
      liquidity: isMaker ? 'maker' : 'taker',
      at,
    })
  }
  return fills
}

/** Whether a maker order belongs to an API key; rows without an owner are the account's own. */
const belongsTo = (part: Wire, owner: string): boolean => (textOf(part['owner']) ?? owner) === owner

/** Rows of `/v2/positions`, one net position a market. */
export function parsePositions(values: readonly unknown[]): VenuePosition[] {
  const net = new Map<Ticker, number>()
  for (const value of values) {
    const wire = wireOf(value)
    const ticker = textOf(wire?.['condition_id'])
    const size = scaledOf(wire === null ? null : pick(wire, 'current_size', 'size'), 6)
    const outcome = wire?.['outcome_index']
    if (ticker === null || size === null || (outcome !== 0 && outcome !== 1)) continue
    const key = canonicalTicker(ticker)
    net.set(key, (net.get(key) ?? 0) + (outcome === 0 ? size : -size))
  }
  return [...net]
    .filter(([, size]) => size !== 0)
    .map(([ticker, size]) => ({ ticker, size: size as SizeE6 }))
}

/** `/balance-allowance`: 1e-6 dollars, which is the unit of the venue. */
export const parseBalance = (body: unknown): MoneyE6 | null =>
  scaledOf(wireOf(body)?.['balance'], 0) as MoneyE6 | null

export const secondsBefore = (at: number): number => Math.floor(at / SECOND)
