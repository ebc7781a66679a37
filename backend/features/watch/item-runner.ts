import type { MarketBoard } from '../../computed/board/market-board.ts'
import {
  itemMeets,
  ITEM_MEMORY,
  similarityAmong,
  type AlertItem,
  type AlertItemKind,
} from '../../domain/alerts/alert-item.ts'
import {
  evaluateItemRule,
  type AlertRule,
  type WatchedObject,
} from '../../domain/alerts/alert-rule.ts'
import { SECOND, type Millis } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import { noticeOf } from '../../state/event-outbox.ts'
import { firedEvent, firingKey, targetOf } from './alert-events.ts'
import type { WatchStore } from './watch.store.ts'

const INTERVAL = 30 * SECOND
/** Lane of the passes; no user has this id. */
const TIMER = 'timer'

/** Where items come from. */
export interface AlertItemSource {
  readonly kinds: readonly AlertItemKind[]
  /** Items published after `from`, up to `until`. */
  itemsBetween(from: Millis, until: Millis): Promise<readonly AlertItem[]>
}

export interface ItemRunnerDeps {
  readonly store: WatchStore
  readonly userQueue: PerUserQueue
  readonly sources: readonly AlertItemSource[]
  readonly board: MarketBoard
  readonly flushWebhooks: () => void
  readonly clock: Clock
  readonly log: Logger
}

type Similarity = ReturnType<typeof similarityAmong>

/** Evaluates the rules that fire for new items, every 30 seconds of data time. */
export class ItemRunner {
  readonly #deps: ItemRunnerDeps
  readonly #startedAt: Millis

  constructor(deps: ItemRunnerDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.now()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { userQueue, clock, log } = this.#deps
    while (await sleepUnless(signal, clock, INTERVAL)) {
      await userQueue
        .run(TIMER, () => this.evaluateDue())
        .catch((error: unknown) => log.error({ err: error }, 'items of alerts could not be read'))
    }
  }

  /** Evaluates all active rules once. */
  async evaluateDue(): Promise<void> {
    const { store, userQueue, sources, clock } = this.#deps
    const now = clock.now()
    const rules = await store.activeItemRules()
    if (rules.length === 0) return
    const from = (now - ITEM_MEMORY) as Millis
    const alertItemGroups = await Promise.all(
      sources.map((source) => source.itemsBetween(from, now)),
    )
    const items = alertItemGroups
      .flat()
      .sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
    const similarity = similarityAmong(items)
    await Promise.all(
      rules.map(({ userId, id }) =>
        userQueue.run(userId, () => this.#evaluate(userId, id, items, similarity)),
      ),
    )
    await store.deleteItemsBefore(from)
  }

  async #evaluate(
    userId: string,
    id: string,
    items: readonly AlertItem[],
    similarity: Similarity,
  ): Promise<void> {
    const { store, board, clock, log } = this.#deps
    try {
      const rule = await store.rule(userId, id)
      const object = rule === null ? null : await store.object(userId, rule.objectId)
      if (rule?.state !== 'active' || object === null) return
      const from = rule.itemsFrom ?? rule.createdAt
      const metItems = items.filter(
        (item) => item.at > from && itemMeets(rule, object, item, similarity),
      )
      const storedItems = metItems.length === 0 ? null : await store.itemsOf(id)
      let next = rule
      for (const item of metItems) {
        if (storedItems?.has(item.id) !== true) next = await this.#fire(next, object, item)
      }
      const view =
        rule.ticker === null
          ? null
          : (board.live().get(rule.ticker) ?? (await board.market(rule.ticker, null)))
      if (view?.status === 'settled') {
        await store.put(null, { ...next, state: 'archived', updatedAt: clock.now() })
      }
    } catch (error) {
      log.error({ err: error, rule: id }, 'an alert rule could not be processed')
    }
  }

  /** Fires a rule for an item, or counts it as suppressed within the window of the last firing. */
  async #fire(rule: AlertRule, object: WatchedObject, item: AlertItem): Promise<AlertRule> {
    const { store, board, clock, flushWebhooks } = this.#deps
    const now = clock.now()
    const { rule: next, fires } = evaluateItemRule(rule, now)
    if (!fires) {
      await store.fire(next, null, null, undefined, item)
      return next
    }
    const view = rule.ticker === null ? null : board.live().get(rule.ticker)
    const isLate = item.at < this.#startedAt
    const event = firedEvent(next, object, { view, regimeLabel: null, isLate, item }, now)
    const dedupeKey = firingKey(next, now)
    const target = targetOf(next)
    const notice = target === null ? noticeOf(event, dedupeKey) : null
    await store.fire(
      next,
      notice,
      event,
      target === null ? undefined : { ...target, dedupeKey },
      item,
    )
    flushWebhooks()
    return next
  }
}
