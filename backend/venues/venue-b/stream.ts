import type { Ticker } from '../../domain/market.ts'
import type { VenueStream } from '../connector.ts'
import { Shard, type ShardOptions } from './shard.ts'

/** Above this many assets a connection the venue is slow to send the first books. */
const ASSETS_PER_CONNECTION = 200

export interface StreamOptions extends ShardOptions {
  /** Asset of each market's YES; markets without one are left out. May have to ask the venue. */
  readonly resolveAssets: (tickers: readonly Ticker[]) => Promise<ReadonlyMap<Ticker, string>>
}

/** The live stream: the YES assets of the followed markets, spread over connections. */
export class VenueBStream implements VenueStream {
  readonly #options: StreamOptions
  readonly #shards: Shard[] = []
  #wanted: readonly Ticker[] = []
  #settling: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
  }

  get isDelivering(): boolean {
    return this.#shards.some((shard) => shard.isDelivering)
  }

  /** Whether the asset's book is held live. */
  hasBook(asset: string): boolean {
    return this.#shards.some((shard) => shard.hasBook(asset))
  }

  follow(tickers: readonly Ticker[]): void {
    this.#wanted = tickers
    this.#settling = this.#settling.then(() => this.#settle())
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#shards.map((shard) => shard.close()))
  }

  /** Brings the connections to what is wanted now. */
  async #settle(): Promise<void> {
    const wanted = new Map<string, Ticker>()
    for (const [ticker, asset] of await this.#options.resolveAssets(this.#wanted)) {
      wanted.set(asset, ticker)
    }
    if (this.#closed) return
    for (const shard of this.#shards) {
      for (const asset of shard.assets.keys()) {
        if (!wanted.delete(asset)) shard.remove(asset)
      }
    }
    this.#place([...wanted])
  }

  #place(added: readonly (readonly [string, Ticker])[]): void {
    const left = [...added]
    for (const shard of this.#shards) {
      const room = ASSETS_PER_CONNECTION - shard.assets.size
      if (room > 0 && left.length > 0) shard.add(new Map(left.splice(0, room)))
    }
    while (left.length > 0) {
      const shard = new Shard(this.#options)
      shard.add(new Map(left.splice(0, ASSETS_PER_CONNECTION)))
      this.#shards.push(shard)
    }
  }
}
