import { closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs'

/**
 * The log beside a DuckDB file, read without the engine. The engine verifies the content of every
 * entry, but treats an entry whose length reaches past the end of the file as an interrupted write
 * and drops it with everything after it. A damaged length looks the same; the difference is that a
 * completely written log ends with a commit.
 */
export interface WalChain {
  /** `cut off`: the last transaction was being written when its process died. */
  readonly state: 'absent' | 'whole' | 'cut off' | 'damaged'
  /** End of the last commit of the intact part; the log can be truncated there. */
  readonly commitEnd: number
}

/** The log begins with its version: one entry without length and checksum. */
const VERSION_BYTES = 8
const HEAD_BYTES = 16
/** Length, checksum and content of the entry that ends every transaction: it carries no data. */
const COMMIT = Buffer.from('0500000000000000e7fe7d722fed3d5e640064ffff', 'hex')

/** Follows the lengths of the entries up to `until`, a place known to be damaged. */
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
    if (commitEnd === size) return { state: 'whole', commitEnd }
    const tail = Buffer.alloc(COMMIT.length)
    readSync(file, tail, 0, tail.length, size - COMMIT.length)
    // A cut-off transaction has no commit at its end; a completely written log has.
    return { state: tail.equals(COMMIT) ? 'damaged' : 'cut off', commitEnd }
  } finally {
    closeSync(file)
  }
}

/** The log beside a file, and the one that takes the commits made during a checkpoint. */
const logsOf = (path: string): string[] => [`${path}.wal`, `${path}.wal.checkpoint`]

/** Whether a process died while it wrote a transaction to a log of this DuckDB file. */
export const hasPartialCommit = (path: string): boolean =>
  logsOf(path).some((log) => inspectWal(log).state === 'cut off')

/**
 * Removes a transaction that was never committed from the logs of a DuckDB file that no process has
 * open. The engine does not: of a log that ends within a transaction it keeps rows that were
 * inserted in bulk, without what was inserted beside them.
 */
export function dropPartialCommit(path: string): void {
  for (const log of logsOf(path)) {
    const { state, commitEnd } = inspectWal(log)
    if (state === 'cut off') truncateSync(log, commitEnd)
  }
}
