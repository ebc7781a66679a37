import type { BookLevel, MarketFacts, Side } from '../../../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../../domain/units.ts'
import type { MarketId } from '../../../../history/market-key.ts'

/** A trade as published by the feed. */
export interface PrintedTrade {
  readonly at: Millis
  readonly receivedAt: Millis
  readonly tradeId: string
  readonly price: PriceE4
  readonly size: SizeE6
  readonly takerSide: Side | null
  readonly isBlock: boolean
}

/** A change of one market that topics use. */
export type MarketUpdate =
  | { readonly type: 'stated' }
  | { readonly type: 'traded'; readonly trade: PrintedTrade }
  /** A trade at that time was corrected or cancelled. */
  | { readonly type: 'corrected'; readonly at: Millis }
  | {
      readonly type: 'book'
      readonly bids: readonly BookLevel[]
      readonly asks: readonly BookLevel[]
    }

/** Events of the pipeline; the parts of its messages that topics read. */
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

/** One change of a topic: its seq and the data of its delta. */
export interface Change {
  readonly seq: number
  /** Process time, for the age of retained changes. */
  readonly keptAt: number
  /** Data time, Unix ms. */
  readonly ts: Millis
  readonly data: object
}

/** Changes up to and including `seq`, conflated. */
export interface MergedChange {
  readonly seq: number
  readonly ts: Millis
  readonly data: object
}

/**
 * The state of one topic as last reported, and its pending changes. A client that holds the
 * snapshot and applies every change holds the next snapshot.
 */
export interface TopicModel {
  /** Shortest time between two changes, milliseconds. */
  readonly minInterval: number
  /** Reads the first state; called once, before any other method. */
  open(): Promise<void>
  /** Receives an update of the market; returns whether there may be a change to report. */
  receive(update: MarketUpdate): boolean
  /** Whether the passing of time alone may have caused a change. */
  isDue(): boolean
  /**
   * The changes since the last call, in order; they become part of the reported state. Null if only
   * a new snapshot can express them; the topic restarts then.
   */
  changes(): readonly object[] | Promise<readonly object[] | null>
  /** The reported state, data of a snapshot frame. */
  snapshot(): object
  /** Conflates consecutive changes as far as possible; null if only a snapshot can replace them. */
  merge(changes: readonly Change[]): readonly MergedChange[] | null
  close(): void
}

/** The newest of several changes, for topics whose changes hold the whole state. */
export function newestOf(changes: readonly Change[], data: object): readonly MergedChange[] {
  const last = changes.at(-1)
  return last === undefined ? [] : [{ seq: last.seq, ts: last.ts, data }]
}
