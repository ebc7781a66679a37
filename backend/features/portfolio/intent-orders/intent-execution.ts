import type { MarketView } from '../../../computed/board/market-board.ts'
import {
  isMarketable,
  restsInBook,
  transition,
  type Intent,
} from '../../../domain/portfolio/intent.ts'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import { MINUTE, SECOND, type Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { TickLeases } from '../autopilot/tick-leases.ts'
import type { LedgerStore } from '../ledger.store.ts'
import { exchangeOf, type ReadLiveExchange } from '../live/live-exchange.ts'
import type { OrderBooks, UsableBook } from '../order-books.ts'
import type { PortfolioStore } from '../portfolio.store.ts'

const MAX_QUOTE_AGE = MINUTE
/** Shortest interval between orders of an intent that is immediate-or-cancel or trades live. */
const ORDER_INTERVAL = MINUTE
/** How long an intent waits for the end of a tick before it looks again. */
const LEASE_RETRY = SECOND
const NO_QUOTE = 'waiting for a quote younger than 60 s'
/** Why an intent waits while its user trades elsewhere. */
const WAIT_REASONS = {
  paper: 'made on paper: waits while trading is live',
  live: 'made for live trading: waits until trading is live again',
  otherExchange: 'made for another exchange: cancel it, or allow it here with autoExecute',
} as const

/** Result of an attempt: the intent, and when to retry without a new quote. */
export interface Attempt {
  readonly intent: Intent
  readonly retryAt: Millis | null
  /** Nothing happens until the user's configuration changes. */
  readonly isBlocked: boolean
}

/** Sends orders of intents in one account. */
export interface IntentBroker {
  /** When the next order of an intent may be sent; null for now. */
  pausedUntil(intent: Intent): Promise<Millis | null>
  /**
   * Sends an order for the rest of an intent as a tick with this id, if every gate allows it. The
   * caller holds the user's queue and the lease of the tick.
   * @returns the next state of the intent, which is stored
   */
  send(intent: Intent, view: MarketView, tickId: string): Promise<Intent>
}

export interface IntentExecution {
  /** Trades a triggered intent in its account, when its turn has come. */
  attempt(intent: Intent, view: MarketView): Promise<Attempt>
  /** Whether an ioc order of an intent may be sent again. */
  mayRetry(id: string, now: Millis): boolean
  remove(id: string): void
}

/** Decides when the orders of intents are sent, and in which account. */
export function createIntentExecution(deps: {
  readonly portfolios: Pick<PortfolioStore, 'read'>
  readonly ledger: Pick<LedgerStore, 'book'>
  readonly books: Pick<OrderBooks, 'get'>
  readonly brokers: Readonly<Record<Mode, IntentBroker>>
  readonly leases: TickLeases
  readonly isStale: (market: MarketId) => boolean
  readonly exchange: ReadLiveExchange
  /** When the orders of a user's intents since an instant were sent, by their ticks. */
  readonly ordersSince: (userId: string, since: Millis) => Promise<readonly Millis[]>
  readonly clock: Clock
}): IntentExecution {
  const { portfolios, ledger, books, brokers, leases, isStale, exchange, clock } = deps
  /** Orders of the last minute, by user; those of an earlier run are read first. */
  const runsByUser = new Map<string, readonly Millis[]>()
  const triedAt = new Map<string, Millis>()
  const triedVersion = new Map<string, number>()

  const nextAllowedAt = async (
    userId: string,
    max: number,
    now: Millis,
  ): Promise<Millis | null> => {
    const orderTimes =
      runsByUser.get(userId) ?? (await deps.ordersSince(userId, (now - MINUTE) as Millis))
    const recent = orderTimes.filter((at) => now - at < MINUTE)
    runsByUser.set(userId, recent)
    const oldest = recent[recent.length - max]
    return oldest === undefined ? null : ((oldest + MINUTE) as Millis)
  }

  /** The reason of an intent that cannot trade with this book yet; undefined when it can. */
  const waitReason = (
    { id, status, statusReason, executionStyle, exchange: exchangeId }: Intent,
    market: MarketId,
    book: UsableBook,
    now: Millis,
  ): string | null | undefined => {
    if (now - book.arrivedAt > MAX_QUOTE_AGE) return NO_QUOTE
    if (isStale(market)) return 'waiting for the feed of this market'
    const isTried = triedVersion.get(id) === book.version && status !== 'triggered'
    // An order at the exchange that is not finished is looked up no more often either.
    const isPaced = executionStyle === 'ioc' || exchangeId !== null
    const isTooSoon = isPaced && now - (triedAt.get(id) ?? -Infinity) < ORDER_INTERVAL
    return isTried || isTooSoon ? statusReason : undefined
  }

  return {
    mayRetry: (id, now) => now - (triedAt.get(id) ?? -Infinity) >= ORDER_INTERVAL,
    remove(id) {
      triedAt.delete(id)
      triedVersion.delete(id)
    },
    async attempt(intent, view) {
      const now = clock.now()
      const { id, userId } = intent
      const keepWaiting = async (
        reason: string | null,
        change: Partial<Attempt> = {},
      ): Promise<Attempt> => {
        const next = { ...intent, statusReason: reason, updatedAt: now }
        const isSame = intent.statusReason === reason
        if (!isSame) await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        return { intent: isSame ? intent : next, retryAt: null, isBlocked: false, ...change }
      }
      const portfolio = await portfolios.read(userId)
      const { config } = portfolio
      if (!config.enabled) return keepWaiting('portfolio is not enabled', { isBlocked: true })
      if (config.executionMode === 'halted') {
        return keepWaiting('execution is halted', { isBlocked: true })
      }
      const mode = intent.exchange === null ? 'paper' : 'live'
      const exchangeId = exchangeOf(portfolio, exchange())
      if (exchangeId !== intent.exchange) {
        // An exchange may connect later without a change of the configuration.
        const isBlocked = mode === 'paper' || config.executionMode !== 'live'
        const isElsewhere = mode === 'live' && exchangeId !== null
        return keepWaiting(isElsewhere ? WAIT_REASONS.otherExchange : WAIT_REASONS[mode], {
          isBlocked,
        })
      }
      const book = books.get(view.market)
      if (book === null) return keepWaiting(NO_QUOTE)
      const reason = waitReason(intent, view.market, book, now)
      if (reason !== undefined) return keepWaiting(reason)
      const isIoc = intent.executionStyle === 'ioc'
      // The paper broker answers an ioc order itself; none is sent to an exchange for nothing.
      const waitsForBook = mode === 'live' ? !restsInBook(intent) : !isIoc
      if (waitsForBook && !isMarketable(intent, book)) {
        if (intent.status !== 'triggered') return keepWaiting(intent.statusReason)
        const reason = isIoc
          ? 'not filled: the book is beyond the limit'
          : 'resting: the book is beyond the limit'
        const next: Intent = { ...transition(intent, 'executing', now, reason), mode }
        await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        return { intent: next, retryAt: null, isBlocked: false }
      }
      const pausedUntil = await brokers[mode].pausedUntil(intent)
      if (pausedUntil !== null) return keepWaiting(intent.statusReason, { retryAt: pausedUntil })
      const max = config.maxOrdersPerTick
      const allowedAt = max > 0 ? await nextAllowedAt(userId, max, now) : null
      if (allowedAt !== null)
        return keepWaiting(`waiting: at most ${max} ${max === 1 ? 'order' : 'orders'} a minute`, {
          retryAt: allowedAt,
        })
      const tickId = newId('pt', now)
      const release = leases.take(userId, tickId)
      if (release === null) {
        const retryAt = (now + LEASE_RETRY) as Millis
        return keepWaiting('waiting for the end of the tick that runs', { retryAt })
      }
      let isOrdered = true
      try {
        triedAt.set(id, now)
        triedVersion.set(id, book.version)
        const next = await brokers[mode].send(intent, view, tickId)
        // On paper each attempt is an order; a live one is stored as a tick first.
        isOrdered = mode === 'paper' || next.tickId === tickId
        return { intent: next, retryAt: null, isBlocked: false }
      } finally {
        if (isOrdered) runsByUser.set(userId, [...(runsByUser.get(userId) ?? []), now])
        release()
      }
    },
  }
}
