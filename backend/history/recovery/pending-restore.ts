import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { replaceFile, syncToDisk } from '../../lib/durable-file.ts'
import { stampForName } from '../../lib/quarantine.ts'

/**
 * A restore waits in the data folder until nobody has the folder open: `restore-pending/content` is
 * what shall stand, `ready.json` says that it is whole. Taking it over is a row of renames that a
 * process which dies leaves for the next one to finish.
 */
const PENDING = 'restore-pending'
const READY = 'ready.json'
const MOVED = 'moved.json'

/** What a restore replaces; what else stands in a data folder stays. */
const REPLACED = [
  'history.duckdb',
  'history.duckdb.wal',
  'state.sqlite',
  'state.sqlite-wal',
  'state.sqlite-shm',
  'state.sqlite.seal',
  'state.sqlite.bak',
  'state.sqlite.bak.seal',
  'parquet',
  'run/clean-stop.json',
] as const

export const pendingFolderOf = (dataDir: string): string => join(dataDir, PENDING)
export const pendingContentOf = (dataDir: string): string => join(dataDir, PENDING, 'content')

export const hasPendingRestore = (dataDir: string): boolean =>
  existsSync(join(dataDir, PENDING, READY))

/** Whether anything stands in the folder that a restore would replace. */
export const hasContent = (dataDir: string): boolean =>
  REPLACED.some((name) => existsSync(join(dataDir, name)))

/** Says that the waiting content is whole and on disk: from now on the next start takes it over. */
export function markReady(dataDir: string, at: Millis): void {
  const kept = `before-restore-${stampForName(at)}`
  replaceFile(join(dataDir, PENDING, READY), JSON.stringify({ kept }))
}

/**
 * Takes a waiting restore over, or finishes doing so. Nothing of the folder may be open. Returns the
 * name of the folder that keeps what stood there before, null when no restore waits.
 */
export function takePendingRestore(dataDir: string): string | null {
  const pending = join(dataDir, PENDING)
  if (!hasPendingRestore(dataDir)) return null
  const { kept } = JSON.parse(readFileSync(join(pending, READY), 'utf8')) as { kept: string }
  const content = pendingContentOf(dataDir)
  const keep = join(dataDir, kept)
  if (!existsSync(join(pending, MOVED))) {
    const brings = existsSync(content) ? readdirSync(content) : []
    const leaving = [...REPLACED, ...brings.filter((name) => !REPLACED.some((one) => one === name))]
    for (const name of leaving) move(join(dataDir, name), join(keep, name))
    replaceFile(join(pending, MOVED), '{}')
  }
  if (existsSync(content)) {
    for (const name of readdirSync(content)) move(join(content, name), join(dataDir, name))
  }
  syncToDisk(dataDir)
  rmSync(join(pending, READY))
  rmSync(pending, { recursive: true, force: true })
  return kept
}

function move(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  renameSync(from, to)
  syncToDisk(dirname(to))
}
