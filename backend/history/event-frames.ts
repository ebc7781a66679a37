import { FEEDS, type EventWindow, type Feed } from '../domain/backtest/event-columns.ts'
import type { Millis } from '../domain/units.ts'

/**
 * A frame is a window of events as bytes of a file: a header of five numbers (the end of the
 * window, the rows of each feed), then a section for each feed that has rows, with its columns one
 * after another. Every column begins at a multiple of eight, so that a reader uses typed arrays
 * over the bytes without copying.
 */
export type FrameCounts = Readonly<Record<Feed, number>>

/** Bytes of a number: 8 of a double, 4 of an integer, 1 of a byte. */
export type NumberBytes = 8 | 4 | 1
export type Column = Float64Array | Int32Array | Uint8Array

/** A column of a frame; a row has `width` adjacent numbers in it. */
export interface FrameColumn {
  readonly name: string
  readonly bytes: NumberBytes
  readonly width: number
}

const HEAD_NUMBERS = 1 + FEEDS.length
const HEAD_BYTES = HEAD_NUMBERS * 8

const frameColumn = (name: string, bytes: NumberBytes): FrameColumn => ({ name, bytes, width: 1 })
const five = (name: string, bytes: NumberBytes): FrameColumn => ({ name, bytes, width: 5 })
const STAMPS = [frameColumn('known', 8), frameColumn('ts', 8), frameColumn('market', 4)]

/** Columns of each feed in the order of a section. */
export const FRAME_COLUMNS: Readonly<Record<Feed, readonly FrameColumn[]>> = {
  trades: [...STAMPS, frameColumn('price', 4), frameColumn('size', 8), frameColumn('taker', 1)],
  quotes: [
    ...STAMPS,
    frameColumn('bid', 4),
    frameColumn('ask', 4),
    frameColumn('bidSize', 8),
    frameColumn('askSize', 8),
  ],
  books: [
    ...STAMPS,
    five('bidPrice', 4),
    five('bidSize', 8),
    five('askPrice', 4),
    five('askSize', 8),
  ],
  bars: [
    ...STAMPS,
    frameColumn('close', 4),
    frameColumn('volume', 8),
    frameColumn('bid', 4),
    frameColumn('ask', 4),
    frameColumn('width', 8),
  ],
}

const paddedLength = (bytes: number): number => Math.ceil(bytes / 8) * 8

const sectionBytes = (feed: Feed, rows: number): number =>
  FRAME_COLUMNS[feed].reduce((sum, { bytes, width }) => sum + paddedLength(rows * bytes * width), 0)

/** Bytes of a frame with these row counts: a multiple of eight. */
export const frameBytes = (counts: FrameCounts): number =>
  FEEDS.reduce((sum, feed) => sum + sectionBytes(feed, counts[feed]), HEAD_BYTES)

/** The header of a frame. */
export function frameHead(until: number, counts: FrameCounts): Uint8Array {
  return new Uint8Array(Float64Array.of(until, ...FEEDS.map((feed) => counts[feed])).buffer)
}

/** Offset of a feed's section in a frame. */
export function sectionOf(feed: Feed, counts: FrameCounts): { start: number; bytes: number } {
  let start = HEAD_BYTES
  for (const previousFeed of FEEDS) {
    if (previousFeed === feed) break
    start += sectionBytes(previousFeed, counts[previousFeed])
  }
  return { start, bytes: sectionBytes(feed, counts[feed]) }
}

/** The columns of a section that begins at `start` of a buffer, in the order of `FRAME_COLUMNS`. */
export function sectionColumns(
  feed: Feed,
  memory: ArrayBuffer,
  rows: number,
  start = 0,
): readonly Column[] {
  let at = start
  return FRAME_COLUMNS[feed].map(({ bytes, width }) => {
    const begin = at
    const length = rows * width
    at += paddedLength(length * bytes)
    if (bytes === 8) return new Float64Array(memory, begin, length)
    if (bytes === 4) return new Int32Array(memory, begin, length)
    return new Uint8Array(memory, begin, length)
  })
}

/**
 * The window of a frame at the start of a buffer; its columns are views of that buffer.
 * @throws Error when the frame is not `bytes` long
 */
export function windowIn(memory: ArrayBuffer, bytes: number): EventWindow {
  const head = new Float64Array(memory, 0, HEAD_NUMBERS)
  const [until = 0, trades = 0, quotes = 0, books = 0, bars = 0] = head
  const counts = { trades, quotes, books, bars }
  if (frameBytes(counts) !== bytes) throw new Error('The length of a frame does not match its head')
  const rowsOf = (feed: Feed): never => {
    if (counts[feed] === 0) return null as never
    const columns = sectionColumns(feed, memory, counts[feed], sectionOf(feed, counts).start)
    const namedColumns = columns.map((column, index) => [FRAME_COLUMNS[feed][index]?.name, column])
    return Object.fromEntries(namedColumns) as never
  }
  return {
    until: until as Millis,
    trades: rowsOf('trades'),
    quotes: rowsOf('quotes'),
    books: rowsOf('books'),
    bars: rowsOf('bars'),
  }
}
