import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { HistoryStore, MarketId } from '../history/history-store.ts'
import type { TradePrinted } from '../venues/connector.ts'
import { RecentIds } from './dedupe.ts'

const REMEMBERED = 100_000

/** Tells trades that are new from those seen in this run or stored by an earlier one. */
export class NewTrades {
  readonly #history: HistoryStore
  readonly #seen: Record<Venue, RecentIds> = {
    venue_a: new RecentIds(REMEMBERED),
    venue_b: new RecentIds(REMEMBERED),
  }
  readonly #storedUntil: Partial<Record<Venue, Millis>> = {}
  /** Trades refused so far. */
  duplicates = 0

  constructor(history: HistoryStore) {
    this.#history = history
  }

  /** Learns up to when an earlier run stored trades; only those need a look into history. */
  async resume(venues: readonly Venue[]): Promise<void> {
    for (const venue of venues) {
      const newest = await this.#history.newestTradeAt(venue)
      if (newest !== null) this.#storedUntil[venue] = newest
    }
  }

  /** The new ones among trades of known markets; those of unknown markets are left out. */
  async among(
    trades: readonly TradePrinted[],
    marketOf: (trade: TradePrinted) => MarketId | null,
  ): Promise<ReadonlySet<TradePrinted>> {
    const fresh = new Set<TradePrinted>()
    const perhapsStored = new Map<MarketId, TradePrinted[]>()
    for (const trade of trades) {
      const market = marketOf(trade)
      if (market === null) continue
      if (!this.#seen[trade.venue].add(trade.tradeId)) {
        this.duplicates += 1
        continue
      }
      fresh.add(trade)
      const storedUntil = this.#storedUntil[trade.venue]
      if (storedUntil === undefined || trade.at > storedUntil) continue
      const sameMarket = perhapsStored.get(market)
      if (sameMarket === undefined) perhapsStored.set(market, [trade])
      else sameMarket.push(trade)
    }
    for (const [market, candidates] of perhapsStored) {
      const ids = candidates.map((trade) => trade.tradeId)
      const stored = await this.#history.knownTrades(market, ids)
      for (const trade of candidates) {
        if (!stored.has(trade.tradeId)) continue
        fresh.delete(trade)
        this.duplicates += 1
      }
    }
    return fresh
  }
}
