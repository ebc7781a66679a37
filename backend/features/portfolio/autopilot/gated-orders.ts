import type { MarketBoard, MarketView } from '../../../computed/board/market-board.ts'
import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import { priceFor } from '../../../domain/portfolio/intent.ts'
import { checkGates, type ThesisSupport } from '../../../domain/portfolio/risk-gates.ts'
import type { TickReserve } from '../../../domain/portfolio/tick-reserve.ts'
import type { PlannedOrder, Tick } from '../../../domain/portfolio/tick.ts'
import { supportOf, type TradingThesis } from '../../../domain/portfolio/trading-thesis.ts'
import {
  centsOf,
  priceOfCents,
  roundTo,
  sizeOfContracts,
  type Cents,
  type Millis,
} from '../../../domain/units.ts'
import type { Venue } from '../../../domain/venue.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { AccountFigures } from '../account-figures.ts'
import type { OrderBooks, UsableBook } from '../order-books.ts'
import { gatedAccount, gatedOrder, reserveFor, type PaperOrderPlan } from '../paper-order.ts'

/** An order with the market that it is sent to. */
export interface MarketOrder {
  readonly plan: PaperOrderPlan
  readonly view: MarketView
  readonly book: UsableBook | null
  readonly worseCents: number
  /** Of a view or a pair, at the limit; null where it is that of the thesis. */
  readonly support: ThesisSupport | null
}
/** One whose market has a book. */
export type BookedOrder = MarketOrder & { readonly book: UsableBook }

/** Prepares the orders of decisions, and checks their gates. */
export function createGatedOrders(deps: {
  readonly books: OrderBooks
  readonly board: MarketBoard
  readonly isStale: (market: MarketId) => boolean
}) {
  const { books, board, isStale } = deps

  const orderOf = async (tick: Tick, order: PlannedOrder): Promise<MarketOrder | null> => {
    const view = await board.market(order.marketId, null)
    if (view === null) return null
    books.follow(view.market)
    const book = books.get(view.market)
    const limit = limitOf(order, book)
    const adverseSign = order.action === 'buy' ? 1 : -1
    const { thesisId, strategyId, viewId } = order.basis
    const worseCents = roundTo(adverseSign * (limit - order.decidedPriceCents), 4)
    const plan: PaperOrderPlan = {
      source: 'autopilot',
      action: order.action,
      direction: order.direction,
      size: sizeOfContracts(order.quantity),
      limit: priceOfCents(limit as Cents),
      tickId: tick.id,
      intentId: null,
      thesisId,
      strategyId,
      viewId,
      payload: {
        reason: order.reason,
        ...(order.exitReason !== null && { exitReason: order.exitReason }),
        ...(isPair(order) && { pairId: order.pairId }),
      },
    }
    return { plan, view, book, worseCents, support: supportAt(order, worseCents) }
  }

  const gatesOf = (
    { plan, view, book, worseCents, support: orderSupport }: MarketOrder,
    figures: AccountFigures,
    context: {
      readonly config: PortfolioConfig
      readonly theses: readonly TradingThesis[]
      readonly reserved: TickReserve
      readonly ticksSinceLoss: number | null
      /** Why venues of a live tick cannot be traded at. */
      readonly failures: Readonly<Partial<Record<Venue, string>>>
      readonly now: Millis
    },
  ) => {
    const { reserved, now } = context
    const { ticker } = view.facts
    const thesis = context.theses.find(({ id }) => id === plan.thesisId)
    const support = orderSupport ?? supportOf(thesis, ticker, plan.direction)
    const tick = { orders: reserved.orders, ticksSinceLoss: context.ticksSinceLoss, worseCents }
    const market = { view, book, isStale: isStale(view.market) }
    const { venue } = view.facts
    const failure = context.failures[venue] ?? null
    const live = figures.live === null ? null : { venue, account: figures.live, failure }
    const order = gatedOrder(plan, market, figures, { support, tick, live }, now)
    const account = reserved.accountAfter(gatedAccount(figures, ticker), ticker)
    const opensMarket = order.opensMarket && !reserved.opensPosition(ticker)
    const { enabled, executionMode } = figures.portfolio.config
    const limits = { ...context.config, enabled, executionMode }
    return checkGates({ ...order, opensMarket }, account, limits)
  }

  return { orderOf, gatesOf }
}
export type GatedOrders = ReturnType<typeof createGatedOrders>

/**
 * The limit of an order: the price decided on, or the touch if it has become worse, never beyond
 * the bound of its rule.
 */
export function limitOf(
  { action, direction, decidedPriceCents, boundPriceCents }: PlannedOrder,
  book: UsableBook | null,
): number {
  const bestPrice = book === null ? null : priceFor({ action, direction }, book)
  const now = bestPrice === null ? decidedPriceCents : centsOf(bestPrice)
  if (action === 'buy') {
    const limit = Math.max(decidedPriceCents, now)
    return boundPriceCents === null ? limit : Math.min(limit, boundPriceCents)
  }
  return Math.min(decidedPriceCents, now)
}

/** Reserves the amounts of an accepted order, which later orders of the tick cannot use. */
export function reserve(
  tickReserve: TickReserve,
  { plan, view, book }: MarketOrder,
  heldTickers: ReadonlySet<string>,
  now: Millis,
): void {
  const { ticker } = view.facts
  const opensMarket = !heldTickers.has(ticker)
  const { action } = plan
  tickReserve.take({ ticker, action, opensMarket, ...reserveFor(plan, view, book, now) })
}

export const isBooked = (order: MarketOrder): order is BookedOrder => order.book !== null
export const isPair = ({ pairId = null }: PlannedOrder): boolean => pairId !== null

/** The support of a view or a pair; its edge is smaller by the amount that the limit is worse. */
function supportAt({ support = null }: PlannedOrder, worseCents: number): ThesisSupport | null {
  if (support === null || support.edgeCents === null) return support
  return { ...support, edgeCents: roundTo(support.edgeCents - Math.max(0, worseCents), 4) }
}
