import { MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'

/** A last price that became known: a trade's, or the venue's statement without a recorded trade. */
export interface KnownPrice {
  readonly price: Cents
  /** When it was traded or stated. */
  readonly ts: Millis
  /** When it became known. */
  readonly knownAt: Millis
  /** Null for a price that the venue only stated; any trade takes precedence. */
  readonly tradeId: string | null
}

interface Entry extends KnownPrice {
  /** The first whole minute at which it was known. */
  readonly minute: number
}

/**
 * Last prices of the recent whole minutes, by market. The price at a minute is that of the newest
 * trade known by then, by (ts, trade id) and not by arrival, so that it equals the answer of
 * history for that minute. A market uses memory only for minutes in which its price changed.
 */
export class PriceRing {
  readonly #span: Millis
  readonly #markets = new Map<MarketId, Entry[]>()

  /** @param span length of the window; older minutes are dropped */
  constructor(span: Millis) {
    this.#span = span
  }

  /** Number of markets with a price. */
  get size(): number {
    return this.#markets.size
  }

  /** Adds a price; prices may arrive in any order. */
  record(market: MarketId, knownPrice: KnownPrice): void {
    const entry = {
      ...knownPrice,
      minute: Math.ceil(Math.max(knownPrice.ts, knownPrice.knownAt) / MINUTE),
    }
    const existing = this.#markets.get(market)
    if (existing === undefined) {
      this.#markets.set(market, [entry])
      return
    }
    // Entries ascend both by minute and by age of the price: an older price that becomes known
    // later is dropped.
    const index = existing.findLastIndex(({ minute }) => minute <= entry.minute) + 1
    const previous = existing[index - 1]
    if (previous !== undefined && isNewer(previous, entry)) return
    let start = index
    while (existing[start - 1]?.minute === entry.minute) start -= 1
    let end = index
    for (
      let next = existing[end];
      next !== undefined && !isNewer(next, entry);
      next = existing[end]
    )
      end += 1
    existing.splice(start, end - start, entry)
    this.#dropBefore(existing)
  }

  /** The last price at the whole minute at or before `at`; null when none was known. */
  at(market: MarketId, at: Millis): Cents | null {
    const endMinute = Math.floor(at / MINUTE)
    return this.#markets.get(market)?.findLast(({ minute }) => minute <= endMinute)?.price ?? null
  }

  /** Removes an ended market. */
  remove(market: MarketId): void {
    this.#markets.delete(market)
  }

  clear(): void {
    this.#markets.clear()
  }

  /** Keeps what a minute within the span may need: the newest older entry and all younger ones. */
  #dropBefore(entries: Entry[]): void {
    const newest = entries.at(-1)
    if (newest === undefined) return
    const oldestRequested = newest.minute - Math.ceil(this.#span / MINUTE)
    const firstNeeded = entries.findLastIndex(({ minute }) => minute <= oldestRequested)
    if (firstNeeded > 0) entries.splice(0, firstNeeded)
  }
}

/** Whether `a` is the newer price: a trade over a statement, then by time, then by trade id. */
function isNewer(a: KnownPrice, b: KnownPrice): boolean {
  if ((a.tradeId === null) !== (b.tradeId === null)) return a.tradeId !== null
  if (a.ts !== b.ts) return a.ts > b.ts
  return (a.tradeId ?? '') > (b.tradeId ?? '')
}
