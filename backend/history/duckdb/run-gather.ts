import type { Column } from '../run-frames.ts'
import type { BlockColumn, BlockLayout, LevelInBlock, Numbers } from './run-columns.ts'

/** Rows in blocks side by side. */
interface Blocks {
  readonly layout: BlockLayout
  readonly numbers: Numbers
}

/** Fills `moved` with the rows of a column in another order. */
export function gather(
  { layout, numbers }: Blocks,
  column: BlockColumn,
  order: Uint32Array,
  moved: Column,
): void {
  const { start, bytes, columns } = column
  const width = columns.length
  for (let level = 0; level < width; level++) {
    const where = { start, stride: layout.bytes / bytes, bits: layout.bits, width, level }
    if (bytes === 8) gatherDoubles(numbers.doubles, moved as Float64Array, order, where)
    else if (bytes === 4)
      gatherIntegers(numbers.integers, moved as Int32Array, order, where) // prettier-ignore
    else gatherBytes(numbers.bytes, moved as Uint8Array, order, where)
  }
}

// One a kind of number: a loop that meets several kinds is many times slower for each of them.

function gatherDoubles(
  from: Float64Array,
  to: Float64Array,
  order: Uint32Array,
  { start, stride, bits, width, level }: LevelInBlock,
): void {
  const mask = (1 << bits) - 1
  for (let at = 0; at < order.length; at++) {
    const row = order[at] as number
    to[at * width + level] = from[
      start + (row >> bits) * stride + (row & mask) * width + level
    ] as number
  }
}

function gatherIntegers(
  from: Int32Array,
  to: Int32Array,
  order: Uint32Array,
  { start, stride, bits, width, level }: LevelInBlock,
): void {
  const mask = (1 << bits) - 1
  for (let at = 0; at < order.length; at++) {
    const row = order[at] as number
    to[at * width + level] = from[
      start + (row >> bits) * stride + (row & mask) * width + level
    ] as number
  }
}

function gatherBytes(
  from: Uint8Array,
  to: Uint8Array,
  order: Uint32Array,
  { start, stride, bits, width, level }: LevelInBlock,
): void {
  const mask = (1 << bits) - 1
  for (let at = 0; at < order.length; at++) {
    const row = order[at] as number
    to[at * width + level] = from[
      start + (row >> bits) * stride + (row & mask) * width + level
    ] as number
  }
}
