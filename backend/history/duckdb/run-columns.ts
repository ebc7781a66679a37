import type { Feed } from '../../domain/backtest/event-columns.ts'
import { FRAME_COLUMNS, type Column, type FrameColumn, type NumberBytes } from '../run-frames.ts'
import { BATCH_ROWS } from './run-messages.ts'

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

/** Columns that stand before those of `COLUMNS` in what is read of every feed. */
export const STAMP_COLUMNS = ['(ts + lag)::double', 'ts::double', 'market']
const KNOWN = 0
const MARKET = 2

interface Told extends FrameColumn {
  /** Where it stands in the query: one column, or those of five levels. */
  readonly columns: readonly number[]
}

/** @param firsts where each column of the feed stands in the query; prices and sizes of levels stand in turn */
const toldOf = (feed: Feed, firsts: readonly number[]): Told[] =>
  FRAME_COLUMNS[feed].map((column, i) => {
    const first = firsts[i] as number
    const columns = Array.from({ length: column.width }, (_, level) => first + 2 * level)
    return { ...column, columns }
  })
const TOLD: Readonly<Record<Feed, readonly Told[]>> = {
  trades: toldOf('trades', [KNOWN, 1, MARKET, 3, 4, 5]),
  quotes: toldOf('quotes', [KNOWN, 1, MARKET, 3, 4, 5, 6]),
  books: toldOf('books', [KNOWN, 1, MARKET, 3, 4, 13, 14]),
  bars: toldOf('bars', [KNOWN, 1, MARKET, 3, 4, 5, 6, 7]),
}

/** Bytes of the numbers of each column of the query. */
export function sourceBytes(feed: Feed): NumberBytes[] {
  const kinds: NumberBytes[] = []
  for (const { bytes, columns } of TOLD[feed]) for (const source of columns) kinds[source] = bytes
  return kinds
}

/** The columns of the query in a batch of rows, which lie one after another. */
export function batchColumns(feed: Feed, batch: SharedArrayBuffer): Column[] {
  let at = 0
  return sourceBytes(feed).map((bytes) => {
    const start = at
    at += BATCH_ROWS * bytes
    if (bytes === 8) return new Float64Array(batch, start, BATCH_ROWS)
    return bytes === 4
      ? new Int32Array(batch, start, BATCH_ROWS)
      : new Uint8Array(batch, start, BATCH_ROWS)
  })
}

/** A column in a block. */
export interface BlockColumn extends Told {
  /** Where its numbers begin, counted in numbers of its kind; a row has one, or five side by side. */
  readonly start: number
}

/** How rows lie in blocks of one size: a block holds column after column, the widest numbers first. */
export interface BlockLayout {
  readonly columns: readonly BlockColumn[]
  /** Rows of a block: a power of two. */
  readonly rows: number
  /** Of a row's place among blocks that lie side by side, the block is what is above so many bits. */
  readonly bits: number
  /** Of a whole block, a multiple of eight. */
  readonly bytes: number
}

/** @param rows of a block: a power of two, eight or more */
export function layoutOf(feed: Feed, rows: number): BlockLayout {
  const columns: BlockColumn[] = []
  let at = 0
  for (const told of TOLD[feed].toSorted((a, b) => b.bytes - a.bytes)) {
    columns.push({ ...told, start: at / told.bytes })
    at += told.bytes * told.columns.length * rows
  }
  return { columns, rows, bits: Math.log2(rows), bytes: at }
}

/** The numbers of a buffer, as each kind of them. */
export interface Numbers {
  readonly doubles: Float64Array
  readonly integers: Int32Array
  readonly bytes: Uint8Array<ArrayBuffer>
}
export const numbersIn = (buffer: ArrayBuffer): Numbers => ({
  doubles: new Float64Array(buffer),
  integers: new Int32Array(buffer),
  bytes: new Uint8Array(buffer),
})

export const numbersOf = ({ doubles, integers, bytes }: Numbers, kind: NumberBytes): Column =>
  kind === 8 ? doubles : kind === 4 ? integers : bytes

/** Rows that go somewhere, `count` of them. */
export interface Placed {
  /** Their places among blocks that lie side by side. */
  readonly slots: Int32Array
  /** Their rows in the columns. */
  readonly rows: Int32Array
  /** What stands for their markets. */
  readonly markets: Int32Array
  count: number
}

export const knownIn = (columns: readonly Column[]): Float64Array => columns[KNOWN] as Float64Array
export const marketsIn = (columns: readonly Column[]): Int32Array => columns[MARKET] as Int32Array

/** Puts rows where they belong in blocks that lie side by side. */
export function placeRows(
  into: Numbers,
  { columns, bits, bytes: size }: BlockLayout,
  from: readonly Column[],
  placed: Placed,
): void {
  for (const { start, bytes, columns: sources } of columns) {
    const width = sources.length
    for (const [level, source] of sources.entries()) {
      const where = { start, width, level, stride: size / bytes, bits }
      if (bytes === 8) placeDoubles(into.doubles, from[source] as Float64Array, placed, where)
      else if (bytes === 1) placeBytes(into.bytes, from[source] as Uint8Array, placed, where)
      else if (source === MARKET) placeMarkets(into.integers, placed, where)
      else placeIntegers(into.integers, from[source] as Int32Array, placed, where)
    }
  }
}

/** A level of a column in blocks: of row `r` of block `b` at `start + b * stride + r * width + level`. */
export interface LevelInBlock {
  readonly start: number
  readonly stride: number
  readonly width: number
  readonly level: number
  readonly bits: number
}

// One a kind of number: a loop that meets several kinds is many times slower for each of them.

function placeDoubles(
  to: Float64Array,
  from: Float64Array,
  placed: Placed,
  where: LevelInBlock,
): void {
  const { slots, rows, count } = placed
  const { start, width, level, stride, bits } = where
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}

function placeIntegers(
  to: Int32Array,
  from: Int32Array,
  placed: Placed,
  where: LevelInBlock,
): void {
  const { slots, rows, count } = placed
  const { start, width, level, stride, bits } = where
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}

function placeMarkets(to: Int32Array, placed: Placed, where: LevelInBlock): void {
  const { slots, markets, count } = placed
  const { start, stride, bits } = where
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    to[start + (slot >> bits) * stride + (slot & mask)] = markets[i] as number
  }
}

function placeBytes(to: Uint8Array, from: Uint8Array, placed: Placed, where: LevelInBlock): void {
  const { slots, rows, count } = placed
  const { start, width, level, stride, bits } = where
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}
