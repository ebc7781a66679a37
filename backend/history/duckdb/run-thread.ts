import { readlinkSync, writeSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import type { Feed } from '../../domain/backtest/event-columns.ts'
import { frameBytes, layFrame, type Column, type FrameCounts } from '../run-frames.ts'
import { batchColumns, type Numbers } from './run-columns.ts'
import { Dealer } from './run-deal.ts'
import type { FromSorter, Stretch, ToSorter } from './run-messages.ts'
import { inRunOrder } from './run-order.ts'
import { RunScratch } from './run-scratch.ts'

/** Deals rows into stretches and puts these in order, on the far side of a port. */
export function sortRuns(port: MessagePort): void {
  standBack()
  const say = (message: FromSorter): void => port.postMessage(message)
  let sorting: Sorting | null = null
  const end = (): void => {
    sorting?.close()
    sorting = null
  }
  port.on('message', (message: ToSorter) => {
    try {
      if (message.type === 'begin') sorting = new Sorting(message)
      else if (message.type === 'end') {
        end()
        say({ type: 'ended' })
      } else if (message.type === 'rows') {
        // After a failure what is still on its way is handed back as it is.
        sorting?.take(message.feed, message.batch, message.count)
        say({ type: 'taken', batch: message.batch })
      } else if (sorting !== null) {
        if (message.type === 'dealt') say({ type: 'lengths', bytes: sorting.lengths() })
        else {
          sorting.write(message.fd, message.at, (place) => say({ type: 'written', place }))
          say({ type: 'ordered' })
        }
      }
    } catch (error) {
      end()
      const text = error instanceof Error ? error.message : String(error)
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      say({ type: 'failed', message: text, isFull })
      if (message.type === 'rows') say({ type: 'taken', batch: message.batch })
    }
  })
}

/** Whoever asks the service goes first; where the system knows priorities of threads. */
function standBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Then it runs like any other.
  }
}

class Sorting {
  readonly #stretches: readonly Stretch[]
  readonly #places: Int32Array
  readonly #stop: Int32Array
  readonly #scratch: RunScratch
  readonly #dealers = new Map<Feed, Dealer>()
  /** Memory that stretches are read into and put in order in, one after another. */
  readonly #rows = new Map<Feed, Numbers>()
  #frame = new ArrayBuffer(0)

  constructor(order: Extract<ToSorter, { type: 'begin' }>) {
    this.#stretches = order.stretches
    this.#places = order.places
    this.#stop = order.stop
    this.#scratch = new RunScratch(order.folder)
  }

  take(feed: Feed, batch: SharedArrayBuffer, count: number): void {
    let dealer = this.#dealers.get(feed)
    if (dealer === undefined) {
      // Feeds come one after another.
      for (const before of this.#dealers.values()) before.end()
      dealer = new Dealer(feed, this.#stretches, this.#places, this.#scratch)
      this.#dealers.set(feed, dealer)
    }
    dealer.take(batchColumns(feed, batch), count)
  }

  lengths(): Float64Array {
    for (const dealer of this.#dealers.values()) dealer.end()
    return Float64Array.from(this.#stretches, (_, place) => frameBytes(this.#countsOf(place)))
  }

  /** Puts the window of each stretch where it belongs. */
  write(fd: number, at: Float64Array, written: (place: number) => void): void {
    for (const [place, stretch] of this.#stretches.entries()) {
      if (Atomics.load(this.#stop, 0) !== 0) return
      const frame = this.#framed(place, stretch)
      writeWhole(fd, frame, at[place] as number)
      written(place)
    }
  }

  close(): void {
    this.#scratch.close()
  }

  #countsOf(place: number): FrameCounts {
    const counts = { trades: 0, quotes: 0, books: 0, bars: 0 }
    for (const [feed, dealer] of this.#dealers) counts[feed] = dealer.rowsOf(place)
    return counts
  }

  #framed(place: number, stretch: Stretch): Uint8Array {
    const counts = this.#countsOf(place)
    const bytes = frameBytes(counts)
    if (this.#frame.byteLength < bytes) this.#frame = new ArrayBuffer(Math.ceil(bytes * 1.25))
    const window = layFrame(this.#frame, stretch.until, counts)
    for (const [feed, dealer] of this.#dealers) {
      if (counts[feed] === 0) continue
      const rows = dealer.read(place, this.#rows.get(feed) ?? null)
      inRunOrder(rows, stretch, window[feed] as unknown as Readonly<Record<string, Column>>)
      this.#rows.set(feed, rows.numbers)
    }
    return new Uint8Array(this.#frame, 0, bytes)
  }
}

function writeWhole(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.byteLength;) {
    done += writeSync(fd, bytes, done, bytes.byteLength - done, at + done)
  }
}
