import { v1TradeOf } from '../../v1-shapes.ts'
import type { V1Trade } from '../../../../contract/data-service.ts'
import { MAX_JOINED_TRADES } from '../limits.ts'
import type { TradesData } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket } from '../sources.ts'
import { newestOf, type Change, type MarketUpdate, type TopicModel } from './topic-model.ts'

const MAX_TRADES = 50

/** `trades:<t>`: the newest trades, then each new one. */
export class TradesModel implements TopicModel {
  readonly minInterval = 100
  readonly #market: TopicMarket
  readonly #sources: SocketSources
  /** Newest first. */
  #reportedTrades: readonly V1Trade[] = []
  #pendingTrades: V1Trade[] = []

  constructor(market: TopicMarket, sources: SocketSources) {
    this.#market = market
    this.#sources = sources
  }

  async open(): Promise<void> {
    this.#reportedTrades = await this.#sources.trades(this.#market, MAX_TRADES)
  }

  receive(update: MarketUpdate): boolean {
    if (update.type !== 'traded') return false
    const { trade } = update
    const oldest = this.#reportedTrades[MAX_TRADES - 1]
    // A late trade older than all shown ones is not part of a snapshot either.
    if (oldest !== undefined && trade.at < oldest.ts) return false
    if (this.#reportedTrades.some(({ id }) => id === trade.tradeId)) return false
    this.#pendingTrades.push(v1TradeOf(this.#market, { ...trade, ts: trade.at }))
    return true
  }

  isDue(): boolean {
    return false
  }

  changes(): readonly object[] {
    if (this.#pendingTrades.length === 0) return []
    const trades = this.#pendingTrades
    this.#pendingTrades = []
    this.#reportedTrades = [...trades, ...this.#reportedTrades]
      .sort(newestFirst)
      .slice(0, MAX_TRADES)
    return [{ trades: trades.toSorted((a, b) => newestFirst(b, a)) }]
  }

  snapshot(): object {
    return { trades: this.#reportedTrades }
  }

  merge(changes: readonly Change[]): ReturnType<TopicModel['merge']> {
    const trades = changes.flatMap(({ data }) => (data as TradesData).trades)
    return trades.length > MAX_JOINED_TRADES ? null : newestOf(changes, { trades })
  }

  close(): void {
    this.#reportedTrades = []
    this.#pendingTrades = []
  }
}

const newestFirst = (a: V1Trade, b: V1Trade): number =>
  b.ts - a.ts || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
