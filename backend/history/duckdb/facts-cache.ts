import type { MarketId } from '../market-key.ts'
import type { MarketRecord } from '../market-rows.ts'

/** What tells a stored version of a market's facts from another, and what is told with it. */
export interface FactsVersionKey {
  readonly market: MarketId
  readonly knownAt: number
  readonly seq: number
  /** An import may bring older versions: the same facts were then first seen earlier. */
  readonly firstSeenAt: number
}

interface Held {
  readonly key: FactsVersionKey
  readonly record: WeakRef<MarketRecord>
}

/**
 * The version of each market that was read last, for as long as somebody holds it: most facts stay
 * the same from one board to the next, and reading their texts is what a board costs.
 */
export class FactsCache {
  readonly #held = new Map<MarketId, Held>()

  /** The very record that was read before, or null. */
  get(key: FactsVersionKey): MarketRecord | null {
    const held = this.#held.get(key.market)
    const isSame =
      held !== undefined &&
      held.key.seq === key.seq &&
      held.key.knownAt === key.knownAt &&
      held.key.firstSeenAt === key.firstSeenAt
    return isSame ? (held.record.deref() ?? null) : null
  }

  put(key: FactsVersionKey, record: MarketRecord): void {
    this.#held.set(key.market, { key, record: new WeakRef(record) })
  }
}
