import type { MarketView } from '../../computed/board/market-board.ts'
import { moneyOf } from '../../domain/backtest/broker/fill-model.ts'
import {
  isMarketable,
  restOf,
  withFill,
  transition,
  type Intent,
} from '../../domain/portfolio/intent.ts'
import type { NewLedgerEntry } from '../../domain/portfolio/ledger.ts'
import { checkGates, refusalOf } from '../../domain/portfolio/risk-gates.ts'
import { supportOf } from '../../domain/portfolio/trading-thesis.ts'
import { MINUTE, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { AccountReads } from './account-figures.ts'
import { accountOf, type ReadLiveExchange } from './live/live-exchange.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { OrderBooks } from './order-books.ts'
import type { PaperOutcome } from './paper-account.ts'
import type { UserTheses } from './intent-basis.ts'
import {
  brokerRefusal,
  decisionEntry,
  fillEntries,
  gatedAccount,
  gatedOrder,
  orderIdOf,
  sendOrder,
  type PaperOrderPlan,
} from './paper-order.ts'
import type { PaperAccounts } from './paper-accounts.ts'

const MAX_QUOTE_AGE = MINUTE
/** Shortest interval between immediate-or-cancel orders of an intent. */
const IOC_EVERY = MINUTE

/** Result of an attempt: the intent, and when to retry without a new quote. */
export interface Attempt {
  readonly intent: Intent
  readonly retryAt: Millis | null
  /** Nothing happens until the user's configuration changes. */
  readonly isBlocked: boolean
  /** Whether anything was traded. */
  readonly traded: boolean
}

export interface PaperExecution {
  /** Sends an order for a triggered intent, if every gate allows it. */
  attempt(intent: Intent, view: MarketView): Promise<Attempt>
  /** Whether an ioc order of an intent may be sent again. */
  mayRetry(id: string, now: Millis): boolean
  forget(id: string): void
}

export function createPaperExecution(deps: {
  readonly accounts: PaperAccounts
  readonly reads: AccountReads
  readonly ledger: LedgerStore
  readonly books: OrderBooks
  readonly theses: UserTheses
  readonly isStale: (market: MarketId) => boolean
  readonly exchange: ReadLiveExchange
  readonly clock: Clock
}): PaperExecution {
  const { accounts, reads, ledger, books, theses, isStale, exchange, clock } = deps
  /** Orders of the last minute, by user. */
  const sent = new Map<string, Millis[]>()
  const triedAt = new Map<string, Millis>()
  const triedVersion = new Map<string, number>()

  const nextFree = (userId: string, max: number, now: Millis): Millis | null => {
    const recent = (sent.get(userId) ?? []).filter((at) => now - at < MINUTE)
    sent.set(userId, recent)
    const oldest = recent[recent.length - max]
    return oldest === undefined ? null : ((oldest + MINUTE) as Millis)
  }

  return {
    mayRetry: (id, now) => now - (triedAt.get(id) ?? -Infinity) >= IOC_EVERY,
    forget(id) {
      triedAt.delete(id)
      triedVersion.delete(id)
    },
    async attempt(intent, view) {
      const now = clock.now()
      const { id, userId } = intent
      const stays = async (
        reason: string | null,
        more: Partial<Attempt> = {},
      ): Promise<Attempt> => {
        const next = { ...intent, statusReason: reason, updatedAt: now }
        const isSame = intent.statusReason === reason
        if (!isSame) await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        const stored = isSame ? intent : next
        return { intent: stored, retryAt: null, isBlocked: false, traded: false, ...more }
      }
      const figures = await reads.paper(userId)
      const { config } = figures.portfolio
      if (!config.enabled) return stays('portfolio is not enabled', { isBlocked: true })
      if (config.executionMode === 'halted')
        return stays('execution is halted', { isBlocked: true })
      if (accountOf(figures.portfolio, exchange()).mode === 'live') {
        return stays('made on paper: waits while trading is live', {
          isBlocked: true,
        })
      }
      const book = books.get(view.market)
      const isReceived = book !== null && now - book.arrivedAt <= MAX_QUOTE_AGE
      if (!isReceived) return stays('waiting for a quote younger than 60 s')
      if (isStale(view.market)) return stays('waiting for the feed of this market')
      if (triedVersion.get(id) === book.version && intent.status !== 'triggered') {
        return stays(intent.statusReason)
      }
      const isIoc = intent.executionStyle === 'ioc'
      if (isIoc && now - (triedAt.get(id) ?? -Infinity) < IOC_EVERY)
        return stays(intent.statusReason)
      if (!isIoc && !isMarketable(intent, book)) {
        if (intent.status !== 'triggered') return stays(intent.statusReason)
        const next: Intent = {
          ...transition(intent, 'executing', now, 'resting: the book is beyond the limit'),
          mode: 'paper',
        }
        await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        return { intent: next, retryAt: null, isBlocked: false, traded: false }
      }
      const max = config.maxOrdersPerTick
      const free = max > 0 ? nextFree(userId, max, now) : null
      if (free !== null) return stays(`waiting: ${max} orders a minute`, { retryAt: free })
      sent.set(userId, [...(sent.get(userId) ?? []), now])
      triedAt.set(id, now)
      triedVersion.set(id, book.version)
      const tickId = newId('pt', now)
      const [thesis] = intent.thesisId === null ? [] : await theses.trading(userId, intent.thesisId)
      const support = supportOf(thesis, intent.ticker, intent.direction)
      const plan = planOf(intent, tickId)
      const market = { view, book, isStale: false }
      const gates = checkGates(
        gatedOrder(plan, market, figures, { support, tick: null, live: null }, now),
        gatedAccount(figures, intent.ticker),
        config,
      )
      const refusal = refusalOf(gates)
      const base = { ...intent, gates, tickId, mode: 'paper' as const }
      const { account, epoch } = await accounts.open(userId, now)
      const place = { epoch, now, n: 0 }
      const decision = (note: string | null) => decisionEntry(plan, view, place, { note, gates })
      if (refusal !== null) return reject(base, refusal, [decision(refusal)], now)
      const outcome = sendOrder(account, plan, view, book, now)
      const rejection = brokerRefusal(outcome)
      if (rejection !== null) return reject(base, rejection, [decision(rejection)], now)
      if (outcome.fills.length === 0) {
        const status = isIoc || intent.status === 'partial' ? intent.status : 'executing'
        const next: Intent = {
          ...base,
          status,
          statusReason: `not filled: ${outcome.end ?? 'no matching offers'}`,
        }
        await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        return { intent: next, retryAt: null, isBlocked: false, traded: false }
      }
      try {
        const filled = filledBy(base, outcome, now)
        const entries = fillEntries(plan, view, outcome, { ...place, n: 1 })
        const realized = await accounts.realizedByEach(userId, entries)
        const booked = entries.map((entry, n) => ({ ...entry, realized: realized[n] ?? null }))
        const all = [decision(null), ...booked]
        await ledger.book(
          userId,
          { intent: { next: filled, from: intent.status }, entries: all },
          now,
        )
        return { intent: filled, retryAt: null, isBlocked: false, traded: true }
      } catch (error) {
        // The broker's state differs from the ledger, so the account is reopened from it.
        accounts.forget(userId)
        throw error
      }
    },
  }

  async function reject(
    base: Intent,
    reason: string,
    entries: readonly NewLedgerEntry[],
    now: Millis,
  ): Promise<Attempt> {
    // A partial fill is kept, and the rest is tried again.
    const isPartial = base.status === 'partial'
    const next = isPartial
      ? { ...base, statusReason: reason }
      : transition(base, 'rejected', now, reason)
    if (isPartial) entries = []
    await ledger.book(base.userId, { intent: { next, from: base.status }, entries }, now)
    return { intent: next, retryAt: null, isBlocked: false, traded: false }
  }
}

/** The intent after an order's fills, one fill per book level. */
function filledBy(base: Intent, { fills, end }: PaperOutcome, now: Millis): Intent {
  let next = base
  for (const [n, { fill }] of fills.entries()) {
    const { price, size } = fill
    const orderId = orderIdOf(base.tickId ?? '', n + 1)
    next = withFill(next, { orderId, size, price, cost: moneyOf(price, size), at: now })
  }
  return { ...next, statusReason: next.status === 'filled' ? null : end }
}

/** The order for the rest of an intent. */
const planOf = (intent: Intent, tickId: string): PaperOrderPlan => ({
  source: 'intent',
  action: intent.action,
  direction: intent.direction,
  size: restOf(intent),
  limit: intent.maxPrice,
  tickId,
  intentId: intent.id,
  thesisId: intent.thesisId,
  strategyId: intent.strategyId,
  viewId: null,
  payload: intent.rationale === null ? {} : { reason: intent.rationale },
})
