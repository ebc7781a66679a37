import type { MarketView } from '../../../computed/board/market-board.ts'
import type { Ticker, Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { CandleRow } from '../../../history/market-rows.ts'
import type { MoverWindow, V1Book, V1Mover, V1Trade } from '../../../contract/data-service.ts'

/** The market of a topic. */
export interface TopicMarket {
  readonly market: MarketId
  readonly venue: Venue
  readonly ticker: Ticker
}

/** Reads the current states of topics. */
export interface SocketSources {
  /** False until the first load; connections are refused until then. */
  readonly isReady: () => boolean
  /** The market with this ticker or alias, or null. */
  find(name: string): Promise<TopicMarket | null>
  /** The current state of a market; synchronous while it trades. */
  view(market: TopicMarket): MarketView | null | Promise<MarketView | null>
  /** The newest book; both sides are empty if none is known. */
  book(market: TopicMarket, depth: number): Promise<V1Book>
  /** Whether the book is stale: no recent message confirms it. */
  isStale(market: TopicMarket): boolean
  /** The newest trades, newest first. */
  trades(market: TopicMarket, limit: number): Promise<readonly V1Trade[]>
  /** Bars that start before `before`, oldest first, as known at `asOf`. */
  candles(
    market: TopicMarket,
    query: { width: Millis; asOf: Millis; before: Millis; limit: number },
  ): Promise<readonly CandleRow[]>
  /** Movers of a window in both directions, by size of the change. */
  movers(window: MoverWindow, limit: number): Promise<readonly V1Mover[]>
  /** Null while there is no world; its topics are unknown then. */
  readonly world: WorldFeed | null
}

/** Stored world snapshots, for the topics `world` and `world:<path>`. */
export interface WorldFeed {
  /** Whether a path names a region. */
  knows(path: string): boolean
  /** The newest stored snapshot of a path in its anonymous form, and its time. */
  latest(path: string): Promise<{ readonly at: Millis; readonly data: object }>
  /** The delta between two stored snapshots, with `salient`; null if it cannot be computed. */
  deltaBetween(path: string, from: Millis, to: Millis): object | null
  /** Notifies of the time of each newly stored snapshot; returns the unsubscribe function. */
  onStored(listener: (at: Millis) => void): () => void
}

/** Data time, and monotonic process time. */
export interface TopicTime {
  now(): Millis
  monotonic(): number
}
