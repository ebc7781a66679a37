import { existsSync, readFileSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_BYTES = 24
const MAGIC = 0x377f0682

/**
 * Whether the log beside a SQLite file is what was written. SQLite takes everything from the first
 * frame on whose checksum does not fit for a write that was cut off, and drops it without a word. The
 * log is only ever started over at length zero here, so a whole frame that does not fit was damaged.
 * Format: the file format document of SQLite, section 4.
 */
export function isWalSound(path: string): boolean {
  if (!existsSync(path)) return true
  const log = readFileSync(path)
  if (log.length === 0) return true
  if (log.length < HEADER_BYTES) return false
  const magic = log.readUInt32BE(0)
  if ((magic & ~1) !== MAGIC) return false
  const isBigEndian = (magic & 1) === 1
  const pageBytes = log.readUInt32BE(8)
  let sums = addUp(log, 0, 24, [0, 0], isBigEndian)
  if (!matches(log, 24, sums)) return false
  const salts = log.subarray(16, 24)
  const frame = FRAME_BYTES + pageBytes
  for (let at = HEADER_BYTES; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) return false
    sums = addUp(log, at, 8, sums, isBigEndian)
    sums = addUp(log, at + FRAME_BYTES, pageBytes, sums, isBigEndian)
    if (!matches(log, at + 16, sums)) return false
  }
  return true
}

type Sums = readonly [number, number]

const matches = (log: Buffer, at: number, [first, second]: Sums): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second

function addUp(log: Buffer, from: number, bytes: number, start: Sums, isBigEndian: boolean): Sums {
  let [first, second] = start
  for (let at = from; at < from + bytes; at += 8) {
    const left = isBigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at)
    const right = isBigEndian ? log.readUInt32BE(at + 4) : log.readUInt32LE(at + 4)
    first = (first + left + second) >>> 0
    second = (second + right + first) >>> 0
  }
  return [first, second]
}
