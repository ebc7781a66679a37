import type { Millis } from '../domain/units.ts'
import type { HistoryBatch } from '../history/history-batch.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { TradePrinted } from '../venues/connector.ts'
import { PendingRows, extendLoss, type LostRows } from './batch.ts'

const FLUSH_INTERVAL = 250
const FLUSH_ROWS = 500
/** Interval between retries while the history refuses rows. */
const RETRY_INTERVAL = 1_000
/**
 * Above this many waiting rows `makeRoom` delays its caller. Reads of the present wait until all
 * rows are stored, so the fastest source, the past of a first start, must not pile up.
 */
const HIGH_WATER = 5_000
/** Above this many rows that cannot be written `makeRoom` throws. */
const MAX_REFUSED = 50_000
/** Streams cannot be slowed down: above this many waiting rows some are dropped. */
const MAX_WAITING = 200_000

/** Statistics of the writer. */
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
  readonly maxWaiting?: number
  /** Called when rows are dropped: these trades, and quotes as well. */
  readonly onShed?: (trades: readonly TradePrinted[]) => void
  /** Called with the dropped spans when no row before them is waiting. */
  readonly onLost?: (lostRows: readonly LostRows[]) => void
}

/**
 * Writes waiting rows in batches, one at a time. While the disk refuses them they wait; beyond a
 * limit quotes and books are dropped first, because no venue could fill them in, and trades last.
 */
export class HistoryWriter {
  /** Waiting rows; call `makeRoom` after adding some. */
  readonly pending = new PendingRows()
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #log: Logger
  readonly #options: WriterOptions
  readonly #lostByFeed = new Map<string, LostRows>()
  readonly #stop = new AbortController()
  #pendingWrite: Promise<void> | null = null
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
   * Starts writing the waiting rows; resolves when there is room for more.
   * @throws StoreFailed when there is no room because rows cannot be written
   */
  async makeRoom(): Promise<void> {
    if (this.pending.count > (this.#options.maxWaiting ?? MAX_WAITING)) this.#shed()
    if (this.#failure !== null) {
      void this.#writeSoon()
      if (this.pending.count > MAX_REFUSED) throw this.#storeFailed()
      return
    }
    if (this.pending.count >= FLUSH_ROWS) void this.#writeBatch()
    else if (this.pending.count > 0) void this.#writeSoon()
    // The next batch collects while this one is written.
    if (this.pending.count > HIGH_WATER) await this.#writeBatch()
  }

  /** Resolves when everything added so far is on disk; throws StoreFailed when it cannot be written. */
  async flush(): Promise<void> {
    // The batch being written was taken earlier; the batch after it holds all rows added until now.
    if (this.#pendingWrite !== null) await this.#pendingWrite
    // A batch that was refused before goes first and holds no newer rows.
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
    const { onShed, maxWaiting = MAX_WAITING } = this.#options
    const previous = this.pending.count
    this.#recordLost(this.pending.shedQuotes())
    let trades: readonly TradePrinted[] = []
    if (this.pending.count > maxWaiting) {
      const shedCount = this.pending.shedTrades()
      this.#recordLost(shedCount.lost)
      trades = shedCount.trades
    }
    onShed?.(trades)
    const droppedCount = previous - this.pending.count
    this.#log.error(
      { dropped: droppedCount, trades: trades.length },
      'rows were dropped because none can be written',
    )
  }

  #recordLost(rows: readonly LostRows[]): void {
    for (const lostRow of rows) {
      const key = `${lostRow.venue} ${lostRow.feed}`
      this.#lostByFeed.set(key, extendLoss(this.#lostByFeed.get(key) ?? lostRow, lostRow))
    }
  }

  /** The listener records the loss as rows, which are written next. */
  #reportLost(): void {
    const lostRows = [...this.#lostByFeed.values()]
    this.#lostByFeed.clear()
    if (lostRows.length > 0) this.#options.onLost?.(lostRows)
  }

  /** Small batches wait briefly for more rows; an idle writer sets no timer. */
  async #writeSoon(): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    const slept = await sleepUnless(
      this.#stop.signal,
      this.#clock,
      this.#failure === null ? FLUSH_INTERVAL : RETRY_INTERVAL,
    )
    this.#isWaiting = false
    if (slept) await this.#writeBatch()
  }

  /** Writes the waiting rows as one batch, or joins the write that is running. */
  #writeBatch(): Promise<void> {
    this.#pendingWrite ??= this.#appendOnce().finally(() => {
      this.#pendingWrite = null
      if (this.pending.count > 0 || this.#unwritten !== null) void this.#writeSoon()
    })
    return this.#pendingWrite
  }

  /** A batch that could not be written stays first in the queue; the next call retries it. */
  async #appendOnce(): Promise<void> {
    if (this.#unwritten === null && this.pending.count === 0) this.#reportLost()
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
      this.#reportLost()
    } catch (error) {
      if (this.#failure === null)
        this.#log.error({ err: error }, 'a batch could not be written to the history')
      this.#failure = error
    }
  }
}
