import { Broker } from '../backtest/broker/broker.ts'
import { PAPER_FILLS } from '../backtest/broker/fill-model.ts'
import type { Fill } from '../backtest/broker/orders.ts'
import { generalTerms } from '../fees.ts'
import type { MarketFacts, MarketStatus, Side, Ticker } from '../market.ts'
import {
  centsOf,
  contractsOf,
  dollarsOf,
  priceOfCents,
  roundTo,
  type Cents,
  type Millis,
  type MoneyE6,
} from '../units.ts'
import type { ExitReason } from './holdings.ts'

/** Contracts of a purchase for an edge without a strategy. */
export const EDGE_CONTRACTS = 50
/** Cash of a replay, cents: what a paper account starts with. */
export const START_CENTS = 500_000
/** Most evaluations of one replay. */
const MAX_STEPS = 90

/** A purchase of a replayed thesis, or the part of it that was sold together; prices are cents of its side. */
export interface PaperTrade {
  readonly ticker: Ticker
  readonly direction: Side
  /** Null for an edge that no strategy trades. */
  readonly strategyId: string | null
  readonly quantity: number
  readonly openedAt: Millis
  readonly entryPrice: number
  readonly closedAt: Millis | null
  readonly exitPrice: number | null
  readonly exitReason: ExitReason | null
  readonly feesCents: number
}

/** A market as the paper broker sees it at an instant; prices are cents of YES. */
export interface ReplayedMarket {
  readonly facts: MarketFacts
  readonly status: MarketStatus
  readonly bid: number | null
  readonly ask: number | null
  /** Contracts at the best prices; null when no book is stored. */
  readonly bidSize: number | null
  readonly askSize: number | null
}

interface ReplayedOrder {
  readonly ticker: Ticker
  readonly direction: Side
  readonly strategyId: string | null
  readonly quantity: number
}

/** The paper broker over the instants of a replay: immediate or cancel at the best level. */
export class ReplayedAccount {
  readonly #indices = new Map<Ticker, number>()
  readonly #broker: Broker
  #fills: Fill[] = []
  #trades: PaperTrade[] = []

  constructor() {
    this.#broker = new Broker({
      markets: 0,
      model: PAPER_FILLS,
      startCash: (START_CENTS * 10_000) as MoneyE6,
      termsOf: ({ venue }) => generalTerms(venue),
      onFill: (fill) => void this.#fills.push(fill),
      onEnd: () => {},
    })
  }

  get trades(): readonly PaperTrade[] {
    return this.#trades
  }

  /** Contracts held for a strategy, or for the edge in a market. */
  heldContracts({ ticker, direction, strategyId }: Omit<ReplayedOrder, 'quantity'>): number {
    return this.#trades
      .filter(
        (trade) =>
          trade.closedAt === null &&
          trade.ticker === ticker &&
          trade.direction === direction &&
          trade.strategyId === strategyId,
      )
      .reduce((sum, { quantity }) => sum + quantity, 0)
  }
  /** Contracts that were bought for a strategy. */
  contractsBought(strategyId: string): number {
    return this.#trades
      .filter((trade) => trade.strategyId === strategyId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  }
  /** Whether the other side of a market is held. */
  holdsOther(ticker: Ticker, direction: Side): boolean {
    return this.#trades.some(
      (trade) =>
        trade.closedAt === null && trade.ticker === ticker && trade.direction !== direction,
    )
  }

  /** Applies the quote of a market at an instant. */
  quote({ facts, status, bid, ask, bidSize, askSize }: ReplayedMarket, at: Millis): void {
    const index = this.#indexOf(facts.ticker)
    this.#broker.describe(index, facts, status, at)
    const price = (cents: number | null) => (cents === null ? 0 : priceOfCents(cents as Cents))
    const size = (contracts: number | null) => (contracts === null ? NaN : contracts * 1_000_000)
    this.#broker.quote(at, index, at, price(bid), size(bidSize), price(ask), size(askSize))
  }

  /** Buys what the best level offers. @param limit cents of the side */
  buy(order: ReplayedOrder, limit: number, at: Millis): void {
    for (const fill of this.#execute('buy', order, limit, at)) {
      this.#trades.push({
        ticker: order.ticker,
        direction: order.direction,
        strategyId: order.strategyId,
        quantity: contractsOf(fill.size),
        openedAt: at,
        entryPrice: centsOf(fill.price),
        closedAt: null,
        exitPrice: null,
        exitReason: null,
        feesCents: dollarsOf(fill.fee) * 100,
      })
    }
  }

  /** Sells what the best level takes, the oldest purchases first. */
  sell(order: ReplayedOrder, exitReason: ExitReason, at: Millis): void {
    for (const fill of this.#execute('sell', order, null, at)) {
      const feesPerContract = (dollarsOf(fill.fee) * 100) / contractsOf(fill.size)
      const exit = { closedAt: at, exitPrice: centsOf(fill.price), exitReason }
      let left = contractsOf(fill.size)
      this.#trades = this.#trades.flatMap((trade) => {
        const isSold =
          left > 0 &&
          trade.closedAt === null &&
          trade.ticker === order.ticker &&
          trade.direction === order.direction &&
          trade.strategyId === order.strategyId
        if (!isSold) return [trade]
        const quantity = Math.min(left, trade.quantity)
        left = roundTo(left - quantity, 6)
        const share = quantity / trade.quantity
        const feesCents = trade.feesCents * share + feesPerContract * quantity
        const closedTrade = { ...trade, ...exit, quantity, feesCents }
        const rest = roundTo(trade.quantity - quantity, 6)
        if (rest <= 0) return [closedTrade]
        return [closedTrade, { ...trade, quantity: rest, feesCents: trade.feesCents * (1 - share) }]
      })
    }
  }

  /** Pays out the purchases in a market. @param price cents that YES paid */
  settle(ticker: Ticker, price: number, at: Millis): void {
    const index = this.#indices.get(ticker)
    if (index === undefined) return
    this.#broker.settle(index, priceOfCents(price as Cents), at)
    this.#trades = this.#trades.map((trade) =>
      trade.ticker !== ticker || trade.closedAt !== null
        ? trade
        : {
            ...trade,
            closedAt: at,
            exitPrice: trade.direction === 'yes' ? price : 100 - price,
            exitReason: 'settlement',
          },
    )
  }

  #execute(
    action: 'buy' | 'sell',
    { ticker, direction: side, quantity: contracts }: ReplayedOrder,
    limit: number | null,
    at: Millis,
  ): readonly Fill[] {
    this.#fills = []
    const market = this.#indexOf(ticker)
    const request = { market, action, side, contracts, timeInForce: 'ioc' as const }
    const order = this.#broker.submit({ ...request, limit: limit as Cents | null }, at)
    this.#broker.arrive(order, at)
    return this.#fills
  }

  #indexOf(ticker: Ticker): number {
    const marketIndex = this.#indices.get(ticker)
    if (marketIndex !== undefined) return marketIndex
    const index = this.#indices.size
    this.#broker.grow(index + 1)
    this.#indices.set(ticker, index)
    return index
  }
}

/** Profit in cents at a price of its side, after fees. */
export const tradePnl = ({ quantity, entryPrice, feesCents }: PaperTrade, price: number): number =>
  quantity * (price - entryPrice) - feesCents

/** Time between evaluations: the schedule, or longer so that a replay has at most 90. */
export const stepOf = (span: number, interval: number): number =>
  Math.max(interval, Math.ceil(span / MAX_STEPS / interval) * interval)
