import type { MarketFacts, Ticker } from '../../domain/market.ts'
import type { SizeE6 } from '../../domain/units.ts'
import type { VenueEvent } from '../connector.ts'

/** The latest facts of active markets, for messages that contain only a part. */
export class MarketFactsCache {
  readonly #facts = new Map<Ticker, MarketFacts>()
  readonly #shards = new Map<Ticker, number>()
  readonly #volume24h = new Map<Ticker, SizeE6>()

  facts(ticker: Ticker): MarketFacts | null {
    return this.#facts.get(ticker) ?? null
  }

  volume24h(ticker: Ticker): SizeE6 | null {
    return this.#volume24h.get(ticker) ?? null
  }

  /** Markets on these shards of the exchange. */
  marketsOfShards(shards: ReadonlySet<number>): Ticker[] {
    return [...this.#shards].filter(([, shard]) => shards.has(shard)).map(([ticker]) => ticker)
  }

  /** Must be called before `addFacts`, which drops markets that are no longer of interest. */
  addShards(shards: Iterable<readonly [Ticker, number]>): void {
    for (const [ticker, shard] of shards) this.#shards.set(ticker, shard)
  }

  addFrom(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (event.type === 'market_described') this.addFacts(event.facts)
      if (event.type !== 'activity_reported' || event.volume24h === null) continue
      if (this.#facts.has(event.ticker))
        this.#volume24h.set(event.ticker, event.volume24h as SizeE6)
    }
  }

  /** Settled markets no longer change: their facts are dropped. */
  addFacts(facts: MarketFacts): void {
    if (facts.status !== 'settled') return void this.#facts.set(facts.ticker, facts)
    this.#facts.delete(facts.ticker)
    this.#shards.delete(facts.ticker)
    this.#volume24h.delete(facts.ticker)
  }
}
