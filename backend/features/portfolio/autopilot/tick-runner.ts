import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import type { MarketBoard } from '../../../computed/board/market-board.ts'
import { decide } from '../../../domain/portfolio/decide.ts'
import type {
  DecisionInput,
  TradingPair,
  TradingView,
} from '../../../domain/portfolio/decisions/decision-parts.ts'
import {
  abandonDecision,
  isPlanned,
  orderGroups,
  startedTick,
  type PlannedOrder,
  type Tick,
  type TickDecision,
} from '../../../domain/portfolio/tick.ts'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { Conflict } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { LanguageModel } from '../../../lib/language-model.ts'
import type { Logger } from '../../../lib/logger.ts'
import { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { EventOutbox } from '../../../state/event-outbox.ts'
import type { AccountFigures, AccountFiguresReader } from '../account-figures.ts'
import type { AccountService } from '../account.service.ts'
import type { UserTheses } from '../intent-basis.ts'
import type { IntentIndex } from '../intent-index.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { LiveDesk, LiveSession } from '../live/live-desk.ts'
import { accountOf, liveAccountOf, type ReadLiveExchange } from '../live/live-exchange.ts'
import type { LiveOutcomes } from '../live/live-outcomes.ts'
import type { OrderBooks } from '../order-books.ts'
import { boughtByStrategy } from '../strategy-trading.ts'
import type { TransactionalWrite, PortfolioRecord, PortfolioStore } from '../portfolio.store.ts'
import { decideWithModel, type ModelContext, type DescribedRule } from './model-decisions.ts'
import { holdingOf, marketsOf, modelAccountOf } from './decision-input.ts'
import type { LiveTickOrders } from './live-tick-orders.ts'
import { haltNote, tickCompleted } from './portfolio-events.ts'
import type { TickLeases } from './tick-leases.ts'
import { figuresOfTick, replaceDecision, type RunningTick, type TickOrders } from './tick-orders.ts'
import { figuresOf, type TickSettlement } from './tick-settlement.ts'
import { insertTick, type TicksStore } from './ticks.store.ts'

const MAX_DECISION = 2 * MINUTE
const MAX_TICK = 5 * MINUTE
/** The longest that the paper broker may take for an order. */
const MAX_ORDER_TIME = 2 * MINUTE
const NO_ANSWER = 'the paper broker did not answer in 2 minutes: nothing was booked'
const TIMED_OUT = 'tick timed out'

/** Trigger of a tick. */
export interface TickStart {
  readonly trigger: 'schedule' | 'manual'
  /** The scheduled time that it runs for, and how many earlier ones were missed. */
  readonly slot: Millis | null
  readonly missedRuns: number
  /** Runs on paper in live mode too. */
  readonly isPaper?: boolean
}

/** A tick that was started, and its end. */
export interface StartedTick {
  readonly tick: Tick
  readonly ended: Promise<Tick>
}

export interface TickRunnerDeps {
  readonly portfolios: PortfolioStore
  readonly ticks: TicksStore
  readonly leases: TickLeases
  readonly ledger: LedgerStore
  readonly figuresReader: AccountFiguresReader
  readonly account: Pick<AccountService, 'report'>
  readonly orders: TickOrders
  readonly liveOrders: LiveTickOrders
  readonly outcomes: LiveOutcomes
  readonly desk: LiveDesk
  readonly exchange: ReadLiveExchange
  readonly settlement: TickSettlement
  readonly index: IntentIndex
  readonly theses: UserTheses
  /** The views of a user that are used now, highest conviction first. */
  readonly views: (userId: string) => Promise<readonly TradingView[]>
  /** The language model that may choose; null without one. */
  readonly model: () => LanguageModel | null
  /** The enabled rules of a user in words, which a model reads. */
  readonly rulesInWords: (userId: string) => Promise<readonly DescribedRule[]>
  /** Pairs of venues that may be traded as one question. */
  readonly pairs: () => Promise<readonly TradingPair[]>
  readonly books: Pick<OrderBooks, 'follow' | 'get'>
  readonly board: MarketBoard
  readonly outbox: EventOutbox
  /** Called after each order that traded. */
  readonly onTraded: () => void
  /** Queue of the writes of each user. */
  readonly userQueue: PerUserQueue
  readonly clock: Clock
  readonly log: Logger
}

/** Runs ticks, on paper or at an exchange: reconcile, decide, gate, execute, settle. One tick of a user at a time. */
export class TickRunner {
  readonly #deps: TickRunnerDeps
  readonly #work = new PerUserQueue()

  constructor(deps: TickRunnerDeps) {
    this.#deps = deps
  }

  /** The tick that runs for a user; null for none. */
  runningTickId(userId: string): string | null {
    return this.#deps.leases.holder(userId)
  }
  get isIdle(): boolean {
    return this.#work.isIdle
  }
  idle(): Promise<void> {
    return this.#work.idle()
  }

  /** Ends the ticks that a stop cut off; call it at the start. */
  async open(): Promise<void> {
    for (const tick of await this.#deps.ticks.runningTicks()) {
      await this.#deps.userQueue.run(tick.userId, () => this.#recover(tick))
    }
  }

  /** Starts a tick. The caller holds the user's queue. @throws Conflict while one runs */
  async start(userId: string, portfolio: PortfolioRecord, start: TickStart): Promise<StartedTick> {
    const tick = this.#newTick(userId, portfolio, start)
    const release = this.#deps.leases.take(userId, tick.id)
    if (release === null) {
      const tickHolder = { tickId: this.runningTickId(userId) }
      throw new Conflict('a tick is running', 'TICK_RUNNING', tickHolder)
    }
    try {
      await this.#add(portfolio, tick)
    } catch (error) {
      release()
      throw error
    }
    const pendingTick = this.#work.run(userId, () => this.#run(tick, portfolio).finally(release))
    pendingTick.catch((error: unknown) => {
      this.#deps.log.error({ err: error, tick: tick.id }, 'a tick could not be ended')
    })
    return { tick, ended: pendingTick }
  }

  /** Stores a tick that does not run. The caller holds the user's queue. */
  async skip(
    userId: string,
    portfolio: PortfolioRecord,
    start: TickStart,
    skipReason: 'halted' | 'missed' | 'overlap',
  ): Promise<Tick> {
    const { account, clock, outbox } = this.#deps
    const now = clock.now()
    const isHalted = skipReason === 'halted'
    const tick: Tick = {
      ...this.#newTick(userId, portfolio, start),
      ...(isHalted && {
        ...figuresOf(await account.report(userId)),
        handoffNote: haltNote(portfolio),
      }),
      status: 'skipped',
      phase: 'done',
      mode: null,
      skipReason,
      tickDurationMs: 0,
      finishedAt: now,
    }
    await this.#add(portfolio, tick, async (transaction) => {
      if (isHalted) await outbox.publish(transaction, tickCompleted(tick, now))
    })
    if (isHalted) outbox.wake()
    return tick
  }

  #newTick(
    userId: string,
    portfolio: PortfolioRecord,
    { trigger, slot, missedRuns, isPaper = false }: TickStart,
  ): Tick {
    const now = this.#deps.clock.now()
    const id = newId('pt', now)
    const { executionMode } = portfolio.config
    const { mode } = accountOf(portfolio, this.#deps.exchange())
    return {
      ...startedTick({
        id,
        userId,
        tickAt: now,
        trigger,
        executionMode,
        mode: isPaper ? 'paper' : mode,
      }),
      slot,
      missedRuns,
    }
  }

  /** Adds a tick and notes its slot, so that the slot is never run again. */
  async #add(
    { lastSlot }: PortfolioRecord,
    tick: Tick,
    extraWrite?: TransactionalWrite,
  ): Promise<void> {
    const { portfolios, clock } = this.#deps
    const { userId, slot } = tick
    const newest = slot === null ? null : (Math.max(slot, lastSlot ?? 0) as Millis)
    const change = newest === null ? {} : { lastSlot: newest, scheduleError: null }
    await portfolios.change(userId, change, clock.now(), async (transaction) => {
      await insertTick(transaction, tick)
      await extraWrite?.(transaction)
    })
  }

  async #run(startedTickRow: Tick, record: PortfolioRecord): Promise<Tick> {
    const { desk, exchange } = this.#deps
    const liveExchange = exchange()
    if (startedTickRow.mode !== 'live') return await this.#runWith(startedTickRow, record, null)
    if (liveExchange === null) throw new Error('the exchange of a live tick is gone')
    return await desk.open(startedTickRow.userId, liveExchange, (session) =>
      this.#runWith(startedTickRow, record, session),
    )
  }

  async #runWith(
    startedTickRow: Tick,
    record: PortfolioRecord,
    session: LiveSession | null,
  ): Promise<Tick> {
    const { userQueue, settlement, clock, log } = this.#deps
    const { userId } = startedTickRow
    const startedAt = clock.monotonic()
    const { config } = record
    const { report } = session === null ? record : liveAccountOf(record, session.exchange)
    const runningTick: RunningTick = { tick: startedTickRow, config, theses: [], n: 1, session }
    try {
      await this.#decideInTime(runningTick, noteIn(report))
      await this.#trade(runningTick, () => {
        if (clock.monotonic() - startedAt > MAX_TICK) throw new Error(TIMED_OUT)
      })
      return await userQueue.run(userId, () =>
        settlement.settle(runningTick.tick, { status: 'completed', startedAt }),
      )
    } catch (error) {
      const isLate = error instanceof Error && error.message === TIMED_OUT
      if (!isLate) log.error({ err: error, tick: startedTickRow.id }, 'a tick failed')
      const reason = isLate ? TIMED_OUT : 'the tick failed; see the log of the service'
      const storedTick =
        (await this.#deps.ticks.byId(userId, startedTickRow.id)) ?? runningTick.tick
      const tick = { ...(await this.#unsent(storedTick)), error: reason }
      return await userQueue.run(userId, () =>
        settlement.settle(tick, { status: 'failed', startedAt }),
      )
    }
  }

  /** The tick with the outcome `none` for orders that were not sent, and the known one for others. */
  async #unsent(tick: Tick): Promise<Tick> {
    if (tick.mode === 'live') return this.#deps.outcomes.withOutcomes(tick)
    return { ...tick, decisions: tick.decisions.map(abandonDecision) }
  }

  /** Decides; a decision that is not made in time is dropped, and writes nothing later. */
  async #decideInTime(runningTick: RunningTick, lastNote: string | null): Promise<void> {
    const [isLate, isDone] = [new AbortController(), new AbortController()]
    const limit = this.#deps.clock.sleep(MAX_DECISION, isDone.signal).then(() => {
      isLate.abort()
      throw new Error(TIMED_OUT)
    })
    try {
      await Promise.race([this.#decide(runningTick, lastNote, isLate.signal), limit])
    } finally {
      isDone.abort()
    }
  }

  async #decide(
    runningTick: RunningTick,
    lastNote: string | null,
    isLate: AbortSignal,
  ): Promise<void> {
    const { account, userQueue, figuresReader, theses, ticks } = this.#deps
    const { userId } = runningTick.tick
    const { session } = runningTick
    // Paper has nothing to reconcile with; the drawdown is checked.
    if (session !== null) await userQueue.run(userId, () => session.reconcile())
    const { isHalting } = await userQueue.run(userId, () =>
      account.report(userId, modeOf(runningTick)),
    )
    isLate.throwIfAborted()
    runningTick.tick = { ...runningTick.tick, haltTriggered: isHalting, phase: 'decide' }
    await ticks.put(runningTick.tick)
    const figures = await figuresOfTick(runningTick, figuresReader)
    const { config } = figures.portfolio
    if (config.executionMode === 'halted') return
    runningTick.theses = await theses.trading(userId, null)
    const input = await this.#decisionInput(runningTick, figures)
    const chosenDecisions = await this.#chosenByModel(runningTick, decide(input), {
      markets: input.markets,
      account: modelAccountOf(figures, lastNote),
      signal: isLate,
    })
    isLate.throwIfAborted()
    runningTick.tick = { ...runningTick.tick, phase: 'gate', ...chosenDecisions }
    await ticks.put(runningTick.tick)
  }

  /** What the rules of a tick read. */
  async #decisionInput(
    { tick, theses, config, session }: RunningTick,
    figures: AccountFigures,
  ): Promise<DecisionInput> {
    const { index, ledger } = this.#deps
    const { userId } = tick
    const positions = figures.open.flatMap(holdingOf)
    const views = await this.#deps.views(userId)
    const pairs = config.crossVenuePairsEnabled ? await this.#deps.pairs() : []
    const tickers = new Set([
      ...positions.map(({ ticker }) => ticker),
      ...theses.flatMap((thesis) => [
        ...thesis.edges.map(({ ticker }) => ticker),
        ...thesis.strategies.map(({ ticker }) => ticker),
      ]),
      ...views.flatMap((view) => view.tickers),
      ...pairs.flatMap(({ a, b }) => [a, b]),
    ])
    // Intents of the other account wait for the return to it, and stop no strategy.
    const exchangeId = session?.exchange.id ?? null
    const intents = [...index.intentsOfUser(userId)].filter(
      ({ exchange, autoExecute }) => exchange === exchangeId && autoExecute,
    )
    return {
      theses,
      views,
      pairs,
      positions,
      markets: await marketsOf(this.#deps, tickers, pairs),
      bought: boughtByStrategy(await ledger.trades(userId, figures.account)),
      strategiesWithIntents: new Set(intents.flatMap(({ strategyId }) => strategyId ?? [])),
      limits: config,
    }
  }

  /** The decisions on the proposals, and the model that made them. */
  async #chosenByModel(
    { tick, config }: RunningTick,
    proposedDecisions: readonly TickDecision[],
    context: Pick<ModelContext, 'markets' | 'account' | 'signal'>,
  ): Promise<Pick<Tick, 'decisions' | 'decisionModel' | 'modelNote' | 'cost'>> {
    const { rulesInWords, ticks, clock } = this.#deps
    const rules = await rulesInWords(tick.userId)
    const month = Date.parse(`${isoOf(clock.now()).slice(0, 7)}-01T00:00:00Z`) as Millis
    const { modelNote, ...modelDecisions } = await decideWithModel(
      this.#deps.model(),
      proposedDecisions,
      {
        ...context,
        config,
        rules,
        spentUsd: await ticks.modelCostSince(tick.userId, month),
      },
    )
    return { ...modelDecisions, ...(modelNote !== null && { modelNote }) }
  }

  async #trade(runningTick: RunningTick, checkTime: () => void): Promise<void> {
    const { account, userQueue, portfolios } = this.#deps
    const { userId } = runningTick.tick
    if (!runningTick.tick.decisions.some(isPlanned)) return
    await userQueue.run(userId, () => this.#deps.orders.gate(runningTick))
    const acceptedDecisions = runningTick.tick.decisions.filter(
      ({ outcome }) => outcome === 'unknown',
    )
    for (const group of orderGroups(acceptedDecisions)) {
      checkTime()
      await userQueue.run(userId, async () => {
        const { config } = await portfolios.read(userId)
        const error = stopReason(config, runningTick)
        if (error !== null) {
          for (const decision of group) {
            runningTick.tick = replaceDecision(runningTick.tick, {
              ...decision,
              outcome: 'none',
              error,
            })
          }
          return
        }
        const { session } = runningTick
        const traded =
          session === null
            ? await this.#sendInTime(runningTick, group)
            : await this.#deps.liveOrders.send(runningTick, group, session)
        if (!traded) return
        this.#deps.onTraded()
        const { isHalting } = await account.report(userId, modeOf(runningTick))
        if (isHalting) runningTick.tick = { ...runningTick.tick, haltTriggered: true }
      })
    }
  }

  /** Sends an order or a pair; one that the broker does not answer in time is given up. */
  async #sendInTime(runningTick: RunningTick, group: readonly PlannedOrder[]): Promise<boolean> {
    const { orders, ticks, clock, log } = this.#deps
    const [isLate, isDone] = [new AbortController(), new AbortController()]
    const limit = clock.sleep(MAX_ORDER_TIME, isDone.signal).then(() => {
      isLate.abort()
      return 'late' as const
    })
    try {
      const sendResult = await Promise.race([orders.send(runningTick, group, isLate.signal), limit])
      if (sendResult !== 'late') return sendResult
    } finally {
      isDone.abort()
    }
    const { tick } = runningTick
    log.error({ tick: tick.id }, 'the paper broker did not answer in time')
    orders.discardAccount(tick.userId)
    for (const decision of group) {
      runningTick.tick = replaceDecision(runningTick.tick, {
        ...decision,
        outcome: 'none',
        error: NO_ANSWER,
      })
    }
    await ticks.put(runningTick.tick)
    return false
  }

  /** An interrupted tick is not continued; one that only had to be settled is. */
  async #recover(tick: Tick): Promise<void> {
    const settledStatus = tick.error === null ? ('completed' as const) : ('failed' as const)
    const status = tick.phase === 'settle' ? settledStatus : 'interrupted'
    const settling = await this.#unsent(tick)
    await this.#deps.settlement.settle(settling, { status, startedAt: null })
  }
}

/** The account that a tick trades with, whatever the user trades with meanwhile. */
const modeOf = ({ session }: RunningTick) =>
  ({ mode: session === null ? 'paper' : 'live' }) as const

/** Why the next order of a tick is not sent; null when it may be. */
function stopReason(config: PortfolioConfig, { session }: RunningTick): string | null {
  if (config.executionMode === 'halted') return 'execution is halted'
  if (!config.enabled) return 'the portfolio was disabled'
  const isOff = session !== null && config.executionMode !== 'live'
  return isOff ? 'live trading was switched off' : null
}

/** The note of the tick before, as the report has it. */
const noteIn = (report: PortfolioRecord['report']): string | null => {
  const note = report?.['handoffNote']
  return typeof note === 'string' ? note : null
}
