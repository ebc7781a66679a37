import { createHash } from 'node:crypto'
import { appendFileSync, createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { DAY, type Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import { replaceFile } from '../../lib/durable-file.ts'

/** Which day of which rows; `day` counts days since the epoch. */
export interface DayKey {
  readonly kind: string
  readonly venue: string
  readonly day: number
}

/** What is known of a day's file. */
export interface DayFile extends DayKey {
  readonly rows: number
  readonly sha256: string
  /** Rows of the day arrived after the file was written. */
  readonly dirty: boolean
}

export const dayOf = (at: number): number => Math.floor(at / DAY)
export const dateOfDay = (day: number): string => isoOf((day * DAY) as Millis).slice(0, 10)

/** `trades/venue=venue_a/2026-11-20.parquet`. */
export const nameOfDay = ({ kind, venue, day }: DayKey): string =>
  `${kind}/venue=${venue}/${dateOfDay(day)}.parquet`

/** A log longer than this many times what it says is written anew at open. */
const COMPACT_AT = 4

/**
 * The files of closed days under DATA/parquet and what they must hold. The notes are lines with a
 * checksum of their own, only ever added; a line that does not fit counts as not written, so that its
 * file is made again rather than believed.
 */
export class DayFiles {
  readonly folder: string
  readonly #log: string
  readonly #known = new Map<string, DayFile>()
  /** Every day up to this one was copied; one without a file had no rows then. */
  #through = -Infinity

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'parquet')
    this.#log = join(this.folder, 'days.jsonl')
    this.#load()
  }

  pathOf(key: DayKey): string {
    return join(this.folder, nameOfDay(key))
  }

  get(key: DayKey): DayFile | null {
    return this.#known.get(nameOfDay(key)) ?? null
  }

  all(): DayFile[] {
    return [...this.#known.values()]
  }

  /** Notes a file that stands under its name now. */
  put(file: DayFile): void {
    mkdirSync(dirname(this.pathOf(file)), { recursive: true, mode: 0o700 })
    this.#known.set(nameOfDay(file), file)
    appendFileSync(this.#log, lineOf(file), { mode: 0o600, flush: true })
  }

  /** Every day up to this one was copied: of a kind without a file there are no rows. */
  get through(): number {
    return this.#through
  }

  /** Notes that every closed day up to this one is copied. */
  noteThrough(day: number): void {
    if (day <= this.#through) return
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.#through = day
    appendFileSync(this.#log, signed({ through: day }), { mode: 0o600, flush: true })
  }

  /**
   * Notes that files no longer hold all of their days; a day that
   * had no rows so far has a file to come.
   */
  markDirty(keys: readonly DayKey[]): void {
    const changed = keys
      .map((key) => this.get(key) ?? { ...key, rows: 0, sha256: NO_FILE, dirty: false })
      .filter((file) => !file.dirty && (file.sha256 !== NO_FILE || file.day <= this.#through))
      .map((file) => ({ ...file, dirty: true }))
    if (changed.length === 0) return
    for (const file of changed) this.#known.set(nameOfDay(file), file)
    appendFileSync(this.#log, changed.map(lineOf).join(''), { mode: 0o600, flush: true })
  }

  /** Whether a day's file is there with the very content that was written. */
  async isSound(file: DayFile): Promise<boolean> {
    const path = this.pathOf(file)
    return existsSync(path) && (await sha256Of(path)) === file.sha256
  }

  #load(): void {
    if (!existsSync(this.#log)) return
    const lines = readFileSync(this.#log, 'utf8').split('\n').filter(Boolean)
    for (const line of lines) {
      const noted = notedIn(line)
      if (noted === null) continue
      if ('through' in noted) this.#through = Math.max(this.#through, noted.through)
      else this.#known.set(nameOfDay(noted), noted)
    }
    if (lines.length > COMPACT_AT * Math.max(16, this.#known.size)) {
      const through = Number.isFinite(this.#through) ? signed({ through: this.#through }) : ''
      replaceFile(this.#log, through + this.all().map(lineOf).join(''))
    }
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Stands in the place of a checksum for a day whose file is still to be written. */
const NO_FILE = ''

const lineOf = ({ kind, venue, day, rows, sha256, dirty }: DayFile): string =>
  signed({ kind, venue, day, rows, sha256, dirty })

function signed(note: object): string {
  const text = JSON.stringify(note)
  return `${text}\t${crc32(text).toString(16)}\n`
}

function notedIn(line: string): DayFile | { readonly through: number } | null {
  const [text = '', sum = ''] = line.split('\t')
  if (crc32(text).toString(16) !== sum) return null
  try {
    return JSON.parse(text) as DayFile | { readonly through: number }
  } catch {
    return null
  }
}
