import type { MarketStatus, Side, Ticker } from '../market.ts'
import type { ExitReason, ThesisStrategy } from '../theses/holdings.ts'
import { roundTo } from '../units.ts'
import type { Venue } from '../venue.ts'
import type { DecisionBasis, PlannedOrder, TickDecision } from './tick.ts'
import type { TradingThesis } from './trading-thesis.ts'

/** Cents a contract that an edge must leave to be traded without a strategy. */
const MIN_EDGE = 3
/** Contracts of an order for an edge, as the default of a strategy. */
const EDGE_CONTRACTS = 50
/** Entries for edges of one tick. */
const MAX_EDGES = 20
/** Decisions of one tick. */
const MAX_DECISIONS = 200

/** A market as decisions see it; prices are cents of YES. */
export interface DecisionMarket {
  readonly venue: Venue
  readonly title: string
  readonly status: MarketStatus
  readonly bid: number | null
  readonly ask: number | null
}

/** An open position of the account. */
export interface HeldMarket {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly title: string
  readonly direction: Side
  /** Contracts. */
  readonly quantity: number
  readonly thesisId: string | null
  readonly strategyId: string | null
}

/** Everything that a tick decides on. */
export interface DecisionInput {
  readonly theses: readonly TradingThesis[]
  readonly positions: readonly HeldMarket[]
  readonly markets: ReadonlyMap<Ticker, DecisionMarket>
  /** Contracts bought so far, by strategy. */
  readonly bought: ReadonlyMap<string, number>
  /** Strategies with an open intent, which trades them. */
  readonly withIntents: ReadonlySet<string>
  readonly limits: { readonly maxSingleOrderCents: number; readonly minEdgeCents: number }
}

const priced = (cents: number): number => roundTo(cents, 4)
/** Price of a contract of a side; null when nothing is offered. */
const costOf = (market: DecisionMarket, side: Side): number | null =>
  side === 'yes' ? market.ask : market.bid === null ? null : priced(100 - market.bid)
/** What a contract of a side is sold for. */
const proceedsOf = (market: DecisionMarket, side: Side): number | null =>
  side === 'yes' ? market.bid : market.ask === null ? null : priced(100 - market.ask)

const basisOf = (thesisId: string | null, strategyId: string | null): DecisionBasis => ({
  thesisId,
  strategyId,
  viewId: null,
  intentId: null,
  pair: false,
})

/** What a decision is about. */
interface Subject {
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
const aboutOf = ({ venue, ticker, title, direction, confidence, basis }: Subject) => ({
  ...NOTHING_TRADED,
  venue,
  marketId: ticker,
  marketTitle: title,
  direction,
  confidence,
  basis,
})

const hold = (subject: Subject, reason: string): TickDecision => ({
  ...aboutOf(subject),
  kind: 'hold',
  action: null,
  quantity: null,
  limitPriceCents: null,
  costCents: null,
  reason,
  outcome: 'none',
})

const planned = (
  subject: Subject,
  order: {
    readonly quantity: number
    readonly price: number
    readonly bound: number | null
    readonly reason: string
    /** Null for an entry. */
    readonly exitReason: ExitReason | null
  },
): PlannedOrder => {
  const { quantity, price, bound, reason, exitReason } = order
  const isEntry = exitReason === null
  return {
    ...aboutOf(subject),
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
  }
}

/**
 * The decisions of a tick by rules: exits first, then entries of strategies by priority, then
 * entries for edges, largest first, then what is held or waits.
 */
export function decide(input: DecisionInput): TickDecision[] {
  const exits = input.positions.flatMap((position) => exitOf(position, input))
  const strategies = strategyEntries(input)
  const taken = new Set([
    ...input.positions.map(({ ticker }) => ticker),
    ...strategies.flatMap((one) => (one.kind === 'entry' ? (one.marketId ?? []) : [])),
  ])
  const all = [...exits, ...strategies, ...edgeEntries(input, taken)]
  const [orders, holds] = [true, false].map((acts) =>
    all.filter(({ kind }) => (kind !== 'hold') === acts),
  )
  return [...(orders ?? []), ...(holds ?? [])]
    .slice(0, MAX_DECISIONS)
    .map((decision, place) => ({ ...decision, n: place + 1 }))
}

/** Whether a position is left: by its thesis, its stop or its target. */
function exitOf(position: HeldMarket, input: DecisionInput): TickDecision[] {
  const { ticker, direction, quantity, thesisId, strategyId } = position
  const thesis = input.theses.find(({ id }) => id === thesisId)
  if (thesis === undefined) return []
  const strategy = thesis.strategies.find(({ id }) => id === strategyId)
  const market = input.markets.get(ticker)
  const { confidence } = thesis
  const subject: Subject = { ...position, confidence, basis: basisOf(thesisId, strategyId) }
  const price = market === undefined ? null : proceedsOf(market, direction)
  const due = exitReasonOf(thesis, strategy, price)
  if (due === null) return [hold(subject, `held: no exit of ${thesis.title} is due`)]
  const [exitReason, reason] = due
  if (price === null) return [hold(subject, `${reason}, and there is no bid`)]
  // A larger exit is sold in slices, one a tick.
  const slice = Math.floor(input.limits.maxSingleOrderCents / price)
  const size = slice >= 1 ? Math.min(quantity, slice) : quantity
  return [planned(subject, { quantity: size, price, bound: null, reason, exitReason })]
}

function exitReasonOf(
  thesis: TradingThesis,
  strategy: ThesisStrategy | undefined,
  price: number | null,
): readonly [ExitReason, string] | null {
  if (thesis.status === 'killed') return ['thesis_exit', 'its thesis was killed']
  if (strategy === undefined || price === null) return null
  const { stopLoss, takeProfit } = strategy
  if (stopLoss !== null && price <= stopLoss) {
    return ['stop_loss', `bid ${price}¢ is at or under the stop of ${stopLoss}¢`]
  }
  if (takeProfit !== null && price >= takeProfit) {
    return ['take_profit', `bid ${price}¢ is at or over the target of ${takeProfit}¢`]
  }
  return null
}

function strategyEntries(input: DecisionInput): TickDecision[] {
  return input.theses
    .filter(({ status }) => status === 'active')
    .flatMap((thesis) =>
      thesis.strategies
        .filter(({ status }) => status === 'active')
        .map((strategy) => ({ thesis, strategy })),
    )
    .toSorted(
      (one, other) =>
        other.strategy.priority - one.strategy.priority ||
        one.strategy.createdAt - other.strategy.createdAt ||
        (one.strategy.id < other.strategy.id ? -1 : 1),
    )
    .map(({ thesis, strategy }) => strategyEntry(thesis, strategy, input))
}

function strategyEntry(
  thesis: TradingThesis,
  strategy: ThesisStrategy,
  { markets, positions, bought, withIntents }: DecisionInput,
): TickDecision {
  const { id, ticker, direction, entryBelow, entryAbove, stopLoss, takeProfit } = strategy
  const basis = basisOf(thesis.id, id)
  const subject: Subject = { ...strategy, confidence: thesis.confidence, basis }
  const market = markets.get(ticker)
  const waits = (why: string): TickDecision => hold(subject, why)
  if (market?.status !== 'active') return waits('the market is not open')
  if (withIntents.has(id)) return waits('an open intent trades this strategy')
  if (strategy.softConditions !== null) return waits('the soft condition waits for its owner')
  const held = positions.find((one) => one.ticker === ticker)
  if (held !== undefined && held.direction !== direction) return waits('the other side is held')
  const left = strategy.maxQuantity - (bought.get(id) ?? 0)
  if (left <= 0) return waits(`maxQuantity of ${strategy.maxQuantity} is reached`)
  const price = costOf(market, direction)
  if (price === null) return waits('nothing is offered')
  const isUnder = entryBelow !== null && price <= entryBelow
  const isOver = entryAbove !== null && price >= entryAbove
  if (!isUnder && !isOver) {
    const under = entryBelow === null ? [] : [`at or under ${entryBelow}¢`]
    const over = entryAbove === null ? [] : [`at or over ${entryAbove}¢`]
    return waits(`${price}¢ is not ${[...under, ...over].join(' or ')}`)
  }
  const bid = proceedsOf(market, direction)
  if (bid !== null && stopLoss !== null && bid <= stopLoss) return waits('the bid is at the stop')
  if (bid !== null && takeProfit !== null && bid >= takeProfit) {
    return waits('the bid is at the target')
  }
  return planned(subject, {
    quantity: Math.min(strategy.perOrderQuantity, left),
    price,
    bound: isUnder ? entryBelow : null,
    reason: isUnder
      ? `${price}¢ is at or under the entry of ${entryBelow}¢`
      : `${price}¢ is at or over the entry of ${entryAbove ?? ''}¢`,
    exitReason: null,
  })
}

/** Entries for edges of theses that have no strategy in the market. */
function edgeEntries(input: DecisionInput, taken: ReadonlySet<Ticker>): TickDecision[] {
  const { theses, markets, limits } = input
  const least = Math.max(MIN_EDGE, limits.minEdgeCents)
  const used = new Set(taken)
  return theses
    .filter(({ status }) => status === 'active')
    .flatMap((thesis) => {
      const ruled = thesis.strategies.filter(({ status }) => status !== 'cancelled')
      return thesis.edges
        .filter(({ ticker }) => !ruled.some((one) => one.ticker === ticker))
        .map(({ ticker, yes, no }) => {
          const direction: Side = (yes ?? -Infinity) >= (no ?? -Infinity) ? 'yes' : 'no'
          return { thesis, ticker, direction, edge: (direction === 'yes' ? yes : no) ?? -Infinity }
        })
    })
    .filter(({ edge }) => edge >= least)
    .toSorted((one, other) => other.edge - one.edge || (one.ticker < other.ticker ? -1 : 1))
    .flatMap(({ thesis, ticker, direction, edge }) => {
      const market = markets.get(ticker)
      if (used.has(ticker) || market?.status !== 'active') return []
      used.add(ticker)
      const { confidence } = thesis
      const basis = basisOf(thesis.id, null)
      const subject = { ...market, ticker, direction, confidence, basis }
      const price = costOf(market, direction)
      if (price === null) return [hold(subject, 'nothing is offered')]
      const affordable = Math.floor(limits.maxSingleOrderCents / price)
      if (affordable < 1) return [hold(subject, 'a contract costs more than maxSingleOrderCents')]
      const quantity = Math.min(EDGE_CONTRACTS, affordable)
      const bound = Math.min(99.99, priced(price + edge - least))
      const reason = `an edge of ${roundTo(edge, 2)}¢ remains after the book and the fee`
      return [planned(subject, { quantity, price, bound, reason, exitReason: null })]
    })
    .slice(0, MAX_EDGES)
}
