import { closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file whole or not at all: a reader, and the disk after a power cut, see the old or the new one. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const partial = `${path}.part`
  writeFileSync(partial, content, { mode: 0o600 })
  moveDurably(partial, path)
}

/** Renames a finished file into place: content first, then the name, both on disk at return. */
export function moveDurably(from: string, to: string): void {
  syncToDisk(from)
  renameSync(from, to)
  syncToDisk(dirname(to))
}

/** What stands under this name, a file or the names in a folder, survives a power cut at return. */
export function syncToDisk(path: string): void {
  // Folders cannot be opened on Windows, where a rename is journalled by itself.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const handle = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
