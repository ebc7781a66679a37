import type {
  ActivityReported,
  BookChanged,
  CandlePublished,
  Origin,
  QuoteChanged,
  TradePrinted,
} from '../venues/connector.ts'
import type { BookLevel, Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { CoverageFeed } from '../domain/coverage-feed.ts'
import type { CoverageRow } from '../history/coverage.ts'
import {
  type ActivityColumns,
  type BookColumns,
  type CandleColumns,
  type FactsRow,
  type HistoryBatch,
  NO_PRICE,
  ORIGINS,
  type QuoteColumns,
  type TradeColumns,
} from '../history/history-batch.ts'
import type { MarketId } from '../history/market-key.ts'
import type { TradeCorrection } from '../history/market-rows.ts'

/** An event with the market id of the history. */
export interface Row<E> {
  readonly market: MarketId
  readonly event: E
}

/** A span of a venue's feed whose rows were dropped before they reached the disk. */
export interface LostRows {
  readonly venue: Venue
  readonly feed: CoverageFeed
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
}

/** Levels per side that the history stores. */
const DEPTH = 5

/** Rows waiting to be written, in arrival order. */
export class PendingRows {
  #trades: Row<TradePrinted>[] = []
  #quotes: Row<QuoteChanged>[] = []
  #books: Row<BookChanged>[] = []
  #candles: Row<CandlePublished>[] = []
  #activity: Row<ActivityReported>[] = []
  #facts: FactsRow[] = []
  #coverage: CoverageRow[] = []
  #corrections: TradeCorrection[] = []

  /** The earliest `known at` of the waiting rows; Infinity when none waits. */
  knownFrom = Number.POSITIVE_INFINITY

  get count(): number {
    return (
      this.#trades.length +
      this.#quotes.length +
      this.#books.length +
      this.#candles.length +
      this.#activity.length +
      this.#facts.length +
      this.#coverage.length +
      this.#corrections.length
    )
  }

  addFacts(rows: readonly FactsRow[]): void {
    this.#facts.push(...rows)
    for (const { knownAt } of rows) this.knownFrom = Math.min(this.knownFrom, knownAt)
  }

  addCoverage(rows: readonly CoverageRow[]): void {
    this.#coverage.push(...rows)
    for (const { knownAt } of rows) this.knownFrom = Math.min(this.knownFrom, knownAt)
  }

  addCorrection(row: TradeCorrection): void {
    this.#corrections.push(row)
    this.knownFrom = Math.min(this.knownFrom, row.knownAt)
  }

  add(
    market: MarketId,
    event: TradePrinted | QuoteChanged | BookChanged | CandlePublished | ActivityReported,
  ): void {
    this.knownFrom = Math.min(this.knownFrom, event.receivedAt)
    switch (event.type) {
      case 'trade_printed':
        this.#trades.push({ market, event })
        break
      case 'quote_changed':
        this.#quotes.push({ market, event })
        break
      case 'book_changed':
        this.#books.push({ market, event })
        break
      case 'candle_published':
        this.#candles.push({ market, event })
        break
      case 'activity_reported':
        this.#activity.push({ market, event })
        break
    }
  }

  /**
   * Drops the waiting quotes and books with their counters; returns the lost spans of each feed.
   */
  shedQuotes(): readonly LostRows[] {
    const lostQuotes = lostSpans('quotes', [...this.#quotes, ...this.#books])
    this.#quotes = []
    this.#books = []
    this.#activity = []
    return lostQuotes
  }

  /** Drops the waiting trades; returns them and the lost spans of each feed. */
  shedTrades(): { readonly trades: readonly TradePrinted[]; readonly lost: readonly LostRows[] } {
    const trades = this.#trades.map(({ event }) => event)
    const lostTrades = lostSpans('trades', this.#trades)
    this.#trades = []
    return { trades, lost: lostTrades }
  }

  /** Returns all waiting rows as one batch of columns and empties the buffer. */
  take(): HistoryBatch {
    const batch: HistoryBatch = {
      ...(this.#trades.length > 0 && { trades: tradeColumns(this.#trades) }),
      ...(this.#quotes.length > 0 && { quotes: quoteColumns(this.#quotes) }),
      ...(this.#books.length > 0 && { books: bookColumns(this.#books) }),
      ...(this.#candles.length > 0 && { candles: candleColumns(this.#candles) }),
      ...(this.#activity.length > 0 && { activity: activityColumns(this.#activity) }),
      ...(this.#facts.length > 0 && { facts: this.#facts }),
      ...(this.#coverage.length > 0 && { coverage: this.#coverage }),
      ...(this.#corrections.length > 0 && { corrections: this.#corrections }),
    }
    this.#trades = []
    this.#quotes = []
    this.#books = []
    this.#candles = []
    this.#activity = []
    this.#facts = []
    this.#coverage = []
    this.#corrections = []
    this.knownFrom = Number.POSITIVE_INFINITY
    return batch
  }
}

/** One span per venue, from the first lost row to just after the last. */
function lostSpans(
  feed: CoverageFeed,
  rows: readonly { readonly event: { readonly venue: Venue; readonly at: Millis } }[],
): readonly LostRows[] {
  const byVenue = new Map<Venue, LostRows>()
  for (const { event } of rows) {
    const { venue, at } = event
    const existing = byVenue.get(venue) ?? { venue, feed, from: at, to: at }
    byVenue.set(venue, extendLoss(existing, { from: at, to: (at + 1) as Millis }))
  }
  return [...byVenue.values()]
}

/** The loss extended by another span. */
export const extendLoss = (lostRows: LostRows, span: Pick<LostRows, 'from' | 'to'>): LostRows => ({
  ...lostRows,
  from: Math.min(lostRows.from, span.from) as Millis,
  to: Math.max(lostRows.to, span.to) as Millis,
})

const codeOf = (origin: Origin): number => ORIGINS.indexOf(origin)

interface StampedRow {
  readonly at: number
  readonly receivedAt: number
  readonly origin: Origin
}

/**
 * One column of a batch. It uses indexed loops because mapping through `TypedArray.from` costs
 * several times as much, and every row of the history is processed here.
 */
function column<E, C extends Int32Array | Float64Array | Uint8Array>(
  rows: readonly Row<E>[],
  collection: C,
  valueOf: (event: E) => number,
): C {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index]
    if (row !== undefined) collection[index] = valueOf(row.event)
  }
  return collection
}

const prices = <E>(rows: readonly Row<E>[], pick: (event: E) => number | null): Int32Array =>
  column(rows, new Int32Array(rows.length), (event) => pick(event) ?? NO_PRICE)

const amounts = <E>(rows: readonly Row<E>[], pick: (event: E) => number | null): Float64Array =>
  column(rows, new Float64Array(rows.length), (event) => pick(event) ?? Number.NaN)

const codes = <E>(rows: readonly Row<E>[], pick: (event: E) => number): Uint8Array =>
  column(rows, new Uint8Array(rows.length), pick)

function tickColumns(rows: readonly Row<StampedRow>[]) {
  const market = new Int32Array(rows.length)
  for (let index = 0; index < rows.length; index += 1) market[index] = rows[index]?.market ?? 0
  return {
    market,
    ts: amounts(rows, (event) => event.at),
    lag: amounts(rows, (event) => Math.max(0, event.receivedAt - event.at)),
    origin: codes(rows, (event) => codeOf(event.origin)),
  }
}

const TAKER_CODES = { yes: 1, no: 2 } as const

export const tradeColumns = (rows: readonly Row<TradePrinted>[]): TradeColumns => ({
  ...tickColumns(rows),
  tradeId: rows.map((row) => row.event.tradeId),
  price: prices(rows, (event) => event.price),
  size: amounts(rows, (event) => event.size),
  taker: codes(rows, (event) => (event.takerSide === null ? 0 : TAKER_CODES[event.takerSide])),
  isBlock: codes(rows, (event) => (event.isBlock ? 1 : 0)),
})

export const quoteColumns = (rows: readonly Row<QuoteChanged>[]): QuoteColumns => ({
  ...tickColumns(rows),
  bid: prices(rows, (event) => event.bid),
  ask: prices(rows, (event) => event.ask),
  bidSize: amounts(rows, (event) => event.bidSize),
  askSize: amounts(rows, (event) => event.askSize),
})

export const candleColumns = (rows: readonly Row<CandlePublished>[]): CandleColumns => ({
  ...tickColumns(rows),
  start: amounts(rows, (event) => event.start),
  width: amounts(rows, (event) => event.width),
  open: prices(rows, (event) => event.open),
  high: prices(rows, (event) => event.high),
  low: prices(rows, (event) => event.low),
  close: prices(rows, (event) => event.close),
  volume: amounts(rows, (event) => event.volume),
  bidClose: prices(rows, (event) => event.bidClose),
  askClose: prices(rows, (event) => event.askClose),
})

export const activityColumns = (rows: readonly Row<ActivityReported>[]): ActivityColumns => ({
  ...tickColumns(rows),
  volume: amounts(rows, (event) => event.volume),
  volume24h: amounts(rows, (event) => event.volume24h),
  openInterest: amounts(rows, (event) => event.openInterest),
  lastPrice: prices(rows, (event) => event.lastPrice),
})

export function bookColumns(rows: readonly Row<BookChanged>[]): BookColumns {
  const bidPrice = new Int32Array(rows.length * DEPTH).fill(NO_PRICE)
  const askPrice = new Int32Array(rows.length * DEPTH).fill(NO_PRICE)
  const bidSize = new Float64Array(rows.length * DEPTH).fill(Number.NaN)
  const askSize = new Float64Array(rows.length * DEPTH).fill(Number.NaN)
  const writeLevels = (
    row: number,
    levels: readonly BookLevel[],
    toPrice: Int32Array,
    toSize: Float64Array,
  ) => {
    levels.slice(0, DEPTH).forEach((level, depth) => {
      toPrice[row * DEPTH + depth] = level.price
      toSize[row * DEPTH + depth] = level.size
    })
  }
  rows.forEach(({ event }, row) => {
    writeLevels(row, event.bids, bidPrice, bidSize)
    writeLevels(row, event.asks, askPrice, askSize)
  })
  return { ...tickColumns(rows), bidPrice, bidSize, askPrice, askSize }
}
