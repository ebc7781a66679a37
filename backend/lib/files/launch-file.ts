import { randomBytes, timingSafeEqual, createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Content of DATA/run/launch.json about the running service; read access makes a user its owner. */
export interface Launch {
  readonly url: string
  readonly pid: number
  readonly startedAt: string
  /** 32 random bytes in base64url; never printed, logged or put on a command line. */
  readonly secret: string
}

export const launchPathOf = (dataDir: string): string => join(dataDir, 'run', 'launch.json')

export const newLaunchSecret = (): string => randomBytes(32).toString('base64url')

/** Writes the file with mode 0600, atomically. */
export function writeLaunch(dataDir: string, launch: Launch): void {
  const path = launchPathOf(dataDir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${launch.pid}`
  // The mode applies only to a new file: one left by an earlier process with our id is removed.
  rmSync(partial, { force: true })
  writeFileSync(partial, JSON.stringify(launch), { mode: 0o600, flag: 'wx' })
  renameSync(partial, path)
}

/** Reads the launch file of this data folder; null when it is missing or invalid. */
export function readLaunch(dataDir: string): Launch | null {
  try {
    const value: unknown = JSON.parse(readFileSync(launchPathOf(dataDir), 'utf8'))
    if (typeof value !== 'object' || value === null) return null
    const { url, pid, startedAt, secret } = value as Record<string, unknown>
    if (typeof url !== 'string' || typeof pid !== 'number') return null
    if (typeof startedAt !== 'string' || typeof secret !== 'string') return null
    return { url, pid, startedAt, secret }
  } catch {
    return null
  }
}

/** Removes the file if it still belongs to `pid`. */
export function removeLaunch(dataDir: string, pid: number): void {
  if (readLaunch(dataDir)?.pid === pid) rmSync(launchPathOf(dataDir), { force: true })
}

/** Compares secrets of any length in constant time. */
export function sameSecret(secret: string, expectedSecret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(secret), digest(expectedSecret))
}
