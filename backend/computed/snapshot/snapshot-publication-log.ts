import { DAY, type Millis } from '../../domain/units.ts'
import type { ContextStore, ServedRow } from '../../history/context-store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

/** Number of rows kept in memory, covering a few days. Older ones are read from the store. */
const MAX_ROWS = 2_000
/** A process without a row for longer than this ended without recording its end. */
const MAX_AGE = DAY

const NO_PUBLICATION: Omit<ServedRow, 'at'> = {
  isRunning: true,
  contextAt: null,
  hasDayEarlier: false,
  worldAt: null,
  worldContextAt: null,
  publishedContextAt: null,
  publishedWorldAt: null,
}

/**
 * Records which context snapshot and which world were served from which instant on. Computing them
 * takes a while, so an answer given at an instant differs from what is known of it later: an answer
 * about the past uses exactly the snapshots recorded here.
 */
export class SnapshotPublicationLog {
  readonly #store: Pick<ContextStore, 'appendContext' | 'servedAt'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #log: Pick<Logger, 'error'>
  /** In write order; the first one was current when this process started. */
  #rows: ServedRow[] = []
  /** Not stored yet. */
  #unsavedRows: ServedRow[] = []
  #saving: Promise<void> = Promise.resolve()
  #hasEnded = false

  constructor(deps: {
    store: Pick<ContextStore, 'appendContext' | 'servedAt'>
    clock: Pick<Clock, 'now'>
    log: Pick<Logger, 'error'>
  }) {
    this.#store = deps.store
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Starts the service: loads what an earlier one published; nothing is served yet. */
  async begin(): Promise<void> {
    const previous = await this.#store.servedAt(this.#clock.now())
    if (previous !== null) this.#rows.push(previous)
    this.#write({ ...NO_PUBLICATION, ...publishedIn(this.#newest) })
  }

  /** Instants of the newest snapshot and world published by this or an earlier run; null if none. */
  get published(): Pick<ServedRow, 'publishedContextAt' | 'publishedWorldAt'> {
    return publishedIn(this.#newest)
  }

  recordContext(contextAt: Millis, hasDayEarlier: boolean): void {
    this.#write({ ...this.#newest, contextAt, hasDayEarlier, publishedContextAt: contextAt })
  }

  /** Records that the snapshot a day before the one of `contextAt` is ready, too. */
  recordPreviousDay(contextAt: Millis): void {
    const newest = this.#newest
    if (newest.contextAt === contextAt) this.#write({ ...newest, hasDayEarlier: true })
  }

  recordWorld(worldAt: Millis, worldContextAt: Millis): void {
    this.#write({ ...this.#newest, worldAt, worldContextAt, publishedWorldAt: worldAt })
  }

  /** Ends the service; resolves when all rows are stored or cannot be stored. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) {
      this.#write({ ...NO_PUBLICATION, ...publishedIn(this.#newest), isRunning: false })
    }
    // Snapshots that are still being computed are not served any more.
    this.#hasEnded = true
    await this.#saving
  }

  /**
   * The row in effect at an instant; null when the service was not running, or when it is unknown.
   */
  async at(asOf: Millis): Promise<ServedRow | null> {
    const [oldest] = this.#rows
    const row =
      oldest !== undefined && oldest.at <= asOf
        ? newestOf(this.#rows, asOf)
        : await this.#store.servedAt(asOf)
    if (row === null) return null
    return row.isRunning && asOf - row.at <= MAX_AGE ? row : null
  }

  get #newest(): Omit<ServedRow, 'at'> {
    return this.#rows.at(-1) ?? NO_PUBLICATION
  }

  #write(state: Omit<ServedRow, 'at'>): void {
    if (this.#hasEnded) return
    const row = { ...state, at: this.#clock.now() }
    this.#rows.push(row)
    if (this.#rows.length > 2 * MAX_ROWS) this.#rows = this.#rows.slice(-MAX_ROWS)
    this.#unsavedRows.push(row)
    this.#saving = this.#saving.then(() => this.#save())
  }

  /** Rows that cannot be written now are written with the next ones. */
  async #save(): Promise<void> {
    const rows = [...this.#unsavedRows]
    if (rows.length === 0) return
    try {
      await this.#store.appendContext({ served: rows })
      this.#unsavedRows = this.#unsavedRows.slice(rows.length)
    } catch (error) {
      this.#log.error({ err: error }, 'the snapshot publication log could not be stored')
    }
  }
}

/**
 * The newest row at or before an instant; of equal instants the last written, since a clock may be
 * set back.
 */
const newestOf = (rows: readonly ServedRow[], asOf: Millis): ServedRow | null =>
  rows.reduce<ServedRow | null>(
    (newest, row) => (row.at <= asOf && (newest === null || row.at >= newest.at) ? row : newest),
    null,
  )

const publishedIn = ({ publishedContextAt, publishedWorldAt }: Omit<ServedRow, 'at'>) => ({
  publishedContextAt,
  publishedWorldAt,
})
