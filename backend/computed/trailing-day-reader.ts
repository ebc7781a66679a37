import { DAY, type Millis, type MoneyE6, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { NO_PRICE } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketNumbers, MarketRecord } from '../history/market-rows.ts'
import type { HistoryTape, TapeKind, TapeWindow } from '../history/tape.ts'
import { OPEN_STATUSES } from './board/open-statuses.ts'

/** State known at a past instant of the markets that could trade or had just ended. */
export interface PastState {
  /** Ascending by market. */
  readonly records: readonly MarketRecord[]
  /** Prices and counters of each, of any age; books are excluded. */
  readonly numbers: ReadonlyMap<MarketId, MarketNumbers>
}

/** Kinds of rows that prices and counters are computed from. */
const KINDS = ['quotes', 'trades', 'activity'] as const satisfies readonly TapeKind[]
type Kind = (typeof KINDS)[number]
/** After a longer step, history is read again instead of all rows in between. */
const MAX_STEP = DAY

interface Newest {
  /** `tradeId` is null when unknown. */
  last: { readonly price: PriceE4; readonly ts: Millis; readonly tradeId: string | null } | null
  quote: MarketNumbers['quote']
  activity: MarketNumbers['activity']
}

/** Position of the next rows to read. */
interface Reading {
  readonly windows: AsyncGenerator<TapeWindow, void, undefined>
  /** The next window, prefetched. */
  coming: Promise<IteratorResult<TapeWindow, void>> | null
  window: TapeWindow | null
  readonly positions: Record<Kind | 'facts', number>
}

/**
 * Reads the state known at past instants that are requested in ascending order, such as the day
 * before during a replay: read from history once and then advanced by the rows of the tape, so that
 * an instant costs only what happened since the previous one. The result equals that of history at
 * the same instant.
 */
export class TrailingDayReader {
  readonly #tape: Pick<HistoryTape, 'windows' | 'corrected' | 'span'>
  readonly #history: Pick<HistoryStore, 'recordsAt' | 'numbersAt'>
  #at: Millis | null = null
  #reading: Reading | null = null
  readonly #records = new Map<MarketId, MarketRecord>()
  readonly #newest = new Map<MarketId, Newest>()
  /** Markets with incomplete rows here; they are read from history. */
  readonly #incomplete = new Set<MarketId>()
  #turn: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(deps: {
    tape: Pick<HistoryTape, 'windows' | 'corrected' | 'span'>
    history: Pick<HistoryStore, 'recordsAt' | 'numbersAt'>
  }) {
    this.#tape = deps.tape
    this.#history = deps.history
  }

  /** The state known at an instant; null for one before the last requested instant. */
  at(instant: Millis): Promise<PastState | null> {
    const reading = this.#turn.then(() => this.#read(instant))
    this.#turn = reading.catch(() => this.#reset())
    return reading
  }

  /**
   * Rows may have been added to history since the last read, so the next request reads it again.
   */
  invalidate(): void {
    this.#turn = this.#turn.then(() => this.#reset())
  }

  /**
   * Stops following the tape when history has rows that the tape lacks; later requests use history
   * only.
   */
  close(): Promise<unknown> {
    this.#isClosed = true
    this.invalidate()
    return this.#turn
  }

  async #read(instant: Millis): Promise<PastState | null> {
    if (this.#isClosed || (this.#at !== null && instant < this.#at)) return null
    if (this.#at === null || instant - this.#at > MAX_STEP) await this.#begin(instant)
    else await this.#resume(instant)
    this.#at = instant
    const requestedMarkets = [...this.#incomplete].filter((market) => this.#isListed(market))
    if (requestedMarkets.length > 0)
      this.#addNumbers(await this.#history.numbersAt(instant, requestedMarkets), requestedMarkets)
    return this.#currentState()
  }

  async #begin(instant: Millis): Promise<void> {
    await this.#reset()
    const records = await this.#history.recordsAt(instant, null, OPEN_STATUSES)
    const markets = records.map(({ market }) => market)
    for (const record of records) this.#records.set(record.market, record)
    this.#addNumbers(await this.#history.numbersAt(instant, markets), markets)
    const to = this.#tape.span?.last ?? instant
    this.#reading = {
      windows: this.#tape.windows(instant, to, KINDS),
      coming: null,
      window: null,
      positions: zeroPositions(),
    }
    resumeReading(this.#reading)
  }

  /**
   * Applies numbers from history, which include all rows until now; corrections apply only for
   * now.
   */
  #addNumbers(numbers: readonly MarketNumbers[], markets: readonly MarketId[]): void {
    for (const market of markets) {
      this.#newest.set(market, { last: null, quote: null, activity: null })
      if (!this.#tape.corrected.has(market)) this.#incomplete.delete(market)
      else this.#incomplete.add(market)
    }
    for (const { market, last, quote, activity } of numbers) {
      const lastTrade = last === null ? null : { ...last, tradeId: null }
      this.#newest.set(market, { last: lastTrade, quote, activity })
    }
  }

  async #resume(instant: Millis): Promise<void> {
    const reading = this.#reading
    if (reading === null) return
    for (;;) {
      if (reading.window === null) {
        const next = await reading.coming
        if (next === null || next.done === true) return
        reading.window = next.value
        resumeReading(reading)
        Object.assign(reading.positions, zeroPositions())
      }
      this.#receive(reading.window, reading.positions, instant)
      if (reading.window.until > instant) return
      reading.window = null
    }
  }

  /** Applies the rows of a window that were known by an instant. */
  #receive(window: TapeWindow, positions: Reading['positions'], instant: Millis): void {
    for (let record = window.facts[positions.facts]; record !== undefined;) {
      if (record.knownAt > instant) break
      this.#describe(record)
      positions.facts += 1
      record = window.facts[positions.facts]
    }
    for (const kind of KINDS) {
      const { market, ts, lag } = window.ticks[kind]
      let row = positions[kind]
      for (; row < market.length; row++) {
        const at = ts[row] ?? 0
        const knownAt = at + (lag[row] ?? 0)
        if (knownAt > instant) break
        const newest = this.#newest.get(market[row] ?? -1)
        if (newest === undefined) continue
        if (kind === 'quotes') onQuote(newest, window, row)
        else if (kind === 'activity') onActivity(newest, window, row)
        else if (!onTrade(newest, window, row)) this.#incomplete.add(market[row] ?? -1)
      }
      positions[kind] = row
    }
  }

  /** A market that is listed for the first time, or again, may have earlier rows. */
  #describe(record: MarketRecord): void {
    const { market } = record
    const isKnown = this.#newest.has(market)
    this.#records.set(market, record)
    if (isKnown) return
    this.#newest.set(market, { last: null, quote: null, activity: null })
    this.#incomplete.add(market)
  }

  #isListed(market: MarketId): boolean {
    const record = this.#records.get(market)
    return record !== undefined && OPEN_STATUSES.includes(record.facts.status)
  }

  #currentState(): PastState {
    const records = [...this.#records.values()]
      .filter(({ facts }) => OPEN_STATUSES.includes(facts.status))
      .sort((a, b) => a.market - b.market)
    const numbers = new Map<MarketId, MarketNumbers>()
    for (const { market } of records) {
      const { last, quote = null, activity = null } = this.#newest.get(market) ?? { last: null }
      numbers.set(market, {
        market,
        quote,
        activity,
        depth: null,
        last: last === null ? null : { price: last.price, ts: last.ts },
      })
    }
    return { records, numbers }
  }

  async #reset(): Promise<void> {
    const reading = this.#reading
    this.#reading = null
    this.#at = null
    for (const cache of [this.#records, this.#newest, this.#incomplete]) cache.clear()
    await reading?.windows.return()
  }
}

function resumeReading(reading: Reading): void {
  reading.coming = reading.windows.next()
  // The rejection is handled when the window is awaited.
  reading.coming.catch(() => {})
}

const zeroPositions = (): Reading['positions'] => ({ facts: 0, quotes: 0, trades: 0, activity: 0 })

const priceIn = (prices: Int32Array, row: number): PriceE4 | null =>
  prices[row] === NO_PRICE ? null : (prices[row] as PriceE4)
/** A size or an amount of money. */
const amountIn = (amounts: Float64Array, row: number): (SizeE6 & MoneyE6) | null =>
  Number.isNaN(amounts[row]) ? null : (amounts[row] as SizeE6 & MoneyE6)

/**
 * The newest quote is that with the highest (ts, lag, arrival); rows come in the order in which
 * they became known.
 */
function onQuote(newest: Newest, { ticks: { quotes } }: TapeWindow, row: number): void {
  const ts = quotes.ts[row] as Millis
  if (newest.quote !== null && newest.quote.ts > ts) return
  newest.quote = {
    bid: priceIn(quotes.bid, row),
    ask: priceIn(quotes.ask, row),
    bidSize: amountIn(quotes.bidSize, row),
    askSize: amountIn(quotes.askSize, row),
    ts,
    knownAt: (ts + (quotes.lag[row] ?? 0)) as Millis,
  }
}

function onActivity(newest: Newest, { ticks: { activity } }: TapeWindow, row: number): void {
  const ts = activity.ts[row] as Millis
  if (newest.activity !== null && newest.activity.ts > ts) return
  newest.activity = {
    volume: amountIn(activity.volume, row),
    volume24h: amountIn(activity.volume24h, row),
    openInterest: amountIn(activity.openInterest, row),
    lastPrice: priceIn(activity.lastPrice, row),
    ts,
  }
}

/**
 * The newest trade is that with the highest (ts, trade id); returns false when that is
 * undecidable.
 */
function onTrade(newest: Newest, { ticks: { trades } }: TapeWindow, row: number): boolean {
  if (trades.isBlock[row] === 1) return true
  const [ts, tradeId] = [trades.ts[row] as Millis, trades.tradeId[row] ?? '']
  const { last } = newest
  if (last !== null && last.ts > ts) return true
  if (last?.ts === ts) {
    if (last.tradeId === null) return false
    if (tradeId <= last.tradeId) return true
  }
  newest.last = { price: trades.price[row] as PriceE4, ts, tradeId }
  return true
}
