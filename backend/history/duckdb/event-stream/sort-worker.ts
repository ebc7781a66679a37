import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { FEEDS, type Feed } from '../../../domain/backtest/event-columns.ts'
import {
  frameBytes,
  frameHead,
  sectionColumns,
  sectionOf,
  type FrameCounts,
} from '../../event-frames.ts'
import type { BlockMemory } from './blocks.ts'
import { batchColumns } from './columns.ts'
import { writeInOrder } from './event-order.ts'
import { Partitioner } from './partitioner.ts'
import { ScratchFile, writeFully } from './scratch-file.ts'
import type { FromSortThread, SortRequest, TimeSpan, ToSortThread } from './sort-messages.ts'

/** Runs the sort thread on its side of the port: partitions rows by time, orders them and writes frames. */
export function runSortWorker(port: MessagePort): void {
  lowerPriority()
  const post = (message: FromSortThread): void => port.postMessage(message)
  let sort: FrameSort | null = null
  const end = (): void => {
    sort?.close()
    sort = null
  }
  port.on('message', (message: ToSortThread) => {
    try {
      if (message.type === 'begin') sort = new FrameSort(message.request)
      else if (message.type === 'end') {
        end()
        post({ type: 'ended' })
      } else if (message.type === 'rows') {
        // After a failure, pending batches are returned unread.
        sort?.add(message.feed, message.batch, message.count)
        post({ type: 'consumed', batch: message.batch })
      } else if (sort !== null && message.type === 'measure') {
        post({ type: 'lengths', bytes: sort.lengths() })
      } else if (sort !== null && message.type === 'write') {
        sort.write(message.fd, message.at, (span) => post({ type: 'written', span }))
        post({ type: 'sorted' })
      }
    } catch (error) {
      end()
      const text = error instanceof Error ? error.message : String(error)
      const isDiskFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      post({ type: 'failed', message: text, isDiskFull })
      if (message.type === 'rows') post({ type: 'consumed', batch: message.batch })
    }
  })
}

/** Requests to the service have priority, on systems with thread priorities. */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The thread runs at normal priority.
  }
}

class FrameSort {
  readonly #request: SortRequest
  readonly #scratch: ScratchFile
  readonly #partitioners = new Map<Feed, Partitioner>()
  /** Buffer for the rows of each span. */
  readonly #memory = new Map<Feed, BlockMemory>()
  #frame = new ArrayBuffer(0)

  constructor(request: SortRequest) {
    this.#request = request
    this.#scratch = new ScratchFile(request.folder)
  }

  add(feed: Feed, batch: SharedArrayBuffer, count: number): void {
    let partitioner = this.#partitioners.get(feed)
    if (partitioner === undefined) {
      // Feeds arrive one after another.
      for (const complete of this.#partitioners.values()) complete.end()
      const { spans, indexByMarket } = this.#request
      partitioner = new Partitioner(feed, spans, indexByMarket, this.#scratch)
      this.#partitioners.set(feed, partitioner)
    }
    partitioner.add(batchColumns(feed, batch), count)
  }

  lengths(): Float64Array {
    for (const partitioner of this.#partitioners.values()) partitioner.end()
    return Float64Array.from(this.#request.spans, (_, span) => frameBytes(this.#countsOf(span)))
  }

  write(fd: number, at: Float64Array, onWritten: (span: number) => void): void {
    for (const [index, span] of this.#request.spans.entries()) {
      if (Atomics.load(this.#request.cancelled, 0) !== 0) return
      writeFully(fd, this.#frameOf(index, span), at[index] as number)
      onWritten(index)
    }
  }

  close(): void {
    this.#scratch.close()
  }

  #countsOf(span: number): FrameCounts {
    const counts = { trades: 0, quotes: 0, books: 0, bars: 0 }
    for (const [feed, partitioner] of this.#partitioners) counts[feed] = partitioner.rowsOf(span)
    return counts
  }

  #frameOf(location: number, span: TimeSpan): Uint8Array {
    const counts = this.#countsOf(location)
    const bytes = frameBytes(counts)
    if (this.#frame.byteLength < bytes) this.#frame = new ArrayBuffer(Math.ceil(bytes * 1.25))
    const frame = new Uint8Array(this.#frame, 0, bytes)
    frame.set(frameHead(span.until, counts))
    for (const feed of FEEDS) {
      const partitioner = this.#partitioners.get(feed)
      if (partitioner === undefined || counts[feed] === 0) continue
      const rows = partitioner.read(location, this.#memory.get(feed) ?? null)
      this.#memory.set(feed, rows.memory)
      const { start } = sectionOf(feed, counts)
      writeInOrder(feed, rows, span, sectionColumns(feed, this.#frame, counts[feed], start))
    }
    return frame
  }
}
