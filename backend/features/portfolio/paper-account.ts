import type { AccountSettlement } from '../../domain/backtest/broker/account.ts'
import { Broker } from '../../domain/backtest/broker/broker.ts'
import type { BookRows } from '../../domain/backtest/event-columns.ts'
import { PAPER_FILLS, type FillModel } from '../../domain/backtest/broker/fill-model.ts'
import type { Fill, OrderEnd } from '../../domain/backtest/broker/orders.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { MarketFacts, MarketStatus } from '../../domain/market.ts'
import type { PaperFillRule } from '../../domain/portfolio/config.ts'
import type { FoldedPosition } from '../../domain/portfolio/position-fold.ts'
import {
  centsOf,
  contractsOf,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { UsableBook } from './order-books.ts'

/** Maximum levels that `cross` walks. */
const CROSSED_LEVELS = 5
const UNKNOWN_AMOUNT = NaN

/** The paper broker of the methodology; venues trade fractions of contracts. */
export const paperModel = (rule: PaperFillRule): FillModel => ({
  ...PAPER_FILLS,
  leastContracts: 1e-6,
  levels: rule === 'cross' ? CROSSED_LEVELS : 1,
})

export interface PaperOrder {
  readonly market: MarketId
  readonly action: 'buy' | 'sell'
  readonly side: 'yes' | 'no'
  readonly size: SizeE6
  /** Limit on the traded side; null takes levels within ten cents. */
  readonly limit: PriceE4 | null
}

export interface PaperFill {
  readonly fill: Fill
  /** Change of the balance, including fees. */
  readonly cashDelta: MoneyE6
}

/** Result of an order. */
export interface PaperOutcome {
  readonly fills: readonly PaperFill[]
  /** Reason of a rejection; null when it was accepted. */
  readonly refusal: OrderEnd | null
  /** Why it was not filled completely. */
  readonly end: OrderEnd | null
  /** Best price of its side when it was sent. */
  readonly decidedPrice: PriceE4 | null
}

/** A position at the opening of an account. */
export interface HeldPosition {
  readonly market: MarketId
  readonly facts: MarketFacts
  readonly position: FoldedPosition
}

/**
 * A user's paper account: the broker of the backtests over live books. It is opened from the
 * positions and cash of the ledger; the caller books its results, which keeps both consistent.
 */
export class PaperAccount {
  readonly #broker: Broker
  readonly #indices = new Map<MarketId, number>()
  /** Fees of earlier trades are already in its balance. */
  #isOpening = false
  #fills: PaperFill[] = []
  #cash: MoneyE6

  constructor(setup: {
    readonly rule: PaperFillRule
    readonly balance: MoneyE6
    readonly positions: readonly HeldPosition[]
    readonly at: Millis
  }) {
    const { rule, balance, positions, at } = setup
    const cost = positions.reduce((sum, { position }) => sum + position.cost, 0)
    this.#broker = new Broker({
      markets: positions.length,
      model: paperModel(rule),
      startCash: (Math.max(0, balance) + cost) as MoneyE6,
      termsOf: ({ venue }) => (this.#isOpening ? null : generalTerms(venue)),
      onFill: (fill) => this.#record(fill),
      onEnd: () => {},
    })
    this.#cash = this.#broker.cash
    for (const position of positions) this.#restore(position, at)
    this.#fills = []
  }

  get balance(): MoneyE6 {
    return this.#broker.cash
  }
  get markets(): Iterable<MarketId> {
    return this.#indices.keys()
  }
  /** YES above zero, NO below. */
  net(market: MarketId): SizeE6 {
    const index = this.#indices.get(market)
    return (index === undefined ? 0 : this.#broker.net(index)) as SizeE6
  }

  /** Updates the facts and the status of a market. */
  describe(market: MarketId, facts: MarketFacts, status: MarketStatus, at: Millis): void {
    this.#broker.describe(this.#indexOf(market), facts, status, at)
  }

  /** Processes a market's new book; books of markets that it never traded are not needed. */
  applyBook(market: MarketId, book: UsableBook): void {
    const index = this.#indices.get(market)
    if (index === undefined) return
    const { bid, ask, bidSize, askSize, levels, arrivedAt } = book
    if (levels !== null)
      return void this.#broker.book(arrivedAt, index, arrivedAt, rowOf(levels), 0)
    const [bids, asks] = [bidSize ?? UNKNOWN_AMOUNT, askSize ?? UNKNOWN_AMOUNT]
    this.#broker.quote(arrivedAt, index, arrivedAt, bid ?? 0, bids, ask ?? 0, asks)
  }

  /** Sends an order, immediate or cancel. The market must be known. */
  execute(order: PaperOrder, at: Millis): PaperOutcome {
    const { market, action, side, size, limit } = order
    this.#fills = []
    const submittedOrder = this.#broker.submit(
      {
        market: this.#indexOf(market),
        action,
        side,
        contracts: contractsOf(size),
        limit: limit === null ? null : centsOf(limit),
        timeInForce: 'ioc',
      },
      at,
    )
    this.#broker.arrive(submittedOrder, at)
    return {
      fills: this.#fills,
      refusal: submittedOrder.state === 'rejected' ? submittedOrder.end : null,
      end: submittedOrder.end,
      decidedPrice: submittedOrder.decidedPrice,
    }
  }

  /** Pays out a position; null when there is none. @param price of YES, null returns the cost */
  settle(market: MarketId, price: PriceE4 | null, at: Millis): AccountSettlement | null {
    const index = this.#indices.get(market)
    const settlement = index === undefined ? null : this.#broker.settle(index, price, at)
    this.#cash = this.#broker.cash
    return settlement
  }

  #record(fill: Fill): void {
    const { cash } = this.#broker
    this.#fills.push({ fill, cashDelta: (cash - this.#cash) as MoneyE6 })
    this.#cash = cash
  }

  #indexOf(market: MarketId): number {
    const existing = this.#indices.get(market)
    if (existing !== undefined) return existing
    const index = this.#indices.size
    this.#broker.grow(index + 1)
    this.#indices.set(market, index)
    return index
  }

  /** Opens a position at its cost on a temporary book. */
  #restore({ market, facts, position }: HeldPosition, at: Millis): void {
    const index = this.#indexOf(market)
    this.#isOpening = true
    // The price grid may have changed since the purchase.
    this.#broker.describe(index, { ...facts, priceRanges: [] }, 'active', at)
    for (const { side, size, price } of position.lots) {
      const yes = side === 'yes' ? price : 10_000 - price
      if (side === 'yes') this.#broker.quote(at, index, at, 0, UNKNOWN_AMOUNT, yes, size)
      else this.#broker.quote(at, index, at, yes, size, 0, UNKNOWN_AMOUNT)
      this.execute({ market, action: 'buy', side, size, limit: price }, at)
    }
    this.#broker.quote(at, index, -Infinity, 0, UNKNOWN_AMOUNT, 0, UNKNOWN_AMOUNT)
    this.#isOpening = false
    this.#broker.describe(index, facts, facts.status, at)
  }
}

/** Five levels per side in the broker's format. */
function rowOf({ bids, asks }: NonNullable<UsableBook['levels']>): BookRows {
  const side = (levels: typeof bids) => ({
    price: Int32Array.from({ length: 5 }, (_, k) => levels[k]?.price ?? -1),
    size: Float64Array.from({ length: 5 }, (_, k) => levels[k]?.size ?? UNKNOWN_AMOUNT),
  })
  const [bid, ask] = [side(bids), side(asks)]
  return {
    known: new Float64Array(1),
    ts: new Float64Array(1),
    market: new Int32Array(1),
    bidPrice: bid.price,
    bidSize: bid.size,
    askPrice: ask.price,
    askSize: ask.size,
  }
}
