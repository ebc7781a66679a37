import { WIDTHS, type Timeframe } from '../../../../domain/prices/candle.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../../domain/units.ts'
import type { CandleRow } from '../../../../history/market-rows.ts'
import { v1CandleOf } from '../../v1-shapes.ts'
import type { CandleDelta } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket, TopicTime } from '../sources.ts'
import type { Change, MarketUpdate, MergedChange, PrintedTrade, TopicModel } from './topic-model.ts'

const MAX_CANDLES = 500
/** A trade received this long before it is reported belongs to a backfill, milliseconds. */
const BACKFILL_AGE = 10_000
/** During a backfill its bars are read at most this often, and less often if reading is slow. */
const PAST_READ_INTERVAL = 5_000
const READ_PAUSE_FACTOR = 50
/** The order of trades inside a bar: time, then id (methodology A16). */
type TradePosition = Pick<PrintedTrade, 'at' | 'tradeId'>
const isAfter = (a: TradePosition, b: TradePosition): boolean =>
  a.at > b.at || (a.at === b.at && a.tradeId > b.tradeId)

/**
 * `candles:<t>:<tf>`: bars, the last one open. A trade later than all others updates the open bar
 * at once. Any other trade that affects a bar (late, block, corrected, or the first of a bar that
 * began before the topic opened) makes it be read from history again, so that both always agree.
 */
export class CandlesModel implements TopicModel {
  readonly minInterval = 250
  readonly #market: TopicMarket
  readonly #sources: SocketSources
  readonly #time: TopicTime
  readonly #width: Millis
  /** Reported bars, oldest first; the newest `MAX_CANDLES`. */
  #reportedCandles: CandleRow[] = []
  /** Bars to report, by start. */
  readonly #pendingCandles = new Map<Millis, CandleRow>()
  /** Starts of bars to read again. */
  readonly #outdatedCandles = new Set<Millis>()
  /** Whether some of them are current and not part of a backfill. */
  #isUrgent = false
  /** Process time from which backfilled bars are read again. */
  #pastFrom = Number.NEGATIVE_INFINITY
  /** Starts of bars with volume but no price yet: block trades only. */
  readonly #unpricedCandles = new Set<Millis>()
  /** Bars from this time on are complete in memory; earlier ones are read from history once. */
  #knownSince: Millis
  #last: TradePosition
  /** Start of the bar reported as open. */
  #openStart: Millis | null = null
  /** Instant of the read in progress, and the trades that arrived during it. */
  #readingAsOf: Millis | null = null
  #pendingTrades: PrintedTrade[] = []

  constructor(market: TopicMarket, timeframe: Timeframe, sources: SocketSources, time: TopicTime) {
    this.#market = market
    this.#sources = sources
    this.#time = time
    this.#width = WIDTHS[timeframe]
    const now = time.now()
    this.#knownSince = (this.#startOf(now) + this.#width) as Millis
    this.#last = { at: now, tradeId: '' }
  }

  async open(): Promise<void> {
    const now = this.#time.now()
    const candleBoundary = (now + 1) as Millis
    const query = { width: this.#width, asOf: now, before: candleBoundary, limit: MAX_CANDLES }
    this.#reportedCandles = [...(await this.#sources.candles(this.#market, query))]
    this.#openCandle(now)
  }

  receive(update: MarketUpdate): boolean {
    if (update.type === 'corrected') {
      this.#invalidate(this.#startOf(update.at))
      return true
    }
    if (update.type !== 'traded') return false
    const { trade } = update
    if (this.#readingAsOf !== null && trade.receivedAt > this.#readingAsOf)
      this.#pendingTrades.push(trade)
    else if (this.#readingAsOf !== null) this.#invalidate(this.#startOf(trade.at), trade)
    else this.#addTrade(trade)
    return this.#pendingCandles.size > 0 || this.#isReadDue()
  }

  isDue(): boolean {
    return this.#isOpenOver() || this.#isReadDue()
  }

  changes(): readonly object[] | Promise<readonly object[]> {
    // A finished bar is read again, because only history knows whether it crosses a gap.
    if (this.#openStart !== null && this.#isOpenOver()) this.#invalidate(this.#openStart)
    return this.#isReadDue() ? this.#readAgain().then(() => this.#report()) : this.#report()
  }

  snapshot(): object {
    return {
      candles: this.#reportedCandles.map((row) => v1CandleOf(row, row.start === this.#openStart)),
    }
  }

  /** The last version of each bar, in the order of their last changes. */
  merge(changes: readonly Change[]): readonly MergedChange[] {
    const byBar = new Map<number, MergedChange>()
    for (const { seq, ts, data } of changes) {
      const { t } = (data as CandleDelta).candle
      byBar.delete(t)
      byBar.set(t, { seq, ts, data })
    }
    return [...byBar.values()]
  }

  close(): void {
    this.#reportedCandles = []
    this.#pendingCandles.clear()
  }

  #startOf(at: Millis): Millis {
    return (Math.floor(at / this.#width) * this.#width) as Millis
  }

  #isOpenOver(): boolean {
    return this.#openStart !== null && this.#time.now() >= this.#openStart + this.#width
  }

  #isReadDue(): boolean {
    if (this.#outdatedCandles.size === 0) return false
    return this.#isUrgent || this.#time.monotonic() >= this.#pastFrom
  }

  /** Marks a bar to be read again. @param trigger the trade that affects it */
  #invalidate(start: Millis, trigger: PrintedTrade | null = null): void {
    const oldest = this.#reportedCandles[0]
    // The bar is older than all bars shown.
    if (this.#reportedCandles.length >= MAX_CANDLES && oldest !== undefined && start < oldest.start)
      return
    this.#outdatedCandles.add(start)
    if (trigger === null || trigger.receivedAt > this.#time.now() - BACKFILL_AGE) {
      this.#isUrgent = true
    }
  }

  #addTrade(trade: PrintedTrade): void {
    const start = this.#startOf(trade.at)
    const isNext = isAfter(trade, this.#last)
    if (isNext) this.#last = trade
    const isInMemory = start >= this.#knownSince && !this.#unpricedCandles.has(start)
    if (!isNext || trade.isBlock || !isInMemory) return this.#invalidate(start, trade)
    const existing =
      this.#pendingCandles.get(start) ??
      this.#reportedCandles.findLast((row) => row.start === start)
    if (this.#outdatedCandles.has(start)) return
    this.#pendingCandles.set(
      start,
      existing === undefined ? firstBar(start, trade) : withTrade(existing, trade),
    )
  }

  async #readAgain(): Promise<void> {
    const starts = [...this.#outdatedCandles]
    const wasUrgent = this.#isUrgent
    this.#outdatedCandles.clear()
    this.#isUrgent = false
    const from = this.#time.monotonic()
    const asOf = this.#time.now()
    this.#readingAsOf = asOf
    try {
      const [first, last] = [Math.min(...starts), Math.max(...starts)]
      // A backfill affects thousands of bars at once; one read covers them all.
      const limit = Math.min(MAX_CANDLES, (last - first) / this.#width + 1)
      const query = { width: this.#width, asOf, before: (last + 1) as Millis, limit }
      const rows = await this.#sources.candles(this.#market, query)
      const byStart = new Map(rows.map((row) => [row.start, row]))
      // Bars older than the newest shown ones are ignored.
      const oldestReported = rows.length < MAX_CANDLES ? -Infinity : (rows[0]?.start ?? -Infinity)
      for (const start of starts) {
        const row = byStart.get(start)
        if (row !== undefined) {
          this.#pendingCandles.set(start, row)
          this.#unpricedCandles.delete(start)
        } else if (start >= oldestReported) this.#unpricedCandles.add(start)
        // From now on the open bar contains all its trades.
        if (start < this.#knownSince && start + this.#width >= this.#knownSince) {
          this.#knownSince = start
        }
      }
    } catch (error) {
      for (const start of starts) this.#outdatedCandles.add(start)
      this.#isUrgent ||= wasUrgent
      throw error
    } finally {
      const now = this.#time.monotonic()
      this.#pastFrom = now + Math.max(PAST_READ_INTERVAL, READ_PAUSE_FACTOR * (now - from))
      this.#readingAsOf = null
      const pendingTrades = this.#pendingTrades
      this.#pendingTrades = []
      for (const trade of pendingTrades) this.#addTrade(trade)
    }
  }

  /** Reports the changed bars, oldest first, after closing the open one if its time is over. */
  #report(): readonly object[] {
    const now = this.#time.now()
    const oldest =
      this.#reportedCandles.length < MAX_CANDLES ? null : (this.#reportedCandles[0]?.start ?? null)
    const deltas: CandleDelta[] = []
    const open = this.#openStart
    if (open !== null && now >= open + this.#width && !this.#pendingCandles.has(open)) {
      const row = this.#reportedCandles.findLast(({ start }) => start === open)
      if (row !== undefined) deltas.push({ candle: v1CandleOf(row, false), closed: true })
    }
    for (const row of [...this.#pendingCandles.values()].sort((a, b) => a.start - b.start)) {
      if (oldest !== null && row.start < oldest) continue
      const isOpen = now < row.start + this.#width
      deltas.push({ candle: v1CandleOf(row, isOpen), closed: !isOpen })
      this.#storeCandle(row)
    }
    this.#pendingCandles.clear()
    this.#openCandle(now)
    const firstStart = this.#startOf(now) - MAX_CANDLES * this.#width
    for (const start of this.#unpricedCandles)
      if (start < firstStart) this.#unpricedCandles.delete(start)
    return deltas
  }

  #storeCandle(row: CandleRow): void {
    const at = this.#reportedCandles.findIndex(({ start }) => start >= row.start)
    if (at === -1) this.#reportedCandles.push(row)
    else
      this.#reportedCandles.splice(at, this.#reportedCandles[at]?.start === row.start ? 1 : 0, row)
    if (this.#reportedCandles.length > MAX_CANDLES) this.#reportedCandles.shift()
  }

  #openCandle(now: Millis): void {
    const newest = this.#reportedCandles.at(-1)
    const isOpen = newest !== undefined && now < newest.start + this.#width
    this.#openStart = isOpen ? newest.start : null
  }
}

const firstBar = (start: Millis, { price, size }: PrintedTrade): CandleRow => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: size,
  source: 'trades',
  crossesGap: false,
})

/** A trade replaces a bar of another source. */
function withTrade(bar: CandleRow, print: PrintedTrade): CandleRow {
  if (bar.source !== 'trades') return firstBar(bar.start, print)
  return {
    ...bar,
    high: Math.max(bar.high, print.price) as PriceE4,
    low: Math.min(bar.low, print.price) as PriceE4,
    close: print.price,
    volume: ((bar.volume ?? 0) + print.size) as SizeE6,
  }
}
