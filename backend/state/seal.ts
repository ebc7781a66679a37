import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile, syncToDisk } from '../lib/files/durable-file.ts'

/**
 * Checksum of a SQLite file at its last checkpoint. SQLite keeps no checksums of its pages, but in
 * WAL mode the file itself only changes during a checkpoint, and only we run those: between two
 * checkpoints the file must not change.
 */
interface Seal {
  readonly sha256: string
  /** The first page's header, which every program that writes the file changes. */
  readonly head: string
  /**
   * Whether commits after this checkpoint are recorded beside the file, so that missing records are
   * damage. False in seals of older versions.
   */
  readonly isRecorded: boolean
}

const HEAD_BYTES = 100
/** Every SQLite file starts with it. */
const MAGIC = 'SQLite format 3\0'
/** Offset of `user_version` in the header, which counts checkpoints here. */
const GENERATION_AT = 60
export const sealPathOf = (path: string): string => `${path}.seal`

/** Seals a file that is not being written. */
export function seal(path: string): void {
  replaceFile(sealPathOf(path), JSON.stringify(sealOf(path)))
}

/** Whether the seal of a file shows that its commits were recorded. */
export const isSealedWithRecords = (path: string): boolean => readSeal(path)?.isRecorded === true

/** Breaks the seal before the file changes; it stays broken after a power cut. */
export function breakSeal(path: string): void {
  if (!existsSync(sealPathOf(path))) return
  rmSync(sealPathOf(path), { force: true })
  syncToDisk(dirname(path))
}

/** Number of checkpoints of a file, from its own header; null without a SQLite header. */
export function generationOf(path: string): number | null {
  if (!existsSync(path)) return null
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, HEAD_BYTES, 0)
  } finally {
    closeSync(file)
  }
  return generationIn(head)
}

/** The same from a file's seal; null without a seal. */
export function sealedGenerationOf(path: string): number | null {
  const seal = readSeal(path)
  return seal === null ? null : generationIn(Buffer.from(seal.head, 'hex'))
}

const generationIn = (head: Buffer): number | null =>
  head.length >= HEAD_BYTES && head.toString('latin1', 0, MAGIC.length) === MAGIC
    ? head.readUInt32BE(GENERATION_AT)
    : null

/**
 * `broken`: the content changed without a write, since the header is the same and the rest is not.
 * `unknown`: there is no seal, or another program wrote the file, which is then judged by itself.
 */
export function sealStateOf(path: string): 'intact' | 'broken' | 'unknown' {
  const seal = readSeal(path)
  if (seal === null || !existsSync(path)) return 'unknown'
  const now = sealOf(path)
  if (seal.sha256 === now.sha256) return 'intact'
  return seal.head === now.head ? 'broken' : 'unknown'
}

/** Whether two files had the same content when sealed. */
export function haveEqualSeals(path: string, other: string): boolean {
  const seal = readSeal(path)
  return seal !== null && seal.sha256 === readSeal(other)?.sha256
}

function sealOf(path: string): Seal {
  const content = readFileSync(path)
  return {
    sha256: createHash('sha256').update(content).digest('hex'),
    head: content.subarray(0, HEAD_BYTES).toString('hex'),
    isRecorded: true,
  }
}

function readSeal(path: string): Seal | null {
  try {
    if (!existsSync(sealPathOf(path))) return null
    const value = JSON.parse(readFileSync(sealPathOf(path), 'utf8')) as Partial<Seal> | null
    const { sha256, head, isRecorded = false } = value ?? {}
    return sha256 === undefined || head === undefined ? null : { sha256, head, isRecorded }
  } catch {
    return null
  }
}
