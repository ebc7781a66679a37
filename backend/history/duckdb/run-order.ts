import type { Column } from '../run-frames.ts'
import { numbersOf, type BlockColumn, type BlockLayout, type Numbers } from './run-columns.ts'
import { gather } from './run-gather.ts'

/** Rows of one kind in the order in which they came, in blocks side by side that are full but for the last. */
export interface DealtRows {
  readonly layout: BlockLayout
  readonly numbers: Numbers
  readonly count: number
}

/** Instants are told apart by so many bits at first: two digits. */
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
/** Of rows that are not told apart by then, more than this are sorted by the language's own sort. */
const FEW = 24

/**
 * Puts the rows into columns of their own in the order of the run: by when they were known, the venue's
 * time, market, then arrival. They are dealt twice by parts of the instant, which costs the same a row however
 * many there are; only rows that fall on one part are compared.
 * @param span every row is known after `from` and by `until`
 * @param into columns of all names that the rows have, as long as they need to be
 */
export function inRunOrder(
  rows: DealtRows,
  span: { readonly from: number; readonly until: number },
  into: Readonly<Record<string, Column>>,
): void {
  const order = orderOf(rows, span)
  for (const column of rows.layout.columns) {
    gather(rows, column, order, into[column.name] as Column)
  }
}

/** One column of one number a row, as it lies in blocks. */
interface Lying<C extends Column> {
  readonly of: C
  readonly start: number
  readonly stride: number
  readonly bits: number
}

function lying<C extends Column>({ layout, numbers }: DealtRows, name: string): Lying<C> {
  const column = layout.columns.find((one) => one.name === name) as BlockColumn
  return {
    of: numbersOf(numbers, column.bytes) as C,
    ...{ start: column.start, stride: layout.bytes / column.bytes, bits: layout.bits },
  }
}

function orderOf(
  rows: DealtRows,
  { from, until }: { readonly from: number; readonly until: number },
): Uint32Array {
  const { count } = rows
  const known = lying<Float64Array>(rows, 'known')
  const keys = { of: new Uint32Array(count), from: from + 1, scale: (DIGITS * DIGITS) / (until - from) } // prettier-ignore
  const [low, high] = [new Uint32Array(DIGITS), new Uint32Array(DIGITS)]
  countDigits(known, keys, low, high)
  addUp(low)
  addUp(high)
  const [once, order] = [new Uint32Array(count), new Uint32Array(count)]
  dealByLow(keys.of, low, once)
  dealByHigh(keys.of, high, once, order)
  const stamps = {
    ...{ known, ts: lying<Float64Array>(rows, 'ts') },
    market: lying<Int32Array>(rows, 'market'),
  }
  settleAll(keys.of, order, stamps)
  return order
}

interface Keys {
  /** Of each row: grows with its instant. */
  readonly of: Uint32Array
  readonly from: number
  readonly scale: number
}

function countDigits(
  { of, start, stride, bits }: Lying<Float64Array>,
  keys: Keys,
  low: Uint32Array,
  high: Uint32Array,
): void {
  const { of: keyOf, from, scale } = keys
  const mask = (1 << bits) - 1
  for (let row = 0; row < keyOf.length; row++) {
    const known = of[start + (row >> bits) * stride + (row & mask)] as number
    const key = ((known - from) * scale) | 0
    keyOf[row] = key
    const [lowDigit, highDigit] = [key & (DIGITS - 1), key >> DIGIT_BITS]
    low[lowDigit] = (low[lowDigit] as number) + 1
    high[highDigit] = (high[highDigit] as number) + 1
  }
}

/** Makes counts the places at which each digit begins. */
function addUp(counts: Uint32Array): void {
  let sum = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit] as number
    counts[digit] = sum
    sum += count
  }
}

function dealByLow(keys: Uint32Array, begins: Uint32Array, to: Uint32Array): void {
  for (let row = 0; row < to.length; row++) {
    const digit = (keys[row] as number) & (DIGITS - 1)
    const place = begins[digit] as number
    to[place] = row
    begins[digit] = place + 1
  }
}

function dealByHigh(
  keys: Uint32Array,
  begins: Uint32Array,
  from: Uint32Array,
  to: Uint32Array,
): void {
  for (let at = 0; at < to.length; at++) {
    const row = from[at] as number
    const digit = (keys[row] as number) >> DIGIT_BITS
    const place = begins[digit] as number
    to[place] = row
    begins[digit] = place + 1
  }
}

interface Stamps {
  readonly known: Lying<Float64Array>
  readonly ts: Lying<Float64Array>
  readonly market: Lying<Int32Array>
}

/** Sorts the rows of each key: those of one stand together, as they came. */
function settleAll(keys: Uint32Array, order: Uint32Array, stamps: Stamps): void {
  let key = keys[order[0] as number] as number
  for (let at = 1; at < order.length; at++) {
    const next = keys[order[at] as number] as number
    if (next === key) {
      at = settleKey(keys, order, at, key, stamps)
      if (at < order.length) key = keys[order[at] as number] as number
    } else key = next
  }
}

/** Sorts the rows of a key of which `at` is one; answers the place after the last of them. */
function settleKey(
  keys: Uint32Array,
  order: Uint32Array,
  at: number,
  key: number,
  stamps: Stamps,
): number {
  let [start, end] = [at, at + 1]
  while (start > 0 && keys[order[start - 1] as number] === key) start--
  while (end < order.length && keys[order[end] as number] === key) end++
  settle(order, start, end, stamps)
  return end
}

function settle(order: Uint32Array, start: number, end: number, stamps: Stamps): void {
  if (end - start > FEW) {
    order.subarray(start, end).sort((a, b) => compare(stamps, a, b))
    return
  }
  for (let at = start + 1; at < end; at++) {
    const row = order[at] as number
    let place = at
    while (place > start && compare(stamps, order[place - 1] as number, row) > 0) {
      order[place] = order[place - 1] as number
      place--
    }
    order[place] = row
  }
}

/** Rows arrive in the order of their numbers. */
const compare = ({ known, ts, market }: Stamps, a: number, b: number): number =>
  doubleOf(known, a) - doubleOf(known, b) ||
  doubleOf(ts, a) - doubleOf(ts, b) ||
  integerOf(market, a) - integerOf(market, b) ||
  a - b

const doubleOf = ({ of, start, stride, bits }: Lying<Float64Array>, row: number): number =>
  of[start + (row >> bits) * stride + (row & ((1 << bits) - 1))] as number
const integerOf = ({ of, start, stride, bits }: Lying<Int32Array>, row: number): number =>
  of[start + (row >> bits) * stride + (row & ((1 << bits) - 1))] as number
