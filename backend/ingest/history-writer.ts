import type { Millis } from '../domain/units.ts'
import type { HistoryBatch, HistoryStore } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { PendingRows } from './batch.ts'

const FLUSH_EVERY = 250
const FLUSH_ROWS = 500
/** Above this many waiting rows `makeRoom` holds its caller back. */
const HIGH_WATER = 50_000

/** How the writing goes. */
export interface WriterStats {
  readonly waiting: number
  /** When rows last reached the disk; null before the first. */
  readonly storedAt: Millis | null
  /** Why rows cannot be written now, or null. */
  readonly failure: string | null
}

/** Rows on their way to the disk, in batches, one at a time and none lost on the way. */
export class HistoryWriter {
  /** Rows that wait; whoever adds some calls `makeRoom` afterwards. */
  readonly pending = new PendingRows()
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #log: Logger
  readonly #stop = new AbortController()
  #writing: Promise<void> | null = null
  #unwritten: HistoryBatch | null = null
  #unwrittenFrom = Number.POSITIVE_INFINITY
  #failure: unknown = null
  #isWaiting = false
  #storedAt: Millis | null = null

  constructor(deps: { history: HistoryStore; clock: Clock; log: Logger }) {
    this.#history = deps.history
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Sees to it that what waits is written; resolves when there is room for more. */
  async makeRoom(): Promise<void> {
    if (this.pending.count >= FLUSH_ROWS) void this.#writeBatch()
    else if (this.pending.count > 0) void this.#writeSoon()
    if (this.pending.count > HIGH_WATER) await this.flush()
  }

  /** Resolves when everything added so far is on disk; throws StoreFailed when it cannot be written. */
  async flush(): Promise<void> {
    // The batch under way was taken before; the one after it holds all that waited until now.
    if (this.#writing !== null) await this.#writing
    await this.#writeBatch()
    if (this.#failure !== null) {
      throw new StoreFailed('the history could not be written', { cause: this.#failure })
    }
  }

  /** Whether everything that was known at `asOf` is on disk. */
  hasAll(asOf: Millis): boolean {
    return asOf < this.pending.knownFrom && asOf < this.#unwrittenFrom
  }

  stats(): WriterStats {
    return {
      waiting: this.pending.count,
      storedAt: this.#storedAt,
      failure: this.#failure instanceof Error ? this.#failure.message : null,
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.flush()
  }

  /** Small batches wait a moment for company; an idle writer sets no timer. */
  async #writeSoon(): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const slept = await sleepUnless(this.#stop.signal, this.#clock, FLUSH_EVERY)
    this.#isWaiting = false
    if (slept) await this.#writeBatch()
  }

  /** Writes what waits as one batch, or joins the writing that is under way. */
  #writeBatch(): Promise<void> {
    this.#writing ??= this.#appendOnce().finally(() => {
      this.#writing = null
      if (this.pending.count > 0 || this.#unwritten !== null) void this.#writeSoon()
    })
    return this.#writing
  }

  /** A batch that could not be written stays first in line and is tried again by the next call. */
  async #appendOnce(): Promise<void> {
    if (this.#unwritten === null && this.pending.count > 0) {
      this.#unwrittenFrom = this.pending.knownFrom
      this.#unwritten = this.pending.take()
    }
    if (this.#unwritten === null) return
    try {
      await this.#history.append(this.#unwritten)
      this.#unwritten = null
      this.#unwrittenFrom = Number.POSITIVE_INFINITY
      this.#failure = null
      this.#storedAt = this.#clock.now()
    } catch (error) {
      this.#failure = error
      this.#log.error({ err: error }, 'a batch could not be written to the history')
    }
  }
}
