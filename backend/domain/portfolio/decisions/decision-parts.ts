import type { MarketStatus, Side, Ticker } from '../../market.ts'
import type { ExitReason } from '../../theses/holdings.ts'
import { roundTo } from '../../units.ts'
import type { Venue } from '../../venue.ts'
import type { DecisionBasis, PlannedOrder, TickDecision } from '../tick.ts'
import type { ThesisSupport } from '../risk-gates.ts'
import type { TradingThesis } from '../trading-thesis.ts'

/** Cents a contract that an edge must leave to be traded without a strategy. */
export const MIN_EDGE = 3
/** Contracts of an order for an edge, a view or a pair, as the default of a strategy. */
export const ENTRY_CONTRACTS = 50

/** A market as decisions see it; prices are cents of YES. */
export interface DecisionMarket {
  readonly venue: Venue
  readonly title: string
  readonly status: MarketStatus
  readonly bid: number | null
  readonly ask: number | null
  /** Contracts at the best prices; null when they are unknown. */
  readonly bidSize: number | null
  readonly askSize: number | null
}

/** An active view: an expectation of a user about markets. */
export interface TradingView {
  readonly id: string
  readonly title: string
  readonly tickers: readonly Ticker[]
  /** Null names no side: nothing is traded for it. */
  readonly direction: Side | null
  /** 1 to 10. */
  readonly conviction: number
  readonly thesisId: string | null
}

/** One question on two venues. */
export interface TradingPair {
  readonly id: string
  readonly a: Ticker
  readonly b: Ticker
  /** The questions are opposites. */
  readonly inverted: boolean
  /** Probability that they are the same question. */
  readonly confidence: number
}

/** Contracts that the account holds in a market for one thesis, strategy or view, or for none. */
export interface HeldMarket {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly title: string
  readonly direction: Side
  /** Contracts. */
  readonly quantity: number
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
}

/** Everything that a tick decides on. */
export interface DecisionInput {
  readonly theses: readonly TradingThesis[]
  /** Highest conviction first. */
  readonly views: readonly TradingView[]
  /** Empty while pairs are not traded. */
  readonly pairs: readonly TradingPair[]
  readonly positions: readonly HeldMarket[]
  readonly markets: ReadonlyMap<Ticker, DecisionMarket>
  /** Contracts bought so far, by strategy. */
  readonly bought: ReadonlyMap<string, number>
  /** Strategies with an open intent, which trades them. */
  readonly strategiesWithIntents: ReadonlySet<string>
  readonly limits: { readonly maxSingleOrderCents: number; readonly minEdgeCents: number }
}

export const roundPrice = (cents: number): number => roundTo(cents, 4)
/** Price of a contract of a side; null when nothing is offered. */
export const costOf = (market: DecisionMarket, side: Side): number | null =>
  side === 'yes' ? market.ask : market.bid === null ? null : roundPrice(100 - market.bid)
/** Best bid for a contract of a side. */
export const proceedsOf = (market: DecisionMarket, side: Side): number | null =>
  side === 'yes' ? market.bid : market.ask === null ? null : roundPrice(100 - market.ask)

export const basisOf = (basis: Partial<DecisionBasis>): DecisionBasis => ({
  thesisId: null,
  strategyId: null,
  viewId: null,
  intentId: null,
  pair: false,
  ...basis,
})

/** Subject of a decision. */
export interface Subject {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  readonly direction: Side
  readonly confidence: number | null
  readonly basis: DecisionBasis
}

const NOTHING_TRADED = {
  n: 0,
  gates: [],
  filledQuantity: 0,
  avgFillPriceCents: null,
  orderId: null,
  error: null,
}
const commonFields = ({ venue, ticker, title, direction, confidence, basis }: Subject) => ({
  ...NOTHING_TRADED,
  venue,
  marketId: ticker,
  marketTitle: title,
  direction,
  confidence,
  basis,
})

export const hold = (subject: Subject, reason: string): TickDecision => ({
  ...commonFields(subject),
  kind: 'hold',
  action: null,
  quantity: null,
  limitPriceCents: null,
  costCents: null,
  reason,
  outcome: 'none',
})

export const planOrder = (
  subject: Subject,
  order: {
    readonly quantity: number
    readonly price: number
    readonly bound: number | null
    readonly reason: string
    /** Null for an entry. */
    readonly exitReason: ExitReason | null
    /** Of a view or a pair; of a thesis it is read when the order is gated. */
    readonly support?: ThesisSupport
    readonly pairId?: string
  },
): PlannedOrder => {
  const { quantity, price, bound, reason, exitReason, support = null, pairId = null } = order
  const isEntry = exitReason === null
  return {
    ...commonFields(subject),
    kind: isEntry ? 'entry' : 'exit',
    action: isEntry ? 'buy' : 'sell',
    quantity,
    limitPriceCents: price,
    costCents: Math.round(quantity * price),
    reason,
    outcome: 'unknown',
    decidedPriceCents: price,
    boundPriceCents: bound,
    exitReason,
    support,
    pairId,
  }
}
