import { WIDTHS, type Timeframe } from '../../../domain/candle.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { CandleRow } from '../../../history/market-rows.ts'
import { v1CandleOf } from '../v1-shapes.ts'
import type { CandleDelta } from './protocol.ts'
import type { SocketSources, TopicMarket, TopicTime } from './sources.ts'
import type { Change, MarketNews, Merged, PrintedTrade, TopicModel } from './topic-model.ts'

const SHOWN = 500
/** A print that was known this long before it is told belongs to a past that is being filled in. */
const FILLED_IN = 10_000
/** While the past is filled in its bars are read this often at most, and seldom where reading is slow. */
const PAST_EVERY = 5_000
const REST = 50
/** The order of prints inside a bar: time, then id (methodology A16). */
type Place = Pick<PrintedTrade, 'at' | 'tradeId'>
const isAfter = (a: Place, b: Place): boolean =>
  a.at > b.at || (a.at === b.at && a.tradeId > b.tradeId)

/**
 * `candles:<t>:<tf>`: bars with the open one at the end. A print that follows all others moves the
 * open bar at once; whatever else touches a bar (late, block, corrected, the first print of a bar
 * that was begun before we listened) has it read again from history, so that both always agree.
 */
export class CandlesModel implements TopicModel {
  readonly every = 250
  readonly #market: TopicMarket
  readonly #sources: SocketSources
  readonly #time: TopicTime
  readonly #width: Millis
  /** As told, oldest first; the newest `SHOWN`. */
  #told: CandleRow[] = []
  /** Bars to tell, by start. */
  readonly #fresh = new Map<Millis, CandleRow>()
  /** Starts of bars to read again. */
  readonly #unsure = new Set<Millis>()
  /** Some of them are news, and not the past that is filled in. */
  #isPressing = false
  /** Process time from which bars of the past are read again. */
  #pastFrom = Number.NEGATIVE_INFINITY
  /** Starts of bars that have volume and no price yet: block trades alone. */
  readonly #priceless = new Set<Millis>()
  /** Bars that history may know better than we do until they are read once. */
  #knownSince: Millis
  #last: Place
  /** Start of the bar that the told ones show as open. */
  #openStart: Millis | null = null
  /** Instant of a reading under way, and what came in behind it. */
  #readingAsOf: Millis | null = null
  #behind: PrintedTrade[] = []

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
    const before = (now + 1) as Millis
    const query = { width: this.#width, asOf: now, before, limit: SHOWN }
    this.#told = [...(await this.#sources.candles(this.#market, query))]
    this.#noteOpen(now)
  }

  hear(news: MarketNews): boolean {
    if (news.type === 'corrected') {
      this.#doubt(this.#startOf(news.at))
      return true
    }
    if (news.type !== 'traded') return false
    const { trade } = news
    if (this.#readingAsOf !== null && trade.receivedAt > this.#readingAsOf) this.#behind.push(trade)
    else if (this.#readingAsOf !== null) this.#doubt(this.#startOf(trade.at), trade)
    else this.#take(trade)
    return this.#fresh.size > 0 || this.#isToRead()
  }

  isDue(): boolean {
    return this.#isOpenOver() || this.#isToRead()
  }

  changes(): readonly object[] | Promise<readonly object[]> {
    // What is over is read once more: history alone knows whether the bar crosses a gap.
    if (this.#openStart !== null && this.#isOpenOver()) this.#doubt(this.#openStart)
    return this.#isToRead() ? this.#readAgain().then(() => this.#tell()) : this.#tell()
  }

  snapshot(): object {
    return { candles: this.#told.map((row) => v1CandleOf(row, row.start === this.#openStart)) }
  }

  /** The last word on each bar, bars in the order of their last words. */
  merge(changes: readonly Change[]): readonly Merged[] {
    const byBar = new Map<number, Merged>()
    for (const { seq, ts, data } of changes) {
      const { t } = (data as CandleDelta).candle
      byBar.delete(t)
      byBar.set(t, { seq, ts, data })
    }
    return [...byBar.values()]
  }

  close(): void {
    this.#told = []
    this.#fresh.clear()
  }

  #startOf(at: Millis): Millis {
    return (Math.floor(at / this.#width) * this.#width) as Millis
  }

  #isOpenOver(): boolean {
    return this.#openStart !== null && this.#time.now() >= this.#openStart + this.#width
  }

  #isToRead(): boolean {
    if (this.#unsure.size === 0) return false
    return this.#isPressing || this.#time.monotonic() >= this.#pastFrom
  }

  /** Has a bar read again. @param because the print that touches it */
  #doubt(start: Millis, because: PrintedTrade | null = null): void {
    const oldest = this.#told[0]
    // So many newer bars are told that this one is not shown.
    if (this.#told.length >= SHOWN && oldest !== undefined && start < oldest.start) return
    this.#unsure.add(start)
    if (because === null || because.receivedAt > this.#time.now() - FILLED_IN) {
      this.#isPressing = true
    }
  }

  #take(trade: PrintedTrade): void {
    const start = this.#startOf(trade.at)
    const isNext = isAfter(trade, this.#last)
    if (isNext) this.#last = trade
    const isOurs = start >= this.#knownSince && !this.#priceless.has(start)
    if (!isNext || trade.isBlock || !isOurs) return this.#doubt(start, trade)
    const held = this.#fresh.get(start) ?? this.#told.findLast((row) => row.start === start)
    if (this.#unsure.has(start)) return
    this.#fresh.set(start, held === undefined ? firstBar(start, trade) : moved(held, trade))
  }

  async #readAgain(): Promise<void> {
    const starts = [...this.#unsure]
    const wasPressing = this.#isPressing
    this.#unsure.clear()
    this.#isPressing = false
    const from = this.#time.monotonic()
    const asOf = this.#time.now()
    this.#readingAsOf = asOf
    try {
      const [first, last] = [Math.min(...starts), Math.max(...starts)]
      // A first start's past touches thousands of bars at once: one reading serves them all.
      const limit = Math.min(SHOWN, (last - first) / this.#width + 1)
      const query = { width: this.#width, asOf, before: (last + 1) as Millis, limit }
      const rows = await this.#sources.candles(this.#market, query)
      const byStart = new Map(rows.map((row) => [row.start, row]))
      // So many newer bars exist that older ones are not shown.
      const shownFrom = rows.length < SHOWN ? -Infinity : (rows[0]?.start ?? -Infinity)
      for (const start of starts) {
        const row = byStart.get(start)
        if (row !== undefined) {
          this.#fresh.set(start, row)
          this.#priceless.delete(start)
        } else if (start >= shownFrom) this.#priceless.add(start)
        // From now on the open bar holds all that is known of it.
        if (start < this.#knownSince && start + this.#width >= this.#knownSince) {
          this.#knownSince = start
        }
      }
    } catch (error) {
      for (const start of starts) this.#unsure.add(start)
      this.#isPressing ||= wasPressing
      throw error
    } finally {
      const now = this.#time.monotonic()
      this.#pastFrom = now + Math.max(PAST_EVERY, REST * (now - from))
      this.#readingAsOf = null
      const behind = this.#behind
      this.#behind = []
      for (const trade of behind) this.#take(trade)
    }
  }

  /** Tells the fresh bars, oldest first, after closing the open one where its time is over. */
  #tell(): readonly object[] {
    const now = this.#time.now()
    const oldest = this.#told.length < SHOWN ? null : (this.#told[0]?.start ?? null)
    const deltas: CandleDelta[] = []
    const open = this.#openStart
    if (open !== null && now >= open + this.#width && !this.#fresh.has(open)) {
      const row = this.#told.findLast(({ start }) => start === open)
      if (row !== undefined) deltas.push({ candle: v1CandleOf(row, false), closed: true })
    }
    for (const row of [...this.#fresh.values()].sort((a, b) => a.start - b.start)) {
      if (oldest !== null && row.start < oldest) continue
      const isOpen = now < row.start + this.#width
      deltas.push({ candle: v1CandleOf(row, isOpen), closed: !isOpen })
      this.#put(row)
    }
    this.#fresh.clear()
    this.#noteOpen(now)
    const shown = this.#startOf(now) - SHOWN * this.#width
    for (const start of this.#priceless) if (start < shown) this.#priceless.delete(start)
    return deltas
  }

  #put(row: CandleRow): void {
    const at = this.#told.findIndex(({ start }) => start >= row.start)
    if (at === -1) this.#told.push(row)
    else this.#told.splice(at, this.#told[at]?.start === row.start ? 1 : 0, row)
    if (this.#told.length > SHOWN) this.#told.shift()
  }

  #noteOpen(now: Millis): void {
    const newest = this.#told.at(-1)
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
  crossesGap: false,
})

const moved = (bar: CandleRow, { price, size }: PrintedTrade): CandleRow => ({
  ...bar,
  high: Math.max(bar.high, price) as PriceE4,
  low: Math.min(bar.low, price) as PriceE4,
  close: price,
  volume: ((bar.volume ?? 0) + size) as SizeE6,
})
