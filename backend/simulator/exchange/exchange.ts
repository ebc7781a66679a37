import { feeOfFill, generalTerms } from '../../domain/fees.ts'
import type { Venue } from '../../domain/market.ts'
import { foldPosition } from '../../domain/portfolio/position-fold.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { isTrading, type SimMarket } from '../catalogue/market.ts'
import { keyOf, uuidOf } from '../randomness.ts'
import { bookAt } from '../tape/order-book.ts'

export type Outcome = 'yes' | 'no'

/** An order to the exchange; price in 1e-4 dollars of the outcome, size in 1e-6 contracts. */
export interface NewSimOrder {
  readonly market: SimMarket
  readonly action: 'buy' | 'sell'
  readonly outcome: Outcome
  readonly price: number
  readonly size: number
  readonly rests: boolean
  readonly clientId: string
  /** Given by the venue's own wire format; derived from the client id when absent. */
  readonly id?: string
}

export interface SimFill {
  readonly id: string
  readonly orderId: string
  readonly market: SimMarket
  readonly action: 'buy' | 'sell'
  readonly outcome: Outcome
  readonly price: number
  readonly size: number
  readonly fee: number
  readonly isTaker: boolean
  readonly at: number
}

/** Payout of a settled market on a position. */
export interface SimSettlement {
  readonly id: string
  readonly market: SimMarket
  readonly yes: number
  readonly no: number
  /** In 1e-6 dollars. */
  readonly paid: number
  readonly at: number
}

export interface SimOrder extends NewSimOrder {
  readonly id: string
  readonly at: number
  filled: number
  paid: number
  fees: number
  status: 'resting' | 'canceled' | 'executed'
}

export interface Holding {
  yes: number
  no: number
}

/** An account of the exchange: money in 1e-6 dollars, holdings by market id. */
export interface SimAccount {
  readonly id: string
  cash: number
  readonly holdings: Map<string, Holding>
  readonly orders: SimOrder[]
  readonly fills: SimFill[]
  readonly settlements: SimSettlement[]
}

export type PlacementResult =
  | { readonly kind: 'placed'; readonly order: SimOrder }
  | {
      readonly kind: 'refused'
      readonly why: 'duplicate' | 'closed' | 'funds' | 'self_trade' | 'invalid'
    }

const DOLLAR = 1_000_000
const HUNDREDTH = 10_000

/**
 * The private side of one venue: accounts whose orders meet the books that the public side shows.
 * What an order took from a level stays taken until the book changes.
 */
export class Exchange {
  readonly venue: Venue
  readonly #accounts = new Map<string, SimAccount>()
  readonly #takenSizes = new Map<string, number>()

  constructor(venue: Venue) {
    this.venue = venue
  }

  /** Opens an account with cash in 1e-6 dollars. */
  open(id: string, cash: number): SimAccount {
    const account: SimAccount = {
      id,
      cash,
      holdings: new Map(),
      orders: [],
      fills: [],
      settlements: [],
    }
    this.#accounts.set(id, account)
    return account
  }

  /** An account as it is now: its resting orders have met the books, settled markets have paid. */
  account(id: string, now: number): SimAccount | null {
    const account = this.#accounts.get(id) ?? null
    for (const order of account?.orders ?? []) {
      if (order.status !== 'resting' || account === null) continue
      if (isTrading(order.market, now)) this.#match(account, order, now, false)
      else if (now >= order.market.closeAt) order.status = 'canceled'
    }
    if (account !== null) settle(account, now, this.#nets)
    return account
  }

  /** Every order of every account. */
  get orders(): readonly SimOrder[] {
    return [...this.#accounts.values()].flatMap(({ orders }) => orders)
  }

  place(account: SimAccount, order: NewSimOrder, now: number): PlacementResult {
    const { market, price, size, clientId, id = this.#idOf('order', account, clientId) } = order
    if (
      account.orders.some(
        (existingOrder) => existingOrder.clientId === clientId || existingOrder.id === id,
      )
    ) {
      return { kind: 'refused', why: 'duplicate' }
    }
    if (!isTrading(market, now)) return { kind: 'refused', why: 'closed' }
    if (price <= 0 || price >= 10_000 || size <= 0) return { kind: 'refused', why: 'invalid' }
    if (this.#lacksFunds(account, order)) return { kind: 'refused', why: 'funds' }
    const newOrder: SimOrder = {
      ...order,
      id,
      at: now,
      filled: 0,
      paid: 0,
      fees: 0,
      status: 'resting',
    }
    if (account.orders.some((restingOrder) => crosses(restingOrder, newOrder))) {
      return { kind: 'refused', why: 'self_trade' }
    }
    account.orders.push(newOrder)
    this.#match(account, newOrder, now, true)
    if (newOrder.status === 'resting' && !order.rests) newOrder.status = 'canceled'
    return { kind: 'placed', order: newOrder }
  }

  /** Somebody else trades with a resting order. @param size in 1e-6 contracts */
  trade(order: SimOrder, size: number, now: number): void {
    const account = [...this.#accounts.values()].find(({ orders }) => orders.includes(order))
    if (account === undefined || order.status !== 'resting') throw new Error('it does not rest')
    const { price, filled } = order
    this.#fill(account, order, {
      price,
      size: Math.min(size, order.size - filled),
      isTaker: false,
      at: now,
    })
    if (order.filled === order.size) order.status = 'executed'
  }

  /** Cancels what rests of an order; false when nothing does. */
  cancel(order: SimOrder): boolean {
    if (order.status !== 'resting') return false
    order.status = 'canceled'
    return true
  }

  /** Whether cash or contracts do not cover an order beside those that rest. */
  #lacksFunds(account: SimAccount, order: NewSimOrder): boolean {
    const open = account.orders.filter(({ status }) => status === 'resting')
    const holding = account.holdings.get(order.market.id) ?? { yes: 0, no: 0 }
    if (order.action === 'sell') {
      const selling = open
        .filter((otherOrder) => isSameSide(otherOrder, order) && otherOrder.action === 'sell')
        .reduce((sum, otherOrder) => sum + otherOrder.size - otherOrder.filled, 0)
      return holding[order.outcome] - selling < order.size
    }
    const reservedSize = open
      .filter(({ action }) => action === 'buy')
      .reduce(
        (sum, otherOrder) =>
          sum + ((otherOrder.size - otherOrder.filled) * otherOrder.price) / 10_000,
        0,
      )
    const pairs = this.#nets ? Math.min(order.size, holding[otherOutcome(order.outcome)]) : 0
    return account.cash - reservedSize + pairs < (order.size * order.price) / 10_000
  }

  #match(account: SimAccount, order: SimOrder, now: number, isTaker: boolean): void {
    for (const [key, price, displayedSize] of this.#offers(order, now)) {
      const rest = order.size - order.filled
      const free = displayedSize - (this.#takenSizes.get(key) ?? 0)
      const size = Math.floor(Math.min(rest, free) / HUNDREDTH) * HUNDREDTH
      if (size <= 0) continue
      this.#takenSizes.set(key, (this.#takenSizes.get(key) ?? 0) + size)
      this.#fill(account, order, { price: isTaker ? price : order.price, size, isTaker, at: now })
    }
    if (order.size - order.filled < HUNDREDTH) order.status = 'executed'
  }

  /** Levels that an order may take, best first, as prices of its outcome. */
  #offers(order: SimOrder, now: number): [key: string, price: number, size: number][] {
    const { market, action, outcome, price: limit } = order
    const book = bookAt(market, now)
    const isUp = (action === 'buy') === (outcome === 'yes')
    return (isUp ? book.asks : book.bids)
      .map(([price, size]): [string, number, number] => [
        `${market.id}:${book.at}:${isUp ? 'ask' : 'bid'}:${price}`,
        outcome === 'yes' ? price : 10_000 - price,
        size * HUNDREDTH,
      ])
      .filter(([, price]) => (action === 'buy' ? price <= limit : price >= limit))
  }

  #fill(
    account: SimAccount,
    order: SimOrder,
    trade: { price: number; size: number; isTaker: boolean; at: number },
  ): void {
    const { price, size, isTaker, at } = trade
    const terms = generalTerms(this.venue)
    const { fee } = feeOfFill(terms, {
      at: at as Millis,
      side: order.action,
      role: isTaker ? 'taker' : 'maker',
      price: price as PriceE4,
      size: size as SizeE6,
    })
    const money = Math.round((size * price) / 10_000)
    account.cash += (order.action === 'buy' ? -money : money) - fee
    const holding = account.holdings.get(order.market.id) ?? { yes: 0, no: 0 }
    holding[order.outcome] += order.action === 'buy' ? size : -size
    if (this.#nets) redeem(account, holding)
    account.holdings.set(order.market.id, holding)
    order.filled += size
    order.paid += money
    order.fees += fee
    const { market, action, outcome } = order
    const id = this.#idOf('fill', account, `${order.id}:${account.fills.length}`)
    account.fills.push({
      id,
      orderId: order.id,
      market,
      action,
      outcome,
      price,
      size,
      fee,
      isTaker,
      at,
    })
  }

  /** venue_a holds one net position a market; venue_b holds tokens of both outcomes. */
  get #nets(): boolean {
    return this.venue === 'venue_a'
  }

  #idOf(kind: string, account: SimAccount, text: string): string {
    return uuidOf(keyOf(keyOf(0x0bde, kind + account.id), text), account.orders.length)
  }
}

const otherOutcome = (outcome: Outcome): Outcome => (outcome === 'yes' ? 'no' : 'yes')
const isSameSide = (a: NewSimOrder, b: NewSimOrder): boolean =>
  a.market === b.market && a.outcome === b.outcome

/** A YES and a NO contract together pay a dollar. */
function redeem(account: SimAccount, holding: Holding): void {
  const pairs = Math.min(holding.yes, holding.no)
  holding.yes -= pairs
  holding.no -= pairs
  account.cash += (pairs * DOLLAR) / 1_000_000
}

/**
 * Pays out settled markets: venue_a credits the account, and the simulated wallet of venue_b
 * redeems at once. A void of venue_a returns what was paid for the contracts.
 */
function settle(account: SimAccount, now: number, isCredited: boolean): void {
  const markets = new Map(account.fills.map(({ market }) => [market.id, market]))
  for (const [id, { yes, no }] of account.holdings) {
    const market = markets.get(id)
    if (market === undefined || market.settledAt > now || yes + no === 0) continue
    const isVoid = isCredited && market.result === 'void'
    const exact = isVoid ? costOf(account, market) : payoutOf(market, yes, no)
    // Credits are whole cents.
    const step = isCredited ? HUNDREDTH : 1
    const credit = Math.round(exact / step) * step
    account.cash += credit
    account.holdings.delete(id)
    const settlementId = uuidOf(keyOf(keyOf(0x5e77, account.id), id), account.settlements.length)
    const at = market.settledAt
    account.settlements.push({ id: settlementId, market, yes, no, paid: credit, at })
  }
}

const payoutOf = ({ payout }: SimMarket, yes: number, no: number): number =>
  yes * payout + no * (1 - payout)

/** Cost of the open lots of a market, first in, first out. */
function costOf({ fills }: SimAccount, market: SimMarket): number {
  const fillRows = fills
    .filter((fill) => fill.market === market)
    .map(({ at, action, outcome, size, price, fee }) => ({
      eventType: 'fill' as const,
      occurredAt: at as Millis,
      action,
      direction: outcome,
      size: size as SizeE6,
      price: price as PriceE4,
      fee: fee as MoneyE6,
      result: null,
    }))
  return foldPosition(fillRows)?.cost ?? 0
}

/** Whether a new order would meet a resting one of the same account. */
function crosses(restingOrder: SimOrder, order: SimOrder): boolean {
  if (restingOrder.status !== 'resting' || restingOrder.market !== order.market) return false
  const [old, young] = [yesTerms(restingOrder), yesTerms(order)]
  if (old.isBid === young.isBid) return false
  return old.isBid ? old.price >= young.price : old.price <= young.price
}

const yesTerms = ({ action, outcome, price }: NewSimOrder) => ({
  isBid: (action === 'buy') === (outcome === 'yes'),
  price: outcome === 'yes' ? price : 10_000 - price,
})

/** Money as text in dollars. */
export const dollars = (money: number | MoneyE6, places = 6): string =>
  (money / DOLLAR).toFixed(places)
