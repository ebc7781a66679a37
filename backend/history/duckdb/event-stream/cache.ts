import { tmpdir } from 'node:os'
import type { EventWindow } from '../../../domain/backtest/event-columns.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import type { EventQuery, EventStream, FrameSource } from '../../event-streams.ts'
import { storeFailure } from '../engine/connections.ts'
import { CachedStream, closedError, StreamHandle } from './cached-stream.ts'
import { freeBytes, notEnoughSpace, RESERVED_BYTES } from './disk-space.ts'
import { FrameFile } from './frame-file.ts'
import type { IncomingRows } from './invalidation.ts'
import { fillStream, type ScanSource } from './scan.ts'
import { SortThread } from './sort-thread.ts'

/** Limits of the file between runs: absolute, and as a share of the free disk. */
const MAX_CACHED_BYTES = 4 * 1024 ** 3
const MAX_DISK_SHARE = 0.25
const MAX_CACHED_STREAMS = 64

/** Announcements of a write: its rows before they can be read, then its end. */
export interface Invalidation {
  add(rows: IncomingRows): void
  end(hasFailed: boolean): void
}

/**
 * Event streams of runs. A stream stays cached for the next run with the same query until rows that belong to it
 * are stored or its room is needed; the least recently used stream is evicted first.
 */
export class EventStreamCache {
  readonly #source: ScanSource
  readonly #folder: string
  readonly #thread = new SortThread()
  /** By query, least recently used first. */
  readonly #streams = new Map<string, CachedStream>()
  readonly #incoming = new Set<IncomingRows>()
  readonly #filling = new Map<CachedStream, Promise<void>>()
  #file: Promise<FrameFile> | null = null
  #isClosed = false

  /** @param folder of the file; null for a history in memory */
  constructor(source: Pick<ScanSource, 'pool' | 'spans'>, folder: string | null) {
    this.#folder = folder ?? tmpdir()
    this.#source = { ...source, folder: this.#folder, thread: this.#thread }
  }

  file(): Promise<FrameSource> {
    return this.#open()
  }

  /** Opens the stream of a query, from the cache or from the tables; the caller closes it. */
  async open(query: EventQuery): Promise<EventStream> {
    const file = await this.#open()
    const key = keyOf(query)
    const cached = this.#streams.get(key)
    const stream = cached ?? new CachedStream(query, file)
    if (cached !== undefined) {
      this.#streams.delete(key)
      this.#streams.set(key, cached)
    } else {
      // While its rows are being stored it is uncertain which of them the stream has, so it is not shared.
      if (![...this.#incoming].some((rows) => rows.overlap(stream))) this.#streams.set(key, stream)
      this.#fill(stream)
    }
    stream.handles++
    try {
      return new StreamHandle(stream, await stream.opened, () => this.#release(stream))
    } catch (error) {
      await this.#release(stream)
      throw storeFailure(error, 'read the events of a run')
    }
  }

  /** The windows of a query, once. */
  async *windows(query: EventQuery): AsyncGenerator<EventWindow, void, undefined> {
    const stream = await this.open(query)
    try {
      yield* stream.windows()
    } finally {
      await stream.close()
    }
  }

  /** Begins a write: streams that its rows belong to are evicted, and not cached before it ends. */
  invalidation(): Invalidation {
    const newRows = new Set<IncomingRows>()
    return {
      add: (rows) => {
        newRows.add(rows)
        this.#incoming.add(rows)
        for (const [key, stream] of this.#streams)
          if (rows.overlap(stream)) this.#evict(key, stream)
      },
      end: (hasFailed) => {
        for (const rows of newRows) this.#incoming.delete(rows)
        // The disk may be full: what is cached can be read again.
        if (hasFailed) this.#evictUnused()
      },
    }
  }

  /** Stops streams that are being read and closes the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#filling.keys()) stream.stop.abort()
    await Promise.all(this.#filling.values())
    this.#streams.clear()
    await this.#thread.close()
    await (await this.#file?.catch(() => null))?.close()
  }

  #open(): Promise<FrameFile> {
    if (this.#isClosed) return Promise.reject(new StoreFailed('The history is closed'))
    this.#file ??= FrameFile.create(this.#folder).catch((error: unknown) => {
      this.#file = null
      throw storeFailure(error, 'create the file for the events of a run')
    })
    return this.#file
  }

  #fill(stream: CachedStream): void {
    const fillCompletion = fillStream(this.#source, stream, (bytes) =>
      this.#reserve(stream.file, bytes),
    )
      .then(
        () => stream.end(null),
        (error: unknown) => {
          stream.end(storeFailure(error, 'read the events of a run'))
          this.#evict(keyOf(stream.query), stream)
        },
      )
      .finally(() => {
        this.#filling.delete(stream)
        this.#releaseExtents(stream)
      })
    this.#filling.set(stream, fillCompletion)
  }

  async #release(stream: CachedStream): Promise<void> {
    stream.handles--
    if (stream.handles > 0) return
    if (!stream.isComplete) {
      stream.stop.abort(closedError())
      this.#evict(keyOf(stream.query), stream)
      await this.#filling.get(stream)
    }
    this.#releaseExtents(stream)
    await this.#evictBeyondLimits(stream.file)
  }

  #evict(key: string, stream: CachedStream): void {
    if (this.#streams.get(key) !== stream) return
    this.#streams.delete(key)
    this.#releaseExtents(stream)
  }

  /** Frees the room of a stream that is neither read, written nor cached. */
  #releaseExtents(stream: CachedStream): void {
    if (this.#isClosed || stream.handles > 0 || this.#filling.has(stream)) return
    if (this.#streams.get(keyOf(stream.query)) === stream) return
    stream.file.release(stream.drainExtents())
  }

  /** Evicts the least recently used stream without readers; false when there is none. */
  #evictOldest(): boolean {
    for (const [key, stream] of this.#streams) {
      if (stream.handles > 0) continue
      this.#evict(key, stream)
      return true
    }
    return false
  }

  #evictUnused(): void {
    while (this.#evictOldest());
  }

  async #evictBeyondLimits(file: FrameFile): Promise<void> {
    const availableBytes = (await freeBytes(this.#folder)) + file.bytes
    const max = Math.min(MAX_CACHED_BYTES, availableBytes * MAX_DISK_SHARE)
    const isBeyond = (): boolean => file.bytes > max || this.#streams.size > MAX_CACHED_STREAMS
    while (isBeyond() && this.#evictOldest());
  }

  /** Evicts streams until the disk has room. @throws StoreFailed when it does not suffice */
  async #reserve(file: FrameFile, bytes: number): Promise<void> {
    const previous = file.bytes
    const free = await freeBytes(this.#folder)
    const available = (): number => free + previous - file.bytes - RESERVED_BYTES
    while (available() < bytes && this.#evictOldest());
    if (available() < bytes) throw notEnoughSpace(bytes, Math.max(0, available()))
  }
}

const keyOf = ({ from, to, feeds, markets, rowsPerFrame = 0 }: EventQuery): string =>
  [from, to, rowsPerFrame, feeds.join(), markets.join()].join(' ')
