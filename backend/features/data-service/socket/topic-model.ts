import type { BookLevel, MarketFacts, Side } from '../../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'

/** A print as the feed tells it. */
export interface PrintedTrade {
  readonly at: Millis
  readonly receivedAt: Millis
  readonly tradeId: string
  readonly price: PriceE4
  readonly size: SizeE6
  readonly takerSide: Side | null
  readonly isBlock: boolean
}

/** What happened to one market, as far as topics care. */
export type MarketNews =
  | { readonly type: 'stated' }
  | { readonly type: 'traded'; readonly trade: PrintedTrade }
  /** A trade of that time was changed or taken back. */
  | { readonly type: 'corrected'; readonly at: Millis }
  | {
      readonly type: 'book'
      readonly bids: readonly BookLevel[]
      readonly asks: readonly BookLevel[]
    }

/** What the pipeline tells the process; the parts of its messages that topics read. */
export type FeedTopics = {
  facts: { readonly market: MarketId; readonly facts: MarketFacts }
  quote: { readonly market: MarketId }
  activity: { readonly market: MarketId }
  trade: { readonly market: MarketId; readonly event: PrintedTrade }
  book: {
    readonly market: MarketId
    readonly event: { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] }
  }
}

/** One change of a topic: by how much `seq` rises and what a delta says. */
export interface Change {
  readonly seq: number
  /** Process time, for the age of what is kept. */
  readonly keptAt: number
  /** Time of the data, Unix ms. */
  readonly ts: Millis
  readonly data: object
}

/** Changes up to and with `seq` as one. */
export interface Merged {
  readonly seq: number
  readonly ts: Millis
  readonly data: object
}

/**
 * What one topic is about: its state as last told, and what has changed since. Whoever holds the
 * snapshot and applies every change holds the next snapshot.
 */
export interface TopicModel {
  /** Least milliseconds between two changes. */
  readonly every: number
  /** Reads the first state; asked once, before anything else. */
  open(): Promise<void>
  /** Takes news of the market; whether there may be a change to tell. */
  hear(news: MarketNews): boolean
  /** Whether time alone may have made a change by now. */
  isDue(): boolean
  /** What changed since the last call, in order; the state is the told one from here on. */
  changes(): readonly object[] | Promise<readonly object[]>
  /** The state as told, data of a snapshot frame. */
  snapshot(): object
  /** Consecutive changes as few as can be; null where only a snapshot can stand for them. */
  merge(changes: readonly Change[]): readonly Merged[] | null
  close(): void
}

/** The newest of several changes where each one tells everything. */
export function newestOf(changes: readonly Change[], data: object): readonly Merged[] {
  const last = changes.at(-1)
  return last === undefined ? [] : [{ seq: last.seq, ts: last.ts, data }]
}
