import type { EventWindow } from '../../../domain/backtest/event-columns.ts'
import type { Millis } from '../../../domain/units.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import { cutWindow } from '../../cut-window.ts'
import { windowIn } from '../../event-frames.ts'
import type { EventQuery, EventStream, FrameLocation } from '../../event-streams.ts'
import type { Extent, FrameFile } from './frame-file.ts'
import { marketIndices } from './plan.ts'

/** A frame in the file: its rows became known after `from` and by `until`. */
export interface CachedFrame {
  readonly from: number
  readonly until: number
  readonly extent: Extent
  readonly bytes: number
}

/** The frames of a query, shared by all of its readers during and after writing. */
export class CachedStream {
  readonly query: EventQuery
  readonly file: FrameFile
  /** Index in the query of each market; −1 for markets that are not in it. */
  readonly indexByMarket: Int32Array
  /** Open handles. */
  handles = 0
  /** All frames are in the file. */
  isComplete = false
  /** Aborted when no reader needs the stream any more. */
  readonly stop = new AbortController()
  readonly #frames: CachedFrame[] = []
  readonly #openSignal = Promise.withResolvers<number>()
  #failure: Error | null = null
  #changeSignal = Promise.withResolvers<void>()

  constructor(query: EventQuery, file: FrameFile) {
    this.query = query
    this.file = file
    this.indexByMarket = marketIndices(query.markets)
    this.#openSignal.promise.catch(() => {})
  }

  /** Resolves with the number of rows once they are counted; rows stored later are not in the stream. */
  get opened(): Promise<number> {
    return this.#openSignal.promise
  }

  /** Transfers the extents to the caller, who releases them. */
  drainExtents(): Extent[] {
    return this.#frames.splice(0).map(({ extent }) => extent)
  }

  setRowCount(rows: number): void {
    this.#openSignal.resolve(rows)
  }

  add(frame: CachedFrame): void {
    this.#frames.push(frame)
    this.#notify()
  }

  end(failure: Error | null): void {
    this.#failure = failure
    this.isComplete = failure === null
    if (failure !== null) this.#openSignal.reject(failure)
    this.#notify()
  }

  /** The n-th frame, once it is written; null after the last. */
  async frame(n: number): Promise<CachedFrame | null> {
    for (;;) {
      const cachedFrame = this.#frames[n]
      if (cachedFrame !== undefined) return cachedFrame
      if (this.#failure !== null) throw this.#failure
      if (this.isComplete) return null
      await this.#changeSignal.promise
    }
  }

  #notify(): void {
    this.#changeSignal.resolve()
    this.#changeSignal = Promise.withResolvers()
  }
}

/** One reader of a cached stream. */
export class StreamHandle implements EventStream {
  readonly rows: number
  readonly #stream: CachedStream
  readonly #release: () => Promise<void>
  #isClosed = false

  constructor(stream: CachedStream, rows: number, release: () => Promise<void>) {
    this.#stream = stream
    this.rows = rows
    this.#release = release
  }

  get file(): FrameFile {
    return this.#stream.file
  }

  async *frames(
    to: Millis = this.#stream.query.to,
  ): AsyncGenerator<FrameLocation, void, undefined> {
    for (let n = 0; ; n++) {
      this.#checkOpen()
      const frame = await this.#stream.frame(n)
      this.#checkOpen()
      if (frame === null || frame.from >= to) return
      const { extent, bytes, until } = frame
      yield { at: extent.at, bytes, cutAt: until > to ? to : null }
    }
  }

  async *windows(to?: Millis): AsyncGenerator<EventWindow, void, undefined> {
    // Prefetches one window.
    let next: Promise<EventWindow> | null = null
    for await (const location of this.frames(to)) {
      const current = next
      next = this.#read(location)
      next.catch(() => {})
      if (current !== null) yield await current
    }
    if (next !== null) yield await next
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#release()
  }

  async #read({ at, bytes, cutAt: until }: FrameLocation): Promise<EventWindow> {
    this.#checkOpen()
    const memory = new ArrayBuffer(bytes)
    await this.file.read(new Uint8Array(memory), at)
    // After close() the extent may belong to another stream.
    this.#checkOpen()
    const window = windowIn(memory, bytes)
    return until === null ? window : cutWindow(window, until)
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closedError()
  }
}

export const closedError = (): StoreFailed => new StoreFailed('The event stream was closed')
