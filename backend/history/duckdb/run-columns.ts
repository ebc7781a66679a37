import type {
  BarRows,
  BookRows,
  Feed,
  QuoteRows,
  TradeRows,
} from '../../domain/backtest/event-columns.ts'
import { readBytes, readDoubles, readIntegers } from './columns.ts'

const LEVELS = [1, 2, 3, 4, 5]
const levelColumns = (side: string): string[] =>
  LEVELS.flatMap((n) => [
    `coalesce(${side}_price_${n}, -1)`,
    `coalesce(${side}_size_${n}::double, 'nan'::double)`,
  ])
const sizeOf = (column: string): string => `coalesce(${column}::double, 'nan'::double)`
const priceOf = (column: string): string => `coalesce(${column}, -1)`

/** What a row of each feed tells beside its times and market. */
export const COLUMNS: Readonly<Record<Feed, readonly string[]>> = {
  trades: ['price', 'size::double', 'taker'],
  quotes: [priceOf('bid'), priceOf('ask'), sizeOf('bid_size'), sizeOf('ask_size')],
  books: [...levelColumns('bid'), ...levelColumns('ask')],
  bars: [
    priceOf('close'),
    sizeOf('volume'),
    priceOf('bid_close'),
    priceOf('ask_close'),
    'width::double',
  ],
}

type Chunk = Parameters<typeof readDoubles>[0]
interface Stamps {
  readonly known: Float64Array
  readonly ts: Float64Array
  readonly market: Int32Array
  /** Order of arrival; gone once the rows of each instant are in order. */
  arrival?: Float64Array
}
interface Reader<Rows> {
  readonly empty: (count: number) => Rows
  readonly take: (rows: Rows, chunk: Chunk, row: number) => void
}

const stampsOf = (count: number): Stamps => ({
  known: new Float64Array(count),
  ts: new Float64Array(count),
  market: new Int32Array(count),
  arrival: new Float64Array(count),
})

function takeStamps(rows: Stamps, chunk: Chunk, row: number): void {
  rows.known.set(readDoubles(chunk, 0), row)
  rows.ts.set(readDoubles(chunk, 1), row)
  rows.market.set(readIntegers(chunk, 2), row)
  rows.arrival?.set(readDoubles(chunk, 3), row)
}

const FIRST = 4

const tradeReader: Reader<TradeRows> = {
  empty: (count) => ({
    ...stampsOf(count),
    price: new Int32Array(count),
    size: new Float64Array(count),
    taker: new Uint8Array(count),
  }),
  take(rows, chunk, row) {
    takeStamps(rows, chunk, row)
    rows.price.set(readIntegers(chunk, FIRST), row)
    rows.size.set(readDoubles(chunk, FIRST + 1), row)
    rows.taker.set(readBytes(chunk, FIRST + 2), row)
  },
}

const quoteReader: Reader<QuoteRows> = {
  empty: (count) => ({
    ...stampsOf(count),
    bid: new Int32Array(count),
    ask: new Int32Array(count),
    bidSize: new Float64Array(count),
    askSize: new Float64Array(count),
  }),
  take(rows, chunk, row) {
    takeStamps(rows, chunk, row)
    rows.bid.set(readIntegers(chunk, FIRST), row)
    rows.ask.set(readIntegers(chunk, FIRST + 1), row)
    rows.bidSize.set(readDoubles(chunk, FIRST + 2), row)
    rows.askSize.set(readDoubles(chunk, FIRST + 3), row)
  },
}

const bookReader: Reader<BookRows> = {
  empty: (count) => ({
    ...stampsOf(count),
    bidPrice: new Int32Array(count * 5),
    bidSize: new Float64Array(count * 5),
    askPrice: new Int32Array(count * 5),
    askSize: new Float64Array(count * 5),
  }),
  take(rows, chunk, row) {
    takeStamps(rows, chunk, row)
    for (let level = 0; level < 5; level++) {
      const bids = FIRST + 2 * level
      const asks = bids + 10
      spread(rows.bidPrice, readIntegers(chunk, bids), row, level)
      spread(rows.bidSize, readDoubles(chunk, bids + 1), row, level)
      spread(rows.askPrice, readIntegers(chunk, asks), row, level)
      spread(rows.askSize, readDoubles(chunk, asks + 1), row, level)
    }
  },
}

const barReader: Reader<BarRows> = {
  empty: (count) => ({
    ...stampsOf(count),
    close: new Int32Array(count),
    volume: new Float64Array(count),
    bid: new Int32Array(count),
    ask: new Int32Array(count),
    width: new Float64Array(count),
  }),
  take(rows, chunk, row) {
    takeStamps(rows, chunk, row)
    rows.close.set(readIntegers(chunk, FIRST), row)
    rows.volume.set(readDoubles(chunk, FIRST + 1), row)
    rows.bid.set(readIntegers(chunk, FIRST + 2), row)
    rows.ask.set(readIntegers(chunk, FIRST + 3), row)
    rows.width.set(readDoubles(chunk, FIRST + 4), row)
  },
}

const erased = <Rows extends object>({ empty, take }: Reader<Rows>): Reader<object> => ({
  empty,
  take: (rows, chunk, row) => take(rows as Rows, chunk, row),
})

/** How the rows of each feed are read, from the columns that `COLUMNS` names. */
export const READERS: Readonly<Record<Feed, Reader<object>>> = {
  trades: erased(tradeReader),
  quotes: erased(quoteReader),
  books: erased(bookReader),
  bars: erased(barReader),
}

/** Puts a column of one level where the levels of a row stand side by side. */
function spread(
  target: Int32Array | Float64Array,
  column: ArrayLike<number>,
  firstRow: number,
  level: number,
): void {
  for (let i = 0; i < column.length; i++) target[(firstRow + i) * 5 + level] = column[i] as number
}

/**
 * Puts rows that were known at one instant in order: by the venue's time, then market, then arrival. They
 * come sorted by market, so that only late rows and rows of one market at one instant ever move.
 */
export function settleInstants(rows: object): void {
  const { known, ts, market, arrival } = rows as Stamps
  if (arrival === undefined) return
  const isAfter = (a: number, b: number): boolean =>
    ((ts[a] ?? 0) - (ts[b] ?? 0) ||
      (market[a] ?? 0) - (market[b] ?? 0) ||
      (arrival[a] ?? 0) - (arrival[b] ?? 0)) > 0
  for (let from = 0; from < known.length;) {
    let to = from + 1
    let isInOrder = true
    while (to < known.length && known[to] === known[from]) {
      if (isAfter(to - 1, to)) isInOrder = false
      to++
    }
    if (!isInOrder) {
      const order = Array.from({ length: to - from }, (_, i) => from + i)
      order.sort((a, b) => (isAfter(a, b) ? 1 : -1))
      for (const column of Object.values(rows) as Float64Array[]) permute(column, known.length, from, order) // prettier-ignore
    }
    from = to
  }
  delete (rows as Stamps).arrival
}

/** Puts rows of a column, one number or several a row, in another order from a row on. */
function permute(
  column: Float64Array | Int32Array | Uint8Array,
  rowCount: number,
  from: number,
  order: readonly number[],
): void {
  const width = column.length / rowCount
  const moved = order.flatMap((row) => Array.from(column.subarray(row * width, (row + 1) * width)))
  column.set(moved, from * width)
}
