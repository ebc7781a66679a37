import type { AlertRule } from '../../domain/alerts/alert-rule.ts'
import type { MarketId } from '../../history/market-key.ts'

/** Active rules in memory by their market, so that a quote finds its rules without a read. */
export class AlertIndex {
  readonly #byId = new Map<string, { readonly rule: AlertRule; readonly market: MarketId }>()
  readonly #byMarket = new Map<MarketId, Set<string>>()

  get size(): number {
    return this.#byId.size
  }

  /** Adds or replaces a rule; one that is not active is removed. */
  put(rule: AlertRule, market: MarketId): void {
    if (rule.state !== 'active') return this.remove(rule.id)
    this.#byId.set(rule.id, { rule, market })
    const ids = this.#byMarket.get(market)
    if (ids === undefined) this.#byMarket.set(market, new Set([rule.id]))
    else ids.add(rule.id)
  }

  remove(id: string): void {
    const existing = this.#byId.get(id)
    if (existing === undefined) return
    this.#byId.delete(id)
    const ids = this.#byMarket.get(existing.market)
    ids?.delete(id)
    if (ids?.size === 0) this.#byMarket.delete(existing.market)
  }

  get(id: string): AlertRule | null {
    return this.#byId.get(id)?.rule ?? null
  }

  removeIf(shouldRemove: (rule: AlertRule) => boolean): void {
    for (const { rule } of [...this.#byId.values()]) if (shouldRemove(rule)) this.remove(rule.id)
  }

  rulesOfMarket(market: MarketId): AlertRule[] {
    const ids = this.#byMarket.get(market)
    if (ids === undefined) return []
    return [...ids].flatMap((id) => this.#byId.get(id)?.rule ?? [])
  }
}
