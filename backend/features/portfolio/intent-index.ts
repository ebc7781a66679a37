import { isOpen, type Intent } from '../../domain/portfolio/intent.ts'
import type { Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'

interface IndexedIntent {
  readonly intent: Intent
  readonly market: MarketId | null
}

/**
 * Index of open intents in memory, so that a quote finds the intents of its market without a read.
 */
export class IntentIndex {
  readonly #byId = new Map<string, IndexedIntent>()
  readonly #byMarket = new Map<MarketId, Set<string>>()
  readonly #retryAt = new Map<string, Millis>()

  /** Adds or updates an intent; one that has ended is removed. */
  put(intent: Intent, market: MarketId | null): void {
    const { id } = intent
    if (!isOpen(intent)) return this.remove(id)
    this.#byId.set(id, { intent, market })
    if (market === null) return
    const ids = this.#byMarket.get(market)
    if (ids === undefined) this.#byMarket.set(market, new Set([id]))
    else ids.add(id)
  }

  remove(id: string): void {
    const existing = this.#byId.get(id)
    this.#byId.delete(id)
    this.#retryAt.delete(id)
    if (existing === undefined || existing.market === null) return
    const ids = this.#byMarket.get(existing.market)
    ids?.delete(id)
    if (ids?.size === 0) this.#byMarket.delete(existing.market)
  }

  *intentsOfMarket(market: MarketId): Generator<Intent> {
    for (const id of this.#byMarket.get(market) ?? []) {
      const existing = this.#byId.get(id)
      if (existing !== undefined) yield existing.intent
    }
  }

  *intentsOfUser(userId: string): Generator<Intent> {
    for (const { intent } of this.#byId.values()) if (intent.userId === userId) yield intent
  }

  /** Schedules another check of an intent at an instant. */
  retry(id: string, at: Millis): void {
    if (this.#byId.has(id)) this.#retryAt.set(id, at)
  }

  /** Clears a scheduled check, because the intent is being checked now. */
  clearRetry(id: string): void {
    this.#retryAt.delete(id)
  }

  /** When the next check is due; null if none is. */
  nextDue(): Millis | null {
    let next: Millis | null = null
    for (const { intent } of this.#byId.values()) {
      const dueAt = this.#dueOf(intent)
      if (next === null || dueAt < next) next = dueAt
    }
    return next
  }

  dueIntents(now: Millis): Intent[] {
    return [...this.#byId.values()]
      .map(({ intent }) => intent)
      .filter((intent) => this.#dueOf(intent) <= now)
  }

  #dueOf({ id, status, triggerType, triggerAt, softCondition, expireAt }: Intent): Millis {
    const byTime = status === 'armed' && triggerType === 'time' && softCondition === null
    const at = byTime && triggerAt !== null ? triggerAt : expireAt
    return Math.min(at, this.#retryAt.get(id) ?? at) as Millis
  }
}
