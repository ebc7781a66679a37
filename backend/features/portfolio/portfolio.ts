import type { TradingPair } from '../../domain/portfolio/decisions/decision-parts.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import type { Logger } from '../../lib/logger.ts'
import type { State } from '../../state/open.ts'
import { createAccountFiguresReader } from './account-figures.ts'
import { createAccountService } from './account.service.ts'
import { createBookkeeping } from './bookkeeping/bookkeeping.ts'
import type { HistorySource } from './bookkeeping/pull.service.ts'
import { createConfigService } from './config.service.ts'
import { configRoutes } from './autopilot/config.routes.ts'
import { createHoldings, type ReadHoldings } from './holdings.ts'
import type { UserTheses } from './intent-basis.ts'
import { IntentIndex } from './intent-index.ts'
import { IntentRunner } from './intent-runner.ts'
import { intentsRoutes } from './intents.routes.ts'
import { createIntentsService, type IntentsService } from './intents.service.ts'
import { createIntentsStore } from './intents.store.ts'
import { createModelJudge } from './soft-conditions/soft-judge.ts'
import { createStrategyTrading, type StrategyTrading } from './strategy-trading.ts'
import { createLedgerService } from './ledger.service.ts'
import { createLedgerStore } from './ledger.store.ts'
import {
  OrderBooks,
  type ReceivedBook,
  type ReceivedQuote,
  type KnownBook,
  type UsableBook,
} from './order-books.ts'
import { PaperAccounts } from './paper-accounts.ts'
import { createIntentExecution } from './intent-orders/intent-execution.ts'
import { createIntentFills } from './intent-orders/intent-fills.ts'
import { createLiveBroker } from './intent-orders/live-broker.ts'
import { createPaperBroker } from './intent-orders/paper-broker.ts'
import { createPaperReports, type PaperReports, type ReportHistory } from './paper-report.ts'
import { portfolioRoutes } from './portfolio.routes.ts'
import { createCredentials, type Credentials } from './credentials/credentials.ts'
import { createPortfolioStore, type PortfolioRecord } from './portfolio.store.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { EventOutbox } from '../../state/event-outbox.ts'
import { createRepeatedWrites } from '../../state/repeated-writes.ts'
import { createGatedOrders } from './autopilot/gated-orders.ts'
import { createLiveTickOrders } from './autopilot/live-tick-orders.ts'
import { createEndLiveTrading } from './live/end-live-trading.ts'
import { createLiveOrdersStore } from './live/live-orders.store.ts'
import { exchangeOf, type ReadLiveExchange } from './live/live-exchange.ts'
import { createLiveTrading } from './live/live-trading.ts'
import { createLiveWatch } from './live/live-watch.ts'
import { createTicksSinceLoss } from './autopilot/cooldown.ts'
import { createTickOrders } from './autopilot/tick-orders.ts'
import { TickLeases } from './autopilot/tick-leases.ts'
import { TickRunner } from './autopilot/tick-runner.ts'
import { createTickSettlement } from './autopilot/tick-settlement.ts'
import { TickScheduler } from './autopilot/tick-scheduler.ts'
import { createTicksService } from './autopilot/ticks.service.ts'
import { createTicksStore } from './autopilot/ticks.store.ts'
import { createTradesStore } from './autopilot/trades.store.ts'
import { ticksRoutes } from './ticks.routes.ts'

/** Market events that the portfolio subscribes to. */
export interface PortfolioTopics {
  readonly quote: { readonly market: MarketId; readonly event: ReceivedQuote }
  readonly quoteConfirmed: { readonly market: MarketId; readonly event: ReceivedQuote }
  readonly book: { readonly market: MarketId; readonly event: ReceivedBook }
  readonly facts: MarketRecord
}
/** Publishes market events. */
export interface PortfolioFeed {
  subscribe<K extends keyof PortfolioTopics>(
    topic: K,
    listener: (message: PortfolioTopics[K]) => void,
  ): () => void
}

/** Intents, the paper accounts they trade on, and the ledger of their trades. */
export interface Portfolio {
  readonly routes: readonly [
    ReturnType<typeof intentsRoutes>,
    ReturnType<typeof portfolioRoutes>,
    ReturnType<typeof ticksRoutes>,
  ]
  /** Routes of the configuration, which read no market data. */
  readonly config: ReturnType<typeof configRoutes>
  /** Routes of attribution, views, strategies and imports. */
  readonly bookkeeping: ReturnType<typeof createBookkeeping>['routes']
  readonly credentials: Credentials
  readonly intents: IntentsService
  /** Trading of the strategies of theses. */
  readonly strategies: StrategyTrading
  readonly reports: PaperReports
  /** Open paper positions of a user, for answers of other features. */
  readonly holdings: ReadHoldings
  /** Loads open intents and positions; call it once the board can answer. */
  open(): Promise<void>
  /** Checks due intents until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  /** Called when a user changed or was removed. */
  reloadUser(userId: string): void
  /**
   * Halts a user and cancels their orders at exchanges. Call it before the user is removed: nothing
   * knows these orders afterwards.
   * @throws Conflict while an order may still trade; the message names the exchange
   */
  endLiveTrading(userId: string): Promise<void>
  /** Resolves when every event received so far has been processed. */
  waitUntilSettled(): Promise<void>
  /** Whether no event is being processed. */
  readonly isIdle: boolean
  close(): Promise<void>
}

export function createPortfolio(deps: {
  readonly state: State
  readonly board: MarketBoard
  readonly history: ReportHistory
  readonly events: PortfolioFeed
  /** The known book of a market before it is followed. */
  readonly currentBook: (market: MarketId) => KnownBook | null
  /** Whether the feed of a market is not delivering. */
  readonly isStale: (market: MarketId) => boolean
  /** Pairs of venues that may be traded as one question, from the newest context snapshot. */
  readonly pairs: () => Promise<readonly TradingPair[]>
  readonly theses: UserTheses
  /** The language model that may choose among the proposals of a tick; null without one. */
  readonly model: () => LanguageModel | null
  readonly outbox: EventOutbox
  readonly urls: Urls
  readonly installationKey: () => string
  /** Where live orders go; null in a replay and before a source is open. */
  readonly exchange: ReadLiveExchange
  /** Reads what accounts traded at the venues of the source; null for a source without venues. */
  readonly openHistory: () => HistorySource | null
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  readonly wallClock: Clock
  readonly log: Logger
}): Portfolio {
  const { state, board, events, isStale, outbox, clock, log } = deps
  const store = createIntentsStore(state)
  const ledger = createLedgerStore(state)
  const portfolios = createPortfolioStore(state)
  const ticks = createTicksStore(state)
  const trades = createTradesStore(state)
  const { exchange } = deps
  const epochOf = (): number => exchange()?.epoch ?? 0
  const liveStore = createLiveOrdersStore(state, epochOf)
  const ticksSinceLoss = createTicksSinceLoss({ ledger, ticks })
  const userQueue = new PerUserQueue()
  const leases = new TickLeases()
  const index = new IntentIndex()
  const books = new OrderBooks(deps.currentBook)
  const accounts = new PaperAccounts({ portfolios, ledger, board, books })
  const figuresReader = createAccountFiguresReader({
    portfolios,
    ledger,
    board,
    exchange,
    liveOrders: liveStore,
    clock,
  })
  const bookkeeping = createBookkeeping({
    state,
    portfolios,
    ledger,
    board,
    theses: deps.theses,
    epochOf,
    ordersAt: (userId, venue) => liveStore.ordersAtVenue(userId, venue),
    pulls: {
      openCredentials: (userId, venue) => credentials.open(userId, venue),
      openHistory: deps.openHistory,
      leases,
      userQueue,
      onPaperBooked: (userId) => runner.reopenAccount(userId),
    },
    clock,
  })
  const onConfigChanged = async (
    userId: string,
    before: PortfolioRecord,
    after: PortfolioRecord,
  ): Promise<void> => {
    accounts.invalidate(userId)
    live.mode.void(userId)
    runner.reloadUser(userId)
    scheduler.wake()
    watch.wake()
    const [from, to] = [before.config.executionMode, after.config.executionMode]
    // Before the first load there is nothing to report.
    if (from === to || !board.ready) return
    const accountSummary = account.report(userId, { isReset: from === 'halted' })
    // A halt is stored, whatever the report meets.
    await (to !== 'halted'
      ? accountSummary
      : accountSummary.catch((error: unknown) => {
          log.error({ err: error, user: userId }, 'a halted account could not be reported')
        }))
  }
  const credentials = createCredentials({
    state,
    portfolios,
    installationKey: deps.installationKey,
    onLiveEnded: onConfigChanged,
    cancelOrders: (userId, venues) =>
      watch.cancelAt(userId, venues, 'the credentials of the exchange were deleted'),
    userQueue,
    wallClock: deps.wallClock,
  })
  const intentFills = createIntentFills({
    store,
    liveOrders: liveStore,
    ledger,
    board,
    epochOf,
    onChanged: (intent, market) => runner.register(intent, market),
    clock,
  })
  const live = createLiveTrading({
    state,
    portfolios,
    ledger,
    ticks,
    figures: figuresReader,
    board,
    store: liveStore,
    exchange,
    epochOf,
    credentials,
    onBooked: (userId) => intentFills.syncOpenOrders(userId),
    clock,
  })
  const { desk, outcomes } = live
  const account = createAccountService({
    portfolios,
    accounts,
    figuresReader,
    ticks,
    ticksSinceLoss,
    outbox,
    onHalted(userId) {
      live.mode.void(userId)
      watch.wake()
    },
    credentials: credentials.presence,
    unknownPnl: bookkeeping.unknownPnl,
    userQueue,
    clock,
  })
  const { theses } = deps
  const settlement = createTickSettlement({ ticks, account, outbox, clock })
  const brokerDeps = { figuresReader, ledger, books, theses, settlement, clock }
  const execution = createIntentExecution({
    portfolios,
    ledger,
    books,
    brokers: {
      paper: createPaperBroker({ ...brokerDeps, accounts }),
      live: createLiveBroker({
        ...brokerDeps,
        liveOrders: liveStore,
        fills: intentFills,
        account,
        desk,
        exchange,
        outcomes,
        isStale,
        log,
      }),
    },
    leases,
    isStale,
    exchange,
    ordersSince: (userId, since) => ticks.intentOrdersSince(userId, since),
    clock,
  })
  const runner = new IntentRunner({
    store,
    ledger,
    accounts,
    execution,
    books,
    index,
    userQueue,
    board,
    isStale,
    softJudge() {
      const model = deps.model()
      return model === null ? null : createModelJudge(model)
    },
    clock,
    log,
    onAccountChanged: async (userId) => {
      await account.report(userId)
    },
    onLiveEnded: () => {
      watch.wake()
    },
  })
  const gatedOrders = createGatedOrders({ books, board, isStale })
  const orderDeps = { accounts, figuresReader, ledger, gated: gatedOrders, ticksSinceLoss, clock }
  const tickRunner = new TickRunner({
    portfolios,
    ticks,
    leases,
    ledger,
    figuresReader,
    account,
    orders: createTickOrders(orderDeps),
    liveOrders: createLiveTickOrders({ ...orderDeps, ticks, outcomes }),
    outcomes,
    desk,
    exchange,
    settlement,
    index,
    theses,
    views: bookkeeping.usableViews,
    rulesInWords: bookkeeping.rulesInUse,
    pairs: deps.pairs,
    model: deps.model,
    books,
    board,
    outbox,
    onTraded: () => runner.wake(),
    userQueue,
    clock,
    log,
  })
  const watch = createLiveWatch({
    portfolios,
    store: liveStore,
    intents: store,
    desk,
    outcomes,
    exchange,
    leases,
    async onChanged(userId) {
      await account.report(userId)
    },
    userQueue,
    clock,
    log,
  })
  const scheduler = new TickScheduler({ portfolios, runner: tickRunner, userQueue, clock, log })
  const config = createConfigService({
    portfolios,
    userQueue,
    clock,
    credentials: credentials.presence,
    liveMode: live.mode,
    watch,
    isLoaded: () => board.ready,
    interrupt: (userId) => desk.interrupt(userId),
    onChanged: onConfigChanged,
  })
  const intents = createIntentsService({
    store,
    ledger,
    accounts,
    runner,
    theses,
    exchangeOf: async (userId) => exchangeOf(await portfolios.read(userId), exchange()),
    userQueue,
    board,
    clock,
  })

  const endLiveTrading = createEndLiveTrading({
    portfolios,
    desk,
    watch,
    venueOrders: createLiveOrdersStore(state),
    hasCredentials: async (userId, venue) =>
      (await credentials.presence(userId)).credentials[venue],
    userQueue,
    clock,
    log,
  })

  const onBook = (market: MarketId, book: UsableBook | null): void => {
    if (book !== null) runner.onBook(market, book)
  }
  const subscriptions = [
    events.subscribe('quote', ({ market, event }) =>
      onBook(market, books.applyQuote(market, event)),
    ),
    events.subscribe('quoteConfirmed', ({ market, event }) =>
      onBook(market, books.applyQuote(market, event)),
    ),
    events.subscribe('book', ({ market, event }) => onBook(market, books.applyBook(market, event))),
    events.subscribe('facts', (record) => runner.onFacts(record)),
  ]

  const isIdle = (): boolean =>
    scheduler.isIdle && watch.isIdle && tickRunner.isIdle && userQueue.isIdle
  const settle = async (): Promise<void> => {
    do {
      await scheduler.idle()
      await watch.idle()
      await tickRunner.idle()
      await userQueue.idle()
    } while (!isIdle())
  }

  return {
    intents,
    config: configRoutes(config),
    strategies: createStrategyTrading({
      portfolios,
      figures: figuresReader,
      ledger,
      index,
      intents,
      exchange,
    }),
    bookkeeping: bookkeeping.routes,
    credentials,
    routes: [
      intentsRoutes(intents),
      portfolioRoutes({
        account,
        ledger: createLedgerService({ ledger, portfolios, figures: figuresReader, epochOf, clock }),
      }),
      ticksRoutes(
        createTicksService({
          portfolios,
          ticks,
          trades,
          runner: tickRunner,
          outbox,
          userQueue,
          urls: deps.urls,
          clock,
        }),
        createRepeatedWrites(state, clock),
      ),
    ],
    async open() {
      await trades.deriveMissing(clock.now())
      await intents.cancelAllDeleted()
      await runner.open(await ledger.paperUsers())
      await tickRunner.open()
    },
    async run(signal) {
      await Promise.all([runner.run(signal), scheduler.run(signal), watch.run(signal)])
    },
    reloadUser(userId) {
      const work = async (): Promise<void> => {
        if (!(await ledger.paperUsers()).includes(userId)) accounts.drop(userId)
      }
      userQueue.run(userId, work).catch((error: unknown) => {
        log.error({ err: error }, 'the account of a changed user could not be checked')
      })
    },
    endLiveTrading,
    holdings: createHoldings({ portfolios, ledger, figures: figuresReader }),
    reports: createPaperReports({ portfolios, ledger, intents: store, history: deps.history }),
    waitUntilSettled: settle,
    get isIdle() {
      return isIdle()
    },
    async close() {
      for (const stop of subscriptions) stop()
      await runner.close()
      await settle()
    },
  }
}
