import type { Steps } from '../../lib/slices.ts'

/** What decides where a row stands among others of its kind. */
export interface Stamps {
  readonly known: Float64Array
  readonly ts: Float64Array
  readonly market: Int32Array
  /** Order of arrival, which nobody needs once the rows are in order. */
  readonly arrival: Float64Array
}

/** Rows of one kind as they were read: columns that hold `count` rows and may be longer. */
export interface ReadRows {
  readonly stamps: Stamps
  /** What else is told of a row, one number or several a row. */
  readonly told: Readonly<Record<string, Float64Array | Int32Array | Uint8Array>>
  readonly capacity: number
  count: number
}

/** So many rows are looked at in one step. */
const STEP = 65_536
/** More rows of one bucket than this are sorted by the language's own sort. */
const FEW = 24

/**
 * The rows in the order of the run, by when they were known, the venue's time, market, then arrival, as
 * columns of their own. They are dealt into about as many buckets of time as there are rows, which
 * costs the same a row however many there are, and only rows of one bucket are compared.
 * @param span every row is known after `from` and by `until`
 */
export function* inRunOrder(
  rows: ReadRows,
  span: { readonly from: number; readonly until: number },
): Steps<object> {
  const { stamps, told, count } = rows
  const order = yield* orderOf(stamps, count, span)
  const { arrival: _, ...kept } = stamps
  const ordered: Record<string, Float64Array | Int32Array | Uint8Array> = {}
  for (const [name, column] of Object.entries({ ...kept, ...told })) {
    ordered[name] = gathered(column, order, column.length / rows.capacity)
    yield
  }
  return ordered
}

function* orderOf(
  stamps: Stamps,
  count: number,
  { from, until }: { readonly from: number; readonly until: number },
): Steps<Uint32Array> {
  const order = new Uint32Array(count)
  const width = Math.max(1, Math.ceil((until - from) / (2 * count)))
  const ends = new Uint32Array(Math.floor((until - from) / width) + 2)
  const buckets = { known: stamps.known, from, width, of: new Uint32Array(count), ends }
  for (let row = 0; row < count; row += STEP) {
    countBuckets(buckets, row, Math.min(count, row + STEP))
    yield
  }
  for (let at = 1; at < ends.length; at += STEP) {
    addUp(ends, at, Math.min(ends.length, at + STEP))
    yield
  }
  for (let row = 0; row < count; row += STEP) {
    deal(buckets, order, row, Math.min(count, row + STEP))
    yield
  }
  for (let bucket = 0; bucket < ends.length; bucket += STEP) {
    settleSome(ends, order, bucket, Math.min(ends.length, bucket + STEP), stamps)
    yield
  }
  return order
}

// Loops of their own: the engine does not make the loops of a generator fast.

interface Buckets {
  readonly known: Float64Array
  readonly from: number
  readonly width: number
  /** Of each row. */
  readonly of: Uint32Array
  /** Rows of the bucket before, then where each bucket begins, then where it ends. */
  readonly ends: Uint32Array
}

function countBuckets(buckets: Buckets, row: number, end: number): void {
  const { known, from, width, of, ends } = buckets
  for (; row < end; row++) {
    const bucket = Math.floor(((known[row] as number) - from) / width)
    of[row] = bucket
    ends[bucket + 1] = (ends[bucket + 1] as number) + 1
  }
}

function addUp(ends: Uint32Array, at: number, end: number): void {
  for (; at < end; at++) ends[at] = (ends[at] as number) + (ends[at - 1] as number)
}

function deal({ of, ends }: Buckets, order: Uint32Array, row: number, end: number): void {
  for (; row < end; row++) {
    const bucket = of[row] as number
    const place = ends[bucket] as number
    order[place] = row
    ends[bucket] = place + 1
  }
}

/** Sorts the rows of each of these buckets, which end where the next ones begin. */
function settleSome(
  ends: Uint32Array,
  order: Uint32Array,
  bucket: number,
  last: number,
  stamps: Stamps,
): void {
  let start = bucket === 0 ? 0 : (ends[bucket - 1] as number)
  for (; bucket < last; bucket++) {
    const end = ends[bucket] as number
    if (end - start > 1) settle(order, start, end, stamps)
    start = end
  }
}

/** Sorts the rows of one bucket. */
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

const compare = ({ known, ts, market, arrival }: Stamps, a: number, b: number): number =>
  (known[a] as number) - (known[b] as number) ||
  (ts[a] as number) - (ts[b] as number) ||
  (market[a] as number) - (market[b] as number) ||
  (arrival[a] as number) - (arrival[b] as number)

/** Rows of a column, `width` numbers a row, in another order. */
function gathered<Column extends Float64Array | Int32Array | Uint8Array>(
  column: Column,
  order: Uint32Array,
  width: number,
): Column {
  const moved = new (column.constructor as new (length: number) => Column)(order.length * width)
  if (width !== 1) gatherWide(column, moved, order, width)
  else if (column instanceof Float64Array) gatherDoubles(column, moved as Float64Array, order)
  else if (column instanceof Int32Array) gatherIntegers(column, moved as Int32Array, order)
  else gatherBytes(column, moved as Uint8Array, order)
  return moved
}

// One a kind of number: a loop that meets several kinds is many times slower for each of them.

function gatherDoubles(column: Float64Array, moved: Float64Array, order: Uint32Array): void {
  for (let at = 0; at < order.length; at++) moved[at] = column[order[at] as number] as number
}

function gatherIntegers(column: Int32Array, moved: Int32Array, order: Uint32Array): void {
  for (let at = 0; at < order.length; at++) moved[at] = column[order[at] as number] as number
}

function gatherBytes(column: Uint8Array, moved: Uint8Array, order: Uint32Array): void {
  for (let at = 0; at < order.length; at++) moved[at] = column[order[at] as number] as number
}

function gatherWide<Column extends Float64Array | Int32Array | Uint8Array>(
  column: Column,
  moved: Column,
  order: Uint32Array,
  width: number,
): void {
  for (let at = 0; at < order.length; at++) {
    const from = (order[at] as number) * width
    for (let k = 0; k < width; k++) moved[at * width + k] = column[from + k] as number
  }
}
