import type { EventWindow, Feed } from '../domain/backtest/event-columns.ts'
import type { Millis } from '../domain/units.ts'

/**
 * Windows of events as bytes of a file, which whoever plays them reads where they lie: a head of five
 * numbers (when the window ends, how many rows of each feed it has), then every column of every feed that
 * has rows, at an address that its numbers allow.
 */
export type FrameCounts = Readonly<Record<Feed, number>>

/** Bytes of a number: 8 of a double, 4 of an integer, 1 of a byte. */
export type NumberBytes = 8 | 4 | 1
export type Column = Float64Array | Int32Array | Uint8Array

/** A column of a frame; a row has one number in it, or five side by side. */
export interface FrameColumn {
  readonly name: string
  readonly bytes: NumberBytes
  readonly width: number
}

const FEEDS = ['trades', 'quotes', 'books', 'bars'] as const
const HEAD_NUMBERS = 1 + FEEDS.length
const HEAD_BYTES = HEAD_NUMBERS * 8

const one = (name: string, bytes: NumberBytes): FrameColumn => ({ name, bytes, width: 1 })
const five = (name: string, bytes: NumberBytes): FrameColumn => ({ name, bytes, width: 5 })
const STAMPS = [one('known', 8), one('ts', 8), one('market', 4)]

/** What a row of each feed tells, in the order in which it lies in a frame. */
export const FRAME_COLUMNS: Readonly<Record<Feed, readonly FrameColumn[]>> = {
  trades: [...STAMPS, one('price', 4), one('size', 8), one('taker', 1)],
  quotes: [...STAMPS, one('bid', 4), one('ask', 4), one('bidSize', 8), one('askSize', 8)],
  books: [
    ...[...STAMPS, five('bidPrice', 4), five('bidSize', 8)],
    ...[five('askPrice', 4), five('askSize', 8)],
  ],
  bars: [...STAMPS, one('close', 4), one('volume', 8), one('bid', 4), one('ask', 4), one('width', 8)], // prettier-ignore
}

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

/** Bytes of a row of a feed in a frame. */
export const rowBytes = (feed: Feed): number =>
  FRAME_COLUMNS[feed].reduce((sum, { bytes, width }) => sum + bytes * width, 0)

/** How long the frame of so many rows is: a multiple of eight. */
export function frameBytes(counts: FrameCounts): number {
  let bytes = HEAD_BYTES
  for (const feed of FEEDS) {
    if (counts[feed] === 0) continue
    for (const column of FRAME_COLUMNS[feed])
      bytes += padded(counts[feed] * column.bytes * column.width)
  }
  return bytes
}

/** Makes a frame at the beginning of a memory; its columns are there to be filled. */
export function layFrame(memory: ArrayBuffer, until: number, counts: FrameCounts): EventWindow {
  new Float64Array(memory, 0, HEAD_NUMBERS).set([until, ...FEEDS.map((feed) => counts[feed])])
  return viewsOf(memory, until, counts)
}

/** The window of a frame at the beginning of a memory; its columns are that memory. */
export function windowIn(memory: ArrayBuffer, bytes: number): EventWindow {
  const [until = 0, trades = 0, quotes = 0, books = 0, bars = 0] = new Float64Array(memory, 0, HEAD_NUMBERS) // prettier-ignore
  const counts = { trades, quotes, books, bars }
  if (frameBytes(counts) !== bytes) throw new Error('a window of events is not as it was written')
  return viewsOf(memory, until, counts)
}

function viewsOf(memory: ArrayBuffer, until: number, counts: FrameCounts): EventWindow {
  let at = HEAD_BYTES
  const view = ({ bytes, width }: FrameColumn, rows: number): Column => {
    const [start, length] = [at, rows * width]
    at += padded(length * bytes)
    if (bytes === 8) return new Float64Array(memory, start, length)
    return bytes === 4 ? new Int32Array(memory, start, length) : new Uint8Array(memory, start, length) // prettier-ignore
  }
  const rowsOf = (feed: Feed): never => {
    if (counts[feed] === 0) return null as never
    const columns = FRAME_COLUMNS[feed].map((column) => [column.name, view(column, counts[feed])])
    return Object.fromEntries(columns) as never
  }
  // In the order in which they lie.
  const [trades, quotes, books, bars] = FEEDS.map(rowsOf) as [never, never, never, never]
  return { until: until as Millis, trades, quotes, books, bars }
}
