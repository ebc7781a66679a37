import type { ChangeRow } from '../../change-events.ts'
import {
  type ActivityColumns,
  type BookColumns,
  type CandleColumns,
  type FactsRow,
  type HistoryBatch,
  NO_PRICE,
  type QuoteColumns,
  type TradeColumns,
} from '../../history-batch.ts'
import type { TradeCorrection } from '../../market-rows.ts'
import {
  appendColumns,
  bytes,
  doubles,
  flags,
  integers,
  integersOrNull,
  texts,
  wholes,
  wholesOrNull,
  type ColumnSource,
} from '../engine/columns.ts'
import type { Session, Writer } from '../engine/connections.ts'
import { correctionColumns, type Corrections } from './corrections.ts'
import { coverageColumns } from '../coverage/coverage.ts'
import type { GapIndex } from '../coverage/gap-index.ts'
import type { Spans } from './spans.ts'

const BOOK_LEVELS = 5

interface StampColumns {
  readonly market: Int32Array
  readonly ts: Float64Array
  readonly lag: Float64Array
  readonly origin: Uint8Array
}

const prices = (values: Int32Array): ColumnSource => integers(values, NO_PRICE)

const stampColumns = (rows: StampColumns): ColumnSource[] => [
  integers(rows.market),
  wholes(rows.ts),
  wholes(rows.lag),
  bytes(rows.origin),
]

const tradeColumns = (rows: TradeColumns): ColumnSource[] => [
  ...stampColumns(rows),
  texts(rows.tradeId),
  prices(rows.price),
  wholes(rows.size),
  bytes(rows.taker),
  flags(rows.isBlock),
]

const quoteColumns = (rows: QuoteColumns): ColumnSource[] => [
  ...stampColumns(rows),
  prices(rows.bid),
  prices(rows.ask),
  wholes(rows.bidSize),
  wholes(rows.askSize),
]

const candleColumns = (rows: CandleColumns): ColumnSource[] => [
  ...stampColumns(rows),
  wholes(rows.start),
  wholes(rows.width),
  prices(rows.open),
  prices(rows.high),
  prices(rows.low),
  prices(rows.close),
  wholes(rows.volume),
  prices(rows.bidClose),
  prices(rows.askClose),
]

const activityColumns = (rows: ActivityColumns): ColumnSource[] => [
  ...stampColumns(rows),
  wholes(rows.volume),
  wholes(rows.volume24h),
  wholes(rows.openInterest),
  prices(rows.lastPrice),
]

function bookColumns(rows: BookColumns): ColumnSource[] {
  const count = rows.market.length
  const side = (price: Int32Array, size: Float64Array): ColumnSource[] =>
    Array.from({ length: BOOK_LEVELS }, (_, level) => {
      const levelPrice = new Int32Array(count)
      const levelSize = new Float64Array(count)
      for (let row = 0; row < count; row++) {
        const at = row * BOOK_LEVELS + level
        levelPrice[row] = price[at] ?? NO_PRICE
        levelSize[row] = levelPrice[row] === NO_PRICE ? NaN : (size[at] ?? NaN)
      }
      return [prices(levelPrice), wholes(levelSize)]
    }).flat()
  return [
    ...stampColumns(rows),
    ...side(rows.bidPrice, rows.bidSize),
    ...side(rows.askPrice, rows.askSize),
  ]
}

function factsColumns(rows: readonly FactsRow[], firstSeq: number): ColumnSource[] {
  const facts = rows.map((row) => row.facts)
  return [
    integers(Int32Array.from(rows, (row) => row.market)),
    wholes(Float64Array.from(rows, (row) => row.knownAt)),
    wholes(Float64Array.from(rows, (_, index) => firstSeq + index)),
    texts(facts.map((fact) => fact.title)),
    texts(facts.map((fact) => fact.subtitle)),
    texts(facts.map((fact) => fact.description)),
    texts(facts.map((fact) => fact.rulesUrl)),
    texts(facts.map((fact) => fact.eventId)),
    texts(facts.map((fact) => fact.eventTitle)),
    texts(facts.map((fact) => fact.seriesId)),
    texts(facts.map((fact) => fact.seriesTitle)),
    texts(facts.map((fact) => fact.category)),
    texts(facts.map((fact) => JSON.stringify(fact.tags))),
    texts(facts.map((fact) => fact.status)),
    texts(facts.map((fact) => fact.result)),
    integersOrNull(facts.map((fact) => fact.settlementPrice)),
    wholesOrNull(facts.map((fact) => fact.openTime)),
    wholesOrNull(facts.map((fact) => fact.closeTime)),
    wholesOrNull(facts.map((fact) => fact.expirationTime)),
    flags(facts.map((fact) => fact.exclusive)),
    texts(facts.map((fact) => JSON.stringify(fact.priceRanges))),
    texts(facts.map((fact) => fact.volumeUnit)),
    texts(facts.map((fact) => JSON.stringify(fact.aliases))),
    texts(facts.map((fact) => JSON.stringify(fact.assetIds))),
  ]
}

const textOf = (value: number | string | null): string | null =>
  typeof value === 'string' ? value : null
const numberOf = (value: number | string | null): number | null =>
  typeof value === 'number' ? value : null

const changeColumns = (rows: readonly ChangeRow[]): ColumnSource[] => [
  texts(rows.map((row) => row.id)),
  integers(Int32Array.from(rows, (row) => row.market)),
  texts(rows.map((row) => row.type)),
  wholes(Float64Array.from(rows, (row) => row.at)),
  doubles(rows.map((row) => numberOf(row.before))),
  texts(rows.map((row) => textOf(row.before))),
  doubles(rows.map((row) => numberOf(row.after))),
  texts(rows.map((row) => textOf(row.after))),
  doubles(rows.map((row) => row.delta)),
  wholesOrNull(rows.map((row) => row.knownAt ?? null)),
]

/** In-memory indexes of the history's rows. */
export interface HistoryIndexes {
  readonly spans: Spans
  readonly corrections: Corrections
  readonly gaps: GapIndex
}

/** Appends batches: all kinds of a batch in one transaction. */
export class BatchAppender {
  readonly #writer: Writer
  readonly #indexes: HistoryIndexes
  #nextFactsSeq: number

  /** @param nextFactsSeq above every stored `market_version.seq` */
  constructor(writer: Writer, indexes: HistoryIndexes, nextFactsSeq: number) {
    this.#writer = writer
    this.#indexes = indexes
    this.#nextFactsSeq = nextFactsSeq
  }

  /** @param appendRelated further writes in the transaction of the batch */
  async append(
    batch: HistoryBatch,
    appendRelated: (session: Session) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const { trades, quotes, books, candles, activity, facts, changes } = batch
    const { coverage, corrections } = batch
    const ticks = { trade: trades, quote: quotes, book: books, candle: candles, activity } as const
    const seq = this.#nextFactsSeq
    this.#nextFactsSeq += facts?.length ?? 0
    await this.#writer.transaction(
      async (session) => {
        if (trades) await this.#fill('trade_recent', tradeColumns(trades), trades.market.length)
        if (quotes) await this.#fill('quote_recent', quoteColumns(quotes), quotes.market.length)
        if (books) await this.#fill('book_recent', bookColumns(books), books.market.length)
        if (candles)
          await this.#fill('candle_recent', candleColumns(candles), candles.market.length)
        if (activity) {
          await this.#fill('activity_recent', activityColumns(activity), activity.market.length)
        }
        if (facts) await this.#fill('market_version', factsColumns(facts, seq), facts.length)
        if (changes) await this.#fill('change_event', changeColumns(changes), changes.length)
        if (coverage) await this.#fill('coverage', coverageColumns(coverage), coverage.length)
        if (corrections) {
          await this.#fill('trade_correction', correctionColumns(corrections), corrections.length)
        }
        await appendRelated(session)
      },
      () => {
        const { spans, gaps } = this.#indexes
        for (const [kind, rows] of Object.entries(ticks)) {
          if (rows) spans.widenBy(kind as keyof typeof ticks, rows.market, rows.ts)
        }
        if (coverage) gaps.add(coverage)
        if (corrections) addCorrections(this.#indexes, corrections)
      },
    )
  }

  async #fill(table: string, columns: readonly ColumnSource[], rowCount: number): Promise<void> {
    if (rowCount === 0) return
    const appender = await this.#writer.appender(table)
    appendColumns(appender, columns, rowCount)
    appender.flushSync()
  }
}

/** Adds trade corrections to the memory; a trade may have moved beyond the bounds of its market. */
export function addCorrections(
  { spans, corrections }: Pick<HistoryIndexes, 'spans' | 'corrections'>,
  newCorrections: readonly TradeCorrection[],
): void {
  corrections.add(newCorrections)
  for (const { market, corrected } of newCorrections) {
    if (corrected !== null) spans.widen('trade', market, corrected.ts, corrected.ts, 0)
  }
}
