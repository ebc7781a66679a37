import type { Feed } from '../../../domain/backtest/event-columns.ts'
import {
  FRAME_COLUMNS,
  type Column,
  type FrameColumn,
  type NumberBytes,
} from '../../event-frames.ts'

/** A column in a block. */
export interface BlockColumn extends FrameColumn {
  /** Position in the query of its first level; the others follow. */
  readonly source: number
  /** Where its numbers begin in a block, counted in numbers of its size. */
  readonly start: number
}

/** How rows lie in a block: column after column, the widest numbers first so that all are aligned. */
export interface BlockLayout {
  readonly columns: readonly BlockColumn[]
  /** Rows of a block: a power of two. */
  readonly rows: number
  /** log2(rows): a row number shifted by it is the number of its block. */
  readonly bits: number
  /** Bytes of a block, a multiple of eight. */
  readonly bytes: number
}

const ARRIVAL: FrameColumn = { name: 'arrival', bytes: 8, width: 1 }

/** @param rows of a block: a power of two, eight or more */
export function layoutOf(feed: Feed, rows: number): BlockLayout {
  let source = 0
  const sources = [...FRAME_COLUMNS[feed], ARRIVAL].map((column) => {
    const first = source
    source += column.width
    return { ...column, source: first }
  })
  let at = 0
  const columns = sources
    .sort((a, b) => b.bytes - a.bytes)
    .map((column) => {
      const start = at / column.bytes
      at += column.bytes * column.width * rows
      return { ...column, start }
    })
  return { columns, rows, bits: Math.log2(rows), bytes: at }
}

/** Consecutive blocks as numbers of each size. */
export interface BlockMemory {
  readonly doubles: Float64Array
  readonly integers: Int32Array
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const blockMemory = (buffer: ArrayBuffer): BlockMemory => ({
  doubles: new Float64Array(buffer),
  integers: new Int32Array(buffer),
  bytes: new Uint8Array(buffer),
})

export function numbersOf(memory: BlockMemory, size: NumberBytes): Column {
  if (size === 8) return memory.doubles
  return size === 4 ? memory.integers : memory.bytes
}

/** Rows to copy and where they go. */
export interface RowTargets {
  /** Row numbers in the blocks. */
  readonly slots: Int32Array
  /** Row numbers in the source columns. */
  readonly rows: Int32Array
  count: number
}

/** One level of a column in blocks: row `r` of block `b` is at `start + b * stride + r * width + level`. */
interface LevelPosition {
  readonly start: number
  readonly stride: number
  readonly width: number
  readonly level: number
  readonly bits: number
}

const positionOf = (layout: BlockLayout, column: BlockColumn, level: number): LevelPosition => ({
  start: column.start,
  stride: layout.bytes / column.bytes,
  width: column.width,
  level,
  bits: layout.bits,
})

/** Copies rows of the query's columns into blocks. */
export function scatter(
  memory: BlockMemory,
  layout: BlockLayout,
  from: readonly Column[],
  targets: RowTargets,
): void {
  for (const column of layout.columns) {
    for (let level = 0; level < column.width; level++) {
      const source = from[column.source + level]
      const position = positionOf(layout, column, level)
      if (column.bytes === 8) {
        scatterDoubles(memory.doubles, source as Float64Array, targets, position)
      } else if (column.bytes === 4) {
        scatterIntegers(memory.integers, source as Int32Array, targets, position)
      } else scatterBytes(memory.bytes, source as Uint8Array, targets, position)
    }
  }
}

/** Copies a column of blocks into `to`, with the rows in the given order. */
export function gather(
  memory: BlockMemory,
  layout: BlockLayout,
  column: BlockColumn,
  order: Uint32Array,
  to: Column,
): void {
  for (let level = 0; level < column.width; level++) {
    const position = positionOf(layout, column, level)
    if (column.bytes === 8) gatherDoubles(memory.doubles, to as Float64Array, order, position)
    else if (column.bytes === 4) gatherIntegers(memory.integers, to as Int32Array, order, position)
    else gatherBytes(memory.bytes, to as Uint8Array, order, position)
  }
}

// One function per number type: V8 compiles a loop over several typed-array types many times slower.

function scatterDoubles(
  to: Float64Array,
  from: Float64Array,
  { slots, rows, count }: RowTargets,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}

function scatterIntegers(
  to: Int32Array,
  from: Int32Array,
  { slots, rows, count }: RowTargets,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}

function scatterBytes(
  to: Uint8Array,
  from: Uint8Array,
  { slots, rows, count }: RowTargets,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number
    const at = start + (slot >> bits) * stride + (slot & mask) * width + level
    to[at] = from[rows[i] as number] as number
  }
}

function gatherDoubles(
  from: Float64Array,
  to: Float64Array,
  order: Uint32Array,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const at = start + (row >> bits) * stride + (row & mask) * width + level
    to[i * width + level] = from[at] as number
  }
}

function gatherIntegers(
  from: Int32Array,
  to: Int32Array,
  order: Uint32Array,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const at = start + (row >> bits) * stride + (row & mask) * width + level
    to[i * width + level] = from[at] as number
  }
}

function gatherBytes(
  from: Uint8Array,
  to: Uint8Array,
  order: Uint32Array,
  { start, stride, width, level, bits }: LevelPosition,
): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const at = start + (row >> bits) * stride + (row & mask) * width + level
    to[i * width + level] = from[at] as number
  }
}
