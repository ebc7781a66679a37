import { setImmediate as turn } from 'node:timers/promises'
import type { OrderBook, Venue } from '../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import { NO_PRICE, ORIGINS } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { HistoryTape, TapeKind, TapeTicks, TapeWindow } from '../history/tape.ts'
import type { Bus } from '../lib/bus.ts'
import type { VirtualClock } from '../lib/virtual-clock.ts'
import type { IngestTopics } from './pipeline.ts'
import { windowSlices, type EmittedCounts } from './replay-slices.ts'

/** Replaces the pipeline when the past is replayed. */
export interface ReplaySource {
  /** Starts publishing replayed events on this bus. */
  begin(bus: Pick<Bus<IngestTopics>, 'publish'>): void
  /** Resolves when everything replayed by then can be read. */
  settle(asOf: Millis): Promise<void>
  /** When an event of a venue was last replayed. */
  arrivedAt(venue: Venue): Millis | null
  /** The tape that the replayed rows are written to. */
  readonly tape: HistoryTape
  /**
   * Whether enough rows were stored since the last call that returned true to make sorting
   * worthwhile.
   */
  isSortingDue(): boolean
}

/** Longest time in ms that other work waits while events are emitted. */
const BURST_MS = 2
const BOOK_LEVELS = 5
/** Fewer rows in arrival order slow no reader down, and sorting them costs more than it saves. */
const SORTED_FROM_ROWS = 200_000

/** A window, how many of its rows were emitted, and how many of these are stored. */
interface WindowProgress {
  readonly window: TapeWindow
  readonly emitted: EmittedCounts
  stored: EmittedCounts
}

/** The order in which rows of one instant are emitted, the same as that of backtests. */
const ORDER = ['facts', 'quotes', 'books', 'trades', 'activity', 'corrections'] as const

/**
 * Replays a stored history row by row at the instant at which each row became known, and writes
 * the emitted rows into the history that readers see. No row is visible before its instant.
 */
export class HistoryReplaySource implements ReplaySource {
  readonly tape: HistoryTape
  readonly #clock: VirtualClock
  readonly #store: Pick<HistoryStore, 'append'>
  readonly #windows: AsyncGenerator<TapeWindow, void, undefined>
  readonly #receivedAt = new Map<Venue, Millis>()
  readonly #onListed: (market: MarketId) => void
  readonly #pendingEffects: () => Promise<void> | null
  #bus: Pick<Bus<IngestTopics>, 'publish'> | null = null
  /** The window that is being emitted. */
  #progress: WindowProgress | null = null
  /** The window after it, which is read while this one is emitted. */
  #upcomingWindow: Promise<IteratorResult<TapeWindow, void>> | null = null
  #readUntil: Millis | null = null
  /** Instant of the oldest emitted row that is not about to be stored. */
  #waitingSince: Millis | null = null
  #storing: Promise<void> = Promise.resolve()
  #events = 0
  #sortedEvents = 0

  /**
   * @param deps.listed is called for each market whose facts are emitted
   * @param deps.effects work that a row has started and that must finish before the next row; null
   * for none
   */
  constructor(deps: {
    tape: HistoryTape
    from: Millis
    to: Millis
    clock: VirtualClock
    store: Pick<HistoryStore, 'append'>
    listed: (market: MarketId) => void
    effects?: () => Promise<void> | null
  }) {
    this.tape = deps.tape
    this.#clock = deps.clock
    this.#store = deps.store
    this.#onListed = deps.listed
    this.#pendingEffects = deps.effects ?? (() => null)
    this.#windows = deps.tape.windows(deps.from, deps.to)
  }

  /** Number of events emitted so far. */
  get events(): number {
    return this.#events
  }

  begin(bus: Pick<Bus<IngestTopics>, 'publish'>): void {
    this.#bus = bus
  }

  arrivedAt(venue: Venue): Millis | null {
    return this.#receivedAt.get(venue) ?? null
  }

  isSortingDue(): boolean {
    if (this.#events - this.#sortedEvents < SORTED_FROM_ROWS) return false
    this.#sortedEvents = this.#events
    return true
  }

  /** Emits everything that became known by an instant, with the clock set to each row's instant. */
  async emitUntil(at: Millis): Promise<void> {
    for (;;) {
      const progress = await this.#progressFor(at)
      if (progress === null) return
      await this.#report(progress, at)
      if (progress.window.until > at) return
      // A window is stored while the next one is emitted, but only one at a time.
      await this.#storing
      this.#keep(progress).catch(() => {})
      this.#progress = null
    }
  }

  async settle(asOf: Millis): Promise<void> {
    const progress = this.#progress
    const isWaiting = this.#waitingSince !== null && this.#waitingSince <= asOf
    await (isWaiting && progress !== null ? this.#keep(progress) : this.#storing)
  }

  async close(): Promise<void> {
    await this.#windows.return()
    await this.#storing
  }

  /** The window that holds the next row, or null when none is due by then. */
  async #progressFor(at: Millis): Promise<WindowProgress | null> {
    if (this.#progress === null) {
      if (this.#readUntil !== null && this.#readUntil >= at) return null
      const next = await (this.#upcomingWindow ?? this.#windows.next())
      if (next.done === true) return null
      this.#upcomingWindow = this.#windows.next()
      // A failure is reported when the window is awaited.
      this.#upcomingWindow.catch(() => {})
      this.#progress = { window: next.value, emitted: zeroCounts(), stored: zeroCounts() }
      this.#readUntil = next.value.until
    }
    return this.#progress
  }

  async #report({ window, emitted, stored }: WindowProgress, at: Millis): Promise<void> {
    let startedAt = this.#clock.monotonic()
    for (;;) {
      const next = nextOf(window, emitted)
      if (next === null || next.known > at) break
      this.#clock.moveTo(Math.max(this.#clock.now(), next.known) as Millis)
      this.#waitingSince ??= next.known
      this.#publish(window, next.kind, emitted[next.kind]++)
      this.#events += 1
      const effects = this.#pendingEffects()
      if (effects !== null) await effects
      if (this.#clock.monotonic() - startedAt > BURST_MS) {
        await turn()
        startedAt = this.#clock.monotonic()
      }
    }
    // Bars and statements about continuity are stored but not published.
    emitted.candles = rowAfter(emitted.candles, (row) => knownTime(window.ticks.candles, row), at)
    emitted.coverage = rowAfter(
      emitted.coverage,
      (row) => window.coverage[row]?.knownAt ?? Infinity,
      at,
    )
    if (emitted.candles + emitted.coverage > stored.candles + stored.coverage) {
      this.#waitingSince ??= at
    }
  }

  /** Stores the emitted rows of a window that are not stored yet. */
  #keep(progress: WindowProgress): Promise<void> {
    const upTo = { ...progress.emitted }
    this.#waitingSince = null
    const storing = this.#storing.then(async () => {
      const batch = windowSlices(progress.window, progress.stored, upTo)
      if (batch !== null) await this.#store.append(batch)
      progress.stored = upTo
    })
    this.#storing = storing
    return storing
  }

  #publish(window: TapeWindow, kind: (typeof ORDER)[number], row: number): void {
    const bus = this.#bus
    if (kind === 'facts') {
      const record = window.facts[row]
      if (record === undefined) return
      this.#onListed(record.market)
      this.#receivedAt.set(record.facts.venue, record.knownAt)
      bus?.publish('facts', record)
      return
    }
    if (kind === 'corrections') {
      const correction = window.corrections[row]
      if (correction === undefined) return
      bus?.publish('correction', {
        market: correction.market,
        at: correction.corrected?.ts ?? correction.knownAt,
      })
      return
    }
    const ticks = window.ticks[kind]
    const market = ticks.market[row] ?? -1
    const at = (ticks.ts[row] ?? 0) as Millis
    const receivedAt = (at + (ticks.lag[row] ?? 0)) as Millis
    const key = this.tape.keyOf(market)
    this.#receivedAt.set(key.venue, receivedAt)
    const origin = ORIGINS[ticks.origin[row] ?? 0] ?? 'live'
    const eventStamp = { ...key, at, receivedAt, origin }
    if (bus === null) return
    switch (kind) {
      case 'quotes': {
        const { bid, ask, bidSize, askSize } = window.ticks.quotes
        bus.publish('quote', {
          market,
          event: {
            ...eventStamp,
            type: 'quote_changed',
            bid: priceIn(bid, row),
            ask: priceIn(ask, row),
            bidSize: numberIn(bidSize, row),
            askSize: numberIn(askSize, row),
          },
        })
        return
      }
      case 'books': {
        const { bidPrice, bidSize, askPrice, askSize } = window.ticks.books
        const [bids, asks] = [levelsIn(bidPrice, bidSize, row), levelsIn(askPrice, askSize, row)]
        const event = { ...eventStamp, type: 'book_changed' as const, bids, asks }
        bus.publish('book', { market, isStored: true, event })
        return
      }
      case 'trades': {
        const { tradeId, price, size, taker, isBlock } = window.ticks.trades
        bus.publish('trade', {
          market,
          event: {
            ...eventStamp,
            type: 'trade_printed',
            tradeId: tradeId[row] ?? '',
            price: price[row] as PriceE4,
            size: size[row] as SizeE6,
            takerSide: ([null, 'yes', 'no'] as const)[taker[row] ?? 0] ?? null,
            isBlock: isBlock[row] === 1,
          },
        })
        return
      }
      case 'activity': {
        const { volume, volume24h, openInterest, lastPrice } = window.ticks.activity
        bus.publish('activity', {
          market,
          event: {
            ...eventStamp,
            type: 'activity_reported',
            volume: numberIn(volume, row),
            volume24h: numberIn(volume24h, row),
            openInterest: numberIn(openInterest, row),
            lastPrice: priceIn(lastPrice, row),
          },
        })
      }
    }
  }
}

const zeroCounts = (): EmittedCounts => ({
  facts: 0,
  corrections: 0,
  coverage: 0,
  trades: 0,
  quotes: 0,
  books: 0,
  candles: 0,
  activity: 0,
})

const knownTime = (ticks: TapeTicks[TapeKind], row: number): number =>
  row < ticks.market.length ? (ticks.ts[row] ?? 0) + (ticks.lag[row] ?? 0) : Infinity

function rowAfter(row: number, knownAt: (row: number) => number, at: Millis): number {
  while (knownAt(row) <= at) row += 1
  return row
}

/** The unemitted row of a window that became known first; null at its end. */
function nextOf(
  window: TapeWindow,
  counts: EmittedCounts,
): { readonly kind: (typeof ORDER)[number]; readonly known: Millis } | null {
  let [kind, earliestKnownAt]: [(typeof ORDER)[number] | null, number] = [null, Infinity]
  for (const feed of ORDER) {
    const at =
      feed === 'facts' || feed === 'corrections'
        ? (window[feed][counts[feed]]?.knownAt ?? Infinity)
        : knownTime(window.ticks[feed], counts[feed])
    if (at < earliestKnownAt) [kind, earliestKnownAt] = [feed, at]
  }
  return kind === null ? null : { kind, known: earliestKnownAt as Millis }
}

const priceIn = (prices: Int32Array, row: number): PriceE4 | null =>
  prices[row] === NO_PRICE ? null : (prices[row] as PriceE4)
const numberIn = (numbers: Float64Array, row: number): SizeE6 | null =>
  Number.isNaN(numbers[row]) ? null : (numbers[row] as SizeE6)

function levelsIn(prices: Int32Array, sizes: Float64Array, row: number): OrderBook['bids'] {
  const levels: OrderBook['bids'][number][] = []
  for (let index = row * BOOK_LEVELS; index < (row + 1) * BOOK_LEVELS; index++) {
    const price = priceIn(prices, index)
    if (price !== null) levels.push({ price, size: (numberIn(sizes, index) ?? 0) as SizeE6 })
  }
  return levels
}
