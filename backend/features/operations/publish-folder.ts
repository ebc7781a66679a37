import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../../lib/files/durable-file.ts'

/**
 * Renames a finished folder to its final name atomically and syncs it to disk. Across file systems
 * it is first copied next to the target. An existing folder is replaced.
 * @param from no longer exists afterwards
 */
export function publishFolder(from: string, to: string): void {
  const partialPath = `${to}.part`
  rmSync(partialPath, { recursive: true, force: true })
  try {
    renameSync(from, partialPath)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    try {
      // Fails if anything, such as a link, was created under this name in the meantime.
      mkdirSync(partialPath, { mode: 0o700 })
      cpSync(from, partialPath, { recursive: true, preserveTimestamps: true })
    } catch (failure) {
      rmSync(partialPath, { recursive: true, force: true })
      throw failure
    }
    rmSync(from, { recursive: true, force: true })
  }
  syncTree(partialPath)
  const old = `${to}.replaced`
  const isReplaced = existsSync(to) && readdirSync(to).length > 0
  if (isReplaced) {
    // Left by a crash after an earlier replacement.
    rmSync(old, { recursive: true, force: true })
    renameSync(to, old)
  } else if (existsSync(to)) {
    rmdirSync(to)
  }
  renameSync(partialPath, to)
  syncToDisk(dirname(to))
  if (isReplaced) rmSync(old, { recursive: true, force: true })
}

/** Syncs a folder and everything below it, deepest first. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncToDisk(path)
  }
  syncToDisk(folder)
}
