import type { MarketView } from '../../../computed/market-board.ts'
import type { Ticker, Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { CandleRow } from '../../../history/market-rows.ts'
import type { MoverWindow, V1Book, V1Mover, V1Trade } from '../v1.types.ts'

/** A market that topics are about. */
export interface TopicMarket {
  readonly market: MarketId
  readonly venue: Venue
  readonly ticker: Ticker
}

/** Where topics read the states that they then follow. */
export interface SocketSources {
  /** False until the first load: nobody is let in before. */
  readonly isReady: () => boolean
  /** The market behind a ticker or another name of it, or null. */
  find(name: string): Promise<TopicMarket | null>
  /** The market now; at once where it trades. */
  view(market: TopicMarket): MarketView | null | Promise<MarketView | null>
  /** The newest book; empty sides where none is known. */
  book(market: TopicMarket, depth: number): Promise<V1Book>
  /** Whether nothing confirms now that the book stands. */
  isStale(market: TopicMarket): boolean
  /** The newest trades, newest first. */
  trades(market: TopicMarket, limit: number): Promise<readonly V1Trade[]>
  /** Bars that start before `before`, oldest first, from what was known at `asOf`. */
  candles(
    market: TopicMarket,
    query: { width: Millis; asOf: Millis; before: Millis; limit: number },
  ): Promise<readonly CandleRow[]>
  /** Movers of a window, both directions, by size of the change. */
  movers(window: MoverWindow, limit: number): Promise<readonly V1Mover[]>
  /** Null while there is no world: its topics are unknown then. */
  readonly world: WorldFeed | null
}

/** The stored world snapshots, for topics `world` and `world:<path>`. */
export interface WorldFeed {
  /** Whether a path names a region. */
  knows(path: string): boolean
  /** The newest stored snapshot of a path in its anonymous form, and its instant. */
  latest(path: string): Promise<{ readonly at: Millis; readonly data: object }>
  /** Body of the delta between two stored snapshots, with `salient`; null when it cannot be told. */
  between(path: string, from: Millis, to: Millis): object | null
  /** Hears the instant of each newly stored snapshot; returns how to stop. */
  onStored(listener: (at: Millis) => void): () => void
}

/** Time of the data, and time that only grows for what is bound to the process. */
export interface TopicTime {
  now(): Millis
  monotonic(): number
}
