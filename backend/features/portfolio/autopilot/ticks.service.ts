import type {
  NewTick,
  RowStored,
  ServedTick,
  ServedTrade,
  TickPage,
  TickFinished,
  TickStarted,
  JournalPage,
} from '../../../contract/orders/ticks.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import { MINUTE } from '../../../domain/units.ts'
import type { Urls } from '../../../http/next-actions.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import type { Clock } from '../../../lib/clock.ts'
import { Conflict, Forbidden, NotFound } from '../../../lib/errors.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import type { EventOutbox } from '../../../state/event-outbox.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { tickCompleted } from './portfolio-events.ts'
import { reportedTick, reportedTrade } from './reported-rows.ts'
import { servedTick, servedTrade } from './tick-served.ts'
import type { TickRunner } from './tick-runner.ts'
import { insertTick, type TickFilter, type TicksStore } from './ticks.store.ts'
import type { TradeFilter, TradesStore } from './trades.store.ts'
import { listPage, type Paging } from '../../../http/request/list-page.ts'

/** How long a request waits for the end of its tick. */
const SYNC_TIMEOUT = 2 * MINUTE

export interface TicksService {
  ticks(userId: string, filter: TickFilter, paging: Paging): Promise<TickPage>
  /** @throws NotFound */
  tick(userId: string, id: string): Promise<ServedTick>
  /** Stores a tick that ran elsewhere. */
  addTick(userId: string, newTick: NewTick): Promise<RowStored>
  trades(userId: string, filter: TradeFilter, paging: Paging): Promise<JournalPage>
  /** @throws NotFound */
  trade(userId: string, id: string): Promise<ServedTrade>
  /** Stores a row of the journal. @throws InvalidInput */
  addTrade(userId: string, body: unknown): Promise<RowStored>
  /**
   * Starts a tick; with `sync` returns its end.
   * @throws Conflict when the portfolio is disabled or a tick runs; Forbidden while it is halted
   */
  trigger(userId: string, body: unknown, sync: boolean): Promise<TickStarted | TickFinished>
}

export function createTicksService(deps: {
  readonly portfolios: PortfolioStore
  readonly ticks: TicksStore
  readonly trades: TradesStore
  readonly runner: TickRunner
  readonly outbox: EventOutbox
  readonly userQueue: PerUserQueue
  readonly urls: Urls
  /** Data time. */
  readonly clock: Clock
}): TicksService {
  const { portfolios, ticks, trades, runner, outbox, userQueue, urls, clock } = deps

  return {
    async ticks(userId, filter, paging) {
      const { rows, pageInfo } = await listPage(
        paging,
        { ticks: filter },
        (after, max) => ticks.page(userId, filter, after, max),
        ({ tickAt, id }) => ({ at: tickAt, id }),
      )
      return { data: rows.map(servedTick), pageInfo }
    },
    async tick(userId, id) {
      const tick = await ticks.byId(userId, id)
      if (tick === null) throw new NotFound('not found')
      return servedTick(tick)
    },
    addTick: (userId, newTick) =>
      userQueue.run(userId, async () => {
        const { config } = await portfolios.read(userId)
        const now = clock.now()
        const { executionMode } = config
        const tick = reportedTick(newTick, { userId, executionMode }, now)
        await portfolios.change(userId, {}, now, async (transaction) => {
          await insertTick(transaction, tick)
          await outbox.publish(transaction, tickCompleted(tick, now))
        })
        outbox.wake()
        return { ok: true }
      }),
    async trades(userId, filter, paging) {
      const ticker = filter.ticker === null ? null : canonicalTicker(filter.ticker)
      const tradeFilter = { ...filter, ticker }
      const { rows, pageInfo } = await listPage(
        paging,
        { trades: tradeFilter },
        (after, max) => trades.page(userId, tradeFilter, after, max),
        ({ openedAt, id }) => ({ at: openedAt, id }),
      )
      return { data: rows.map(servedTrade), pageInfo }
    },
    async trade(userId, id) {
      const trade = await trades.byId(userId, id)
      if (trade === null) throw new NotFound('not found')
      return servedTrade(trade)
    },
    async addTrade(userId, body) {
      await trades.add(reportedTrade(body, userId, clock.now()))
      return { ok: true }
    },
    async trigger(userId, body, sync) {
      const fields = new BodyFields(body ?? {})
      fields.text('reason', { max: 200 })
      const isPaper = fields.flag('dryRun') ?? false
      const isSync = fields.flag('sync') ?? sync
      const { tick, ended } = await userQueue.run(userId, async () => {
        const portfolio = await portfolios.read(userId)
        const { enabled, executionMode } = portfolio.config
        if (!enabled) throw new Conflict('the portfolio is not enabled', 'PORTFOLIO_DISABLED')
        if (executionMode === 'halted') {
          throw new Forbidden('execution is halted', 'EXECUTION_HALTED')
        }
        const start = { trigger: 'manual' as const, slot: null, missedRuns: 0, isPaper }
        return runner.start(userId, portfolio, start)
      })
      const statusUrl = `${urls.baseUrl}/api/portfolio/ticks/${tick.id}`
      const tickStarted: TickStarted = { ok: true, tickId: tick.id, status: 'running', statusUrl }
      if (!isSync) return tickStarted
      const timeoutAbort = new AbortController()
      const wait = clock.sleep(SYNC_TIMEOUT, timeoutAbort.signal).then(
        () => null,
        () => null,
      )
      const finishedTick = await Promise.race([ended, wait])
      timeoutAbort.abort()
      return finishedTick === null ? tickStarted : { ok: true, tick: servedTick(finishedTick) }
    },
  }
}
