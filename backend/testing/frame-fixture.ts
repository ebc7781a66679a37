import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { FEEDS, type EventWindow, type Feed } from '../domain/backtest/event-columns.ts'
import {
  FRAME_COLUMNS,
  frameBytes,
  frameHead,
  sectionColumns,
  sectionOf,
  type Column,
} from '../history/event-frames.ts'
import type { FrameLocation, FrameSource } from '../history/event-streams.ts'

/** A file of frames as a history stores one. */
export interface FrameFixture extends FrameSource {
  write(window: EventWindow): FrameLocation
  close(): void
}

/** Creates a file of frames for tests. */
export function createFrameFixture(path: string): FrameFixture {
  const out = openSync(path, 'wx')
  const fd = openSync(path, 'r')
  let end = 0
  return {
    fd,
    write(window) {
      const frame = frameOf(window)
      writeSync(out, frame, 0, frame.byteLength, end)
      const place = { at: end, bytes: frame.byteLength, cutAt: null }
      end += frame.byteLength
      return place
    },
    close() {
      closeSync(out)
      closeSync(fd)
      rmSync(path)
    },
  }
}

function frameOf(window: EventWindow): Uint8Array {
  const rows = (feed: Feed): number => window[feed]?.known.length ?? 0
  const counts = {
    trades: rows('trades'),
    quotes: rows('quotes'),
    books: rows('books'),
    bars: rows('bars'),
  }
  const memory = new ArrayBuffer(frameBytes(counts))
  const frame = new Uint8Array(memory)
  frame.set(frameHead(window.until, counts))
  for (const feed of FEEDS.filter((one) => counts[one] > 0)) {
    const { start } = sectionOf(feed, counts)
    const columns = sectionColumns(feed, memory, counts[feed], start)
    const source = window[feed] as unknown as Record<string, Column>
    for (const [index, { name }] of FRAME_COLUMNS[feed].entries()) {
      columns[index]?.set(source[name] as Column)
    }
  }
  return frame
}
