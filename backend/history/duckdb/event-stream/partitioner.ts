import type { Feed } from '../../../domain/backtest/event-columns.ts'
import type { Column } from '../../event-frames.ts'
import {
  blockMemory,
  layoutOf,
  scatter,
  type BlockLayout,
  type BlockMemory,
  type RowTargets,
} from './blocks.ts'
import { KNOWN_AT_COLUMN, MARKET_COLUMN } from './columns.ts'
import type { UnorderedRows } from './event-order.ts'
import type { ScratchFile } from './scratch-file.ts'
import type { TimeSpan } from './sort-messages.ts'

/** Rows of a block, powers of two. */
const MAX_BLOCK_ROWS = 4_096
const MIN_BLOCK_ROWS = 128
/** Memory of all blocks that are being filled. */
const MAX_FILLING_BYTES = 32 * 1024 * 1024
/** Rows whose targets are computed together: few enough to stay in the processor's cache. */
const ROWS_PER_BATCH = 2_048

const NO_SPAN: TimeSpan = { from: 0, until: -1 }

/**
 * Partitions the rows of a feed by the span of time in which they became known, so that a table is
 * scanned once however many spans there are. Full blocks are written to the scratch file.
 */
export class Partitioner {
  readonly #layout: BlockLayout
  readonly #spans: readonly TimeSpan[]
  readonly #scratch: ScratchFile
  /** Index in the query of each market; −1 for markets that it does not name. */
  readonly #indexByMarket: Int32Array
  /** Positions in the scratch file of the blocks of each span. */
  readonly #writtenFrames: readonly number[][]
  /** Rows in the current block of each span; these blocks are adjacent in `#filling`. */
  readonly #rowCounts: Int32Array
  readonly #counts: Float64Array
  #filling: BlockMemory
  readonly #targets: RowTargets = {
    slots: new Int32Array(ROWS_PER_BATCH),
    rows: new Int32Array(ROWS_PER_BATCH),
    count: 0,
  }
  /** The span of the previous row. */
  #lastSpan = 0
  /** The span whose block is full, or −1. */
  #full = -1

  /** @param spans ascending and disjoint */
  constructor(
    feed: Feed,
    spans: readonly TimeSpan[],
    indexByMarket: Int32Array,
    scratch: ScratchFile,
  ) {
    this.#spans = spans
    this.#indexByMarket = indexByMarket
    this.#scratch = scratch
    this.#writtenFrames = spans.map(() => [])
    this.#rowCounts = new Int32Array(spans.length)
    this.#counts = new Float64Array(spans.length)
    const rowBytes = layoutOf(feed, 8).bytes / 8
    const fitting = 2 ** Math.floor(Math.log2(MAX_FILLING_BYTES / (spans.length * rowBytes)))
    this.#layout = layoutOf(feed, Math.min(MAX_BLOCK_ROWS, Math.max(MIN_BLOCK_ROWS, fitting)))
    this.#filling = blockMemory(new ArrayBuffer(spans.length * this.#layout.bytes))
  }

  /**
   * Adds rows; rows outside of all spans or of other markets are skipped.
   * @param columns of the query; stored market ids are replaced by indexes
   */
  add(columns: readonly Column[], count: number): void {
    const knownAt = columns[KNOWN_AT_COLUMN] as Float64Array
    const markets = columns[MARKET_COLUMN] as Int32Array
    for (let row = 0; row < count;) {
      row = this.#target(knownAt, markets, row, Math.min(count, row + ROWS_PER_BATCH))
      scatter(this.#filling, this.#layout, columns, this.#targets)
      if (this.#full !== -1) this.#flush(this.#full)
      this.#full = -1
    }
  }

  /** Writes the blocks that are not full and frees their memory. */
  end(): void {
    for (const [span, rows] of this.#rowCounts.entries()) if (rows > 0) this.#flush(span)
    this.#filling = blockMemory(new ArrayBuffer(0))
  }

  /** Rows of a span in the scratch file. */
  rowsOf(span: number): number {
    return this.#counts[span] ?? 0
  }

  /** Reads the rows of a span. @param spare memory that may be overwritten */
  read(span: number, spare: BlockMemory | null): UnorderedRows {
    const writtenFrames = this.#writtenFrames[span] ?? []
    const { bytes } = this.#layout
    const fits = spare !== null && spare.bytes.length >= writtenFrames.length * bytes
    const memory = fits ? spare : blockMemory(new ArrayBuffer(writtenFrames.length * bytes))
    for (const [block, at] of writtenFrames.entries()) {
      this.#scratch.read(memory.bytes.subarray(block * bytes, (block + 1) * bytes), at)
    }
    return { layout: this.#layout, memory, count: this.rowsOf(span) }
  }

  /** Computes the targets of rows until a block is full; returns the row after the last. */
  #target(knownAt: Float64Array, markets: Int32Array, row: number, end: number): number {
    const { slots, rows } = this.#targets
    const indexByMarket = this.#indexByMarket
    const rowCounts = this.#rowCounts
    const blockRows = this.#layout.rows
    let [span, from, until, count] = [-1, 0, -1, 0]
    while (row < end && this.#full === -1) {
      const at = knownAt[row] as number
      const marketId = markets[row] as number
      const marketIndex = marketId < indexByMarket.length ? (indexByMarket[marketId] as number) : -1
      // Neighbours in a table are mostly of the same span.
      if (!(at > from && at <= until)) {
        span = this.#spanAt(at)
        ;({ from, until } = this.#spans[span] ?? NO_SPAN)
      }
      if (marketIndex >= 0 && span >= 0) {
        const blockRow = rowCounts[span] as number
        markets[row] = marketIndex
        slots[count] = span * blockRows + blockRow
        rows[count] = row
        rowCounts[span] = blockRow + 1
        count++
        if (blockRow + 1 === blockRows) this.#full = span
      }
      row++
    }
    this.#targets.count = count
    return row
  }

  /** The span in which a row became known; −1 for none. */
  #spanAt(knownAt: number): number {
    const spans = this.#spans
    for (let span = this.#lastSpan; span <= this.#lastSpan + 1; span++) {
      const { from, until } = spans[span] ?? NO_SPAN
      if (knownAt > from && knownAt <= until) return (this.#lastSpan = span)
    }
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((spans[middle] as TimeSpan).until < knownAt) low = middle + 1
      else high = middle
    }
    const timeSpan = spans[low]
    if (timeSpan === undefined || knownAt <= timeSpan.from) return -1
    return (this.#lastSpan = low)
  }

  #flush(span: number): void {
    const { bytes } = this.#layout
    const block = this.#filling.bytes.subarray(span * bytes, (span + 1) * bytes)
    this.#writtenFrames[span]?.push(this.#scratch.append(block))
    this.#counts[span] = this.rowsOf(span) + (this.#rowCounts[span] as number)
    this.#rowCounts[span] = 0
  }
}
