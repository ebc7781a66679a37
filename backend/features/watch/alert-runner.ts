import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { evaluatePriceRule, isPriceRule, type AlertRule } from '../../domain/alerts/alert-rule.ts'
import type { Millis } from '../../domain/units.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { AlertIndex } from './alert-index.ts'
import {
  firedEvent,
  firingKey,
  pausedEvent,
  targetOf,
  type FiringSnapshot,
} from './alert-events.ts'
import { noticeOf, plainNotice } from '../../state/event-outbox.ts'
import type { WatchStore } from './watch.store.ts'

/** Failed deliveries in a row that pause a rule. */
const MAX_FAILURES = 5

export interface AlertRunnerDeps {
  readonly store: WatchStore
  readonly index: AlertIndex
  readonly userQueue: PerUserQueue
  readonly board: MarketBoard
  /** Regime label of a market in the newest context snapshot; null without one. */
  readonly regimeOf: (view: MarketView) => string | null
  /** Webhooks were written and can be attempted. */
  readonly flushWebhooks: () => void
  readonly clock: Clock
  readonly log: Logger
}

/** Evaluates active price rules with each quote of their market, and records what fires. */
export class AlertRunner {
  readonly #deps: AlertRunnerDeps

  constructor(deps: AlertRunnerDeps) {
    this.#deps = deps
  }

  /** Loads the active rules; a threshold that was reached meanwhile fires once, marked late. */
  async open(): Promise<void> {
    const { store, board } = this.#deps
    for (const rule of await store.activeRules()) {
      const view = rule.ticker === null ? null : await board.market(rule.ticker, null)
      if (view !== null) this.register(rule, view, true)
    }
  }

  /** Takes the stored state of a rule, and evaluates it if it is active. */
  register(rule: AlertRule, view: MarketView, isLate = false): void {
    if (!isPriceRule(rule)) return this.#deps.index.remove(rule.id)
    this.#deps.index.put(rule, view.market)
    if (rule.state !== 'active') return
    this.#evaluate(rule, view, isLate)
    if (view.status === 'settled') this.#archive(rule)
  }

  /** A venue sent or confirmed a quote of a market. */
  onQuote(market: MarketId): void {
    const rules = this.#deps.index.rulesOfMarket(market)
    if (rules.length === 0) return
    const view = this.#deps.board.live().get(rules[0]?.ticker ?? '')
    if (view === null) return
    for (const rule of rules) this.#evaluate(rule, view, false)
  }

  /** The rules of a settled market are archived after a last evaluation. */
  onFacts({ market, facts }: MarketRecord): void {
    if (facts.status !== 'settled') return
    this.onQuote(market)
    for (const rule of this.#deps.index.rulesOfMarket(market)) this.#archive(rule)
  }

  /** The rule as last evaluated, which may be newer than its stored row. */
  newest(rule: AlertRule): AlertRule {
    const latestRule = this.#deps.index.get(rule.id)
    return latestRule === null ? rule : { ...rule, ...outcomeOf(latestRule) }
  }

  #evaluate(rule: AlertRule, view: MarketView, isLate: boolean): void {
    const { index, clock } = this.#deps
    const { price, quotedAt, market } = view
    const { rule: next, fires } = evaluatePriceRule(rule, { price, quotedAt }, clock.now())
    index.put(next, market)
    const isChanged =
      next.conditionTrue !== rule.conditionTrue || next.suppressedCount !== rule.suppressedCount
    if (!isChanged) return
    const firing = fires
      ? { view, regimeLabel: this.#deps.regimeOf(view), isLate, item: null, at: clock.now() }
      : null
    this.#enqueue(rule, async () => {
      try {
        await this.#write(next, firing)
      } catch (error) {
        // Nothing was stored: the next quote evaluates the rule as before.
        index.put(rule, market)
        throw error
      }
    })
  }

  /** Writes an evaluation unless the rule was changed or removed meanwhile. */
  async #write(
    next: AlertRule,
    firing: (FiringSnapshot & { readonly at: Millis }) | null,
  ): Promise<void> {
    const { store, index, flushWebhooks } = this.#deps
    const storedRule = await store.rule(next.userId, next.id)
    if (storedRule === null) return index.remove(next.id)
    const isSame =
      storedRule.threshold === next.threshold && storedRule.condition === next.condition
    if (storedRule.state !== 'active' || !isSame) return
    const rule = { ...storedRule, ...outcomeOf(next) }
    if (firing === null) {
      await store.fire(rule, null, null)
      return
    }
    const object = await store.object(rule.userId, rule.objectId)
    const event = firedEvent(rule, object, firing, firing.at)
    const target = targetOf(rule)
    const dedupeKey = firingKey(rule, firing.at)
    const notice = target === null ? noticeOf(event, dedupeKey) : null
    const deliveryTarget = target === null ? undefined : { ...target, dedupeKey }
    await store.fire(rule, notice, event, deliveryTarget)
    flushWebhooks()
  }

  /**
   * A firing of a rule was delivered to its target or has failed for good: five failures in a row
   * pause the rule with a notice.
   */
  recordEnd({ userId, ruleId, channel, endpointId, status, isTest }: Delivery): void {
    if (ruleId === null || isTest) return
    this.#enqueue({ userId, id: ruleId }, async () => {
      const { store, index, clock, flushWebhooks } = this.#deps
      const storedRule = await store.rule(userId, ruleId)
      if (storedRule?.channel !== channel || storedRule.endpointId !== endpointId) return
      const failureCount = status === 'delivered' ? 0 : storedRule.failureCount + 1
      if (failureCount === storedRule.failureCount) return
      const failedRule = { ...this.newest(storedRule), failureCount, updatedAt: clock.now() }
      const isPaused = failureCount >= MAX_FAILURES && storedRule.state === 'active'
      if (!isPaused) {
        await store.fire(failedRule, null, null)
        return
      }
      const pausedRule: AlertRule = {
        ...failedRule,
        state: 'paused',
        pausedReason: 'endpoint_consecutive_failures',
      }
      const event = pausedEvent(pausedRule, clock.now())
      await store.fire(pausedRule, null, event)
      index.remove(pausedRule.id)
      flushWebhooks()
    })
  }

  /** An endpoint was deleted: rules that name it are paused. */
  async pauseRulesOfEndpoint(userId: string, endpointId: string): Promise<void> {
    const { store, index, clock, userQueue } = this.#deps
    await userQueue.run(userId, async () => {
      for (const rule of await store.rulesOfEndpoint(userId, endpointId)) {
        const now = clock.now()
        const pausedRule: AlertRule = {
          ...this.newest(rule),
          state: 'paused',
          pausedReason: 'endpoint_gone',
          updatedAt: now,
        }
        const message = `Alert ${rule.label} paused: its webhook endpoint was deleted`
        await store.fire(pausedRule, plainNotice({ userId, ruleId: rule.id }, message, now), null)
        index.remove(pausedRule.id)
      }
    })
  }

  #archive(rule: AlertRule): void {
    const { store, index, clock } = this.#deps
    index.remove(rule.id)
    this.#enqueue(rule, async () => {
      const storedRule = await store.rule(rule.userId, rule.id)
      if (storedRule === null || storedRule.state === 'archived') return
      await store.put(null, { ...storedRule, state: 'archived', updatedAt: clock.now() })
    })
  }

  #enqueue({ userId, id }: Pick<AlertRule, 'userId' | 'id'>, work: () => Promise<void>): void {
    const { userQueue, log } = this.#deps
    userQueue.run(userId, work).catch((error: unknown) => {
      log.error({ err: error, rule: id }, 'an alert rule could not be processed')
    })
  }
}

/** The fields that an evaluation changes. */
const outcomeOf = (rule: AlertRule) => ({
  conditionTrue: rule.conditionTrue,
  fireCount: rule.fireCount,
  suppressedCount: rule.suppressedCount,
  lastFiredAt: rule.lastFiredAt,
  lastEvaluatedAt: rule.lastEvaluatedAt,
  updatedAt: rule.updatedAt,
})
