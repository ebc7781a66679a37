import type { Millis } from '../domain/units.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { TradePrinted } from '../venues/connector.ts'
import { PendingRows, widened, type LostRows } from './batch.ts'

const FLUSH_EVERY = 250
const FLUSH_ROWS = 500
/** A history that refused rows is tried again this often. */
const RETRY_EVERY = 1_000
/**
 * Above this many waiting rows `makeRoom` holds its caller back: whoever reads about now waits until
 * all of them are stored, so what comes fastest, the past of a first start, must not pile up.
 */
const HIGH_WATER = 5_000
/** Above this many rows that cannot be written `makeRoom` says so to its caller. */
const MOST_REFUSED = 50_000
/** Streams cannot be held back: above this many waiting rows some are given up. */
const MOST_WAITING = 200_000

/** How the writing goes. */
export interface WriterStats {
  readonly waiting: number
  /** When rows last reached the disk; null before the first. */
  readonly storedAt: Millis | null
  /** Why rows cannot be written now, or null. */
  readonly failure: string | null
}

export interface WriterOptions {
  readonly history: HistoryStore
  readonly clock: Clock
  readonly log: Logger
  readonly mostWaiting?: number
  /** Rows are given up: these trades, and quotes as well. */
  readonly onShed?: (trades: readonly TradePrinted[]) => void
  /** Told what was given up, once nothing waits before it. */
  readonly onLost?: (lost: readonly LostRows[]) => void
}

/**
 * Rows on their way to the disk, in batches, one at a time. While the disk refuses them they wait;
 * beyond a bound quotes and books are given up first, which no venue could fill in, and trades last.
 */
export class HistoryWriter {
  /** Rows that wait; whoever adds some calls `makeRoom` afterwards. */
  readonly pending = new PendingRows()
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #log: Logger
  readonly #options: WriterOptions
  readonly #lost = new Map<string, LostRows>()
  readonly #stop = new AbortController()
  #writing: Promise<void> | null = null
  #unwritten: HistoryBatch | null = null
  #unwrittenFrom = Number.POSITIVE_INFINITY
  #failure: unknown = null
  #isWaiting = false
  #storedAt: Millis | null = null

  constructor(options: WriterOptions) {
    this.#options = options
    this.#history = options.history
    this.#clock = options.clock
    this.#log = options.log
  }

  /**
   * Sees to it that what waits is written; resolves when there is room for more.
   * @throws StoreFailed when there is none because rows cannot be written
   */
  async makeRoom(): Promise<void> {
    if (this.pending.count > (this.#options.mostWaiting ?? MOST_WAITING)) this.#shed()
    if (this.#failure !== null) {
      void this.#writeSoon()
      if (this.pending.count > MOST_REFUSED) throw this.#storeFailed()
      return
    }
    if (this.pending.count >= FLUSH_ROWS) void this.#writeBatch()
    else if (this.pending.count > 0) void this.#writeSoon()
    // The next batch gathers while this one is written.
    if (this.pending.count > HIGH_WATER) await this.#writeBatch()
  }

  /** Resolves when everything added so far is on disk; throws StoreFailed when it cannot be written. */
  async flush(): Promise<void> {
    // The batch under way was taken before; the one after it holds all that waited until now.
    if (this.#writing !== null) await this.#writing
    // One that was refused before goes first, and holds nothing of what came since.
    const isRefusedFirst = this.#unwritten !== null
    await this.#writeBatch()
    if (isRefusedFirst && this.#failure === null) await this.#writeBatch()
    if (this.#failure !== null) throw this.#storeFailed()
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

  #storeFailed(): StoreFailed {
    return new StoreFailed('the history could not be written', { cause: this.#failure })
  }

  #shed(): void {
    const { onShed, mostWaiting = MOST_WAITING } = this.#options
    const before = this.pending.count
    this.#noteLost(this.pending.shedQuotes())
    let trades: readonly TradePrinted[] = []
    if (this.pending.count > mostWaiting) {
      const shed = this.pending.shedTrades()
      this.#noteLost(shed.lost)
      trades = shed.trades
    }
    onShed?.(trades)
    const dropped = before - this.pending.count
    this.#log.error({ dropped, trades: trades.length }, 'rows were given up: none can be written')
  }

  #noteLost(rows: readonly LostRows[]): void {
    for (const lost of rows) {
      const key = `${lost.venue} ${lost.feed}`
      this.#lost.set(key, widened(this.#lost.get(key) ?? lost, lost))
    }
  }

  /** Whoever marks the loss adds rows, which are written next. */
  #tellLost(): void {
    const lost = [...this.#lost.values()]
    this.#lost.clear()
    if (lost.length > 0) this.#options.onLost?.(lost)
  }

  /** Small batches wait a moment for company; an idle writer sets no timer. */
  async #writeSoon(): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const slept = await sleepUnless(
      this.#stop.signal,
      this.#clock,
      this.#failure === null ? FLUSH_EVERY : RETRY_EVERY,
    )
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
    if (this.#unwritten === null && this.pending.count === 0) this.#tellLost()
    if (this.#unwritten === null && this.pending.count > 0) {
      this.#unwrittenFrom = this.pending.knownFrom
      this.#unwritten = this.pending.take()
    }
    if (this.#unwritten === null) return
    try {
      await this.#history.append(this.#unwritten)
      this.#unwritten = null
      this.#unwrittenFrom = Number.POSITIVE_INFINITY
      if (this.#failure !== null) this.#log.info({}, 'the history can be written again')
      this.#failure = null
      this.#storedAt = this.#clock.now()
      this.#tellLost()
    } catch (error) {
      if (this.#failure === null)
        this.#log.error({ err: error }, 'a batch could not be written to the history')
      this.#failure = error
    }
  }
}
