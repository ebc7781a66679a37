import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBBlobVector,
  DuckDBDataChunk,
  INTEGER,
  UTINYINT,
  VARCHAR,
  type DuckDBAppender,
  type DuckDBType,
  type DuckDBVector,
} from '@duckdb/node-api'
import type { PriceE4 } from '../../../domain/units.ts'

/** A column to append: its type and how to fill `count` rows from row `from` on. */
export interface ColumnSource {
  readonly type: DuckDBType
  readonly fill: (vector: DuckDBVector, from: number, count: number) => void
}

/** Rows of a data chunk, the engine's own unit. */
const CHUNK_ROWS = 2048
const TWO_32 = 4_294_967_296

/**
 * The memory of a fixed-width vector. It is private in the library, but item-by-item access is
 * many times slower.
 */
const memoryOf = <A extends ArrayBufferView>(vector: DuckDBVector, shape: new () => A): A => {
  const { items } = vector as unknown as { readonly items: unknown }
  if (items instanceof shape) return items
  throw new TypeError(`A column of type ${vector.type.toString()} was read as ${shape.name}`)
}
const setItem = (vector: DuckDBVector, index: number, value: unknown): void =>
  (vector as unknown as { setItem(index: number, value: unknown): void }).setItem(index, value)

/** Appends `rowCount` rows, chunk by chunk; they are visible once the appender is flushed. */
export function appendColumns(
  appender: DuckDBAppender,
  columns: readonly ColumnSource[],
  rowCount: number,
): void {
  const types = columns.map((column) => column.type)
  for (let from = 0; from < rowCount; from += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rowCount - from)
    const chunk = DuckDBDataChunk.create(types, count)
    columns.forEach((column, index) => {
      const vector = chunk.getColumnVector(index)
      column.fill(vector, from, count)
      vector.flush()
    })
    appender.appendDataChunk(chunk)
  }
}

/** INTEGER column; values equal to `absent` become NULL. */
export const integers = (values: Int32Array, absent: number | null = null): ColumnSource => ({
  type: INTEGER,
  fill: (vector, from, count) => {
    memoryOf(vector, Int32Array).set(values.subarray(from, from + count))
    if (absent === null) return
    for (let i = 0; i < count; i++) if (values[from + i] === absent) setItem(vector, i, null)
  },
})

/**
 * BIGINT column of whole numbers within 2^53; NaN becomes NULL. Written as two 32-bit words,
 * without BigInt.
 */
export const wholes = (values: Float64Array): ColumnSource => ({
  type: BIGINT,
  fill: (vector, from, count) => {
    const items = memoryOf(vector, BigInt64Array)
    const halves = new Int32Array(items.buffer, items.byteOffset, count * 2)
    for (let i = 0; i < count; i++) {
      const value = values[from + i] ?? NaN
      if (Number.isNaN(value)) {
        halves[2 * i] = 0
        halves[2 * i + 1] = 0
        setItem(vector, i, null)
        continue
      }
      const high = Math.floor(value / TWO_32)
      halves[2 * i] = (value - high * TWO_32) | 0
      halves[2 * i + 1] = high
    }
  },
})

/** UTINYINT column. */
export const bytes = (values: Uint8Array): ColumnSource => ({
  type: UTINYINT,
  fill: (vector, from, count) => {
    memoryOf(vector, Uint8Array).set(values.subarray(from, from + count))
  },
})

const itemwise = (
  type: DuckDBType,
  values: readonly (string | number | boolean | DuckDBBlobValue | null)[],
): ColumnSource => ({
  type,
  fill: (vector, from, count) => {
    for (let i = 0; i < count; i++) setItem(vector, i, values[from + i] ?? null)
  },
})

/** VARCHAR column. */
export const texts = (values: readonly (string | null)[]): ColumnSource => itemwise(VARCHAR, values)
/** BLOB column. */
export const blobs = (values: readonly Uint8Array[]): ColumnSource =>
  itemwise(
    BLOB,
    values.map((value) => new DuckDBBlobValue(value)),
  )
/** DOUBLE column. */
export const doubles = (values: readonly (number | null)[]): ColumnSource =>
  itemwise(DOUBLE, values)
/** BOOLEAN column. */
export const flags = (values: ArrayLike<number | boolean>): ColumnSource =>
  itemwise(
    BOOLEAN,
    Array.from(values, (value) => Boolean(value)),
  )
/** BIGINT column of whole numbers or nulls. */
export const wholesOrNull = (values: readonly (number | null)[]): ColumnSource =>
  wholes(Float64Array.from(values, (value) => value ?? NaN))
/** INTEGER column of numbers or nulls; `absent` is a value that does not occur in the column. */
export const integersOrNull = (values: readonly (number | null)[], absent = -1): ColumnSource =>
  integers(
    Int32Array.from(values, (value) => value ?? absent),
    absent,
  )

/** A DOUBLE column of a result; NULLs must have been replaced in the query (`nan` where absent). */
export const readDoubles = (chunk: DuckDBDataChunk, column: number): Float64Array =>
  memoryOf(chunk.getColumnVector(column), Float64Array)

/** An INTEGER column of a result; NULLs must have been replaced in the query (-1 where absent). */
export const readIntegers = (chunk: DuckDBDataChunk, column: number): Int32Array =>
  memoryOf(chunk.getColumnVector(column), Int32Array)

/** A UTINYINT column of a result without NULLs. */
export const readBytes = (chunk: DuckDBDataChunk, column: number): Uint8Array =>
  memoryOf(chunk.getColumnVector(column), Uint8Array)

/** A BLOB column of a result. */
export function readBlobs(chunk: DuckDBDataChunk, column: number): (Uint8Array | null)[] {
  const vector = chunk.getColumnVector(column)
  if (!(vector instanceof DuckDBBlobVector)) throw new TypeError('A column of blobs was expected')
  return Array.from({ length: chunk.rowCount }, (_, i) => vector.getItemBytes(i))
}

/** A VARCHAR column of a result. */
export const readTexts = (chunk: DuckDBDataChunk, column: number): (string | null)[] =>
  chunk.getColumnVector(column).toArray() as (string | null)[]

/** A number read with NaN for absent. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

/** A price read with a negative value for absent. */
export const priceOrNull = (value: number | undefined): PriceE4 | null =>
  value === undefined || value < 0 ? null : (value as PriceE4)

/**
 * Releases the memory of a chunk's columns, which must not be read afterwards. Without this, a
 * long read makes the garbage collector scan the whole heap many times a second, because it counts
 * this memory as its own.
 */
export function release(chunk: DuckDBDataChunk): void {
  for (let column = 0; column < chunk.columnCount; column++) {
    const { items } = chunk.getColumnVector(column) as unknown as { readonly items: unknown }
    if (ArrayBuffer.isView(items)) (items.buffer as ArrayBuffer).transfer(0)
  }
}
