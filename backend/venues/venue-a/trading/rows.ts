import { canonicalTicker, type Side } from '../../../domain/market.ts'
import { tradedSide } from '../../../domain/portfolio/fill-side.ts'
import { priceOfCents, type Cents, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { flagOf, pick, scaledOf, textOf, timeOf, wireOf } from '../../fields.ts'
import type { VenueFill, VenueOrder, VenuePosition } from '../../trading.ts'
import { sizeAt } from '../amounts.ts'

const ONE_DOLLAR = priceOfCents(100 as Cents)
const STATUSES = new Map<string, NonNullable<VenueOrder['status']>>([
  ['resting', 'resting'],
  ['canceled', 'cancelled'],
  ['executed', 'filled'],
])

/** A row of `/portfolio/orders`; null when it has no id or market. */
export function parseOrder(value: unknown): VenueOrder | null {
  const wire = wireOf(value)
  if (wire === null) return null
  const orderId = textOf(wire['order_id'])
  const ticker = textOf(wire['ticker'])
  if (orderId === null || ticker === null) return null
  return {
    orderId,
    clientOrderId: textOf(wire['client_order_id']),
    ticker: canonicalTicker(ticker),
    status: STATUSES.get(textOf(wire['status']) ?? '') ?? null,
    filled: sizeAt(wire, 'fill_count'),
    remaining: sizeAt(wire, 'remaining_count'),
  }
}

/** A row of `/portfolio/fills`; null when it lacks its market, side or figures. */
export function parseFill(value: unknown): VenueFill | null {
  const wire = wireOf(value)
  if (wire === null) return null
  const id = textOf(pick(wire, 'fill_id', 'trade_id'))
  const ticker = textOf(pick(wire, 'ticker', 'market_ticker'))
  const side = tradedSide({
    action: memberOf(['buy', 'sell'], wire['action']),
    side: memberOf(['yes', 'no'], wire['side']),
    gained: memberOf(['yes', 'no'], wire['outcome_side']),
  })
  const size = sizeAt(wire, 'count')
  const at = timeOf(wire['created_time'])
  if (id === null || ticker === null || size === null || size === 0 || at === null) return null
  if (side === null) return null
  const price = priceOf(wire['yes_price_dollars'], wire['no_price_dollars'], side.direction)
  if (price === null) return null
  const isTaker = flagOf(wire['is_taker'])
  const fee = scaledOf(wire['fee_cost'], 6)
  return {
    key: `a:fill:${id}`,
    orderId: textOf(wire['order_id']),
    ticker: canonicalTicker(ticker),
    ...side,
    size,
    price,
    fee: fee as VenueFill['fee'],
    liquidity: isTaker === null ? null : isTaker ? 'taker' : 'maker',
    at,
  }
}

function memberOf<T extends string>(values: readonly T[], value: unknown): T | null {
  const text = textOf(value)
  return values.find((member) => member === text) ?? null
}

function priceOf(yes: unknown, no: unknown, side: Side): PriceE4 | null {
  const sidePrice = scaledOf(side === 'yes' ? yes : no, 4)
  const other = scaledOf(side === 'yes' ? no : yes, 4)
  const price = sidePrice ?? (other === null ? null : ONE_DOLLAR - other)
  return price !== null && price > 0 && price < ONE_DOLLAR ? (price as PriceE4) : null
}

/** A row of `market_positions`; null when it has no figures. */
export function parsePosition(value: unknown): VenuePosition | null {
  const wire = wireOf(value)
  const ticker = textOf(wire?.['ticker'])
  const size = scaledOf(wire?.['position_fp'], 6)
  if (ticker === null || size === null) return null
  return { ticker: canonicalTicker(ticker), size: size as SizeE6 }
}
