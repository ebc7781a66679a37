import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { RunFile, RunQuery, RunReading } from '../run-reads.ts'
import { storeFailure } from './connections.ts'
import { fillReading, type RunSource } from './run-fill.ts'
import { WindowFile } from './run-file.ts'
import { closed, HeldReading, StoredReading } from './run-reading.ts'
import { RunSorter } from './run-sorter.ts'

/** Of the file with what nobody plays at the moment; of what is free on the disk, this part at most. */
const MOST_KEPT_BYTES = 4 * 1024 ** 3
const MOST_OF_THE_DISK = 0.25
const MOST_KEPT = 64
/** Left to the rest of the service by a run that reads. */
const LEFT_FREE_BYTES = 256 * 1024 ** 2

/** Rows that are about to be stored, and whether any of them belongs to a reading. */
export interface ArrivingRows {
  meet(reading: Pick<StoredReading, 'query' | 'places'>): boolean
}

/** What a write tells of the rows that it stores, before they can be read, and that it is over. */
export interface RowsArriving {
  are(rows: ArrivingRows): void
  over(hasFailed: boolean): void
}

/**
 * The readings of runs, each kept for the next one who asks the same, until rows that belong to it are stored,
 * or until there is no room: the one that was played longest ago goes first.
 */
export class RunReadings {
  readonly #source: RunSource
  readonly #folder: string
  /** By their query; the one that was asked for last is the last. */
  readonly #kept = new Map<string, StoredReading>()
  readonly #arriving = new Set<ArrivingRows>()
  readonly #filling = new Map<StoredReading, Promise<void>>()
  readonly #sorter = new RunSorter()
  #file: Promise<WindowFile> | null = null
  #isClosed = false

  /** @param folder for the file; null for a history without one */
  constructor(source: Omit<RunSource, 'folder'>, folder: string | null) {
    this.#folder = folder ?? tmpdir()
    this.#source = { ...source, folder: this.#folder }
  }

  file(): Promise<RunFile> {
    return this.#opened()
  }

  async open(query: RunQuery): Promise<RunReading> {
    const file = await this.#opened()
    const key = keyOf(query)
    let stored = this.#kept.get(key)
    if (stored === undefined) {
      stored = new StoredReading(query, file)
      // While its rows are written nobody can say whether it has them: it is for the one who asked.
      if (![...this.#arriving].some((rows) => rows.meet(stored as StoredReading))) {
        this.#kept.set(key, stored)
      }
      this.#fill(stored)
    } else {
      this.#kept.delete(key)
      this.#kept.set(key, stored)
    }
    const held = stored
    held.holders++
    try {
      return new HeldReading(held, await held.opened, () => this.#letGo(held))
    } catch (error) {
      await this.#letGo(held)
      throw storeFailure(error, 'read the events of a run')
    }
  }

  /** The windows of a query, once. */
  async *windows(query: RunQuery): AsyncGenerator<EventWindow, void, undefined> {
    const reading = await this.open(query)
    try {
      yield* reading.windows()
    } finally {
      await reading.close()
    }
  }

  /** To be told before rows are stored, and after: in between no reading of theirs is handed to another. */
  arriving(): RowsArriving {
    const told = new Set<ArrivingRows>()
    return {
      are: (rows) => {
        told.add(rows)
        this.#arriving.add(rows)
        for (const [key, stored] of this.#kept) if (rows.meet(stored)) this.#forget(key, stored)
      },
      over: (hasFailed) => {
        for (const rows of told) this.#arriving.delete(rows)
        // There may be no room for them: what is kept can be read again.
        if (hasFailed) this.#forgetUnplayed()
      },
    }
  }

  /** Ends what is being read and gives the file up. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stored of this.#filling.keys()) stored.stop.abort()
    await Promise.all(this.#filling.values())
    this.#kept.clear()
    await this.#sorter.close()
    await (await this.#file?.catch(() => null))?.close()
  }

  #opened(): Promise<WindowFile> {
    if (this.#isClosed) return Promise.reject(new StoreFailed('The history is closed'))
    this.#file ??= WindowFile.in(this.#folder).catch((error: unknown) => {
      this.#file = null
      throw storeFailure(error, 'make room for the events of a run')
    })
    return this.#file
  }

  #fill(stored: StoredReading): void {
    const by = { source: this.#source, sorter: this.#sorter }
    const filled = fillReading(by, stored, (bytes) => this.#makeRoom(stored.file, bytes))
      .then(
        () => stored.ended(null),
        (error: unknown) => {
          stored.ended(storeFailure(error, 'read the events of a run'))
          this.#forget(keyOf(stored.query), stored)
        },
      )
      .finally(() => {
        this.#filling.delete(stored)
        this.#dropUnwanted(stored)
      })
    this.#filling.set(stored, filled)
  }

  async #letGo(stored: StoredReading): Promise<void> {
    stored.holders--
    if (stored.holders > 0) return
    if (!stored.isWhole) {
      stored.stop.abort(closed())
      this.#forget(keyOf(stored.query), stored)
      await this.#filling.get(stored)
    }
    this.#dropUnwanted(stored)
    await this.#trim(stored.file)
  }

  #isKept(stored: StoredReading): boolean {
    return this.#kept.get(keyOf(stored.query)) === stored
  }

  #forget(key: string, stored: StoredReading): void {
    if (this.#kept.get(key) !== stored) return
    this.#kept.delete(key)
    this.#dropUnwanted(stored)
  }

  /** Gives back the room of one that nobody plays or may ask for. */
  #dropUnwanted(stored: StoredReading): void {
    if (this.#isClosed || stored.holders > 0 || this.#filling.has(stored)) return
    if (!this.#isKept(stored)) stored.file.give(stored.takeExtents())
  }

  /** Forgets the one that was played longest ago of those that nobody plays; false where there is none. */
  #forgetOldest(): boolean {
    for (const [key, stored] of this.#kept) {
      if (stored.holders > 0) continue
      this.#forget(key, stored)
      return true
    }
    return false
  }

  #forgetUnplayed(): void {
    while (this.#forgetOldest());
  }

  async #trim(file: WindowFile): Promise<void> {
    const room = (await this.#freeBytes()) + file.bytes
    const most = Math.min(MOST_KEPT_BYTES, room * MOST_OF_THE_DISK)
    while ((file.bytes > most || this.#kept.size > MOST_KEPT) && this.#forgetOldest());
  }

  /** Rejects with StoreFailed where the disk has no room for so many bytes more. */
  async #makeRoom(file: WindowFile, bytes: number): Promise<void> {
    const wanted = bytes + LEFT_FREE_BYTES
    const before = file.bytes
    const free = await this.#freeBytes()
    const gained = (): number => before - file.bytes
    while (free + gained() < wanted && this.#forgetOldest());
    if (free + gained() >= wanted) return
    throw new StoreFailed(
      `The events of this run take ${gigabytes(bytes)} GB on the disk of the service while it is played, and ${gigabytes(Math.max(0, free + gained() - LEFT_FREE_BYTES))} GB are free for it: choose a shorter range or fewer markets`,
    )
  }

  async #freeBytes(): Promise<number> {
    try {
      const { bavail, bsize } = await statfs(this.#folder)
      return bavail * bsize
    } catch {
      // A disk that does not tell is taken for large; one that is full says so when it is written to.
      return Infinity
    }
  }
}

const keyOf = ({ from, to, feeds, markets, rowsAtOnce = 0 }: RunQuery): string =>
  [from, to, rowsAtOnce, feeds.join(), markets.join()].join(' ')

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1)
