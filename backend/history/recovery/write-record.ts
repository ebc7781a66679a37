import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Millis } from '../../domain/units.ts'
import { replaceFile } from '../../lib/files/durable-file.ts'
import { recordsIn, signedLine } from '../../lib/files/signed-lines.ts'

/** One acknowledged write: the lengths of the files after it. */
interface WriteRecord {
  /** Number of checkpoints, from the file's header. */
  readonly fold: number
  /** Bytes of the log that contain this write and all before it. */
  readonly bytes: number
  readonly at: Millis
}

/** Result of comparing the files with the records before they are opened. */
export type WriteVerdict =
  | { readonly kind: 'whole' }
  /** An earlier version replaced the written file. */
  | { readonly kind: 'older'; readonly until: Millis }
  /** Acknowledged writes are missing from the end of the log. */
  | {
      readonly kind: 'log-cut'
      readonly writes: number
      readonly from: Millis
      readonly until: Millis
    }

export const writeRecordsOf = (path: string): string => `${path}.writes`

/**
 * Records the length of the history's log after every acknowledged write, so that a log that lost
 * its end is detected. Records follow their write and are not synced: a kill may lose one, but none
 * claims a write that did not reach the disk.
 */
export class WriteRecords {
  readonly #path: string
  #file: number | null = null
  /**
   * The history's descriptor, open as long as the engine has the file: closing any descriptor of a
   * file releases the POSIX locks of this process on it, including the engine's.
   */
  readonly #data: number
  readonly #now: () => Millis
  readonly #head = Buffer.alloc(HEADER_END)
  #isOpen = true
  #fold = -1
  /**
   * Creation time of the log that belongs to `#fold`; a log that is about to be removed has
   * another.
   */
  #logBirthtime: bigint | null = null

  /** @param path a history that the engine has open */
  constructor(path: string, now: () => Millis) {
    this.#path = path
    this.#data = openSync(path, 'r')
    this.#now = now
  }

  /** Call after every write, before it is acknowledged. */
  append(): void {
    if (!this.#isOpen) return
    const fold = foldsIn(this.#data, this.#head)
    const log = statSync(`${this.#path}.wal`, { throwIfNoEntry: false, bigint: true })
    // The engine checkpoints concurrently: values read across a checkpoint are inconsistent.
    if (fold === null || fold !== foldsIn(this.#data, this.#head)) return
    const birthtime = log?.birthtimeNs ?? null
    const record: WriteRecord = { fold, bytes: Number(log?.size ?? 0), at: this.#now() }
    if (fold === this.#fold && this.#file !== null) writeSync(this.#file, signedLine(record))
    else {
      if (birthtime !== null && birthtime === this.#logBirthtime) return
      this.#begin(record)
    }
    this.#fold = fold
    this.#logBirthtime ??= birthtime
  }

  /** Call it after the engine has closed the history. */
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#file !== null) closeSync(this.#file)
    closeSync(this.#data)
  }

  /** Starts over after a checkpoint; atomic, because records without an entry count as lost. */
  #begin(record: WriteRecord): void {
    const path = writeRecordsOf(this.#path)
    // On a full disk this fails, and the former records stay.
    replaceFile(path, signedLine(record))
    if (this.#file !== null) closeSync(this.#file)
    this.#file = openSync(path, 'a', 0o600)
    this.#logBirthtime = null
  }
}

/** Whether a history has any intact record of its writes. */
export const hasWriteRecords = (path: string): boolean => recordsOf(path).length > 0

const recordsOf = (path: string): WriteRecord[] => {
  const file = writeRecordsOf(path)
  return existsSync(file) ? recordsIn<WriteRecord>(readFileSync(file, 'utf8')) : []
}

/** Compares the files of a closed history with the records of its writes. */
export function judgeWrites(path: string): WriteVerdict {
  const records = recordsOf(path)
  const last = records.at(-1)
  const fold = foldsOf(path)
  if (last === undefined || fold === null || fold > last.fold) return { kind: 'whole' }
  if (fold < last.fold) return { kind: 'older', until: last.at }
  const size = statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0
  const undone = records.filter((record) => record.fold === fold && record.bytes > size)
  const first = undone[0]
  if (first === undefined) return { kind: 'whole' }
  return { kind: 'log-cut', writes: undone.length, from: first.at, until: last.at }
}

const RECORDED = 'writes are recorded'

/** Whether an open history notes that its writes are recorded, so that missing records are damage. */
export async function isMarkedAsRecorded(connection: DuckDBConnection): Promise<boolean> {
  const recordReader = await connection.runAndReadAll(
    `select comment from duckdb_tables() where table_name = 'schema_version'`,
  )
  return recordReader.getRows()[0]?.[0] === RECORDED
}

/** Notes in the history that its writes are recorded; on disk when this returns. */
export async function markAsRecorded(connection: DuckDBConnection): Promise<void> {
  if (await isMarkedAsRecorded(connection)) return
  await connection.run(`comment on table schema_version is '${RECORDED}'`)
  // The log never has to replay a change of the schema.
  await connection.run('checkpoint')
}

/** Offsets of the checkpoint number in the two headers of a DuckDB file, after a checksum. */
const HEADERS = [4_096, 8_192] as const
const HEADER_END = 12_288

/** The number of the newest checkpoint of a closed file; null without such a file. */
function foldsOf(path: string): number | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    return foldsIn(file, Buffer.alloc(HEADER_END))
  } finally {
    closeSync(file)
  }
}

function foldsIn(file: number, head: Buffer): number | null {
  if (readSync(file, head, 0, HEADER_END, 0) < HEADER_END) return null
  return Math.max(...HEADERS.map((at) => Number(head.readBigUInt64LE(at + 8))))
}
