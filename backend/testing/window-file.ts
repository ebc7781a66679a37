import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { EventWindow, Feed } from '../domain/backtest/event-columns.ts'
import { frameBytes, layFrame, type Column } from '../history/run-frames.ts'
import type { RunFile, WindowPlace } from '../history/run-reads.ts'

const FEEDS: readonly Feed[] = ['trades', 'quotes', 'books', 'bars']

/** A file of windows as a history keeps one. */
export interface WrittenWindows extends RunFile {
  write(window: EventWindow): WindowPlace
  close(): void
}

export function writtenWindows(path: string): WrittenWindows {
  const [out, fd] = [openSync(path, 'wx'), openSync(path, 'r')]
  let end = 0
  return {
    fd,
    write(window) {
      const rows = (feed: Feed): number => window[feed]?.known.length ?? 0
      const counts = { trades: rows('trades'), quotes: rows('quotes'), books: rows('books'), bars: rows('bars') } // prettier-ignore
      const memory = new ArrayBuffer(frameBytes(counts))
      const laid = layFrame(memory, window.until, counts)
      for (const feed of FEEDS) {
        for (const [name, column] of Object.entries(laid[feed] ?? {}) as [string, Column][]) {
          column.set((window[feed] as unknown as Record<string, Column>)[name] as Column)
        }
      }
      writeSync(out, new Uint8Array(memory), 0, memory.byteLength, end)
      const place = { at: end, bytes: memory.byteLength, cutAt: null }
      end += memory.byteLength
      return place
    },
    close() {
      closeSync(out)
      closeSync(fd)
      rmSync(path)
    },
  }
}
