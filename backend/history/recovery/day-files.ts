import { createHash } from 'node:crypto'
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import { replaceFile } from '../../lib/files/durable-file.ts'
import { recordsIn, signedLine } from '../../lib/files/signed-lines.ts'

/** Key of a day's file; `day` counts days since the epoch. */
export interface DayKey {
  readonly kind: string
  readonly venue: string
  readonly day: number
  /** An hour of a day that is not copied whole yet, 0 to 23. */
  readonly hour?: number
}

/** Record of a day's file. */
export interface DayFile extends DayKey {
  readonly rows: number
  readonly sha256: string
  /** Rows of the day arrived after the file was written. */
  readonly dirty: boolean
}

export const dayOf = (at: number): number => Math.floor(at / DAY)
export const dateOfDay = (day: number): string => isoOf((day * DAY) as Millis).slice(0, 10)

/** The first instant of a day or hour, and the first after it. */
export function spanOf({ day, hour }: DayKey): { readonly from: number; readonly to: number } {
  if (hour === undefined) return { from: day * DAY, to: (day + 1) * DAY }
  const from = day * DAY + hour * HOUR
  return { from, to: from + HOUR }
}

/** The hour of an instant as a key beside its day. */
export const hourOf = (at: number): { readonly day: number; readonly hour: number } => ({
  day: dayOf(at),
  hour: Math.floor((at - dayOf(at) * DAY) / HOUR),
})

/** `trades/venue=<venue>/2026-11-20.parquet`; hours of it `hours/trades/venue=<venue>/2026-11-20T13.parquet`. */
export const nameOfDay = ({ kind, venue, day, hour }: DayKey): string =>
  hour === undefined
    ? `${kind}/venue=${venue}/${dateOfDay(day)}.parquet`
    : `hours/${kind}/venue=${venue}/${dateOfDay(day)}T${String(hour).padStart(2, '0')}.parquet`

/** A log with more than this many times the needed lines is compacted at open. */
const COMPACT_AT = 4

/**
 * The files of closed days under DATA/parquet and their expected content. The log is append-only
 * lines with a checksum each; a line with a wrong checksum is ignored, so that its file is written
 * again.
 */
export class DayFiles {
  readonly folder: string
  readonly #log: string
  readonly #filesByKey = new Map<string, DayFile>()
  /** Every day up to this one was copied; one without a file had no rows then. */
  #lastCopiedDay = -Infinity
  /** Every hour that ended by then was copied; one without a file had no rows then. */
  #hoursThrough = -Infinity

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'parquet')
    this.#log = join(this.folder, 'days.jsonl')
    this.#load()
  }

  pathOf(key: DayKey): string {
    return join(this.folder, nameOfDay(key))
  }

  get(key: DayKey): DayFile | null {
    return this.#filesByKey.get(nameOfDay(key)) ?? null
  }

  /** Files of whole days. */
  all(): DayFile[] {
    return [...this.#filesByKey.values()].filter(({ hour }) => hour === undefined)
  }

  /** Files of hours whose day is not copied whole yet. */
  hours(): DayFile[] {
    return [...this.#filesByKey.values()].filter(({ hour }) => hour !== undefined)
  }

  /** Removes files whose rows another file contains now. */
  drop(files: readonly DayFile[]): void {
    if (files.length === 0) return
    const lines = files.map((file) => signedLine({ dropped: nameOfDay(file) }))
    appendFileSync(this.#log, lines.join(''), { mode: 0o600, flush: true })
    for (const file of files) {
      this.#filesByKey.delete(nameOfDay(file))
      rmSync(this.pathOf(file), { force: true })
    }
  }

  /** Records a file that has its final name now. */
  put(file: DayFile): void {
    mkdirSync(dirname(this.pathOf(file)), { recursive: true, mode: 0o700 })
    this.#filesByKey.set(nameOfDay(file), file)
    appendFileSync(this.#log, lineOf(file), { mode: 0o600, flush: true })
  }

  /** Every day up to this one was copied: a kind without a file has no rows. */
  get through(): number {
    return this.#lastCopiedDay
  }

  /** Records that every closed day up to this one is copied. */
  recordThrough(day: number): void {
    if (day <= this.#lastCopiedDay) return
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.#lastCopiedDay = day
    appendFileSync(this.#log, signedLine({ through: day }), { mode: 0o600, flush: true })
  }

  /** Every hour that ended by this instant was copied: a kind without a file has no rows. */
  get hoursThrough(): number {
    return this.#hoursThrough
  }

  /** Records that every hour that ended by this instant is copied. */
  recordHoursThrough(hoursThrough: number): void {
    if (hoursThrough <= this.#hoursThrough) return
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.#hoursThrough = hoursThrough
    appendFileSync(this.#log, signedLine({ hoursThrough }), { mode: 0o600, flush: true })
  }

  /** Whether a day or hour without a whole file may have had rows. */
  mayContainRows({ kind, venue, day, hour }: DayKey): boolean {
    if (this.get({ kind, venue, day }) !== null) return true
    if (day <= this.#lastCopiedDay) return false
    if (hour === undefined) return true
    const key = { kind, venue, day, hour }
    return this.get(key) !== null || spanOf(key).to > this.#hoursThrough
  }

  /** Marks files as incomplete; a day without rows so far will need a file. */
  markDirty(keys: readonly DayKey[]): void {
    const changedKeys = keys
      .map((key) => this.get(key) ?? { ...key, rows: 0, sha256: NO_FILE, dirty: false })
      .filter((file) => !file.dirty && (file.sha256 !== NO_FILE || !this.mayContainRows(file)))
      .map((file) => ({ ...file, dirty: true }))
    if (changedKeys.length === 0) return
    for (const file of changedKeys) this.#filesByKey.set(nameOfDay(file), file)
    appendFileSync(this.#log, changedKeys.map(lineOf).join(''), { mode: 0o600, flush: true })
  }

  /** Whether a day's file exists with exactly the content that was written. */
  async isSound(file: DayFile): Promise<boolean> {
    const path = this.pathOf(file)
    return existsSync(path) && (await sha256Of(path)) === file.sha256
  }

  #load(): void {
    if (!existsSync(this.#log)) return
    const notes = recordsIn<LogLine>(readFileSync(this.#log, 'utf8'))
    for (const note of notes) {
      if ('through' in note) this.#lastCopiedDay = Math.max(this.#lastCopiedDay, note.through)
      else if ('hoursThrough' in note) this.#hoursThrough = note.hoursThrough
      else if ('dropped' in note) this.#filesByKey.delete(note.dropped)
      else this.#filesByKey.set(nameOfDay(note), note)
    }
    if (notes.length > COMPACT_AT * Math.max(16, this.#filesByKey.size)) {
      const throughLine = Number.isFinite(this.#lastCopiedDay)
        ? signedLine({ through: this.#lastCopiedDay })
        : ''
      const { hoursThrough } = this
      const hours = Number.isFinite(hoursThrough) ? signedLine({ hoursThrough }) : ''
      const files = [...this.#filesByKey.values()].map(lineOf).join('')
      replaceFile(this.#log, throughLine + hours + files)
    }
  }
}

/** A line of the log. */
type LogLine =
  | DayFile
  | { readonly through: number }
  | { readonly hoursThrough: number }
  | { readonly dropped: string }

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Placeholder checksum for a day whose file is still to be written. */
const NO_FILE = ''

const lineOf = ({ kind, venue, day, hour, rows, sha256, dirty }: DayFile): string =>
  signedLine({ kind, venue, day, hour, rows, sha256, dirty })
