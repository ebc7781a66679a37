import { DAY, type Millis } from '../domain/units.ts'
import type { ContextStore, ServedRow } from '../history/context-store.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'

/** Rows kept in memory: those of some days. Older ones are read. */
const KEPT = 2_000
/** A process that said nothing for longer is gone without a word. */
const LONGEST = DAY

const NOTHING: Omit<ServedRow, 'at'> = {
  isRunning: true,
  gridAt: null,
  hasDayEarlier: false,
  worldAt: null,
  worldGridAt: null,
  publishedGridAt: null,
  publishedWorldAt: null,
}

/**
 * Which grid and which world were served from which instant on. Working them out takes a while, so
 * what was answered at an instant is not what is known of it later: an answer about the past looks
 * here for what it has to be made of.
 */
export class ServedLog {
  readonly #store: Pick<ContextStore, 'appendContext' | 'servedAt'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #log: Pick<Logger, 'error'>
  /** In the order in which they were written; the first one stood when this process began. */
  #rows: ServedRow[] = []
  /** Not stored yet. */
  #unsaved: ServedRow[] = []
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

  /** A service begins: what an earlier one published is known, nothing is served yet. */
  async begin(): Promise<void> {
    const before = await this.#store.servedAt(this.#clock.now())
    if (before !== null) this.#rows.push(before)
    this.#write({ ...NOTHING, ...publishedIn(this.#newest) })
  }

  noteGrid(gridAt: Millis, hasDayEarlier: boolean): void {
    this.#write({ ...this.#newest, gridAt, hasDayEarlier, publishedGridAt: gridAt })
  }

  /** The grid a day before the one of `gridAt` stands too. */
  noteDayEarlier(gridAt: Millis): void {
    const newest = this.#newest
    if (newest.gridAt === gridAt) this.#write({ ...newest, hasDayEarlier: true })
  }

  noteWorld(worldAt: Millis, worldGridAt: Millis): void {
    this.#write({ ...this.#newest, worldAt, worldGridAt, publishedWorldAt: worldAt })
  }

  /** Nobody is answered from here on; resolves when all that was noted is stored or cannot be. */
  async end(): Promise<void> {
    if (this.#rows.length > 0) {
      this.#write({ ...NOTHING, ...publishedIn(this.#newest), isRunning: false })
    }
    // What is still being worked out is served to nobody.
    this.#hasEnded = true
    await this.#saving
  }

  /** What was served at an instant; null when nobody could ask, or nothing is known of it. */
  async at(asOf: Millis): Promise<ServedRow | null> {
    const [oldest] = this.#rows
    const row =
      oldest !== undefined && oldest.at <= asOf
        ? newestOf(this.#rows, asOf)
        : await this.#store.servedAt(asOf)
    if (row === null) return null
    return row.isRunning && asOf - row.at <= LONGEST ? row : null
  }

  get #newest(): Omit<ServedRow, 'at'> {
    return this.#rows.at(-1) ?? NOTHING
  }

  #write(what: Omit<ServedRow, 'at'>): void {
    if (this.#hasEnded) return
    const row = { ...what, at: this.#clock.now() }
    this.#rows.push(row)
    if (this.#rows.length > 2 * KEPT) this.#rows = this.#rows.slice(-KEPT)
    this.#unsaved.push(row)
    this.#saving = this.#saving.then(() => this.#save())
  }

  /** Rows that cannot be written now are written with the next ones. */
  async #save(): Promise<void> {
    const rows = [...this.#unsaved]
    if (rows.length === 0) return
    try {
      await this.#store.appendContext({ served: rows })
      this.#unsaved = this.#unsaved.slice(rows.length)
    } catch (error) {
      this.#log.error({ err: error }, 'what is served could not be stored')
    }
  }
}

/** The newest at or before an instant, of one instant the last written: a clock may be set back. */
const newestOf = (rows: readonly ServedRow[], asOf: Millis): ServedRow | null =>
  rows.reduce<ServedRow | null>(
    (newest, row) => (row.at <= asOf && (newest === null || row.at >= newest.at) ? row : newest),
    null,
  )

const publishedIn = ({ publishedGridAt, publishedWorldAt }: Omit<ServedRow, 'at'>) => ({
  publishedGridAt,
  publishedWorldAt,
})
