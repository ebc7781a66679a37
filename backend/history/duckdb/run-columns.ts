import type { Feed } from '../../domain/backtest/event-columns.ts'
import { readBytes, readDoubles, readIntegers } from './columns.ts'
import type { ReadRows } from './run-order.ts'

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
type Column = Float64Array | Int32Array | Uint8Array

/** Columns that stand before those of `COLUMNS` in what is read of every feed. */
export const STAMP_COLUMNS = ['(ts + lag)::double', 'ts::double', 'market']
const FIRST = STAMP_COLUMNS.length

/** How a column of a chunk is read into one of ours, from a row on. */
type Fill = (target: Column, chunk: Chunk, column: number, row: number) => void
const doubles: Fill = (target, chunk, column, row) => target.set(readDoubles(chunk, column), row)
const integers: Fill = (target, chunk, column, row) => target.set(readIntegers(chunk, column), row)
const bytes: Fill = (target, chunk, column, row) => target.set(readBytes(chunk, column), row)
/** Five levels that stand side by side, from columns of price and size in turn. */
const levels =
  (read: (chunk: Chunk, column: number) => ArrayLike<number>): Fill =>
  (target, chunk, column, row) => {
    for (const [level] of LEVELS.entries())
      spread(target, read(chunk, column + 2 * level), row, level)
  }

/** Name, first column, numbers a row, and how it is read. */
interface Told {
  readonly name: string
  readonly column: number
  readonly width: number
  readonly kind: new (length: number) => Column
  readonly fill: Fill
}
const told = (
  name: string,
  column: number,
  kind: Told['kind'],
  fill: Fill = kind === Float64Array ? doubles : kind === Int32Array ? integers : bytes,
  width = 1,
): Told => ({ name, column, kind, fill, width })

const TOLD: Readonly<Record<Feed, readonly Told[]>> = {
  trades: [
    told('price', 0, Int32Array),
    told('size', 1, Float64Array),
    told('taker', 2, Uint8Array),
  ],
  quotes: [
    ...[told('bid', 0, Int32Array), told('ask', 1, Int32Array)],
    ...[told('bidSize', 2, Float64Array), told('askSize', 3, Float64Array)],
  ],
  books: [
    told('bidPrice', 0, Int32Array, levels(readIntegers), 5),
    told('bidSize', 1, Float64Array, levels(readDoubles), 5),
    told('askPrice', 10, Int32Array, levels(readIntegers), 5),
    told('askSize', 11, Float64Array, levels(readDoubles), 5),
  ],
  bars: [
    ...[told('close', 0, Int32Array), told('volume', 1, Float64Array)],
    ...[told('bid', 2, Int32Array), told('ask', 3, Int32Array), told('width', 4, Float64Array)],
  ],
}

/** Columns for `capacity` rows of a feed. */
export function emptyRows(feed: Feed, capacity: number): ReadRows {
  const columns = TOLD[feed].map(({ name, kind, width }) => [name, new kind(capacity * width)])
  return {
    stamps: {
      ...{ known: new Float64Array(capacity), ts: new Float64Array(capacity) },
      ...{ market: new Int32Array(capacity), arrival: new Float64Array(capacity) },
    },
    told: Object.fromEntries(columns) as Record<string, Column>,
    ...{ capacity, count: 0 },
  }
}

/** Bytes of numbers of eight, four and one byte in a row. */
const BYTES: Readonly<Record<Feed, number>> = Object.fromEntries(
  Object.entries(TOLD).map(([feed, columns]) => [
    feed,
    columns.reduce((sum, { kind, width }) => sum + bytesIn(kind) * width, 2 * 8 + 4),
  ]),
) as Record<Feed, number>

function bytesIn(kind: Told['kind']): number {
  return kind === Float64Array ? 8 : kind === Int32Array ? 4 : 1
}

/** Bytes of `capacity` rows of a feed that lie in one buffer; their arrival is not kept. */
export const bytesOfRows = (feed: Feed, capacity: number): number =>
  Math.ceil((BYTES[feed] * capacity) / 8) * 8

const NO_ARRIVAL = new Float64Array()

/** Columns for `capacity` rows of a feed in a buffer of `bytesOfRows`, the widest numbers first. */
export function rowsOn(feed: Feed, capacity: number, buffer: ArrayBuffer): ReadRows {
  let at = 0
  const place = <C extends Column>(
    kind: new (buffer: ArrayBuffer, at: number, length: number) => C,
    width: number,
  ): C => {
    const column = new kind(buffer, at, capacity * width)
    at += column.byteLength
    return column
  }
  const told: Record<string, Column> = {}
  const [known, ts] = [place(Float64Array, 1), place(Float64Array, 1)]
  for (const { name, kind, width } of TOLD[feed]) {
    if (kind === Float64Array) told[name] = place(Float64Array, width)
  }
  const market = place(Int32Array, 1)
  for (const { name, kind, width } of TOLD[feed]) {
    if (kind === Int32Array) told[name] = place(Int32Array, width)
  }
  for (const { name, kind, width } of TOLD[feed]) {
    if (kind === Uint8Array) told[name] = place(Uint8Array, width)
  }
  return { stamps: { known, ts, market, arrival: NO_ARRIVAL }, told, capacity, count: 0 }
}

/** Adds rows of a feed to others, which must have room for them; where those keep arrival, it is their count. */
export function copyRows(
  feed: Feed,
  from: ReadRows,
  first: number,
  end: number,
  to: ReadRows,
): void {
  const at = to.count
  copyDoubles(from.stamps.known, first, end, to.stamps.known, at)
  copyDoubles(from.stamps.ts, first, end, to.stamps.ts, at)
  copyIntegers(from.stamps.market, first, end, to.stamps.market, at)
  for (const { name, kind, width } of TOLD[feed]) {
    const [source, target] = [from.told[name], to.told[name]]
    if (kind === Float64Array) {
      copyDoubles(source as Float64Array, first * width, end * width, target as Float64Array, at * width) // prettier-ignore
    } else if (kind === Int32Array) {
      copyIntegers(source as Int32Array, first * width, end * width, target as Int32Array, at * width) // prettier-ignore
    } else {
      copyBytes(source as Uint8Array, first * width, end * width, target as Uint8Array, at * width)
    }
  }
  to.count = at + end - first
  const { arrival } = to.stamps
  for (let row = at; row < arrival.length && row < to.count; row++) arrival[row] = row
}

/** So many numbers are copied faster one by one than by a call. */
const FEW = 64

// One a kind of number: shared, they would be slow for all of them.

function copyDoubles(from: Float64Array, first: number, end: number, to: Float64Array, at: number) {
  if (end - first > FEW) to.set(from.subarray(first, end), at)
  else for (let i = first; i < end; i++) to[at + i - first] = from[i] as number
}

function copyIntegers(from: Int32Array, first: number, end: number, to: Int32Array, at: number) {
  if (end - first > FEW) to.set(from.subarray(first, end), at)
  else for (let i = first; i < end; i++) to[at + i - first] = from[i] as number
}

function copyBytes(from: Uint8Array, first: number, end: number, to: Uint8Array, at: number) {
  if (end - first > FEW) to.set(from.subarray(first, end), at)
  else for (let i = first; i < end; i++) to[at + i - first] = from[i] as number
}

/**
 * Adds the rows of a chunk, their markets by the places that a table tells; those without one are left
 * out. They arrive in the order in which they come: the engine hands out what no order was asked for as it
 * was put in, of the first table of a union before the second.
 */
export function takeChunk(rows: ReadRows, feed: Feed, chunk: Chunk, places: Int32Array): void {
  const { stamps } = rows
  const first = rows.count
  stamps.known.set(readDoubles(chunk, 0), first)
  stamps.ts.set(readDoubles(chunk, 1), first)
  for (const { name, column, fill } of TOLD[feed]) {
    fill(rows.told[name] as Column, chunk, FIRST + column, first)
  }
  const { rowCount } = chunk
  const markets = readIntegers(chunk, 2)
  let kept = first
  for (let row = 0; row < rowCount; row++) {
    const place = places[markets[row] as number] ?? -1
    if (place < 0) continue
    stamps.market[kept] = place
    stamps.arrival[kept] = kept
    if (kept !== first + row) moveRow(rows, feed, first + row, kept)
    kept++
  }
  rows.count = kept
}

/** Copies a row over another, but for its market. */
function moveRow({ stamps, told: columns }: ReadRows, feed: Feed, from: number, to: number): void {
  stamps.known[to] = stamps.known[from] as number
  stamps.ts[to] = stamps.ts[from] as number
  for (const { name, width } of TOLD[feed]) {
    ;(columns[name] as Column).copyWithin(to * width, from * width, (from + 1) * width)
  }
}

/** Puts a column of one level where the levels of a row stand side by side. */
function spread(target: Column, column: ArrayLike<number>, firstRow: number, level: number): void {
  for (let i = 0; i < column.length; i++) target[(firstRow + i) * 5 + level] = column[i] as number
}
