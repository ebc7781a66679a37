import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { TapeTicks } from '../../tape.ts'
import { readBytes, readDoubles, readIntegers, readTexts } from '../engine/columns.ts'
import type { TickKind } from '../ticks/spans.ts'

const LEVELS = [0, 1, 2, 3, 4]
const BOOK_LEVELS = LEVELS.length
const sizeOf = (column: string): string => `coalesce(${column}::double, 'nan'::double)`
const priceOf = (column: string): string => `coalesce(${column}, -1)`
const sideOf = (side: string): string[] =>
  LEVELS.flatMap((n) => [priceOf(`${side}_price_${n + 1}`), sizeOf(`${side}_size_${n + 1}`)])

/** Columns read for each kind besides market, ts, lag and origin. */
export const TAPE_COLUMNS: Readonly<Record<TickKind, readonly string[]>> = {
  trade: ['trade_id', priceOf('price'), sizeOf('size'), 'taker', 'is_block::utinyint'],
  quote: [priceOf('bid'), priceOf('ask'), sizeOf('bid_size'), sizeOf('ask_size')],
  book: [...sideOf('bid'), ...sideOf('ask')],
  candle: [
    'start::double',
    'width::double',
    ...['open', 'high', 'low', 'close'].map(priceOf),
    sizeOf('volume'),
    priceOf('bid_close'),
    priceOf('ask_close'),
  ],
  activity: [...['volume', 'volume_24h', 'open_interest'].map(sizeOf), priceOf('last_price')],
}
const FIRST = 4

type Chunks = readonly DuckDBDataChunk[]

/** One column of all chunks of a result. */
function concatColumn<A extends Int32Array | Float64Array | Uint8Array>(
  chunks: Chunks,
  ArrayType: new (length: number) => A,
  read: (chunk: DuckDBDataChunk, column: number) => A,
  column: number,
): A {
  const wholeColumn = new ArrayType(chunks.reduce((rows, { rowCount }) => rows + rowCount, 0))
  let row = 0
  for (const chunk of chunks) {
    wholeColumn.set(read(chunk, column).subarray(0, chunk.rowCount), row)
    row += chunk.rowCount
  }
  return wholeColumn
}

const doubles = (chunks: Chunks, column: number) =>
  concatColumn(chunks, Float64Array, readDoubles, column)
const integers = (chunks: Chunks, column: number) =>
  concatColumn(chunks, Int32Array, readIntegers, column)
const bytes = (chunks: Chunks, column: number) =>
  concatColumn(chunks, Uint8Array, readBytes, column)

const stampsOf = (chunks: Chunks) => ({
  market: integers(chunks, 0),
  ts: doubles(chunks, 1),
  lag: doubles(chunks, 2),
  origin: bytes(chunks, 3),
})

/** Levels stored in separate columns, interleaved into rows. */
function levelsOf<A extends Int32Array | Float64Array>(
  ArrayType: new (length: number) => A,
  columns: readonly A[],
): A {
  const rows = columns[0]?.length ?? 0
  const levels = new ArrayType(rows * BOOK_LEVELS)
  for (const [level, column] of columns.entries()) {
    for (let row = 0; row < rows; row++) levels[row * BOOK_LEVELS + level] = column[row] ?? NaN
  }
  return levels
}

function bookOf(chunks: Chunks): TapeTicks['books'] {
  const prices = (first: number) =>
    levelsOf(
      Int32Array,
      LEVELS.map((n) => integers(chunks, first + 2 * n)),
    )
  const sizes = (first: number) =>
    levelsOf(
      Float64Array,
      LEVELS.map((n) => doubles(chunks, first + 2 * n + 1)),
    )
  const asks = FIRST + 2 * BOOK_LEVELS
  return {
    ...stampsOf(chunks),
    bidPrice: prices(FIRST),
    bidSize: sizes(FIRST),
    askPrice: prices(asks),
    askSize: sizes(asks),
  }
}

/** The rows of a result of each kind, ready to be appended again. */
export const TAPE_READERS = {
  trade: (chunks: Chunks): TapeTicks['trades'] => ({
    ...stampsOf(chunks),
    tradeId: chunks.flatMap((chunk) => readTexts(chunk, FIRST).map((id) => id ?? '')),
    price: integers(chunks, FIRST + 1),
    size: doubles(chunks, FIRST + 2),
    taker: bytes(chunks, FIRST + 3),
    isBlock: bytes(chunks, FIRST + 4),
  }),
  quote: (chunks: Chunks): TapeTicks['quotes'] => ({
    ...stampsOf(chunks),
    bid: integers(chunks, FIRST),
    ask: integers(chunks, FIRST + 1),
    bidSize: doubles(chunks, FIRST + 2),
    askSize: doubles(chunks, FIRST + 3),
  }),
  book: bookOf,
  candle: (chunks: Chunks): TapeTicks['candles'] => ({
    ...stampsOf(chunks),
    start: doubles(chunks, FIRST),
    width: doubles(chunks, FIRST + 1),
    open: integers(chunks, FIRST + 2),
    high: integers(chunks, FIRST + 3),
    low: integers(chunks, FIRST + 4),
    close: integers(chunks, FIRST + 5),
    volume: doubles(chunks, FIRST + 6),
    bidClose: integers(chunks, FIRST + 7),
    askClose: integers(chunks, FIRST + 8),
  }),
  activity: (chunks: Chunks): TapeTicks['activity'] => ({
    ...stampsOf(chunks),
    volume: doubles(chunks, FIRST),
    volume24h: doubles(chunks, FIRST + 1),
    openInterest: doubles(chunks, FIRST + 2),
    lastPrice: integers(chunks, FIRST + 3),
  }),
} as const
