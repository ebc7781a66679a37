import type { Feed } from '../../../domain/backtest/event-columns.ts'
import { FRAME_COLUMNS, type Column, type NumberBytes } from '../../event-frames.ts'

const LEVELS = [1, 2, 3, 4, 5]

const price = (column: string): string => `coalesce(${column}, -1)`
const size = (column: string): string => `coalesce(${column}::double, 'nan'::double)`
const prices = (side: string): string[] => LEVELS.map((level) => price(`${side}_price_${level}`))
const sizes = (side: string): string[] => LEVELS.map((level) => size(`${side}_size_${level}`))

const FEED_COLUMNS: Readonly<Record<Feed, readonly string[]>> = {
  trades: ['price', 'size::double', 'taker'],
  quotes: [price('bid'), price('ask'), size('bid_size'), size('ask_size')],
  books: [...prices('bid'), ...sizes('bid'), ...prices('ask'), ...sizes('ask')],
  bars: [price('close'), size('volume'), price('bid_close'), price('ask_close'), 'width::double'],
}

/** Order of arrival within a market, exact for four parts (see `point-in-time-views.ts`) of 2^50 rows. */
const ARRIVAL = `(part * ${2 ** 50} + seq)::double`

/** SQL expressions of a feed: those of `FRAME_COLUMNS` in their order, five for a column of levels, then arrival. */
export const sqlColumns = (feed: Feed): string[] => [
  '(ts + lag)::double',
  'ts::double',
  'market',
  ...FEED_COLUMNS[feed],
  ARRIVAL,
]

/** Positions in the query. */
export const KNOWN_AT_COLUMN = 0
export const MARKET_COLUMN = 2

/** Rows of a batch that is sent to the sort thread: several chunks of the engine. */
export const BATCH_ROWS = 32_768

/** Bytes of a number of each column of the query. */
export function sourceBytes(feed: Feed): NumberBytes[] {
  const frame = FRAME_COLUMNS[feed].flatMap(({ bytes, width }) =>
    Array<NumberBytes>(width).fill(bytes),
  )
  return [...frame, 8]
}

export const batchBytes = (feed: Feed): number =>
  BATCH_ROWS * sourceBytes(feed).reduce<number>((sum, bytes) => sum + bytes, 0)

/** The columns of the query in the memory of a batch. */
export function batchColumns(feed: Feed, batch: SharedArrayBuffer): Column[] {
  let at = 0
  return sourceBytes(feed).map((bytes) => {
    const start = at
    at += BATCH_ROWS * bytes
    if (bytes === 8) return new Float64Array(batch, start, BATCH_ROWS)
    if (bytes === 4) return new Int32Array(batch, start, BATCH_ROWS)
    return new Uint8Array(batch, start, BATCH_ROWS)
  })
}
