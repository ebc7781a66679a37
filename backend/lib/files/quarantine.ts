import { copyFileSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { isoOf } from '../clock.ts'

/** `2026-11-20T140000Z`: a time in a form that every file system accepts in names. */
export const stampForName = (at: Millis): string =>
  isoOf(at).replaceAll(':', '').replace(/\.\d+/, '')

/**
 * Sets a damaged database aside together with its logs and returns its new path: `history.duckdb`
 * becomes `history.duckdb.corrupt-<UTC time>`, its log `….corrupt-<UTC time>.wal`, so that the
 * engine finds the pair together. Null when there is no such file. Nothing is ever deleted.
 */
export function quarantine(path: string, at: Millis): string | null {
  const pathPrefix = `${path}.corrupt-${stampForName(at)}`
  let quarantinedPath = pathPrefix
  for (let n = 2; existsSync(quarantinedPath); n++) quarantinedPath = `${pathPrefix}-${n}`
  const name = basename(path)
  const logs = readdirSync(dirname(path)).filter(
    (other) => other.startsWith(name) && /^[.-](wal|shm|journal)/.test(other.slice(name.length)),
  )
  for (const log of logs) {
    renameSync(join(dirname(path), log), `${quarantinedPath}${log.slice(name.length)}`)
  }
  if (!existsSync(path)) return logs.length > 0 ? quarantinedPath : null
  renameSync(path, quarantinedPath)
  return quarantinedPath
}

/** Copies the log of a database before it is cut; returns the path of the copy. */
export function keepDamagedLog(path: string, at: Millis): string {
  const quarantinedPath = `${path}.corrupt-${stampForName(at)}.wal`
  copyFileSync(`${path}.wal`, quarantinedPath)
  return quarantinedPath
}
