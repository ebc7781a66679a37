import type { OrderBook } from '../../../../domain/market.ts'
import { v1BookOf } from '../../v1-shapes.ts'
import type { V1Level } from '../../../../contract/data-service.ts'
import type { BookData, BookDelta } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket, TopicTime } from '../sources.ts'
import { newestOf, type Change, type MarketUpdate, type TopicModel } from './topic-model.ts'

const DEPTH = 200
/** A feed can go silent without an event, so staleness is checked periodically, milliseconds. */
const RECHECK_INTERVAL = 5_000

/** `book:<t>`: the levels of one market; deltas hold the changed levels. */
export class BookModel implements TopicModel {
  readonly minInterval = 100
  readonly #market: TopicMarket
  readonly #sources: SocketSources
  readonly #time: TopicTime
  /** The newest book that is not reported yet. */
  #pendingBook: OrderBook | null = null
  #reportedBook: BookData = { bids: [], asks: [], stale: true }
  #checkedAt = 0

  constructor(market: TopicMarket, sources: SocketSources, time: TopicTime) {
    this.#market = market
    this.#sources = sources
    this.#time = time
  }

  async open(): Promise<void> {
    const { bids, asks, stale } = await this.#sources.book(this.#market, DEPTH)
    this.#checkedAt = this.#time.monotonic()
    this.#reportedBook = { bids, asks, stale }
  }

  receive(update: MarketUpdate): boolean {
    if (update.type === 'book') this.#pendingBook = { bids: update.bids, asks: update.asks }
    return update.type === 'book'
  }

  isDue(): boolean {
    return this.#time.monotonic() - this.#checkedAt >= RECHECK_INTERVAL
  }

  changes(): readonly object[] {
    const next = this.#next()
    const { stale } = next
    const bids = changedLevels(this.#reportedBook.bids, next.bids, descending)
    const asks = changedLevels(this.#reportedBook.asks, next.asks, ascending)
    const hasStaleChanged = stale !== this.#reportedBook.stale
    this.#reportedBook = next
    if (bids.length === 0 && asks.length === 0 && !hasStaleChanged) return []
    return [{ bids, asks, ...(hasStaleChanged ? { stale } : {}) } satisfies BookDelta]
  }

  snapshot(): object {
    return this.#reportedBook
  }

  merge(changes: readonly Change[]): ReturnType<TopicModel['merge']> {
    const deltas = changes.map(({ data }) => data as BookDelta)
    const stale = deltas.findLast((delta) => delta.stale !== undefined)?.stale
    return newestOf(changes, {
      bids: latestLevels(deltas.map(({ bids }) => bids)).sort(descending),
      asks: latestLevels(deltas.map(({ asks }) => asks)).sort(ascending),
      ...(stale === undefined ? {} : { stale }),
    } satisfies BookDelta)
  }

  close(): void {
    this.#pendingBook = null
  }

  #next(): BookData {
    this.#checkedAt = this.#time.monotonic()
    const stale = this.#sources.isStale(this.#market)
    const book = this.#pendingBook
    this.#pendingBook = null
    if (book === null) {
      const isKnown = this.#reportedBook.bids.length + this.#reportedBook.asks.length > 0
      return { ...this.#reportedBook, stale: stale || !isKnown }
    }
    const reportedBook = { book, at: this.#time.now() }
    const { bids, asks } = v1BookOf(this.#market.ticker, reportedBook, DEPTH, stale)
    return { bids, asks, stale }
  }
}

type LevelOrder = (a: V1Level, b: V1Level) => number
const ascending: LevelOrder = ([a], [b]) => a - b
const descending: LevelOrder = ([a], [b]) => b - a

/** The difference of two sides: changed and new levels with their sizes, removed ones with 0. */
export function changedLevels(
  previous: readonly V1Level[],
  next: readonly V1Level[],
  order: LevelOrder,
): V1Level[] {
  const changedLevels: V1Level[] = []
  let i = 0
  let j = 0
  for (;;) {
    const previousLevel = previous[i]
    const nextLevel = next[j]
    if (previousLevel === undefined && nextLevel === undefined) return changedLevels
    const changeCount =
      previousLevel === undefined
        ? 1
        : nextLevel === undefined
          ? -1
          : Math.sign(order(previousLevel, nextLevel))
    if (changeCount <= 0) i += 1
    if (changeCount >= 0) j += 1
    if (changeCount < 0 && previousLevel !== undefined) changedLevels.push([previousLevel[0], 0])
    else if (nextLevel !== undefined && (changeCount > 0 || previousLevel?.[1] !== nextLevel[1]))
      changedLevels.push(nextLevel)
  }
}

/** The last size at each price over several changes of one side. */
const latestLevels = (sides: readonly (readonly V1Level[])[]): V1Level[] => [
  ...new Map(sides.flat()).entries(),
]
