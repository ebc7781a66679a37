import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * What the log beside a DuckDB file looks like from outside. The engine checks the content of every
 * entry, but takes an entry whose length reaches past the end of the file for a write that was cut
 * off, and drops it with everything behind it. A damaged length looks the same: what tells them apart
 * is that a log whose end was written whole ends with a commit.
 */
export interface WalChain {
  readonly state: 'absent' | 'whole' | 'cut off' | 'damaged'
  /** Where the last commit of the unbroken part ends; the log can be cut there. */
  readonly commitEnd: number
}

/** The log begins with its version: one entry without length and checksum. */
const VERSION_BYTES = 8
const HEAD_BYTES = 16
/** Length, checksum and content of the entry that ends every transaction: it carries no data. */
const COMMIT = Buffer.from('0500000000000000e7fe7d722fed3d5e640064ffff', 'hex')

/** Follows the lengths of the entries; `until` ends the walk at a place known to be bad. */
export function inspectWal(path: string, until = Infinity): WalChain {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return { state: 'absent', commitEnd: 0 }
  }
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(COMMIT.length)
    let commitEnd = Math.min(size, VERSION_BYTES)
    let at = VERSION_BYTES
    while (at + HEAD_BYTES <= size) {
      readSync(file, head, 0, COMMIT.length, at)
      const end = at + HEAD_BYTES + Number(head.readBigUInt64LE(0))
      if (end > size || at >= until) break
      if (head.equals(COMMIT)) commitEnd = end
      at = end
    }
    if (at >= size) return { state: 'whole', commitEnd }
    const tail = Buffer.alloc(COMMIT.length)
    readSync(file, tail, 0, tail.length, size - COMMIT.length)
    // A cut-off transaction has no commit at its end; the log of one that was written whole has.
    return { state: tail.equals(COMMIT) ? 'damaged' : 'cut off', commitEnd }
  } finally {
    closeSync(file)
  }
}
