import { MINUTE, type Cents, type Millis } from '../domain/units.ts'
import type { MarketId } from '../history/market-key.ts'

/** A last price that became known: a trade's, or what the venue stated where no trade is on file. */
export interface KnownPrice {
  readonly price: Cents
  /** When it was traded or stated. */
  readonly ts: Millis
  /** When it became known. */
  readonly knownAt: Millis
  /** Null for a price that the venue only stated; any trade goes before it. */
  readonly tradeId: string | null
}

interface Entry extends KnownPrice {
  /** The first whole minute at which it was known. */
  readonly minute: number
}

/**
 * Last prices at the whole minutes of the near past, by market. The price at a minute is that of the
 * newest trade known by then, by (ts, trade id) and not by arrival, so that it equals what history
 * answers about the same minute. A market takes room for the minutes in which its price was news, not
 * for every minute.
 */
export class PriceRing {
  readonly #span: Millis
  readonly #markets = new Map<MarketId, Entry[]>()

  /** @param span how far back minutes are asked for; older ones are forgotten */
  constructor(span: Millis) {
    this.#span = span
  }

  /** Markets of which a price is held. */
  get size(): number {
    return this.#markets.size
  }

  /** Takes a price, in whatever order prices arrive. */
  note(market: MarketId, known: KnownPrice): void {
    const entry = { ...known, minute: Math.ceil(Math.max(known.ts, known.knownAt) / MINUTE) }
    const held = this.#markets.get(market)
    if (held === undefined) {
      this.#markets.set(market, [entry])
      return
    }
    // Entries ascend by minute and by age of the price at once: what is later known but older is none.
    const place = held.findLastIndex(({ minute }) => minute <= entry.minute) + 1
    const before = held[place - 1]
    if (before !== undefined && isNewer(before, entry)) return
    let start = place
    while (held[start - 1]?.minute === entry.minute) start -= 1
    let end = place
    for (let next = held[end]; next !== undefined && !isNewer(next, entry); next = held[end])
      end += 1
    held.splice(start, end - start, entry)
    this.#forgetBefore(held)
  }

  /** The last price at the whole minute at or before `at`; null when none was known. */
  at(market: MarketId, at: Millis): Cents | null {
    const asked = Math.floor(at / MINUTE)
    return this.#markets.get(market)?.findLast(({ minute }) => minute <= asked)?.price ?? null
  }

  /** Drops a market: it has ended. */
  remove(market: MarketId): void {
    this.#markets.delete(market)
  }

  clear(): void {
    this.#markets.clear()
  }

  /** Keeps what a minute within the span may need: the newest entry older than it, and the younger. */
  #forgetBefore(held: Entry[]): void {
    const newest = held.at(-1)
    if (newest === undefined) return
    const oldestAsked = newest.minute - Math.ceil(this.#span / MINUTE)
    const kept = held.findLastIndex(({ minute }) => minute <= oldestAsked)
    if (kept > 0) held.splice(0, kept)
  }
}

/** Whether `a` is the newer price: a trade before a statement, then by time, then by trade id. */
function isNewer(a: KnownPrice, b: KnownPrice): boolean {
  if ((a.tradeId === null) !== (b.tradeId === null)) return a.tradeId !== null
  if (a.ts !== b.ts) return a.ts > b.ts
  return (a.tradeId ?? '') > (b.tradeId ?? '')
}
