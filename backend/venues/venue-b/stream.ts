import type { Ticker } from '../../domain/market.ts'
import { MINUTE, SECOND } from '../../domain/units.ts'
import { sleepUnless } from '../../lib/clock.ts'
import type { VenueStream } from '../connector.ts'
import { Shard, type ShardOptions } from './shard.ts'

/** With more assets on a connection the venue is slow to send the first books. */
const ASSETS_PER_CONNECTION = 200

export interface StreamOptions extends ShardOptions {
  /**
   * Asset of each market's YES; markets without one are left out. May send requests to the venue.
   */
  readonly resolveAssets: (tickers: readonly Ticker[]) => Promise<ReadonlyMap<Ticker, string>>
}

/** A connection is replaced about this often: old ones have been seen to freeze silently. */
const RENEWAL_INTERVAL = 20 * MINUTE
/** A successor without all books after this many checks, one per second, is dropped. */
const MAX_CHECKS = 30

/**
 * The live stream: the YES assets of the followed markets, spread over connections. Each
 * connection is replaced by a new one after about twenty minutes, which receives its books before
 * the old one closes.
 */
export class VenueBStream implements VenueStream {
  readonly #options: StreamOptions
  readonly #shards: Shard[] = []
  #tickers: readonly Ticker[] = []
  #settling: Promise<void> = Promise.resolve()
  readonly #closing = new AbortController()

  constructor(options: StreamOptions) {
    this.#options = options
  }

  get isDelivering(): boolean {
    return this.#shards.some((shard) => shard.isDelivering)
  }

  /** Whether the asset's book is live. */
  hasBook(asset: string): boolean {
    return this.#shards.some((shard) => shard.hasBook(asset))
  }

  follow(tickers: readonly Ticker[]): void {
    this.#tickers = tickers
    this.#settling = this.#settling.then(() => this.#settle())
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#shards.map((shard) => shard.close()))
  }

  /** Adjusts the connections to the wanted assets. */
  async #settle(): Promise<void> {
    const followedTickers = new Map<string, Ticker>()
    for (const [ticker, asset] of await this.#options.resolveAssets(this.#tickers)) {
      followedTickers.set(asset, ticker)
    }
    if (this.#closing.signal.aborted) return
    for (const shard of this.#shards) {
      for (const asset of shard.assets.keys()) {
        if (!followedTickers.delete(asset)) shard.remove(asset)
      }
    }
    this.#assign([...followedTickers])
  }

  #assign(newAssignments: readonly (readonly [string, Ticker])[]): void {
    const left = [...newAssignments]
    for (const shard of this.#shards) {
      const capacity = ASSETS_PER_CONNECTION - shard.assets.size
      if (capacity > 0 && left.length > 0) shard.add(new Map(left.splice(0, capacity)))
    }
    while (left.length > 0) {
      const shard = new Shard(this.#options)
      shard.add(new Map(left.splice(0, ASSETS_PER_CONNECTION)))
      this.#shards.push(shard)
      void this.#renewLater(shard)
    }
  }

  /** Connections opened together are not replaced together. */
  async #renewLater(shard: Shard): Promise<void> {
    const { clock, random } = this.#options
    const closeSignal = this.#closing.signal
    while (await sleepUnless(closeSignal, clock, RENEWAL_INTERVAL * (0.75 + random() / 2))) {
      if (shard.assets.size === 0) continue
      const successor = new Shard(this.#options)
      if ((await this.#takesOver(successor, shard)) && !closeSignal.aborted) {
        this.#shards[this.#shards.indexOf(shard)] = successor
        void this.#renewLater(successor)
        // The new connection has everything that the old one missed at its end.
        this.#options.handlers.onRecovered(clock.now(), [...successor.assets.values()])
        return shard.close()
      }
      await successor.close()
    }
  }

  /** Whether the new connection receives every book of the old one. */
  async #takesOver(successor: Shard, shard: Shard): Promise<boolean> {
    for (let check = 0; check < MAX_CHECKS; check += 1) {
      const newAssets = [...shard.assets].filter(([asset]) => !successor.assets.has(asset))
      if (newAssets.length > 0) successor.add(new Map(newAssets))
      for (const asset of successor.assets.keys())
        if (!shard.assets.has(asset)) successor.remove(asset)
      const isMissing = (asset: string): boolean =>
        shard.hasBook(asset) && !successor.hasBook(asset)
      if (successor.isDelivering && ![...shard.assets.keys()].some(isMissing)) return true
      if (!(await sleepUnless(this.#closing.signal, this.#options.clock, SECOND))) return false
    }
    return false
  }
}
