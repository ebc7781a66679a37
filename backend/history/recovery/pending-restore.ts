import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { replaceFile, syncToDisk } from '../../lib/files/durable-file.ts'
import { stampForName } from '../../lib/files/quarantine.ts'

/**
 * A restore waits in the data folder until no process has the folder open:
 * `restore-pending/content` is the new content, `ready.json` marks it as complete. It is applied by
 * a series of renames that the next process finishes if this one dies.
 */
const PENDING = 'restore-pending'
const READY = 'ready.json'
const MOVED_FILE = 'moved.json'

/** Files and folders that a restore replaces; the rest of the data folder stays. */
const REPLACED_FILES = [
  'history.duckdb',
  'history.duckdb.wal',
  'history.duckdb.writes',
  'state.sqlite',
  'state.sqlite-wal',
  'state.sqlite-shm',
  'state.sqlite.seal',
  'state.sqlite.commits',
  'state.sqlite.bak',
  'state.sqlite.bak.seal',
  'parquet',
  'damage.jsonl',
  'run/clean-stop.json',
  'run/state-generation.json',
] as const

export const pendingFolderOf = (dataDir: string): string => join(dataDir, PENDING)
export const pendingContentOf = (dataDir: string): string => join(dataDir, PENDING, 'content')

export const hasPendingRestore = (dataDir: string): boolean =>
  existsSync(join(dataDir, PENDING, READY))

/** Whether the folder contains anything that a restore would replace. */
export const hasContent = (dataDir: string): boolean =>
  REPLACED_FILES.some((name) => existsSync(join(dataDir, name)))

/** Marks the pending content as complete and on disk: the next start applies it. */
export function markReady(dataDir: string, at: Millis): void {
  const backupFolderName = `before-restore-${stampForName(at)}`
  replaceFile(join(dataDir, PENDING, READY), JSON.stringify({ kept: backupFolderName }))
}

/**
 * Applies a pending restore, or finishes applying it. Nothing in the folder may be open. Returns
 * the name of the folder that keeps the previous content, null when no restore is pending.
 */
export function consumePendingRestore(dataDir: string): string | null {
  const pending = join(dataDir, PENDING)
  if (!hasPendingRestore(dataDir)) return null
  const { kept } = JSON.parse(readFileSync(join(pending, READY), 'utf8')) as { kept: string }
  const content = pendingContentOf(dataDir)
  const keep = join(dataDir, kept)
  if (!existsSync(join(pending, MOVED_FILE))) {
    const brings = existsSync(content) ? readdirSync(content) : []
    const leaving = [
      ...REPLACED_FILES,
      ...brings.filter((name) => !REPLACED_FILES.some((replacedName) => replacedName === name)),
    ]
    for (const name of leaving) move(join(dataDir, name), join(keep, name))
    replaceFile(join(pending, MOVED_FILE), '{}')
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
