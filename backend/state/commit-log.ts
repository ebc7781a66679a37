import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import type { Millis } from '../domain/units.ts'
import { replaceFile } from '../lib/files/durable-file.ts'
import { recordsIn, signedLine } from '../lib/files/signed-lines.ts'
import { generationOf } from './seal.ts'

/** One commit that was acknowledged before the write-ahead log was checkpointed into the file. */
export interface CommitRecord {
  /** `user_version` of the file that the log belongs to. */
  readonly generation: number
  /** Salts of the write-ahead log, hex; empty for an empty log. */
  readonly salt: string
  /** Frames of the log up to the end of this commit. */
  readonly frames: number
  readonly at: Millis
}

export const commitLogOf = (path: string): string => `${path}.commits`

/**
 * Records every commit outside the database, so that a write-ahead log that lost its end can be
 * distinguished from one that never had it. A record follows its commit and is not synced: after a
 * kill it may be missing, but it never names a commit that did not reach the disk. Records are a
 * lower bound.
 */
export class CommitLog {
  readonly #path: string
  #file: number
  readonly #indexPath: string
  /** Open until the database is closed: closing it earlier would release SQLite's locks on it. */
  #index: number | null = null
  readonly #now: () => Millis
  readonly #onFailure: (error: unknown) => void
  readonly #head = Buffer.alloc(INDEX_BYTES)
  #generation: number
  #last = ''

  /**
   * @param deps.onFailure called when a record cannot be written; the commit itself is not
   * affected
   */
  constructor(path: string, deps: { now: () => Millis; onFailure: (error: unknown) => void }) {
    this.#path = commitLogOf(path)
    this.#indexPath = `${path}-shm`
    this.#now = deps.now
    this.#onFailure = deps.onFailure
    this.#generation = generationOf(path) ?? 0
    if (readCommits(path).length === 0) this.#replace()
    this.#file = this.#openFile()
  }

  /** Starts over for a file whose write-ahead log is empty. */
  begin(generation: number): void {
    this.#generation = generation
    this.#last = ''
    // On a full disk this fails, and the former records stay.
    this.#replace()
    const previousFile = this.#file
    this.#file = this.#openFile()
    closeSync(previousFile)
  }

  /** Called after every commit, before it is acknowledged. */
  append(): void {
    try {
      const { salt, frames } = this.#position()
      const position = `${salt} ${frames}`
      if (frames === 0 || position === this.#last) return
      this.#append({ generation: this.#generation, salt, frames, at: this.#now() })
      this.#last = position
    } catch (error) {
      this.#onFailure(error)
    }
  }

  /** Call it after the database is closed. */
  close(): void {
    closeSync(this.#file)
    if (this.#index !== null) closeSync(this.#index)
  }

  /** Atomic, because records without an entry count as lost. */
  #replace(): void {
    const first: CommitRecord = {
      generation: this.#generation,
      salt: '',
      frames: 0,
      at: this.#now(),
    }
    replaceFile(this.#path, signedLine(first))
  }

  #openFile(): number {
    return openSync(this.#path, 'a', 0o600)
  }

  #append(record: CommitRecord): void {
    writeSync(this.#file, signedLine(record))
  }

  /** End of the committed part of the log, from the header of SQLite's WAL index. */
  #position(): { salt: string; frames: number } {
    this.#index ??= openSync(this.#indexPath, 'r')
    readSync(this.#index, this.#head, 0, INDEX_BYTES, 0)
    const isLittle = endianness() === 'LE'
    const frames = isLittle ? this.#head.readUInt32LE(16) : this.#head.readUInt32BE(16)
    return { frames, salt: this.#head.toString('hex', 32, 40) }
  }
}

/** Header of the WAL index; format: walformat.html of SQLite, section 2.1. */
const INDEX_BYTES = 48

/** The records beside a file, oldest first; truncated or damaged ones are left out. */
export function readCommits(path: string): CommitRecord[] {
  const log = commitLogOf(path)
  return existsSync(log) ? recordsIn<CommitRecord>(readFileSync(log, 'utf8')) : []
}
