import { createHash } from 'node:crypto'
import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { evaluatePriceRule, isPriceRule, type AlertRule } from '../../domain/alerts/alert-rule.ts'
import { roundTo, SECOND, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { AlertIndex } from './alert-index.ts'
import type { AlertDelivery, WatchStore } from './watch.store.ts'

export interface AlertRunnerDeps {
  readonly store: WatchStore
  readonly index: AlertIndex
  readonly lanes: PerUserQueue
  readonly board: MarketBoard
  readonly clock: Clock
  readonly log: Logger
}

/** The text of a notice. */
export const alertText = (rule: AlertRule, view: MarketView | null, isLate: boolean): string => {
  const title = view?.facts.title ?? rule.ticker ?? rule.label
  const price = view?.price ?? null
  const now = price === null ? 'price unknown' : `${roundTo(price, 1)}¢`
  const side = rule.condition === 'price_above' ? 'at or above' : 'at or below'
  const late = isLate ? ', reached while the service was off' : ''
  return `${title}: ${now}, ${side} ${rule.threshold ?? ''}¢${late}`
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
      if (view !== null) this.note(rule, view, true)
    }
  }

  /** Takes the stored state of a rule, and evaluates it if it is active. */
  note(rule: AlertRule, view: MarketView, isLate = false): void {
    this.#deps.index.put(rule, view.market)
    if (rule.state !== 'active') return
    this.#evaluate(rule, view, isLate)
    if (view.status === 'settled') this.#archive(rule)
  }

  /** A venue sent or confirmed a quote of a market. */
  onQuote(market: MarketId): void {
    const rules = this.#deps.index.ofMarket(market)
    if (rules.length === 0) return
    const view = this.#deps.board.live().get(rules[0]?.ticker ?? '')
    if (view === null) return
    for (const rule of rules) this.#evaluate(rule, view, false)
  }

  /** The rules of a settled market are archived after a last evaluation. */
  onFacts({ market, facts }: MarketRecord): void {
    if (facts.status !== 'settled') return
    this.onQuote(market)
    for (const rule of this.#deps.index.ofMarket(market)) this.#archive(rule)
  }

  /** The rule as last evaluated, which may be newer than its stored row. */
  newest(rule: AlertRule): AlertRule {
    const evaluated = this.#deps.index.get(rule.id)
    return evaluated === null ? rule : { ...rule, ...outcomeOf(evaluated) }
  }

  #evaluate(rule: AlertRule, view: MarketView, isLate: boolean): void {
    const { index, clock } = this.#deps
    if (!isPriceRule(rule)) return
    const { price, quotedAt, market } = view
    const { rule: next, fires } = evaluatePriceRule(rule, { price, quotedAt }, clock.now())
    index.put(next, market)
    const isChanged =
      next.conditionTrue !== rule.conditionTrue || next.suppressedCount !== rule.suppressedCount
    if (!isChanged) return
    const delivery = fires ? deliveryOf(next, alertText(next, view, isLate), clock.now()) : null
    this.#keep(rule, async () => {
      try {
        await this.#write(next, delivery)
      } catch (error) {
        // Nothing was stored: the next quote evaluates the rule as before.
        index.put(rule, market)
        throw error
      }
    })
  }

  /** Writes an evaluation unless the rule was changed or removed meanwhile. */
  async #write(next: AlertRule, delivery: AlertDelivery | null): Promise<void> {
    const { store, index } = this.#deps
    const stored = await store.rule(next.userId, next.id)
    if (stored === null) return index.remove(next.id)
    const isSame = stored.threshold === next.threshold && stored.condition === next.condition
    if (stored.state !== 'active' || !isSame) return
    await store.fire({ ...stored, ...outcomeOf(next) }, delivery)
  }

  #archive(rule: AlertRule): void {
    const { store, index, clock } = this.#deps
    index.remove(rule.id)
    this.#keep(rule, async () => {
      const stored = await store.rule(rule.userId, rule.id)
      if (stored === null || stored.state === 'archived') return
      await store.put(null, { ...stored, state: 'archived', updatedAt: clock.now() })
    })
  }

  #keep({ userId, id }: AlertRule, work: () => Promise<void>): void {
    const { lanes, log } = this.#deps
    lanes.run(userId, work).catch((error: unknown) => {
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

/** A delivery on the desktop: it is delivered once it is stored, because the terminal shows it. */
export function deliveryOf(
  rule: AlertRule,
  message: string,
  now: Millis,
  isTest = false,
): AlertDelivery {
  const { id, userId, channel, endpointId, windowSeconds, ticker } = rule
  const window = Math.floor(now / (windowSeconds * SECOND))
  const key = createHash('sha256').update(JSON.stringify([id, channel, endpointId, window]))
  return {
    id: newId('del', now),
    userId,
    eventId: newId('evt', now),
    event: 'alert.fired',
    channel,
    ruleId: id,
    ticker,
    status: 'delivered',
    attempts: 1,
    lastError: null,
    isTest,
    message,
    dedupeKey: isTest ? null : key.digest('hex'),
    createdAt: now,
    finishedAt: now,
  }
}
