import { closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file atomically: a reader, and the disk after a power cut, see the old or the new
 * content.
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const partial = `${path}.part`
  writeFileSync(partial, content, { mode: 0o600 })
  moveDurably(partial, path)
}

/** Renames a finished file into place: first its content, then its name is synced to disk. */
export function moveDurably(from: string, to: string): void {
  syncToDisk(from)
  renameSync(from, to)
  syncToDisk(dirname(to))
}

/** Syncs a file, or the entries of a folder, to disk so that they survive a power cut. */
export function syncToDisk(path: string): void {
  // Folders cannot be opened on Windows, where the file system journals renames.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
