import { priceOfCents, sizeOfContracts } from '../../units.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import { ABSENT } from '../event-columns.ts'
import { otherSide, type FillModel } from './fill-model.ts'
import type { MarketBooks } from './market-books.ts'
import { protectedLimit } from './order-checks.ts'
import type { Order, OrderRequest } from './orders.ts'

/** Creates the order of a request, sent at `at`. Throws RangeError for an invalid request. */
export function newOrder(
  request: OrderRequest,
  id: number,
  at: Millis,
  books: MarketBooks,
  model: FillModel,
): Order {
  const { market, action, side } = request
  if (!(request.contracts > 0) || !Number.isFinite(request.contracts)) {
    throw new RangeError(`contracts must be above 0, was ${request.contracts}`)
  }
  const limit = request.limit === null ? null : priceOfCents(request.limit)
  if (limit !== null && Number.isNaN(limit)) throw new RangeError('limit is not a number of cents')
  const takesAsks = (action === 'buy') === (side === 'yes')
  const decidedPrice = takesAsks ? books.ask(market) : books.bid(market)
  const onSide = (price: PriceE4): PriceE4 => (side === 'yes' ? price : otherSide(price))
  return {
    id,
    market,
    action,
    side,
    size: sizeOfContracts(request.contracts),
    limit,
    timeInForce:
      limit === null && request.timeInForce !== 'fok' ? 'ioc' : (request.timeInForce ?? 'gtc'),
    postOnly: request.postOnly ?? false,
    tag: request.tag ?? '',
    decidedAt: at,
    arrivesAt: (at + model.latencyMs + model.takerDelayMs) as Millis,
    decidedPrice: decidedPrice === ABSENT ? null : onSide(decidedPrice as PriceE4),
    state: 'sent',
    end: null,
    filled: 0 as SizeE6,
    takesAsks,
    yesLimit: limit === null ? protectedLimit({ market, takesAsks }, books, model) : onSide(limit),
    queue: null,
    accumulator: 0 as MoneyE6,
    reserved: 0,
    next: null,
  }
}
