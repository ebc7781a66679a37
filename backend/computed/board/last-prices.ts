import { centsOf, HOUR, MINUTE, wholeMinute, type Cents, type Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ActivityReported, TradePrinted } from '../../venues/connector.ts'
import { PriceRing } from './price-ring.ts'
import type { ReferencePrices } from './reference-prices.ts'

/** Memory covers the default window of movers, plus a margin for the whole minute. */
const MEMORY_SPAN = (HOUR + 5 * MINUTE) as Millis

/** Last prices of a past instant; null for a market that was unpriced or unknown. */
export type LastPriceOf = (market: MarketId) => Cents | null

/**
 * Last prices at a past instant for all live markets: from memory if the process has run long
 * enough, otherwise from history. Both return the last price known at the whole minute at or before
 * the instant, so a restart changes no answer.
 */
export class LastPrices {
  readonly #reference: Pick<ReferencePrices, 'pricesAt'>
  readonly #ring = new PriceRing(MEMORY_SPAN)
  /** The first whole minute from which all prices were received. */
  #since: Millis
  #base: Promise<void> | null = null
  readonly #clock: Clock

  constructor(deps: { reference: Pick<ReferencePrices, 'pricesAt'>; clock: Clock }) {
    this.#reference = deps.reference
    this.#clock = deps.clock
    this.#since = this.#nextMinute()
  }

  recordTrade(market: MarketId, event: TradePrinted): void {
    if (event.isBlock) return
    this.#ring.record(market, {
      price: centsOf(event.price),
      ts: event.at,
      knownAt: event.receivedAt,
      tradeId: event.tradeId,
    })
  }

  recordActivity(market: MarketId, { lastPrice, at, receivedAt }: ActivityReported): void {
    if (lastPrice === null) return
    const price = centsOf(lastPrice)
    this.#ring.record(market, { price, ts: at, knownAt: receivedAt, tradeId: null })
  }

  /** Removes an ended market. */
  remove(market: MarketId): void {
    this.#ring.remove(market)
  }

  /** Older history arrived or was corrected: prices received until now are read from history. */
  invalidate(): void {
    this.#ring.clear()
    this.#since = this.#nextMinute()
    this.#base = null
  }

  /** @param instant a past instant, rounded down to the minute */
  async at(instant: Millis): Promise<LastPriceOf> {
    const minute = wholeMinute(instant)
    if (minute < Math.max(this.#since, this.#clock.now() - MEMORY_SPAN)) {
      const then = await this.#reference.pricesAt(minute)
      return (market) => then.get(market)?.last?.price ?? null
    }
    await this.#mergeBase()
    // Prices of the ring that were dropped meanwhile are in history.
    if (minute < this.#since) return this.at(minute)
    return (market) => this.#ring.at(market, minute)
  }

  /** Merges the prices from before the process started into the ring, once. */
  #mergeBase(): Promise<void> {
    this.#base ??= this.#readBase().catch((error: unknown) => {
      this.#base = null
      throw error
    })
    return this.#base
  }

  async #readBase(): Promise<void> {
    const since = this.#since
    for (const [market, { last }] of await this.#reference.pricesAt(since)) {
      if (last === null || since !== this.#since) continue
      const { price, ts, isTrade } = last
      this.#ring.record(market, { price, ts, knownAt: since, tradeId: isTrade ? '' : null })
    }
  }

  #nextMinute(): Millis {
    return (Math.ceil(this.#clock.now() / MINUTE) * MINUTE) as Millis
  }
}
