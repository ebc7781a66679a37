import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { cutAt } from '../cut-window.ts'
import { windowIn } from '../run-frames.ts'
import type { RunQuery, RunReading, WindowPlace } from '../run-reads.ts'
import type { Extent, WindowFile } from './run-file.ts'
import { placesOf } from './run-plan.ts'

/** A window that lies in the file. */
export interface StoredWindow {
  /** Its rows became known after this, and by `until`. */
  readonly from: number
  readonly until: number
  readonly extent: Extent
  readonly bytes: number
}

/** What is read for a query, by whoever asks it, while it comes in and after. */
export class StoredReading {
  readonly query: RunQuery
  readonly file: WindowFile
  /** Place in the query of each market; −1 for those that it does not name. */
  readonly places: Int32Array
  /** Those who play it. */
  holders = 0
  /** All its windows are in the file. */
  isWhole = false
  /** Nobody wants it any more. */
  readonly stop = new AbortController()
  readonly #windows: StoredWindow[] = []
  readonly #opened = Promise.withResolvers<number>()
  #failure: Error | null = null
  #next = Promise.withResolvers<void>()

  constructor(query: RunQuery, file: WindowFile) {
    this.query = query
    this.file = file
    this.places = placesOf(query.markets)
    this.#opened.promise.catch(() => {})
  }

  /** Resolves with its rows once they are counted: from then on later rows are not in it. */
  get opened(): Promise<number> {
    return this.#opened.promise
  }

  /** Its parts of the file, which are the caller's to give back. */
  takeExtents(): Extent[] {
    return this.#windows.splice(0).map(({ extent }) => extent)
  }

  counted(rows: number): void {
    this.#opened.resolve(rows)
  }

  add(window: StoredWindow): void {
    this.#windows.push(window)
    this.#wake()
  }

  ended(failure: Error | null): void {
    this.#failure = failure
    this.isWhole = failure === null
    if (failure !== null) this.#opened.reject(failure)
    this.#wake()
  }

  /** The n-th window, once it is there; null after the last. */
  async window(n: number): Promise<StoredWindow | null> {
    for (;;) {
      const found = this.#windows[n]
      if (found !== undefined) return found
      if (this.#failure !== null) throw this.#failure
      if (this.isWhole) return null
      await this.#next.promise
    }
  }

  #wake(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }
}

/** A reading in the hands of one who plays it. */
export class HeldReading implements RunReading {
  readonly rows: number
  readonly #stored: StoredReading
  readonly #letGo: () => Promise<void>
  #isClosed = false

  constructor(stored: StoredReading, rows: number, letGo: () => Promise<void>) {
    this.#stored = stored
    this.rows = rows
    this.#letGo = letGo
  }

  get file(): WindowFile {
    return this.#stored.file
  }

  async *places(to: Millis = this.#stored.query.to): AsyncGenerator<WindowPlace, void, undefined> {
    for (let n = 0; ; n++) {
      this.#check()
      const window = await this.#stored.window(n)
      this.#check()
      if (window === null || window.from >= to) return
      const { extent, bytes, until } = window
      yield { at: extent.at, bytes, cutAt: until > to ? to : null }
    }
  }

  async *windows(to?: Millis): AsyncGenerator<EventWindow, void, undefined> {
    // The next one is on its way while one is played.
    let next: Promise<EventWindow> | null = null
    for await (const place of this.places(to)) {
      const before = next
      next = this.#read(place)
      next.catch(() => {})
      if (before !== null) yield await before
    }
    if (next !== null) yield await next
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#letGo()
  }

  async #read({ at, bytes, cutAt: until }: WindowPlace): Promise<EventWindow> {
    this.#check()
    const memory = new ArrayBuffer(bytes)
    await this.file.read(new Uint8Array(memory), at)
    // What was read after it was let go may be another's.
    this.#check()
    const window = windowIn(memory, bytes)
    return until === null ? window : cutAt(window, until)
  }

  #check(): void {
    if (this.#isClosed) throw closed()
  }
}

export const closed = (): StoreFailed => new StoreFailed('The reading of a run was closed')
