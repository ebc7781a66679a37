import type { MarketView } from '../../../computed/board/market-board.ts'
import {
  isOpen,
  priceFor,
  restsInBook,
  transition,
  type Intent,
} from '../../../domain/portfolio/intent.ts'
import {
  EXPIRED_REASON,
  HALTED_REASON,
  OPEN_STATUSES,
  RESTING_TEXT,
  STOP_REASONS,
  UNANSWERED_STATUSES,
  type LiveOrder,
} from '../../../domain/portfolio/live-order.ts'
import { checkGates, reconcileText, refusalOf } from '../../../domain/portfolio/risk-gates.ts'
import { supportOf } from '../../../domain/portfolio/trading-thesis.ts'
import { isPlanned, type PlannedOrder, type Tick } from '../../../domain/portfolio/tick.ts'
import { MINUTE, type Millis, type PriceE4 } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { AccountFigures, AccountFiguresReader } from '../account-figures.ts'
import type { AccountService } from '../account.service.ts'
import { replaceDecision } from '../autopilot/tick-orders.ts'
import type { TickSettlement } from '../autopilot/tick-settlement.ts'
import type { UserTheses } from '../intent-basis.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { LiveDesk, LiveSession } from '../live/live-desk.ts'
import type { ReadLiveExchange } from '../live/live-exchange.ts'
import { livePlanOf, type SentOrder } from '../live/live-orders.ts'
import type { LiveOrdersStore } from '../live/live-orders.store.ts'
import { unsentOutcome, UNANSWERED_TEXT, type LiveOutcomes } from '../live/live-outcomes.ts'
import type { OrderBooks, UsableBook } from '../order-books.ts'
import { decisionEntry, gatedAccount, gatedOrder, type PaperOrderPlan } from '../paper-order.ts'
import type { IntentBroker } from './intent-execution.ts'
import type { IntentFills } from './intent-fills.ts'
import { intentTick, planOf } from './intent-tick.ts'

const MAX_QUOTE_AGE = MINUTE
/** Shortest interval between orders of an intent: a lost order may still arrive. */
const ORDER_INTERVAL = MINUTE
const UNRECONCILED_REASON = 'RISK_GATE_FAIL:reconcile'
const NO_SUCH_ORDER = 'the venue has no such order: another is sent a minute after it'
const FILLS_PENDING = 'waiting for the fills of its last order'
const INTERRUPTED_REASON = 'the order was interrupted; see the log of the service'

/** An order of an intent that passed its gates, before it is written. */
interface AcceptedOrder {
  readonly intent: Intent
  readonly plan: PaperOrderPlan & { readonly limit: PriceE4 }
  readonly view: MarketView
  readonly tick: Tick
}

/**
 * Trades intents at the exchange. Each attempt is a tick with one order, whose row is stored before
 * the request. Before it, the ledger is brought up to what the venue reports, and an intent with an
 * order that is not finished sends none: nothing is ordered twice.
 */
export function createLiveBroker(deps: {
  readonly liveOrders: Pick<LiveOrdersStore, 'open' | 'ordersOfIntent'>
  readonly fills: Pick<IntentFills, 'syncIntent'>
  readonly figuresReader: Pick<AccountFiguresReader, 'live'>
  readonly account: Pick<AccountService, 'report'>
  readonly ledger: Pick<LedgerStore, 'book'>
  readonly books: Pick<OrderBooks, 'get'>
  readonly theses: UserTheses
  readonly desk: Pick<LiveDesk, 'open'>
  readonly exchange: ReadLiveExchange
  readonly outcomes: LiveOutcomes
  readonly settlement: TickSettlement
  readonly isStale: (market: MarketId) => boolean
  readonly clock: Clock
  readonly log: Logger
}): IntentBroker {
  const { liveOrders, fills, figuresReader, account, ledger, books, desk, outcomes, settlement } =
    deps
  const { clock, log } = deps

  const saveIntent = async (intent: Intent, next: Intent): Promise<Intent> => {
    await ledger.book(intent.userId, { intent: { next, from: intent.status } }, clock.now())
    return next
  }
  const keepWaiting = (intent: Intent, statusReason: string): Promise<Intent> =>
    saveIntent(intent, { ...intent, statusReason, updatedAt: clock.now() })
  const storedIntent = async ({ userId, id }: Intent): Promise<Intent> => {
    const intent = await fills.syncIntent(userId, id)
    if (intent === null) throw new Error(`intent ${id} is gone`)
    return intent
  }

  /** The book, when an order may be sent against it. */
  const usableBook = ({ market }: MarketView): UsableBook | null => {
    const book = books.get(market)
    const isFresh = book !== null && clock.now() - book.arrivedAt <= MAX_QUOTE_AGE
    return isFresh && !deps.isStale(market) ? book : null
  }

  const gatesOf = async (
    plan: PaperOrderPlan,
    { intent, view, book }: { intent: Intent; view: MarketView; book: UsableBook },
    { figures, session }: { figures: AccountFigures; session: LiveSession },
  ) => {
    const { userId, thesisId, ticker, direction } = intent
    const [thesis] = thesisId === null ? [] : await deps.theses.trading(userId, thesisId)
    const { venue } = view.facts
    if (figures.live === null) throw new Error('the account at the exchange is not read')
    const live = { venue, account: figures.live, failure: session.failures[venue] ?? null }
    const support = supportOf(thesis, ticker, direction)
    const market = { view, book, isStale: false }
    const order = gatedOrder(plan, market, figures, { support, tick: null, live }, clock.now())
    const gates = checkGates(order, gatedAccount(figures, ticker), figures.portfolio.config)
    return { isEntry: order.isEntry, gates }
  }

  /** Sends an order whose tick is stored, and ends the tick. */
  const place = async (
    { intent, plan, view, tick }: AcceptedOrder,
    session: LiveSession,
  ): Promise<Intent> => {
    const startedAt = clock.monotonic()
    let answer: SentOrder | null = null
    let endedTick = tick
    try {
      const { expireAt } = intent
      const timeInForce = restsInBook(intent) ? ('gtc' as const) : ('ioc' as const)
      answer = await session.send(livePlanOf(plan, view, 1, { timeInForce, expireAt }))
      if (answer.kind === 'written') await session.reconcile()
      else {
        // A halt also ends the preparation of an order.
        const isHalted = session.signal.aborted
        const unsent = isHalted ? { kind: 'refused' as const, reason: HALTED_REASON } : answer
        endedTick = withResult(tick, unsentOutcome(unsent))
      }
    } catch (error) {
      log.error({ err: error, intent: intent.id }, 'a live order of an intent was interrupted')
      endedTick = { ...endedTick, error: INTERRUPTED_REASON }
    }
    if (answer === null || answer.kind === 'written')
      endedTick = await outcomes.withOutcomes(endedTick)
    const status = endedTick.error === null ? 'completed' : 'failed'
    endedTick = await settlement.settle(endedTick, { status, startedAt })
    return intentAfter(await storedIntent(intent), endedTick)
  }

  /** The intent after its order. Its fills were booked with those of the ledger. */
  const intentAfter = (intent: Intent, tick: Tick): Promise<Intent> | Intent => {
    const [decision] = tick.decisions
    if (decision === undefined || !isOpen(intent)) return intent
    const { outcome, error } = decision
    const isStop = error !== null && STOP_REASONS.includes(error)
    const isRejected = outcome === 'rejected_by_gate' || outcome === 'rejected_by_venue'
    if (isRejected && !isStop && intent.status !== 'partial') {
      return saveIntent(intent, transition(intent, 'rejected', clock.now(), error))
    }
    const isOver = outcome === 'not_filled' || outcome === 'none' || isStop
    if (error === EXPIRED_REASON)
      return saveIntent(intent, transition(intent, 'expired', clock.now()))
    // It waits for its next turn; one that rests stays as it is.
    if (isOver && intent.status === 'executing' && intent.executionStyle === 'ioc') {
      return saveIntent(intent, transition(intent, 'triggered', clock.now(), error))
    }
    const reason =
      outcome === 'unknown' ? UNANSWERED_TEXT : outcome === 'resting' ? RESTING_TEXT : error
    return saveIntent(intent, { ...intent, statusReason: reason, updatedAt: clock.now() })
  }

  const trade = async (
    before: Intent,
    view: MarketView,
    tickId: string,
    session: LiveSession,
  ): Promise<Intent> => {
    const { userId } = before
    await session.reconcile()
    const { isHalting } = await account.report(userId, { mode: 'live' })
    const intent = await storedIntent(before)
    if (!isOpen(intent)) return intent
    const isHalted = (): boolean => session.signal.aborted
    if (isHalting || isHalted()) return keepWaiting(intent, HALTED_REASON)
    // The reconciliation may have taken minutes.
    if (clock.now() >= intent.expireAt) {
      return saveIntent(intent, transition(intent, 'expired', clock.now()))
    }
    const orders = await liveOrders.ordersOfIntent(userId, intent.id)
    const openOrder = orders.find(({ status }) => OPEN_STATUSES.includes(status))
    if (openOrder !== undefined) return keepWaiting(intent, reasonOf(openOrder))
    if (nextOrderAt(orders, clock.now()) !== null) return keepWaiting(intent, NO_SUCH_ORDER)
    // The last check refuses purchases until every order is answered.
    const unansweredOrder = (await liveOrders.open(userId)).find(({ status }) =>
      UNANSWERED_STATUSES.includes(status),
    )
    if (intent.action === 'buy' && unansweredOrder !== undefined) {
      return keepWaiting(intent, `waiting for the answer to an order at ${unansweredOrder.venue}`)
    }
    const book = usableBook(view)
    const bestPrice = book === null ? null : priceFor(intent, book)
    const limit = intent.maxPrice ?? bestPrice
    if (book === null || limit === null)
      return keepWaiting(intent, 'waiting for a quote younger than 60 s')
    const now = clock.now()
    const figures = await figuresReader.live(userId, session.exchange)
    const { config } = figures.portfolio
    const plan = { ...planOf(intent, tickId), limit }
    const { isEntry, gates } = await gatesOf(plan, { intent, view, book }, { figures, session })
    if (isHalted()) return keepWaiting(intent, HALTED_REASON)
    const refusal = refusalOf(gates)
    if (refusal === UNRECONCILED_REASON && figures.live?.status === 'failed') {
      return keepWaiting(intent, reconcileText(figures.live))
    }
    const entry = decisionEntry(
      plan,
      view,
      { ...figures.account, now, n: 1 },
      { note: refusal, gates },
    )
    const tickWith = (phase: 'execute' | 'settle', result: Partial<PlannedOrder>): Tick =>
      intentTick(plan, view, {
        intent,
        config,
        mode: 'live',
        phase,
        isEntry,
        touch: bestPrice,
        gates,
        result,
        now,
      })
    const base = { ...intent, gates, mode: 'live' as const, updatedAt: now }
    if (refusal !== null) {
      // A partial fill is kept, and the rest is tried again.
      if (intent.status === 'partial') return saveIntent(intent, { ...base, statusReason: refusal })
      const tick = tickWith('settle', { outcome: 'rejected_by_gate', error: refusal })
      const next = { ...transition(base, 'rejected', now, refusal), tickId }
      const change = { next, from: intent.status }
      await ledger.book(userId, { intent: change, entries: [entry], newTick: tick }, now)
      await settlement.settle(tick, { status: 'completed', startedAt: null })
      return next
    }
    const tick = tickWith('execute', { outcome: 'unknown' })
    const status = intent.status === 'partial' ? intent.status : 'executing'
    const next: Intent = { ...base, status, statusReason: null, tickId }
    const change = { next, from: intent.status }
    await ledger.book(userId, { intent: change, entries: [entry], newTick: tick }, now)
    return place({ intent: next, plan, view, tick }, session)
  }

  return {
    async pausedUntil({ userId, id }) {
      const orders = await liveOrders.ordersOfIntent(userId, id)
      const isFinished = orders.every(({ status }) => !OPEN_STATUSES.includes(status))
      // One that is not finished is looked up.
      return isFinished ? nextOrderAt(orders, clock.now()) : null
    },
    async send(intent, view, tickId) {
      const liveExchange = deps.exchange()
      if (liveExchange === null) return intent
      return desk.open(intent.userId, liveExchange, (session) =>
        trade(intent, view, tickId, session),
      )
    },
  }
}

/** When the next order may be sent, after the last one; null for now. */
function nextOrderAt(orders: readonly LiveOrder[], now: Millis): Millis | null {
  const at = (Math.max(...orders.map(({ writtenAt }) => writtenAt)) + ORDER_INTERVAL) as Millis
  return now < at ? at : null
}

/** Why an intent with an order that is not finished sends none. */
const reasonOf = ({ status }: LiveOrder): string => {
  if (UNANSWERED_STATUSES.includes(status)) return UNANSWERED_TEXT
  return status === 'resting' ? RESTING_TEXT : FILLS_PENDING
}

const withResult = (tick: Tick, result: Partial<PlannedOrder>): Tick => {
  const [decision] = tick.decisions
  return decision !== undefined && isPlanned(decision)
    ? replaceDecision(tick, { ...decision, ...result })
    : tick
}
