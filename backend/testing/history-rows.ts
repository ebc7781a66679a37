import {
  type ActivityColumns,
  type BookColumns,
  type CandleColumns,
  NO_PRICE,
  type QuoteColumns,
  type TradeColumns,
} from '../history/history-batch.ts'

interface RowStamp {
  readonly market: number
  readonly ts: number
  readonly lag?: number
  readonly origin?: 0 | 1 | 2 | 3
}
type Absent = number | null

const ints = <R>(rows: readonly R[], value: (row: R) => Absent | undefined): Int32Array =>
  Int32Array.from(rows, (row) => value(row) ?? NO_PRICE)
const floats = <R>(rows: readonly R[], value: (row: R) => Absent | undefined): Float64Array =>
  Float64Array.from(rows, (row) => value(row) ?? NaN)
const stamps = (rows: readonly RowStamp[]) => ({
  market: Int32Array.from(rows, (row) => row.market),
  ts: Float64Array.from(rows, (row) => row.ts),
  lag: Float64Array.from(rows, (row) => row.lag ?? 0),
  origin: Uint8Array.from(rows, (row) => row.origin ?? 0),
})

export interface TradeInput extends RowStamp {
  readonly tradeId: string
  readonly price: number
  readonly size?: number
  readonly taker?: 0 | 1 | 2
  readonly isBlock?: boolean
}
/** Converts rows to the columns that the history appends. */
export const tradeColumns = (rows: readonly TradeInput[]): TradeColumns => ({
  ...stamps(rows),
  tradeId: rows.map((row) => row.tradeId),
  price: ints(rows, (row) => row.price),
  size: floats(rows, (row) => row.size ?? 1_000_000),
  taker: Uint8Array.from(rows, (row) => row.taker ?? 0),
  isBlock: Uint8Array.from(rows, (row) => (row.isBlock === true ? 1 : 0)),
})

export interface QuoteInput extends RowStamp {
  readonly bid: Absent
  readonly ask: Absent
  readonly bidSize?: Absent
  readonly askSize?: Absent
}
export const quoteColumns = (rows: readonly QuoteInput[]): QuoteColumns => ({
  ...stamps(rows),
  bid: ints(rows, (row) => row.bid),
  ask: ints(rows, (row) => row.ask),
  bidSize: floats(rows, (row) => row.bidSize),
  askSize: floats(rows, (row) => row.askSize),
})

export interface BookInput extends RowStamp {
  /** [price, size], best first. */
  readonly bids: readonly (readonly [number, number])[]
  readonly asks: readonly (readonly [number, number])[]
}
export const bookColumns = (rows: readonly BookInput[]): BookColumns => {
  const level = (side: 'bids' | 'asks', field: 0 | 1, absent: number) =>
    rows.flatMap((row) => [0, 1, 2, 3, 4].map((at) => row[side][at]?.[field] ?? absent))
  return {
    ...stamps(rows),
    bidPrice: Int32Array.from(level('bids', 0, NO_PRICE)),
    bidSize: Float64Array.from(level('bids', 1, NaN)),
    askPrice: Int32Array.from(level('asks', 0, NO_PRICE)),
    askSize: Float64Array.from(level('asks', 1, NaN)),
  }
}

export interface CandleInput extends Omit<RowStamp, 'ts'> {
  readonly start: number
  readonly width: number
  /** Open, high, low, close; null in a period without a trade. */
  readonly prices: readonly [number, number, number, number] | null
  readonly volume: Absent
}
export const candleColumns = (rows: readonly CandleInput[]): CandleColumns => ({
  ...stamps(rows.map((row) => ({ ...row, ts: row.start + row.width }))),
  start: Float64Array.from(rows, (row) => row.start),
  width: Float64Array.from(rows, (row) => row.width),
  open: ints(rows, (row) => row.prices?.[0]),
  high: ints(rows, (row) => row.prices?.[1]),
  low: ints(rows, (row) => row.prices?.[2]),
  close: ints(rows, (row) => row.prices?.[3]),
  volume: floats(rows, (row) => row.volume),
  bidClose: ints(rows, () => null),
  askClose: ints(rows, () => null),
})

export interface ActivityInput extends RowStamp {
  readonly volume: Absent
  readonly volume24h: Absent
  readonly openInterest: Absent
  readonly lastPrice?: Absent
}
export const activityColumns = (rows: readonly ActivityInput[]): ActivityColumns => ({
  ...stamps(rows),
  volume: floats(rows, (row) => row.volume),
  volume24h: floats(rows, (row) => row.volume24h),
  openInterest: floats(rows, (row) => row.openInterest),
  lastPrice: ints(rows, (row) => row.lastPrice ?? null),
})
