import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { ITEM_CONDITIONS } from '../../domain/alerts/alert-item.ts'
import { measuredRegime } from '../../domain/regime/label.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { EventOutbox } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { createRepeatedWrites } from '../../state/repeated-writes.ts'
import { AlertIndex } from './alert-index.ts'
import { AlertRunner } from './alert-runner.ts'
import { alertRoutes, watchRoutes } from './watch.routes.ts'
import { ItemRunner, type AlertItemSource } from './item-runner.ts'
import { createWatchService, type AlertEndpoints, type WatchedTheses } from './watch.service.ts'
import { createWatchStore } from './watch.store.ts'

/** Market events that alerts subscribe to. */
interface WatchTopics {
  readonly quote: { readonly market: MarketId }
  readonly quoteConfirmed: { readonly market: MarketId }
  readonly facts: MarketRecord
}
export interface WatchFeed {
  subscribe<K extends keyof WatchTopics>(
    topic: K,
    listener: (message: WatchTopics[K]) => void,
  ): () => void
}

/** Watched objects and the alerts on them. */
export function createWatch(deps: {
  readonly state: State
  readonly board: MarketBoard
  readonly events: WatchFeed
  /** Calls back with each new context snapshot. */
  readonly onSnapshot: (listener: (snapshot: ContextSnapshot) => void) => void
  readonly outbox: EventOutbox
  readonly endpoints: AlertEndpoints
  /** Sources of the items that alerts on texts fire for. */
  readonly sources: readonly AlertItemSource[]
  readonly theses: WatchedTheses
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  readonly log: Logger
}) {
  const { state, board, events, outbox, endpoints, sources, clock, log } = deps
  let snapshot: ContextSnapshot | null = null
  deps.onSnapshot((next) => (snapshot = next))
  const regimeOf = ({ facts }: MarketView): string | null => {
    const regime = snapshot?.markets.get(facts.ticker)?.regime ?? null
    return regime === null ? null : measuredRegime(regime, regime.nTrades).label
  }
  const store = createWatchStore(state, outbox)
  const index = new AlertIndex()
  const userQueue = new PerUserQueue()
  const runner = new AlertRunner({
    store,
    index,
    userQueue,
    board,
    regimeOf,
    flushWebhooks: () => outbox.wake(),
    clock,
    log,
  })
  const service = createWatchService({
    store,
    runner,
    index,
    userQueue,
    board,
    regimeOf,
    endpoints,
    isAvailable: (condition) =>
      sources.some(({ kinds }) =>
        kinds.some((kind) => ITEM_CONDITIONS[condition].items.includes(kind)),
      ),
    theses: deps.theses,
    clock,
  })
  const flushWebhooks = (): void => outbox.wake()
  const items = new ItemRunner({ store, userQueue, sources, board, flushWebhooks, clock, log })
  const repeats = createRepeatedWrites(state, clock)
  const subscriptions = [
    events.subscribe('quote', ({ market }) => runner.onQuote(market)),
    events.subscribe('quoteConfirmed', ({ market }) => runner.onQuote(market)),
    events.subscribe('facts', (record) => runner.onFacts(record)),
  ]
  return {
    routes: [watchRoutes(service, repeats), alertRoutes(service, repeats)] as const,
    /** Loads the active rules; call it once the board can answer. */
    open: () => runner.open(),
    /** Evaluates the rules on items until the signal aborts. */
    run: (signal: AbortSignal) => items.run(signal),
    /** A user changed or was removed: the rules of a removed user are gone with their rows. */
    reloadUser(userId: string): void {
      const work = async (): Promise<void> => {
        if ((await store.count('alert_rule', userId)) > 0) return
        index.removeIf((rule) => rule.userId === userId)
      }
      userQueue.run(userId, work).catch((error: unknown) => {
        log.error({ err: error }, 'the alert rules of a changed user could not be checked')
      })
    },
    archiveThesis: (userId: string, thesisId: string) => service.archiveThesis(userId, thesisId),
    watchedMarkets: (userId: string) => store.watchedMarkets(userId),
    recordEnd: (delivery: Delivery) => runner.recordEnd(delivery),
    pauseRulesOfEndpoint: (userId: string, id: string) => runner.pauseRulesOfEndpoint(userId, id),
    get isIdle() {
      return userQueue.isIdle
    },
    settled: () => userQueue.idle(),
    async close() {
      for (const stop of subscriptions) stop()
      await userQueue.idle()
    },
  }
}
export type Watch = ReturnType<typeof createWatch>
