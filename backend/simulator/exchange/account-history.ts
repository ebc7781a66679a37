import { feeOfFill, generalTerms } from '../../domain/fees.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { keyOf, mix, unit, uuidOf, type Key } from '../randomness.ts'
import { quoteAt } from '../tape/quote.ts'
import type { Outcome, SimAccount, SimFill } from './exchange.ts'

/** Share of the markets that an account traded. */
const TRADED_SHARE = 0.2
/** Share of the purchases that were sold again before the end. */
const SOLD = 0.3
const MAX_CONTRACTS = 12
const HUNDREDTH = 10_000
const WHOLE = 10_000
/** Prices outside are not traded, 1e-4 dollars. */
const [MIN_PRICE, MAX_PRICE] = [500, 9_500]

/**
 * Books what an account traded until now: a function of the account and the markets, so that an
 * exchange that starts later has the same trades and newer ones.
 */
export function bookHistory(account: SimAccount, markets: readonly SimMarket[], now: number): void {
  const root = keyOf(0x41570, account.id)
  const fills = markets.flatMap((market) => tradesOf(market, keyOf(root, market.id), now))
  for (const fill of fills.toSorted((a, b) => a.at - b.at)) {
    const { market, outcome, price, size, fee } = fill
    const holding = account.holdings.get(market.id) ?? { yes: 0, no: 0 }
    holding[outcome] += size
    const pairs = Math.min(holding.yes, holding.no)
    holding.yes -= pairs
    holding.no -= pairs
    account.holdings.set(market.id, holding)
    account.cash += pairs - Math.round((size * price) / WHOLE) - fee
    account.fills.push(fill)
  }
}

/** A purchase at the quote of its instant, and perhaps the sale of all of it. */
function tradesOf(market: SimMarket, key: Key, now: number): SimFill[] {
  if (unit(key, 1) >= TRADED_SHARE) return []
  const outcome: Outcome = unit(key, 2) < 0.6 ? 'yes' : 'no'
  const size = Math.ceil(unit(key, 3) * MAX_CONTRACTS * 100) * HUNDREDTH
  const span = market.closeAt - market.openAt
  const boughtAt = Math.floor(market.openAt + unit(key, 4) * 0.7 * span)
  const buyFill = fillAt(market, key, { outcome, size, at: boughtAt, n: 0 })
  if (buyFill === null || boughtAt > now) return []
  if (unit(key, 5) >= SOLD) return [buyFill]
  const soldAt = Math.floor(boughtAt + (0.1 + 0.8 * unit(key, 6)) * (market.closeAt - boughtAt))
  // A sale of one side is a purchase of the other: the position is net.
  const other = outcome === 'yes' ? 'no' : 'yes'
  const sellFill = fillAt(market, key, { outcome: other, size, at: soldAt, n: 1 })
  return sellFill === null || soldAt > now ? [buyFill] : [buyFill, sellFill]
}

function fillAt(
  market: SimMarket,
  key: Key,
  order: { outcome: Outcome; size: number; at: number; n: number },
): SimFill | null {
  const { outcome, size, at, n } = order
  const { bid, ask } = quoteAt(market, at)
  const price = outcome === 'yes' ? ask : WHOLE - bid
  if (price < MIN_PRICE || price > MAX_PRICE) return null
  const { fee } = feeOfFill(generalTerms(market.venue), {
    at: at as Millis,
    side: 'buy',
    role: 'taker',
    price: price as PriceE4,
    size: size as SizeE6,
  })
  return {
    id: uuidOf(mix(key, 7), n),
    orderId: uuidOf(mix(key, 8), n),
    market,
    action: 'buy',
    outcome,
    price,
    size,
    fee,
    isTaker: true,
    at,
  }
}
