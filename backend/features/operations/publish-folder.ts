import { cpSync, existsSync, readdirSync, renameSync, rmSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../../lib/durable-file.ts'

/**
 * Gives a finished folder its final name, whole or not at all, on disk at return. Across file systems
 * it is copied beside its place first. A folder that stands there is replaced.
 * @param from is gone afterwards
 */
export function publishFolder(from: string, to: string): void {
  const beside = `${to}.part`
  rmSync(beside, { recursive: true, force: true })
  try {
    renameSync(from, beside)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    try {
      cpSync(from, beside, { recursive: true, preserveTimestamps: true })
    } catch (failure) {
      rmSync(beside, { recursive: true, force: true })
      throw failure
    }
    rmSync(from, { recursive: true, force: true })
  }
  syncTree(beside)
  const old = `${to}.replaced`
  if (existsSync(to)) {
    if (readdirSync(to).length === 0) rmdirSync(to)
    else renameSync(to, old)
  }
  renameSync(beside, to)
  syncToDisk(dirname(to))
  rmSync(old, { recursive: true, force: true })
}

/** A folder with everything below it, the deepest first. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncToDisk(path)
  }
  syncToDisk(folder)
}
