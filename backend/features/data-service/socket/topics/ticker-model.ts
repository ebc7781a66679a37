import type { MarketView } from '../../../../computed/board/market-board.ts'
import type { Millis } from '../../../../domain/units.ts'
import { v1DetailOf } from '../../v1-shapes.ts'
import type { TickerData, TickerDelta } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket, TopicTime } from '../sources.ts'
import { newestOf, type Change, type MarketUpdate, type TopicModel } from './topic-model.ts'

/**
 * Open and close times pass and quotes become stale without an event, so they are checked
 * periodically, milliseconds.
 */
const RECHECK_INTERVAL = 5_000

/** A market as published by `ticker:<t>`. */
export function tickerDataOf(view: MarketView, now: Millis): TickerData {
  const { subtitle: _subtitle, generated_at: _made, ...data } = v1DetailOf(view, now)
  return data
}

/** The fields of `next` that differ; null if none does. */
export function changedFields(previous: TickerData, next: TickerData): TickerDelta | null {
  const changedEntries = Object.entries(next).filter(
    ([name, value]) => previous[name as keyof TickerData] !== value,
  )
  return changedEntries.length === 0 ? null : Object.fromEntries(changedEntries)
}

/** `ticker:<t>`: prices, counters and status of one market; deltas hold the changed fields. */
export class TickerModel implements TopicModel {
  readonly minInterval = 100
  readonly #market: TopicMarket
  readonly #sources: SocketSources
  readonly #time: TopicTime
  #reportedData: TickerData | null = null
  #checkedAt = 0

  constructor(market: TopicMarket, sources: SocketSources, time: TopicTime) {
    this.#market = market
    this.#sources = sources
    this.#time = time
  }

  async open(): Promise<void> {
    const view = await this.#sources.view(this.#market)
    if (view === null) throw new Error(`${this.#market.ticker} is no longer known`)
    this.#checkedAt = this.#time.monotonic()
    this.#reportedData = tickerDataOf(view, this.#time.now())
  }

  receive(update: MarketUpdate): boolean {
    return update.type !== 'book' && !this.#isOver
  }

  isDue(): boolean {
    return !this.#isOver && this.#time.monotonic() - this.#checkedAt >= RECHECK_INTERVAL
  }

  changes(): readonly object[] | Promise<readonly object[]> {
    if (this.#isOver) return []
    this.#checkedAt = this.#time.monotonic()
    const view = this.#sources.view(this.#market)
    return view instanceof Promise
      ? view.then((marketView) => this.#update(marketView))
      : this.#update(view)
  }

  snapshot(): object {
    return this.#state
  }

  merge(changes: readonly Change[]): ReturnType<TopicModel['merge']> {
    return newestOf(changes, Object.assign({}, ...changes.map(({ data }) => data)) as object)
  }

  close(): void {
    this.#reportedData = null
  }

  /** A settled market does not change any more. */
  get #isOver(): boolean {
    return this.#reportedData?.status === 'settled'
  }

  get #state(): TickerData {
    if (this.#reportedData === null) throw new Error('the topic is not open')
    return this.#reportedData
  }

  #update(view: MarketView | null): readonly object[] {
    if (view === null || this.#reportedData === null) return []
    const next = tickerDataOf(view, this.#time.now())
    const changed = changedFields(this.#reportedData, next)
    if (changed === null) return []
    this.#reportedData = next
    return [changed]
  }
}
