import type { MarketView } from '../../computed/board/market-board.ts'
import { priceRatios } from '../../computed/served-indicators.ts'
import { moneyOf } from '../../domain/backtest/broker/fill-model.ts'
import type { Side } from '../../domain/market.ts'
import { priceFor, type IntentBasis } from '../../domain/portfolio/intent.ts'
import type { Mode, NewLedgerEntry } from '../../domain/portfolio/ledger.ts'
import { isEntryOrder, reserveOfOrder } from '../../domain/portfolio/order-reserve.ts'
import type {
  GatedAccount,
  GatedOrder,
  LiveGate,
  ThesisSupport,
  TickProgress,
} from '../../domain/portfolio/risk-gates.ts'
import { tauDays } from '../../domain/prices/indicators.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { newId } from '../../lib/ids.ts'
import type { AccountFigures } from './account-figures.ts'
import { basisOf } from './intent-basis.ts'
import type { UsableBook } from './order-books.ts'
import type { PaperAccount, PaperOutcome } from './paper-account.ts'

/** A paper order of an intent or of a tick. */
export interface PaperOrderPlan extends IntentBasis {
  readonly source: 'intent' | 'autopilot'
  readonly action: 'buy' | 'sell'
  readonly direction: Side
  readonly size: SizeE6
  /** Null accepts the book's prices. */
  readonly limit: PriceE4 | null
  readonly tickId: string
  readonly intentId: string | null
  readonly viewId: string | null
  /** Fields of the fills' payload. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Where an order is booked: number of its first entry within the tick, and the account. */
export interface BookingContext {
  readonly n: number
  readonly mode?: Mode
  readonly epoch: number
  readonly now: Millis
}

/** Amount that an order reserves: its cost at the limit, and the venue's fee. */
export function reserveFor(
  plan: PaperOrderPlan,
  { facts }: MarketView,
  book: UsableBook | null,
  now: Millis,
): { readonly cost: MoneyE6; readonly fee: MoneyE6 } {
  const bestPrice = book === null ? null : priceFor(plan, book)
  return reserveOfOrder(plan, bestPrice, facts.venue, now)
}

/** An order as its gates see it. */
export function gatedOrder(
  plan: PaperOrderPlan,
  market: {
    readonly view: MarketView
    readonly book: UsableBook | null
    readonly isStale: boolean
  },
  figures: AccountFigures,
  context: {
    readonly support: ThesisSupport | null
    readonly tick: TickProgress | null
    readonly live: LiveGate | null
  },
  now: Millis,
): GatedOrder {
  const { view, book, isStale } = market
  const { ticker } = view.facts
  const openPosition = figures.open.find(({ position }) => position.ticker === ticker)?.position
  const { adjIy, las } = priceRatios(view)
  return {
    isEntry: isEntryOrder(plan, openPosition ?? null),
    opensMarket: openPosition === undefined,
    marketStatus: view.status,
    quoteAgeMs: book === null || isStale ? null : (Math.max(0, now - book.arrivedAt) as Millis),
    categories: [view.facts.category, ...view.topics],
    tauDays: tauDays(view.tau),
    adjIy,
    las,
    ...reserveFor(plan, view, book, now),
    ...context,
  }
}

/** The account of an order in a market, before it. */
export function gatedAccount(figures: AccountFigures, ticker: string): GatedAccount {
  const openPosition = figures.open.find(({ position }) => position.ticker === ticker)?.position
  const restingValue = [...figures.resting.values()].reduce((sum, amount) => sum + amount, 0)
  return {
    balance: figures.balance,
    exposure: (figures.exposure + restingValue) as MoneyE6,
    dailyPnl: figures.dailyPnl,
    marketExposure: ((openPosition?.cost ?? 0) + (figures.resting.get(ticker) ?? 0)) as MoneyE6,
    openPositions: figures.open.length,
  }
}

/** Sends an order to the broker of a paper account, immediate or cancel. */
export function sendOrder(
  account: PaperAccount,
  plan: PaperOrderPlan,
  { market, facts, status }: MarketView,
  book: UsableBook,
  now: Millis,
): PaperOutcome {
  account.describe(market, facts, status, now)
  account.applyBook(market, book)
  const { action, direction: side, size, limit } = plan
  return account.execute({ market, action, side, size, limit }, now)
}

/** Why the broker rejected an order, worded like a `statusReason`; null when it was accepted. */
export function brokerRefusal({ refusal }: PaperOutcome): string | null {
  if (refusal === null) return null
  return refusal === 'insufficient balance' ? 'INSUFFICIENT_BALANCE' : `EXCHANGE_REJECT: ${refusal}`
}

/** Fields of every ledger entry about an order. */
const orderFields = (
  plan: PaperOrderPlan,
  { facts }: MarketView,
  { mode = 'paper', epoch, now }: BookingContext,
) => ({
  mode,
  epoch,
  source: plan.source,
  occurredAt: now,
  venue: facts.venue,
  ticker: facts.ticker,
  marketTitle: facts.title,
  category: facts.category,
  action: plan.action,
  direction: plan.direction,
  result: null,
  tickId: plan.tickId,
  intentId: plan.intentId,
  ...basisOf(plan),
  ...(plan.viewId !== null && { viewId: plan.viewId }),
  confidence: 'exact' as const,
})

/** The entry of a decision to send an order. @param note why it was refused, else null */
export const decisionEntry = (
  plan: PaperOrderPlan,
  view: MarketView,
  booking: BookingContext,
  { note, gates }: { readonly note: string | null; readonly gates: readonly object[] },
): NewLedgerEntry => ({
  ...orderFields(plan, view, booking),
  id: newId('ple', booking.now),
  eventType: 'agent_decision',
  size: plan.size,
  price: plan.limit,
  cashDelta: 0 as MoneyE6,
  fee: 0 as MoneyE6,
  slippage: null,
  realized: null,
  orderId: null,
  liquidity: null,
  note,
  key: `${booking.mode === 'live' ? 'l' : 'p'}:${plan.tickId}:${booking.n}`,
  payload: { gates },
})

/** The entries of an order's fills, one a level of the book. */
export function fillEntries(
  plan: PaperOrderPlan,
  view: MarketView,
  { fills, decidedPrice }: PaperOutcome,
  booking: BookingContext,
): NewLedgerEntry[] {
  const sign = plan.action === 'buy' ? 1 : -1
  return fills.map(({ fill, cashDelta }, n) => ({
    ...orderFields(plan, view, booking),
    id: newId('ple', booking.now),
    eventType: 'fill',
    size: fill.size,
    price: fill.price,
    cashDelta,
    fee: fill.fee,
    realized: null,
    liquidity: fill.role,
    slippage:
      decidedPrice === null
        ? null
        : ((moneyOf(Math.abs(fill.price - decidedPrice), fill.size) *
            (fill.price >= decidedPrice ? sign : -sign)) as MoneyE6),
    orderId: orderIdOf(plan.tickId, booking.n + n),
    key: `p:${plan.tickId}:${booking.n + n}`,
    note: null,
    payload: { ...plan.payload, ...(fill.isEstimated && { isEstimated: true }) },
  }))
}

/** Client order id of the nth entry of a tick. */
export const orderIdOf = (tickId: string, n: number): string => `svc-${tickId}-${n}`
