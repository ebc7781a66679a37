import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { quoteText } from '../duckdb/engine/engine.ts'
import { moveDurably } from '../../lib/files/durable-file.ts'
import { BACKUP_TABLES, venueIn, type BackupTable } from './copied-kinds.ts'
import { DayFiles, hourOf, nameOfDay, sha256Of, spanOf, type DayKey } from './day-files.ts'
import { quarantine } from '../../lib/files/quarantine.ts'

/** A day is copied this long after it ended, when most of its late rows have arrived. */
const GRACE = HOUR
/**
 * An hour is copied this long after it ended, because the rows of an open day have no other copy.
 */
const HOUR_GRACE = 5 * MINUTE
const CHECK_INTERVAL = 5 * MINUTE
const VERIFY_INTERVAL = DAY
/**
 * After each file the copying pauses for this many times its duration, and at least this long (ms).
 */
const REST_FACTOR = 2
const MIN_REST = 100

/** Lends a connection to the history for the duration of a task. */
export type WithConnection = <T>(task: (connection: DuckDBConnection) => Promise<T>) => Promise<T>

/** Result of one pass. */
export interface CopyPass {
  readonly files: number
  readonly rows: number
  /** The longest time for one file, ms. */
  readonly longest: number
}

/**
 * Keeps a Parquet copy of every closed day, venue and kind: sorted by (market, ts), zstd, written
 * to a temporary file and renamed. A day whose rows changed afterwards is written again.
 */
export class DailyBackups {
  readonly files: DayFiles
  readonly #withConnection: WithConnection
  readonly #clock: Clock
  readonly #log: Logger
  /** Counter of changes per day, to detect changes while its file is being written. */
  readonly #notes = new Map<string, number>()
  #notedRows = 0

  constructor(deps: {
    dataDir: string
    withConnection: WithConnection
    clock: Clock
    log: Logger
  }) {
    this.files = new DayFiles(deps.dataDir)
    this.#withConnection = deps.withConnection
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /**
   * Marks the days of rows that were or are about to be stored, because their files are incomplete.
   */
  markChanged(keys: readonly DayKey[]): void {
    this.#notedRows += keys.length
    for (const key of keys) {
      this.#notes.set(nameOfDay(key), (this.#notes.get(nameOfDay(key)) ?? 0) + 1)
    }
    this.files.markDirty(keys)
  }

  /** The closed days, and the later hours, for which a staged Parquet file has rows. */
  async daysOfStaged(kind: string, path: string): Promise<DayKey[]> {
    const { openFrom } = this
    const start = `case when ts < ${openFrom} then ts // ${DAY} * ${DAY} else ts // ${HOUR} * ${HOUR} end`
    const sql = `select distinct m.venue, rows.start
        from (select distinct market, ${start} as start from read_parquet(${quoteText(path)})) as rows
        join market as m on m.id = rows.market`
    const resultReader = await this.#withConnection((connection) => connection.runAndReadAll(sql))
    return resultReader.getRows().map(([venue, at]) => {
      const fileKey = Number(at) < openFrom ? { day: Number(at) / DAY } : hourOf(Number(at))
      return { kind, venue: String(venue), ...fileKey }
    })
  }

  /** The first day that is not closed yet; rows from then on affect no file. */
  get openFrom(): Millis {
    return (Math.floor((this.#clock.now() - GRACE) / DAY) * DAY) as Millis
  }

  /** The first hour that is not closed yet; rows from then on affect no file at all. */
  get openHourFrom(): Millis {
    return (Math.floor((this.#clock.now() - HOUR_GRACE) / HOUR) * HOUR) as Millis
  }

  /** Copies due days and verifies existing files repeatedly, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    let verifiedAt = this.#clock.now()
    do {
      try {
        const { files, rows, longest } = await this.copyDue(signal)
        if (files > 0) this.#log.info({ files, rows, longest }, 'closed days are copied')
        if (this.#clock.now() - verifiedAt >= VERIFY_INTERVAL) {
          await this.verify(signal)
          verifiedAt = this.#clock.now()
        }
      } catch (error) {
        if (signal.aborted) return
        this.#log.warn({ err: error }, 'closed days could not be copied; they are tried again')
      }
    } while (await sleepUnless(signal, this.#clock, CHECK_INTERVAL))
  }

  /**
   * Copies every closed hour of the open day and every closed day without a complete file; newest
   * first. Hour files are removed when their day is copied.
   */
  async copyDue(signal: AbortSignal): Promise<CopyPass> {
    let [files, rows, longest] = [0, 0, 0]
    const lastClosedDay = this.openFrom / DAY - 1
    const hoursThrough = this.openHourFrom
    const version = this.#notedRows
    for (const { kind, key } of await this.#withConnection((connection) =>
      this.#dueDays(connection),
    )) {
      if (signal.aborted) break
      const startedAt = this.#clock.monotonic()
      const rowCount = await this.#withConnection(async (connection) => {
        const stop = () => connection.interrupt()
        signal.addEventListener('abort', stop)
        return this.#copy(connection, kind, key).finally(() =>
          signal.removeEventListener('abort', stop),
        )
      })
      const elapsedMs = this.#clock.monotonic() - startedAt
      if (rowCount !== null) [files, rows] = [files + 1, rows + rowCount]
      longest = Math.max(longest, Math.round(elapsedMs))
      await sleepUnless(signal, this.#clock, Math.max(MIN_REST, REST_FACTOR * elapsedMs))
    }
    if (!signal.aborted && this.#notedRows === version) {
      this.files.recordThrough(lastClosedDay)
      this.files.recordHoursThrough(hoursThrough)
    }
    if (!signal.aborted) this.files.drop(this.files.hours().filter((hour) => this.#isMerged(hour)))
    return { files, rows, longest }
  }

  /**
   * Reads every file and sets aside those whose content differs from what was written; the next
   * pass writes them again. Returns their names.
   */
  async verify(signal: AbortSignal): Promise<string[]> {
    const damagedDays: string[] = []
    for (const file of [...this.files.all(), ...this.files.hours()]) {
      if (signal.aborted) break
      if (file.rows > 0 && !(await this.files.isSound(file))) {
        quarantine(this.files.pathOf(file), this.#clock.now())
        this.files.markDirty([file])
        damagedDays.push(nameOfDay(file))
        this.#log.error(
          { file: nameOfDay(file) },
          'the copy of a day was damaged and is written again',
        )
      }
      await sleepUnless(signal, this.#clock, MIN_REST)
    }
    return damagedDays
  }

  async #dueDays(connection: DuckDBConnection): Promise<{ kind: BackupTable; key: DayKey }[]> {
    const openDay = this.openFrom / DAY
    const dueDays: { kind: BackupTable; key: DayKey }[] = []
    for (const kind of BACKUP_TABLES.filter(({ isThinned }) => !isThinned)) {
      const dayReader = await connection.runAndReadAll(daysOf(kind))
      for (const [venue, day] of dayReader.getRows()) {
        const key = { kind: kind.kind, venue: String(venue), day: Number(day) }
        const file = this.files.get(key)
        if (key.day < openDay && (file === null || file.dirty)) dueDays.push({ kind, key })
      }
    }
    dueDays.push(...(await this.#hoursDue(connection)))
    return dueDays.sort((a, b) => spanOf(b.key).from - spanOf(a.key).from)
  }

  async #hoursDue(connection: DuckDBConnection): Promise<{ kind: BackupTable; key: DayKey }[]> {
    const dueDays: { kind: BackupTable; key: DayKey }[] = []
    const to = this.openHourFrom
    // Hours that were copied before are checked again only when their rows changed.
    const from = Math.max(this.openFrom, this.files.hoursThrough)
    for (const kind of BACKUP_TABLES.filter(({ isThinned }) => !isThinned)) {
      const dirtyFiles = this.files.hours().filter((file) => file.dirty && file.kind === kind.kind)
      for (const key of dirtyFiles) if (key.day >= this.openFrom / DAY) dueDays.push({ kind, key })
      if (from >= to) continue
      const hourReader = await connection.runAndReadAll(hoursOf(kind, from, to))
      for (const [venue, start] of hourReader.getRows()) {
        const key = { kind: kind.kind, venue: String(venue), ...hourOf(Number(start)) }
        if (this.files.get(key) === null) dueDays.push({ kind, key })
      }
    }
    return dueDays
  }

  /**
   * Whether an hour belongs to a day that is copied whole, or had no rows when that day was copied.
   */
  #isMerged({ kind, venue, day }: DayKey): boolean {
    const dayFile = this.files.get({ kind, venue, day })
    return day * DAY < this.openFrom && dayFile !== null && !dayFile.dirty
  }

  /** The number of rows written, or null when the existing file is complete. */
  async #copy(
    connection: DuckDBConnection,
    kind: BackupTable,
    key: DayKey,
  ): Promise<number | null> {
    const name = nameOfDay(key)
    const version = this.#notes.get(name) ?? 0
    const previous = this.files.get(key)
    const path = this.files.pathOf(key)
    // Rows are only ever added, so a day with as many rows as its file has nothing new.
    if (previous !== null) {
      const rowCount = await connection.runAndReadAll(`select count(*) from (${rowsOf(kind, key)})`)
      if (
        Number(rowCount.getRows()[0]?.[0]) === previous.rows &&
        (await this.files.isSound(previous))
      ) {
        this.files.put({ ...previous, dirty: (this.#notes.get(name) ?? 0) !== version })
        return null
      }
    }
    const partial = `${path}.part`
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const rowReader = await connection.runAndReadAll(
        `copy (${sortedRowsOf(kind, key)})
           to ${quoteText(partial)} (format parquet, compression zstd)`,
      )
      const rows = Number(rowReader.getRows()[0]?.[0] ?? 0)
      const sha256 = await sha256Of(partial)
      moveDurably(partial, path)
      this.files.put({ ...key, rows, sha256, dirty: (this.#notes.get(name) ?? 0) !== version })
      return rows
    } finally {
      rmSync(partial, { force: true })
    }
  }
}

/** Rows of one day and venue in the order in which they are copied. */
export const sortedRowsOf = (kind: BackupTable, key: DayKey): string =>
  `${rowsOf(kind, key)} order by ${kind.owner === 'world' ? '' : 'ticker, '}${kind.order}`

/** Rows of one day and venue with the ticker in place of the market id. */
function rowsOf({ from, time, extra, owner }: BackupTable, key: DayKey): string {
  const { venue } = key
  const span = spanOf(key)
  const spanSql = `r.${time} >= ${span.from} and r.${time} < ${span.to}`
  if (owner === 'world') return `select r.* from ${from} as r where ${spanSql}`
  const isCoverage = owner === 'venue'
  const hiddenColumns = ['market', ...extra, ...(isCoverage ? ['venue'] : [])]
  return `select m.ticker, r.* exclude (${hiddenColumns.join(', ')})
    from ${from} as r ${isCoverage ? 'left' : ''} join market as m on m.id = r.market
   where ${isCoverage ? 'r' : 'm'}.venue = ${quoteText(venue)} and ${spanSql}`
}

/**
 * Days and venues that have rows; for most ticks from the summaries, whatever the size of the
 * history.
 */
function daysOf(kind: BackupTable): string {
  const { from, time, tick, table, owner } = kind
  if (owner !== 'market') {
    return `select distinct ${venueIn(kind, from)}, ${time} // ${DAY} from ${from}`
  }
  const days =
    tick === null || tick === 'candle'
      ? `select market, ${time} // ${DAY} as day from ${from}`
      : `select market, day from ${table}_day
          union all select market, ${time} // ${DAY} from ${table}_recent`
  return `select distinct m.venue, days.day from (${days}) as days join market as m on m.id = days.market`
}

/** Venues and hours that have rows within a range of the open day. */
function hoursOf(kind: BackupTable, since: number, until: number): string {
  const { from, time, owner } = kind
  const venue = owner === 'market' ? 'm.venue' : venueIn(kind, 'r')
  return `select distinct ${venue}, r.${time} // ${HOUR} * ${HOUR}
    from ${from} as r ${owner === 'market' ? 'join market as m on m.id = r.market' : ''}
   where r.${time} >= ${since} and r.${time} < ${until}`
}
