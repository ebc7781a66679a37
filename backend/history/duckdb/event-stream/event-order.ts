import { FRAME_COLUMNS, type Column } from '../../event-frames.ts'
import type { Feed } from '../../../domain/backtest/event-columns.ts'
import {
  gather,
  numbersOf,
  type BlockColumn,
  type BlockLayout,
  type BlockMemory,
} from './blocks.ts'
import type { TimeSpan } from './sort-messages.ts'

/** Rows of one feed in consecutive blocks, which are full except for the last. */
export interface UnorderedRows {
  readonly layout: BlockLayout
  readonly memory: BlockMemory
  readonly count: number
}

/** Radix sort by instant: two passes of so many bits. */
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
/** Longer runs of rows with the same key are sorted by the built-in sort instead of insertion sort. */
const MAX_INSERTION = 24

/**
 * Writes rows in event order: by when they were known, the venue's time, market, then arrival. A radix sort
 * by the instant, scaled to 22 bits, leaves only rows with equal keys to compare.
 * @param span every row is known after `from` and by `until`
 * @param output the columns of a section, in the order of `FRAME_COLUMNS`
 */
export function writeInOrder(
  feed: Feed,
  rows: UnorderedRows,
  span: TimeSpan,
  output: readonly Column[],
): void {
  const order = orderOf(rows, span)
  for (const [index, { name }] of FRAME_COLUMNS[feed].entries()) {
    gather(rows.memory, rows.layout, columnOf(rows.layout, name), order, output[index] as Column)
  }
}

const columnOf = (layout: BlockLayout, name: string): BlockColumn =>
  layout.columns.find((column) => column.name === name) as BlockColumn

/** A column with one number a row, in blocks. */
interface StampColumn<Numbers extends Column> {
  readonly numbers: Numbers
  readonly start: number
  readonly stride: number
  readonly bits: number
}

function readStampColumn<Numbers extends Column>(
  { layout, memory }: UnorderedRows,
  name: string,
): StampColumn<Numbers> {
  const column = columnOf(layout, name)
  return {
    numbers: numbersOf(memory, column.bytes) as Numbers,
    start: column.start,
    stride: layout.bytes / column.bytes,
    bits: layout.bits,
  }
}

function orderOf(rows: UnorderedRows, { from, until }: TimeSpan): Uint32Array {
  const { count } = rows
  const knownAt = readStampColumn<Float64Array>(rows, 'known')
  const keys = new Uint32Array(count)
  const low = new Uint32Array(DIGITS)
  const high = new Uint32Array(DIGITS)
  computeKeys(knownAt, keys, { from: from + 1, scale: (DIGITS * DIGITS) / (until - from) })
  for (const key of keys) {
    low[key & (DIGITS - 1)] = (low[key & (DIGITS - 1)] as number) + 1
    high[key >> DIGIT_BITS] = (high[key >> DIGIT_BITS] as number) + 1
  }
  toOffsets(low)
  toOffsets(high)
  const byLow = new Uint32Array(count)
  const order = new Uint32Array(count)
  distributeByLow(keys, low, byLow)
  distributeByHigh(keys, high, byLow, order)
  const compare = comparator({
    known: knownAt,
    ts: readStampColumn(rows, 'ts'),
    market: readStampColumn(rows, 'market'),
    arrival: readStampColumn(rows, 'arrival'),
  })
  sortEqualKeys(keys, order, compare)
  return order
}

/** Keys grow with the instant. */
function computeKeys(
  { numbers, start, stride, bits }: StampColumn<Float64Array>,
  keys: Uint32Array,
  { from, scale }: { readonly from: number; readonly scale: number },
): void {
  const mask = (1 << bits) - 1
  for (let row = 0; row < keys.length; row++) {
    const knownAt = numbers[start + (row >> bits) * stride + (row & mask)] as number
    keys[row] = ((knownAt - from) * scale) | 0
  }
}

/** Replaces counts by the start offset of each digit. */
function toOffsets(counts: Uint32Array): void {
  let sum = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit] as number
    counts[digit] = sum
    sum += count
  }
}

function distributeByLow(keys: Uint32Array, offsets: Uint32Array, to: Uint32Array): void {
  for (let row = 0; row < to.length; row++) {
    const digit = (keys[row] as number) & (DIGITS - 1)
    const target = offsets[digit] as number
    to[target] = row
    offsets[digit] = target + 1
  }
}

function distributeByHigh(
  keys: Uint32Array,
  offsets: Uint32Array,
  from: Uint32Array,
  to: Uint32Array,
): void {
  for (let index = 0; index < to.length; index++) {
    const row = from[index] as number
    const digit = (keys[row] as number) >> DIGIT_BITS
    const target = offsets[digit] as number
    to[target] = row
    offsets[digit] = target + 1
  }
}

type Comparator = (a: number, b: number) => number

function sortEqualKeys(keys: Uint32Array, order: Uint32Array, compare: Comparator): void {
  let start = 0
  for (let index = 1; index <= order.length; index++) {
    const isSame =
      index < order.length && keys[order[index] as number] === keys[order[start] as number]
    if (isSame) continue
    if (index - start > 1) sortRange(order, start, index, compare)
    start = index
  }
}

function sortRange(order: Uint32Array, start: number, end: number, compare: Comparator): void {
  if (end - start > MAX_INSERTION) {
    order.subarray(start, end).sort(compare)
    return
  }
  for (let index = start + 1; index < end; index++) {
    const row = order[index] as number
    let target = index
    while (target > start && compare(order[target - 1] as number, row) > 0) {
      order[target] = order[target - 1] as number
      target--
    }
    order[target] = row
  }
}

interface Stamps {
  readonly known: StampColumn<Float64Array>
  readonly ts: StampColumn<Float64Array>
  readonly market: StampColumn<Int32Array>
  readonly arrival: StampColumn<Float64Array>
}

function comparator({ known, ts, market, arrival }: Stamps): Comparator {
  return (a, b) =>
    doubleAt(known, a) - doubleAt(known, b) ||
    doubleAt(ts, a) - doubleAt(ts, b) ||
    integerAt(market, a) - integerAt(market, b) ||
    doubleAt(arrival, a) - doubleAt(arrival, b)
}

function doubleAt(
  { numbers, start, stride, bits }: StampColumn<Float64Array>,
  row: number,
): number {
  return numbers[start + (row >> bits) * stride + (row & ((1 << bits) - 1))] as number
}

function integerAt({ numbers, start, stride, bits }: StampColumn<Int32Array>, row: number): number {
  return numbers[start + (row >> bits) * stride + (row & ((1 << bits) - 1))] as number
}
