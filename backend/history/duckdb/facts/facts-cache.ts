import type { MarketId } from '../../market-key.ts'
import type { MarketRecord } from '../../market-rows.ts'

/** Identifies a stored version of a market's facts, with the data returned beside it. */
export interface FactsVersionKey {
  readonly market: MarketId
  readonly knownAt: number
  readonly seq: number
  /** An import may add older versions, which makes the same facts first seen earlier. */
  readonly firstSeenAt: number
}

interface CacheEntry {
  readonly key: FactsVersionKey
  readonly record: WeakRef<MarketRecord>
}

/**
 * The last read version of each market, while it is referenced elsewhere: most facts do not change
 * from one board to the next, and reading their texts is the main cost of a board.
 */
export class FactsCache {
  readonly #entries = new Map<MarketId, CacheEntry>()

  /** An import may add older versions, which changes when the same facts were first seen. */
  get(key: FactsVersionKey): MarketRecord | null {
    const existing = this.#entries.get(key.market)
    const isSame =
      existing !== undefined &&
      existing.key.seq === key.seq &&
      existing.key.knownAt === key.knownAt &&
      existing.key.firstSeenAt === key.firstSeenAt
    return isSame ? (existing.record.deref() ?? null) : null
  }

  put(key: FactsVersionKey, record: MarketRecord): void {
    this.#entries.set(key.market, { key, record: new WeakRef(record) })
  }
}
