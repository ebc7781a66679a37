import { existsSync, readFileSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_BYTES = 24
const MAGIC = 0x377f0682

/** Content of a write-ahead log beside a SQLite file. */
export interface WalContent {
  readonly bytes: number
  /** Salts of its header, hex; empty without a valid header. */
  readonly salt: string
  /** Frames up to the last commit before the first frame with a wrong checksum. */
  readonly committed: number
  /** Offset of the end of these frames. */
  readonly committedBytes: number
  /** Every whole frame matches its checksum. */
  readonly isSound: boolean
}

const EMPTY: WalContent = { bytes: 0, salt: '', committed: 0, committedBytes: 0, isSound: true }

/**
 * Reads the log beside a SQLite file. SQLite treats everything from the first frame with a wrong
 * checksum as a truncated write, and drops it silently. Here the log is only ever restarted at
 * length zero, so a whole frame with a wrong checksum was damaged or rolled back.
 * Format: the file format document of SQLite, section 4.
 */
export function inspectStateWal(path: string): WalContent {
  if (!existsSync(path)) return EMPTY
  const log = readFileSync(path)
  const bytes = log.length
  if (bytes === 0) return EMPTY
  const unreadable = { bytes, salt: '', committed: 0, committedBytes: 0, isSound: false }
  if (bytes < HEADER_BYTES) return unreadable
  const magic = log.readUInt32BE(0)
  if ((magic & ~1) !== MAGIC) return unreadable
  const isBigEndian = (magic & 1) === 1
  const pageBytes = log.readUInt32BE(8)
  let sums = addUp(log, 0, 24, [0, 0], isBigEndian)
  if (!matches(log, 24, sums)) return unreadable
  const salts = log.subarray(16, 24)
  const salt = salts.toString('hex')
  const frame = FRAME_BYTES + pageBytes
  let committedFrames = 0
  let frames = 0
  for (let offset = HEADER_BYTES; offset + frame <= bytes; offset += frame) {
    if (!log.subarray(offset + 8, offset + 16).equals(salts)) break
    sums = addUp(log, offset, 8, sums, isBigEndian)
    sums = addUp(log, offset + FRAME_BYTES, pageBytes, sums, isBigEndian)
    if (!matches(log, offset + 16, sums)) break
    frames += 1
    // The frame that ends a transaction holds the size of the database after it.
    if (log.readUInt32BE(offset + 4) !== 0) committedFrames = frames
  }
  const frameCount = Math.floor((bytes - HEADER_BYTES) / frame)
  const committedBytes = HEADER_BYTES + committedFrames * frame
  return { bytes, salt, committed: committedFrames, committedBytes, isSound: frames === frameCount }
}

type Sums = readonly [number, number]

const matches = (log: Buffer, at: number, [first, second]: Sums): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second

function addUp(log: Buffer, from: number, bytes: number, start: Sums, isBigEndian: boolean): Sums {
  let [first, second] = start
  for (let offset = from; offset < from + bytes; offset += 8) {
    const left = isBigEndian ? log.readUInt32BE(offset) : log.readUInt32LE(offset)
    const right = isBigEndian ? log.readUInt32BE(offset + 4) : log.readUInt32LE(offset + 4)
    first = (first + left + second) >>> 0
    second = (second + right + first) >>> 0
  }
  return [first, second]
}
