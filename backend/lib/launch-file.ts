import { randomBytes, timingSafeEqual, createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What DATA/run/launch.json says of the running service; whoever can read it is its owner. */
export interface Launch {
  readonly url: string
  readonly pid: number
  readonly startedAt: string
  /** 32 random bytes in base64url; never printed, logged or put on a command line. */
  readonly secret: string
}

export const launchPathOf = (dataDir: string): string => join(dataDir, 'run', 'launch.json')

export const newLaunchSecret = (): string => randomBytes(32).toString('base64url')

/** Writes the file for this process alone to read (mode 0600), in one step. */
export function writeLaunch(dataDir: string, launch: Launch): void {
  const path = launchPathOf(dataDir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${launch.pid}`
  // The mode counts only for a file that is made: one left by a process of our number is not ours.
  rmSync(partial, { force: true })
  writeFileSync(partial, JSON.stringify(launch), { mode: 0o600, flag: 'wx' })
  renameSync(partial, path)
}

/** The file of this data folder, or null when there is none or it cannot be read as one. */
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

/** Removes the file when it is still that of `pid`. */
export function removeLaunch(dataDir: string, pid: number): void {
  if (readLaunch(dataDir)?.pid === pid) rmSync(launchPathOf(dataDir), { force: true })
}

/** Compares secrets in constant time, whatever their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
