import type { MarketBoard, MarketView } from '../../../computed/board/market-board.ts'
import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import { checkGates, refusalOf, type GatedAccount } from '../../../domain/portfolio/risk-gates.ts'
import type { NewLedgerEntry } from '../../../domain/portfolio/ledger.ts'
import { priceFor } from '../../../domain/portfolio/intent.ts'
import { isPlanned, type PlannedOrder, type Tick } from '../../../domain/portfolio/tick.ts'
import { supportOf, type TradingThesis } from '../../../domain/portfolio/trading-thesis.ts'
import {
  centsOf,
  contractsOf,
  priceOfCents,
  roundTo,
  sizeOfContracts,
  type Cents,
  type Millis,
  type MoneyE6,
  type SizeE6,
} from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { AccountFigures, AccountReads } from '../account-figures.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { OrderBooks, UsableBook } from '../order-books.ts'
import type { PaperAccounts } from '../paper-accounts.ts'
import {
  brokerRefusal,
  decisionEntry,
  fillEntries,
  gatedAccount,
  gatedOrder,
  orderIdOf,
  reserveFor,
  sendOrder,
  type PaperOrderPlan,
} from '../paper-order.ts'
import type { TicksSinceLoss } from './cooldown.ts'

/** A tick at work, and what its orders follow. */
export interface RunningTick {
  tick: Tick
  /** The limits that it started with; a halt and a disabling that come later end it. */
  readonly config: PortfolioConfig
  theses: readonly TradingThesis[]
  /** Number of its next ledger entry. */
  n: number
}

/** What accepted orders of a tick take from the account before they are sent. */
interface Reserved {
  cash: number
  exposure: number
  readonly byMarket: Map<string, number>
  /** Markets in which they open a position. */
  readonly opened: Set<string>
  orders: number
}
const nothing = (orders: number): Reserved => ({
  cash: 0,
  exposure: 0,
  byMarket: new Map(),
  opened: new Set(),
  orders,
})

/** An order with the market that it is sent to. */
interface MarketOrder {
  readonly plan: PaperOrderPlan
  readonly view: MarketView
  readonly book: UsableBook | null
  readonly worseCents: number
}

/** Gates the orders of a tick and sends them to the paper broker, one at a time. */
export function createTickOrders(deps: {
  readonly accounts: PaperAccounts
  readonly reads: AccountReads
  readonly ledger: LedgerStore
  readonly books: OrderBooks
  readonly board: MarketBoard
  readonly isStale: (market: MarketId) => boolean
  readonly ticksSinceLoss: TicksSinceLoss
  readonly clock: Clock
}) {
  const { accounts, reads, ledger, books, board, isStale, ticksSinceLoss, clock } = deps

  const orderOf = async (tick: Tick, order: PlannedOrder): Promise<MarketOrder | null> => {
    const view = await board.market(order.marketId, null)
    if (view === null) return null
    books.follow(view.market)
    const book = books.get(view.market)
    const limit = limitOf(order, book)
    const worse = order.action === 'buy' ? 1 : -1
    const { thesisId, strategyId } = order.basis
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
      payload: {
        reason: order.reason,
        ...(order.exitReason !== null && { exitReason: order.exitReason }),
      },
    }
    return { plan, view, book, worseCents: roundTo(worse * (limit - order.decidedPriceCents), 4) }
  }

  const gatesOf = (
    { plan, view, book, worseCents }: MarketOrder,
    figures: AccountFigures,
    about: {
      readonly config: PortfolioConfig
      readonly theses: readonly TradingThesis[]
      readonly reserved: Reserved
      readonly ticksSinceLoss: number | null
      readonly now: Millis
    },
  ) => {
    const { reserved, now } = about
    const { ticker } = view.facts
    const thesis = about.theses.find(({ id }) => id === plan.thesisId)
    const support = supportOf(thesis, ticker, plan.direction)
    const tick = { orders: reserved.orders, ticksSinceLoss: about.ticksSinceLoss, worseCents }
    const market = { view, book, isStale: isStale(view.market) }
    const order = gatedOrder(plan, market, figures, { support, tick }, now)
    const account = withReserved(gatedAccount(figures, ticker), reserved, ticker)
    const opensMarket = order.opensMarket && !reserved.opened.has(ticker)
    const { enabled, executionMode } = figures.portfolio.config
    const limits = { ...about.config, enabled, executionMode }
    return checkGates({ ...order, opensMarket }, account, limits)
  }

  return {
    /**
     * Evaluates every gate of every order, as if the orders accepted before it were filled. The
     * caller holds the user's queue.
     */
    async gate(running: RunningTick): Promise<void> {
      const { tick, config, theses } = running
      const now = clock.now()
      const figures = await reads.paper(tick.userId)
      const { epoch } = await accounts.open(tick.userId, now)
      const since = await ticksSinceLoss(tick.userId, figures.portfolio)
      const reserved = nothing(0)
      const held = new Set(figures.open.map(({ position }) => position.ticker))
      const decisions = [...tick.decisions]
      const entries: NewLedgerEntry[] = []
      for (const [place, decision] of decisions.entries()) {
        if (!isPlanned(decision)) continue
        const order = await orderOf(tick, decision)
        if (order === null) {
          decisions[place] = { ...decision, outcome: 'none', error: 'the market is unknown' }
          continue
        }
        const { plan, view, book } = order
        const gates = gatesOf(order, figures, {
          config,
          theses,
          reserved,
          ticksSinceLoss: since,
          now,
        })
        const refusal = refusalOf(gates)
        if (refusal === null) {
          reserve(reserved, plan, view, reserveFor(plan, view, book, now))
          if (!held.has(view.facts.ticker)) reserved.opened.add(view.facts.ticker)
        }
        const outcome = refusal === null ? ('unknown' as const) : ('rejected_by_gate' as const)
        const limit = centsOf(plan.limit ?? priceOfCents(0 as Cents))
        decisions[place] = {
          ...decision,
          limitPriceCents: limit,
          costCents: Math.round(limit * decision.quantity),
          gates,
          outcome,
          error: refusal,
        }
        entries.push(
          decisionEntry(plan, view, { n: running.n++, epoch, now }, { note: refusal, gates }),
        )
      }
      const next: Tick = { ...tick, phase: 'execute', decisions }
      await ledger.book(tick.userId, { entries, tick: next }, now)
      running.tick = next
    },
    /**
     * Sends one accepted order, if its gates still pass; returns whether it traded. The caller
     * holds the user's queue.
     */
    async send(running: RunningTick, decision: PlannedOrder): Promise<boolean> {
      const { tick, config, theses, n } = running
      const { userId } = tick
      const ended = async (
        change: Partial<PlannedOrder>,
        entries: readonly NewLedgerEntry[] = [],
      ): Promise<boolean> => {
        const next = withDecision(tick, { ...decision, ...change })
        await ledger.book(userId, { entries, tick: next }, clock.now())
        running.tick = next
        running.n += entries.length
        return entries.length > 0
      }
      const now = clock.now()
      const figures = await reads.paper(userId)
      const order = await orderOf(tick, decision)
      if (order?.book === undefined || order.book === null) {
        return ended({ outcome: 'none', error: 'the market has no book' })
      }
      const { plan, view, book } = order
      const sent = tick.decisions.filter(
        (one) => isPlanned(one) && one.orderId !== null && one.n < decision.n,
      )
      const reserved = nothing(sent.length)
      const since = await ticksSinceLoss(userId, figures.portfolio)
      const gates = gatesOf(order, figures, {
        config,
        theses,
        reserved,
        ticksSinceLoss: since,
        now,
      })
      const refusal = refusalOf(gates)
      if (refusal !== null) return ended({ gates, outcome: 'rejected_by_gate', error: refusal })
      const { account, epoch } = await accounts.open(userId, now)
      try {
        const outcome = sendOrder(account, plan, view, book, now)
        const error = brokerRefusal(outcome)
        if (error !== null) return await ended({ outcome: 'rejected_by_venue', error })
        const entries = fillEntries(plan, view, outcome, { n, epoch, now })
        const orderId = orderIdOf(tick.id, n)
        if (entries.length === 0) {
          const why = outcome.end ?? 'no matching offers'
          return await ended({ outcome: 'not_filled', orderId, error: why })
        }
        const realized = await accounts.realizedByEach(userId, entries)
        const booked = entries.map((entry, k) => ({ ...entry, realized: realized[k] ?? null }))
        const filled = outcome.fills.reduce((sum, { fill }) => sum + fill.size, 0)
        const paid = outcome.fills.reduce((sum, { fill }) => sum + fill.size * fill.price, 0)
        const result = {
          outcome: filled < plan.size ? ('partial' as const) : ('filled' as const),
          filledQuantity: contractsOf(filled as SizeE6),
          avgFillPriceCents: roundTo(paid / filled / 100, 4),
          orderId,
          error: outcome.end,
        }
        return await ended(result, booked)
      } catch (error) {
        // The broker's state differs from the ledger, so the account is reopened from it.
        accounts.forget(userId)
        throw error
      }
    },
  }
}
export type TickOrders = ReturnType<typeof createTickOrders>

/** The tick with the next state of one decision. */
export const withDecision = (tick: Tick, decision: PlannedOrder): Tick => ({
  ...tick,
  decisions: tick.decisions.map((one) => (one.n === decision.n ? decision : one)),
})

/**
 * The limit of an order: the price decided on, or the touch if it has become worse, never beyond
 * the bound of its rule.
 */
export function limitOf(
  { action, direction, decidedPriceCents, boundPriceCents }: PlannedOrder,
  book: UsableBook | null,
): number {
  const touch = book === null ? null : priceFor({ action, direction }, book)
  const now = touch === null ? decidedPriceCents : centsOf(touch)
  if (action === 'buy') {
    const limit = Math.max(decidedPriceCents, now)
    return boundPriceCents === null ? limit : Math.min(limit, boundPriceCents)
  }
  return Math.min(decidedPriceCents, now)
}

function reserve(
  reserved: Reserved,
  plan: PaperOrderPlan,
  { facts }: MarketView,
  { cost, fee }: { readonly cost: MoneyE6; readonly fee: MoneyE6 },
): void {
  reserved.orders += 1
  if (plan.action === 'sell') return
  reserved.cash += cost + fee
  reserved.exposure += cost
  reserved.byMarket.set(facts.ticker, (reserved.byMarket.get(facts.ticker) ?? 0) + cost)
}

const withReserved = (
  account: GatedAccount,
  { cash, exposure, byMarket, opened }: Reserved,
  ticker: string,
): GatedAccount => ({
  ...account,
  balance: (account.balance - cash) as MoneyE6,
  exposure: (account.exposure + exposure) as MoneyE6,
  marketExposure: (account.marketExposure + (byMarket.get(ticker) ?? 0)) as MoneyE6,
  openPositions: account.openPositions + opened.size,
})
