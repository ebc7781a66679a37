import type { MarketBoard } from '../../computed/board/market-board.ts'
import {
  isMarketable,
  isOpen,
  isWaiting,
  transition,
  priceReached,
  restsInBook,
  type Intent,
} from '../../domain/portfolio/intent.ts'
import { RESTING_TEXT } from '../../domain/portfolio/live-order.ts'
import {
  isSoftMet,
  JUDGEMENT_VALID_MS,
  nextJudgementAt,
} from '../../domain/portfolio/soft-condition.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { IntentIndex } from './intent-index.ts'
import type { IntentsStore } from './intents.store.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { OrderBooks, UsableBook } from './order-books.ts'
import type { PaperAccounts } from './paper-accounts.ts'
import type { IntentExecution } from './intent-orders/intent-execution.ts'
import { SoftJudgements, type SoftJudgementsDeps } from './soft-conditions/soft-judgements.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MAX_QUOTE_AGE = MINUTE
/** Due intents are checked no more often than this, and the clock at least this often. */
const MIN_WAIT = 250
const MAX_WAIT = MINUTE
/** The same without positions. */
const UNINVESTED_WAIT = HOUR
/** How long after a settlement a start checks whether its result was changed meanwhile. */
const RESULT_CHANGE_WINDOW = 7 * DAY
const TRADABLE_STATUSES: readonly Intent['status'][] = ['triggered', 'executing', 'partial']

/** Dependencies of a runner. */
export interface RunnerDeps extends SoftJudgementsDeps {
  readonly store: IntentsStore
  readonly ledger: LedgerStore
  readonly accounts: PaperAccounts
  readonly execution: IntentExecution
  readonly books: OrderBooks
  readonly index: IntentIndex
  readonly userQueue: PerUserQueue
  readonly board: MarketBoard
  readonly isStale: (market: MarketId) => boolean
  /** Called with users whose account changed. */
  readonly onAccountChanged: (userId: string) => Promise<void>
  /** Called when an intent at an exchange ended: its orders there may still trade. */
  readonly onLiveEnded: () => void
  readonly clock: Clock
  readonly log: Logger
}

/** Advances intents on venue events and by the clock: triggers, orders, expiry, settlement. */
export class IntentRunner {
  readonly #deps: RunnerDeps
  /** Prices that crossed between checks do not count. */
  #startedAt: Millis
  #reportedAt: Millis
  readonly #queuedIntents = new Set<string>()
  /** Intents that wait for a change of their user's configuration. */
  readonly #blockedIntents = new Set<string>()
  readonly #judgements: SoftJudgements
  #wakeController = new AbortController()

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#judgements = new SoftJudgements(
      deps,
      (intent, { market }) => this.register(intent, market),
      (intent) => this.#scheduleStep(intent),
    )
    this.#startedAt = deps.clock.now()
    this.#reportedAt = this.#startedAt
  }

  /** Resumes an earlier run: open intents, and positions that may have been settled since. */
  async open(paperUsers: readonly string[]): Promise<void> {
    const { store, accounts, board, clock } = this.#deps
    this.#startedAt = clock.now()
    for (const userId of paperUsers) await accounts.open(userId, clock.now())
    for (const intent of await store.open()) {
      const view = await board.market(intent.ticker, null)
      this.register(intent, view?.market ?? null)
      this.#scheduleStep(intent)
    }
    for (const userId of paperUsers) this.#settlePositions(userId)
  }

  /** Checks due intents until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { index, clock } = this.#deps
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      this.#wakeController = new AbortController()
      const dueAt = index.nextDue()
      const waitMs = dueAt === null ? Infinity : dueAt - clock.now()
      const wait = Math.min(this.#longestWait(), Math.max(MIN_WAIT, waitMs))
      await sleepUnless(AbortSignal.any([signal, this.#wakeController.signal]), clock, wait)
      if (isStopped()) return
      for (const intent of index.dueIntents(clock.now())) this.#scheduleStep(intent)
      this.#reportInvestors()
    }
  }

  /** Registers the current state of an intent. Its writer holds the user's queue. */
  register(intent: Intent, market: MarketId | null): void {
    const { index, books, execution } = this.#deps
    if (market !== null && isOpen(intent)) books.follow(market)
    index.put(intent, market)
    if (!isOpen(intent)) {
      execution.remove(intent.id)
      this.#blockedIntents.delete(intent.id)
      if (intent.exchange !== null) this.#deps.onLiveEnded()
    }
    if (isWaiting(intent) && intent.softCondition !== null) this.#scheduleStep(intent)
    this.#wakeController.abort()
  }

  /** Checks an intent now. */
  recheck(intent: Intent): void {
    this.#scheduleStep(intent)
  }

  /** A tick traded: its user's equity is checked each minute from now on. */
  wake(): void {
    this.#wakeController.abort()
  }

  /** The configuration of a user changed. */
  reloadUser(userId: string): void {
    for (const intent of this.#deps.index.intentsOfUser(userId)) {
      this.#blockedIntents.delete(intent.id)
      this.#scheduleStep(intent)
    }
  }

  /** The ledger of a user's paper account was changed from outside. */
  reopenAccount(userId: string): void {
    this.#deps.accounts.invalidate(userId)
    this.#settlePositions(userId)
  }

  /** Processes an update of a market's book. */
  onBook(market: MarketId, book: UsableBook): void {
    const { accounts, index, clock } = this.#deps
    accounts.applyBook(market, book)
    const now = clock.now()
    for (const intent of index.intentsOfMarket(market)) {
      if (!this.#queuedIntents.has(intent.id) && this.#isAffected(intent, market, book, now))
        this.#scheduleStep(intent)
    }
  }

  /** Processes an update of a market's facts. */
  onFacts({ market, facts }: MarketRecord): void {
    if (facts.status !== 'settled') return
    const { accounts, index } = this.#deps
    for (const intent of index.intentsOfMarket(market)) this.#scheduleStep(intent)
    const paidUsers = accounts.usersPaidFor(facts.ticker)
    for (const userId of new Set([...accounts.holders(market), ...paidUsers])) {
      this.#settle(userId, facts.ticker)
    }
  }

  #isAffected(intent: Intent, market: MarketId, book: UsableBook, now: Millis): boolean {
    const { isStale, execution } = this.#deps
    if (intent.status === 'armed') {
      const mayTrigger = isSoftMet(intent, now) || this.#judgements.mayBegin(intent, now)
      return mayTrigger && this.#isReached(intent, book, now) && !isStale(market)
    }
    if (!intent.autoExecute || !TRADABLE_STATUSES.includes(intent.status)) return false
    if (this.#blockedIntents.has(intent.id)) return false
    if (intent.exchange !== null) {
      // One in the book of the exchange is looked up when it may have been filled.
      const isDue = restsInBook(intent) && intent.statusReason !== RESTING_TEXT
      return (isDue || isMarketable(intent, book)) && execution.mayRetry(intent.id, now)
    }
    if (intent.executionStyle === 'ioc') return execution.mayRetry(intent.id, now)
    return intent.status === 'triggered' || isMarketable(intent, book)
  }

  #isReached(intent: Intent, book: UsableBook, now: Millis): boolean {
    const { arrivedAt } = book
    const isNew = arrivedAt > intent.createdAt && arrivedAt > this.#startedAt
    return isNew && now - arrivedAt <= MAX_QUOTE_AGE && priceReached(intent, book)
  }

  #scheduleStep({ id, userId }: Intent): void {
    if (this.#queuedIntents.has(id)) return
    this.#queuedIntents.add(id)
    const work = async (): Promise<void> => {
      this.#queuedIntents.delete(id)
      await this.#step(userId, id)
    }
    this.#enqueue(userId, work, { intent: id })
  }

  #enqueue(userId: string, work: () => Promise<void>, logFields: object): void {
    this.#deps.userQueue.run(userId, work).catch((error: unknown) => {
      this.#deps.log.error({ err: error, ...logFields }, 'an intent could not be processed')
    })
  }

  async #step(userId: string, id: string): Promise<void> {
    const { store, board, index, books, isStale, execution, clock } = this.#deps
    let intent = await store.byId(userId, id)
    if (intent === null || !isOpen(intent)) return index.remove(id)
    index.clearRetry(id)
    const now = clock.now()
    const view = await board.market(intent.ticker, null)
    const market = view?.market ?? null
    if (view?.status === 'settled')
      return this.#transition(intent, market, 'cancelled', 'market_settled')
    if (now >= intent.expireAt) return this.#transition(intent, market, 'expired', null)
    if (isWaiting(intent)) {
      const book = market === null ? null : books.get(market)
      const byTime =
        intent.triggerAt !== null && intent.triggerType === 'time' && now >= intent.triggerAt
      const byPrice =
        book !== null && market !== null && this.#isReached(intent, book, now) && !isStale(market)
      const isTriggered = intent.triggerType === 'immediate' || byTime || byPrice
      if (!isSoftMet(intent, now)) {
        if (isTriggered && view !== null) this.#judgements.begin(intent, view, now)
        return this.#scheduleJudgement(intent, now)
      }
      if (!isTriggered) return this.#scheduleJudgement(intent, now)
      await this.#transition(intent, market, 'triggered', null)
      intent = transition(intent, 'triggered', now)
    }
    if (view === null || !intent.autoExecute || !TRADABLE_STATUSES.includes(intent.status)) return
    const attempt = await execution.attempt(intent, view)
    this.register(attempt.intent, market)
    if (attempt.retryAt !== null) index.retry(id, attempt.retryAt)
    if (attempt.isBlocked) this.#blockedIntents.add(id)
  }

  /**
   * A price trigger is checked on quotes; the others are checked again when the time comes, also when
   * it was moved after the judgement.
   */
  #scheduleJudgement(intent: Intent, now: Millis): void {
    const { triggerType, triggerAt, id } = intent
    if (triggerType !== 'immediate' && triggerType !== 'time') return
    const opensAt = triggerType === 'time' && triggerAt !== null ? triggerAt : now
    const next = now < opensAt ? opensAt : nextJudgementAt(intent)
    this.#deps.index.retry(id, next > now ? next : ((now + JUDGEMENT_VALID_MS) as Millis))
  }

  /** Ends judgements that wait for an answer. */
  close(): Promise<void> {
    return this.#judgements.close()
  }

  async #transition(
    intent: Intent,
    market: MarketId | null,
    to: Intent['status'],
    reason: string | null,
  ): Promise<void> {
    const { ledger, clock } = this.#deps
    const now = clock.now()
    const next = transition(intent, to, now, reason)
    await ledger.book(intent.userId, { intent: { next, from: intent.status } }, now)
    this.register(next, market)
  }

  /** A replay pauses at each check, so checks without possible changes are skipped. */
  #longestWait(): number {
    const isInvested = this.#deps.accounts.investors().next().done !== true
    return isInvested ? MAX_WAIT : UNINVESTED_WAIT
  }

  /** Equity moves with prices: users with positions are checked each minute. */
  #reportInvestors(): void {
    const { accounts, onAccountChanged, clock } = this.#deps
    const now = clock.now()
    if (now - this.#reportedAt < MINUTE) return
    this.#reportedAt = now
    for (const userId of accounts.investors())
      this.#enqueue(userId, () => onAccountChanged(userId), { userId })
  }

  #settle(userId: string, ticker: string): void {
    const { accounts, onAccountChanged, clock } = this.#deps
    const work = async (): Promise<void> => {
      if ((await accounts.settle(userId, ticker, clock.now())) !== null)
        await onAccountChanged(userId)
    }
    this.#enqueue(userId, work, { ticker })
  }

  #settlePositions(userId: string): void {
    const { accounts, clock } = this.#deps
    const work = async (): Promise<void> => {
      const { account, tickers } = await accounts.open(userId, clock.now())
      // An account with positions is checked each minute from now on.
      this.#wakeController.abort()
      for (const [market, ticker] of tickers) {
        if (account.net(market) !== 0) this.#settle(userId, ticker)
      }
      const since = (clock.now() - RESULT_CHANGE_WINDOW) as Millis
      const paidUsers = await accounts.marketsPaidSince(userId, since, clock.now())
      for (const ticker of paidUsers) this.#settle(userId, ticker)
    }
    this.#enqueue(userId, work, {})
  }
}
